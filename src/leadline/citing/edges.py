"""Where a span may begin and end: never inside a word, a number or a character with its marks."""

import unicodedata

from leadline.analysis.sentences import sentences

Span = tuple[int, int]

_REACH = 60
_AROUND = 400
_SIGNS = "-\u2212"
_POINTS = ".,\u066b\u066c"
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
)


def unspaced(character: str) -> bool:
    """Is `character` of a script that writes no spaces between words?

    >>> unspaced("語"), unspaced("ก"), unspaced("a")
    (True, True, False)
    """
    code = ord(character)
    return any(first <= code <= last for first, last in _UNSPACED)


def _in_word(character: str) -> bool:
    return character.isalnum() and not unspaced(character)


def _continues(character: str) -> bool:
    """Does `character` belong to the one before it (a mark, a variation selector, a skin tone)?"""
    return unicodedata.category(character) in {"Mn", "Me", "Mc"} or "\U0001f3fb" <= character <= "\U0001f3ff"


def _joined(text: str, at: int) -> bool:
    """Would cutting between `at - 1` and `at` cut something that is one word or number?"""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    if _continues(right):
        return True
    if _in_word(right) and (_in_word(left) or _continues(left)):
        return not unspaced(left)
    if right.isdigit() and left in _POINTS:
        return at > 1 and text[at - 2].isdigit()
    if left.isdigit() and right in _POINTS:
        return at + 1 < len(text) and text[at + 1].isdigit()
    return right.isdigit() and left in _SIGNS and (at == 1 or not text[at - 2].isalnum())


def is_whole(text: str, span: Span) -> bool:
    """Does `span` cut no word and no number?"""
    return not _joined(text, span[0]) and not _joined(text, span[1])


def whole(text: str, span: Span) -> Span:
    """`span`, grown to whole words and numbers, so that "12" out of "2012" can't pass for 12.

    >>> whole("In 2012.", (5, 7))
    (3, 7)
    """
    start, end = span
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    while start > first and _joined(text, start):
        start -= 1
    while end < last and _joined(text, end):
        end += 1
    return start, end


def sentence_spans(text: str, span: Span) -> list[Span]:
    """The sentences of `text` that `span` touches; only its neighbourhood is read."""
    first, last = max(0, span[0] - _AROUND), min(len(text), span[1] + _AROUND)
    spans = [(first + start, first + end) for start, end in sentences(text[first:last])]
    return [(start, end) for start, end in spans if start < span[1] and end > span[0]]


def to_sentence(text: str, span: Span) -> Span:
    """`span`, moved to the ends of the sentences it nearly covers (within 15% of its length)."""
    slack = max(4, (span[1] - span[0]) * 15 // 100)
    touched = sentence_spans(text, span)
    start = min((s for s, _ in touched), key=lambda s: abs(s - span[0]), default=span[0])
    end = min((e for _, e in touched), key=lambda e: abs(e - span[1]), default=span[1])
    if abs(start - span[0]) > slack:
        start = span[0]
    if abs(end - span[1]) > slack:
        end = span[1]
    return (start, end) if start < end else span
