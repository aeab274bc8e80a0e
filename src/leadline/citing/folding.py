"""Text made comparable, with the way back: every folded character knows where it stands in the source.

Folding is per character: compatibility forms decomposed (full width, ligatures), case, accents, Arabic and
Hebrew vowel marks, white space, bidi controls and soft hyphens gone, quotation marks and dashes made one,
digits of every script made ASCII. What is folded is only ever compared, never shown.
"""

import unicodedata
from bisect import bisect_right
from itertools import accumulate

_BLOCK = 2048
_DROPPED_MARKS = (
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x0591, 0x05C7),
    (0x0610, 0x061A),
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x06D6, 0x06ED),
    (0x08CA, 0x08FF),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE00, 0xFE0F),
    (0xFE20, 0xFE2F),
)
_TATWEEL = "\u0640"
_QUOTES = frozenset("'\"`\u00b4\u2032\u2033\u2035\u2036\u300c\u300d\u300e\u300f\u301d\u301e\u301f")
_SAME = {
    "\u2212": "-",
    "\u2043": "-",
    "\u2044": "/",
    "\u066b": ".",
    "\u066c": ",",
    "\u3002": ".",
    "\u060c": ",",
}


class _Table(dict[int, str | None]):
    """What `str.translate` asks for each character; filled as characters are met."""

    def __missing__(self, code: int) -> str | None:
        folded = _fold_character(chr(code)) or None
        self[code] = folded
        return folded


def _is_dropped_mark(code: int) -> bool:
    return any(first <= code <= last for first, last in _DROPPED_MARKS)


def _fold_character(character: str) -> str:
    category = unicodedata.category(character)
    if character.isspace() or category in {"Cc", "Cf"} or character == _TATWEEL:
        return ""
    if category in {"Mn", "Me"} and _is_dropped_mark(ord(character)):
        return ""
    if category in {"Pi", "Pf"} or character in _QUOTES:
        return "'"
    if category == "Pd":
        return "-"
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if character in _SAME:
        return _SAME[character]
    parts = unicodedata.normalize("NFKD", character)
    if parts != character:
        return "".join(_fold_character(part) for part in parts)
    return character.casefold()


_TABLE = _Table()


def folded(text: str) -> str:
    """`text` in its comparable form, without white space.

    >>> folded("Ｈｅｌｌｏ, “ﬁne” Wörld") == folded("hello, 'fine' world")
    True
    """
    return text.translate(_TABLE)


class Folded:
    """The folded form of `source[start:end]` and the positions its characters came from."""

    __slots__ = ("_ends", "_source", "_start", "text")

    def __init__(self, source: str, start: int = 0, end: int | None = None) -> None:
        stop = len(source) if end is None else min(end, len(source))
        blocks = [folded(source[at : min(at + _BLOCK, stop)]) for at in range(start, stop, _BLOCK)]
        self._source = source
        self._start = start
        self._ends = list(accumulate(len(block) for block in blocks))
        self.text = "".join(blocks)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where folded characters `start:end` (not empty) stand in the source."""
        return self._position(start), self._position(end - 1) + 1

    def _position(self, index: int) -> int:
        block = bisect_right(self._ends, index)
        rest = index - (self._ends[block - 1] if block else 0)
        at = self._start + block * _BLOCK
        while (width := len(folded(self._source[at]))) <= rest:
            rest -= width
            at += 1
        return at
