"""Tables of a PDF page: lines that wide gaps divide into cells which stand below each other.

A PDF knows no tables, only where each word stands. What is not plainly one stays text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.documents.formats.pdflines import NARROW, Cell, Line

_LEAST_ROWS = 3
_FARTHEST = 3.5
_SHORT = 24
"""Two columns of prose side by side are no table: one column at least must hold short texts."""

_FIGURE = re.compile(r"[^\w]*\d[\d.,:%\s]*[^\w]*")

Columns = list[tuple[float, float]]
Found = dict[int, tuple[int, list[list[str]]]]
"""Index of a table's first line -> index behind its last, and its rows."""


def tables(lines: Sequence[Line]) -> Found:
    """The tables among the lines of a page."""
    rows = list(_rows(lines))
    found: Found = {}
    at = 0
    while at < len(rows):
        end, texts = _table(rows, at)
        if len(texts) >= _LEAST_ROWS and _is_tabular(texts):
            found[rows[at].first] = (rows[end - 1].last + 1, texts)
            at = end
        else:
            at += 1
    return found


@dataclass(frozen=True, slots=True)
class _Row:
    """What stands on one height, of the lines `first` to `last`."""

    first: int
    last: int
    line: Line
    cells: tuple[Cell, ...]


def _rows(lines: Sequence[Line]) -> Iterator[_Row]:
    """Lines that go on at the height of the one before are one row with it."""
    row: _Row | None = None
    for at, line in enumerate(lines):
        cells = line.cells or ((line.left, line.right, line.text.strip()),)
        beside = row is not None and abs(row.line.bottom - line.bottom) < 0.3 * line.size
        if row is not None and beside and line.left >= row.line.right:
            row = _Row(row.first, at, line, _joined(row.cells, cells, line.size))
            continue
        if row is not None:
            yield row
        row = _Row(at, at, line, cells)
    if row is not None:
        yield row


def _joined(left: tuple[Cell, ...], right: tuple[Cell, ...], size: float) -> tuple[Cell, ...]:
    last, first = left[-1], right[0]
    if first[0] - last[1] > NARROW * size:
        return (*left, *right)
    return (*left[:-1], (last[0], first[1], last[2] + first[2]), *right[1:])


def _table(found: Sequence[_Row], at: int) -> tuple[int, list[list[str]]]:
    """The rows that begin at one of several cells, and where they end."""
    first = found[at].cells
    if len(first) < 2:
        return at, []
    columns: Columns = [(left, right) for left, right, _ in first]
    rows = [[text for _, _, text in first]]
    end = at + 1
    while end < len(found) and _follows(found[end - 1].line, found[end].line):
        cells = found[end].cells
        places = _placed(cells, columns)
        if not places or (len(cells) == 1 and places[0] == 0):
            break
        if len(cells) == 1:
            # What does not begin in the first column goes on with the cell above it.
            rows[-1][places[0]] = f"{rows[-1][places[0]]} {cells[0][2]}".strip()
        else:
            row = [""] * len(columns)
            for place, (left, right, text) in zip(places, cells, strict=True):
                row[place] = text
                columns[place] = min(columns[place][0], left), max(columns[place][1], right)
            rows.append(row)
        end += 1
    return end, rows


def _follows(above: Line, line: Line) -> bool:
    return 0 < above.bottom - line.bottom <= _FARTHEST * max(line.size, above.size)


def _placed(cells: Sequence[Cell], columns: Columns) -> list[int]:
    """The column of each cell, [] when one stands under none, under two, or under that of another."""
    places: list[int] = []
    for left, right, _ in cells:
        under = [i for i, column in enumerate(columns) if left < column[1] and right > column[0]]
        if len(under) != 1 or (places and under[0] <= places[-1]):
            return []
        places += under
    return places


def _is_tabular(rows: Sequence[Sequence[str]]) -> bool:
    if sum(bool(_FIGURE.fullmatch(text)) for text in rows[0]) * 2 >= len(rows[0]):
        return False  # its header was not found, and a row of figures must not pass for one
    lengths = [sum(map(len, column)) / len(rows) for column in zip(*rows, strict=True)]
    return min(lengths) <= _SHORT
