"""From text to the terms that are indexed, searched and counted.

NFKC and case folding, accents off, English (Porter2), Arabic, Russian and Greek Snowball stems by script,
stop words out, bigrams for scripts without spaces (Chinese cut at its question words first), codes such as XR-2000 whole and in parts.
The stemmer follows the script and not the language: a question is too short to tell its language, and
both sides of a search must be cut alike.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category

import Stemmer

from leadline.analysis.fold import bare
from leadline.analysis.scripts import RANGES
from leadline.analysis.stopwords import ALL as STOP_WORDS
from leadline.analysis.stopwords import CHINESE

TITLE_WEIGHT = 3
HEADING_WEIGHT = 2

_SPAN = dict(RANGES)
_UNSPACED = _SPAN["han"] + _SPAN["kana"] + _SPAN["hangul"] + _SPAN["thai"]
_MARKS = "".join(c for c in map(chr, [*range(0x591, 0xE00), *range(0xE80, 0x1800)]) if category(c)[0] == "M")
_TOKEN = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)"
    rf"|(?P<code>(?=[a-z_./-]{{0,40}}\d)[a-z0-9]+(?:[-_./][a-z0-9]+)+|[a-z]+\d[a-z0-9]*)"
    rf"|(?P<word>[^\W_{_UNSPACED}]+(?:[{_MARKS}]+[^\W_{_UNSPACED}]*)*)(?:'s\b)?"
)
_UNSPACED_ONE = re.compile(f"[{_UNSPACED}]")
_CUTS = re.compile("|".join(CHINESE))
_CODE_PART = re.compile(r"[a-z0-9]+")
_STEMMERS = {
    "latin": Stemmer.Stemmer("english"),
    "arabic": Stemmer.Stemmer("arabic"),
    "cyrillic": Stemmer.Stemmer("russian"),
    "greek": Stemmer.Stemmer("greek"),
}
_FIRST = {name: re.compile(f"[{span}]") for name, span in RANGES if name in _STEMMERS}


def analyse(text: str) -> list[str]:
    """The terms of `text`, in order, stop words left out.

    >>> analyse("Who founded the XR-2000 project's 1,200 yards?")
    ['found', 'xr-2000', 'xr', '2000', 'project', '1200', 'yard']
    >>> analyse("什么是报销的流程")
    ['是报', '报销', '流程']
    """
    return [term for term in sequence(text) if term not in STOP_WORDS and term not in _STEMMED_STOPS]


def sequence(text: str) -> list[str]:
    """All terms of `text` in order, stop words kept: what phrases are matched on."""
    terms: list[str] = []
    for token in _TOKEN.finditer(bare(text)):
        kind = token.lastgroup
        value = token.group(kind or 0)
        if kind == "word":
            terms.append(value if value in STOP_WORDS else stem(value))
        elif kind == "run":
            terms += _bigrams(value)
        elif kind == "number":
            terms.append(value.replace(",", ""))
        else:
            terms.append(value)
            parts = _CODE_PART.findall(value)
            terms += [stem(part) for part in parts if len(parts) > 1]
    return terms


def alone(text: str) -> str:
    """The one character that a text consists of, where texts are indexed by pairs of them; "" for any other text.

    >>> alone("塔？"), alone("谁在？"), alone("a")
    ('塔', '', '')
    """
    letters = "".join(filter(str.isalnum, bare(text)))
    return letters if len(letters) == 1 and _UNSPACED_ONE.match(letters) else ""


def _bigrams(run: str) -> list[str]:
    """Bigrams of the pieces between question words; a piece of one character is a term itself."""
    found: list[str] = []
    for piece in _CUTS.split(run):
        found += [piece[i : i + 2] for i in range(len(piece) - 1)] or ([piece] if piece else [])
    return found


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of one folded word, by its script."""
    if word.isascii():
        return word if word[0].isdigit() else _STEMMERS["latin"].stemWord(word)
    for script, first in _FIRST.items():
        if first.match(word):
            return _STEMMERS[script].stemWord(word)
    return word


_STEMMED_STOPS = frozenset(stem(word) for word in STOP_WORDS if not word.isascii() and len(word) > 2)


def chunk_terms(text: str, *, title: str = "", headings: Sequence[str] = (), context: str = "") -> str:
    """The terms a chunk is indexed by, joined by spaces: title three times, headings twice, then the text."""
    terms = analyse(title) * TITLE_WEIGHT
    for heading in headings:
        if heading != title:
            terms += analyse(heading) * HEADING_WEIGHT
    return " ".join(terms + analyse(context) + analyse(text))
