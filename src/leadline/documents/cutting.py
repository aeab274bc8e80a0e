"""Cut what is too long to stay whole: at sentences, rows, blank lines, and only then anywhere.

Everything works on positions: a list of edges says where a text may be cut, `pack` chooses among them.
All of it takes time linear in the text, whatever the text is.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from leadline.analysis.sentences import sentences

Cut = Callable[[str, int, int, int], list[int]]
"""Edges from `start` to `end` of a text, none further apart than a size."""

_LINE = re.compile(r"\n(?=.)")
_BLANK_LINE = re.compile(r"\n(?:[^\S\n]*\n)+")
_BREAKS = ("\n", "；", "; ", "，", ", ", "、", "،", " ", "\t")
_RULE = re.compile(r"[\s|:+=\-]*")
_LONGEST_HEADER = 400
_LONGEST_MARKS = 16


def pack(edges: Sequence[int], size: int) -> list[int]:
    """The fewest, about equally long stretches of at most `size` that the edges allow, as edges.

    >>> pack([0, 4, 8, 12, 16], 12)
    [0, 8, 16]
    """
    length = edges[-1] - edges[0]
    goal = length / max(1, -(-length // size))
    chosen = [edges[0]]
    for here, after in pairwise(edges[1:]):
        if after - chosen[-1] > size or here - chosen[-1] + (after - here) / 2 > goal:
            chosen.append(here)
    return [*chosen, edges[-1]]


def prose(text: str, start: int, end: int, size: int) -> list[int]:
    """Edges that cut `text[start:end]` between sentences, and within one that is too long."""
    edges = _edges(start, (start + first for first, _ in sentences(text[start:end])), end)
    return pack(_finer(text, edges, size, _broken), size)


def lines(text: str, start: int, end: int, size: int) -> list[int]:
    """Edges that cut `text[start:end]` between lines, and between sentences in a line that is too long."""
    edges = _edges(start, (mark.end() for mark in _LINE.finditer(text, start, end)), end)
    return pack(_finer(text, edges, size, prose), size)


def code(text: str, start: int, end: int, size: int) -> list[int]:
    """Edges that cut `text[start:end]` at blank lines, and between lines where there are none."""
    edges = _edges(start, (mark.end() for mark in _BLANK_LINE.finditer(text, start, end)), end)
    return pack(_finer(text, edges, size, lines), size)


def header(text: str, start: int, end: int) -> str:
    """The first row of the table at `text[start:end]`, or "" when it is too long to repeat.

    >>> header("| a | b |\\n|---|---|\\n| 1 | 2 |", 0, 29)
    '| a | b |'
    """
    for row in text[start : min(end, start + _LONGEST_HEADER + 1)].splitlines(keepends=True):
        if not _RULE.fullmatch(row):
            return row.strip() if row.endswith("\n") else ""
    return ""


def _edges(start: int, marks: Iterable[int], end: int) -> list[int]:
    return [start, *(mark for mark in marks if start < mark < end), end]


def _finer(text: str, edges: Sequence[int], size: int, cut: Cut) -> list[int]:
    """The edges, with more of them where two are further apart than `size`."""
    fine: list[int] = []
    for a, b in pairwise(edges):
        fine += cut(text, a, b, size)[:-1] if b - a > size else [a]
    return [*fine, edges[-1]]


def _broken(text: str, start: int, end: int, size: int) -> list[int]:
    edges = [start]
    while end - edges[-1] > size:
        edges.append(_break(text, edges[-1] + size // 2, edges[-1] + size))
    return [*edges, end]


def _break(text: str, low: int, high: int) -> int:
    for mark in _BREAKS:
        at = text.rfind(mark, low, high)
        if at > low:
            return at + len(mark)
    for at in range(high, max(low, high - _LONGEST_MARKS), -1):
        if not _attached(text[at]):
            return at
    return high


def _attached(character: str) -> bool:
    """Whether a character belongs to the one before it: an accent, a joiner, a variation selector."""
    return unicodedata.combining(character) > 0 or unicodedata.category(character) in {"Mn", "Me", "Cf"}
