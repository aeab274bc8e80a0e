"""Fold text to the form in which two spellings of the same thing compare equal."""

import re
import unicodedata

IGNORED = dict.fromkeys(
    [0x00AD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0x0640]
    + [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
    + [*range(0x064B, 0x0653), 0x0670]
)
"""Soft hyphen, zero-width and direction marks, and the Arabic tatweel and vowel signs."""

ALIKE = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "‐": "-", "‑": "-"}
)
ARABIC = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ؤ": "و", "ئ": "ي"})
DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "01234567890123456789")
_SPACE = re.compile(r"\s+")
_ODD = re.compile("[" + "".join(map(chr, sorted({*IGNORED, *ALIKE, *DIGITS}))) + "]")
_FORMS = (
    dict.fromkeys(IGNORED, "")
    | {code: str(form) for code, form in ALIKE.items()}
    | {code: chr(form) for code, form in DIGITS.items()}
)
_ARABIC = re.compile("[" + "".join(map(chr, ARABIC)) + "]")
_MARKED = re.compile("[À-ɏ\u0300-\u036fͰ-ϿḀ-ỿ]")


def fold(text: str) -> str:
    """NFKC, lower case, no marks that cannot be seen, one kind of quote and dash, single spaces.

    >>> fold("“Ｍirren­  Bay” – 1９80")
    '"mirren bay" - 1980'
    """
    if text.isascii():
        return _SPACE.sub(" ", text.casefold()).strip()
    # A regular expression: `str.translate` looks every single character up, ten times slower here.
    text = _ODD.sub(_odd, unicodedata.normalize("NFKC", text)).casefold()
    # Once more, for what a hidden mark or a capital letter kept apart.
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip()


def bare(text: str) -> str:
    """`fold`, and further: Latin and Greek letters lose their accents, Arabic letters their variants.

    >>> bare("Zürich"), bare("الإدارة")
    ('zurich', 'الاداره')
    """
    text = fold(text)
    if text.isascii():
        return text
    text = _ARABIC.sub(lambda letter: ARABIC[ord(letter.group())], text)
    if _MARKED.search(text):
        text = _MARKED.sub(lambda mark: _without_accent(mark.group()), text)
    return text


def _odd(character: re.Match[str]) -> str:
    return _FORMS[ord(character.group())]


def _without_accent(letter: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", letter) if not unicodedata.combining(c))
