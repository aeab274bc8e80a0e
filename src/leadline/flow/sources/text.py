"""Plain text as rows: by line, by paragraph, or by file."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline.flow.base import FieldKind, Row, Rows, Scope, Shape
from leadline.flow.ends import Source
from leadline.flow.sources.files import Broken, Line, found, lines

Each = Literal["line", "paragraph", "file"]

LARGEST = 96 << 20
"""Characters of one row."""


@dataclass(frozen=True, slots=True)
class Text(Source):
    """Rows from text files: `text` and the number of its (first) `line`, with the `file` it stands in.

    Lines that are not UTF-8 are told with file and line, and the next one is read. Blank lines give no row.

    path: the file, or a pattern such as `notes/*.txt`; `.gz` is unpacked.
    each: what makes a row: `line`, `paragraph` (lines without a blank one between them) or `file`.
    into: the field for the text.

    Example:
        text: {path: questions.txt, into: question}
    """

    path: str | Path
    each: Each = "line"
    into: str = "text"

    def shape(self) -> Shape:
        fields: Mapping[str, FieldKind] = {"file": "text", "line": "number", self.into: "text"}
        return Shape(fields, open=False)

    async def rows(self, scope: Scope) -> Rows:
        label = self.label or "text"
        for path in found(self.path, label):
            broken = Broken(scope, label, path)
            for number, text in self._told(_decoded(lines(path, label), broken), broken):
                row: Row = {self.into: text, "file": str(path), "line": number}
                yield row

    def _told(self, told: "Numbered", broken: Broken) -> "Numbered":
        match self.each:
            case "line":
                return _by_line(told)
            case "paragraph":
                return _joined(told, lambda last, number: number != last + 1, broken)
            case "file":
                return _joined(told, lambda last, number: False, broken)


Numbered = Iterator[tuple[int, str]]


def _decoded(given: Iterator[Line], broken: Broken) -> Numbered:
    for line in given:
        try:
            text = line.text()
        except ValueError as error:
            broken.line(line, error)
        else:
            yield line.number, text


def _by_line(told: Numbered) -> Numbered:
    for number, text in told:
        yield number, text.strip()


def _joined(told: Numbered, apart: Callable[[int, int], bool], broken: Broken) -> Numbered:
    """Lines put together until two of them are `apart`, with the blank lines between them."""
    first = last = size = 0
    held: list[str] = []
    for number, text in told:
        if held and apart(last, number):
            yield from _whole(first, held, size, broken)
            held, size = [], 0
        if not held:
            first, last = number, number - 1
        blank = number - last - 1
        size += blank + len(text) + 1
        if size <= LARGEST:
            held.append("\n" * blank + text)
        last = number
    if held:
        yield from _whole(first, held, size, broken)


def _whole(first: int, held: list[str], size: int, broken: Broken) -> Numbered:
    if size > LARGEST:
        broken(first, f"the {size:,} characters that begin here are too many for one row", held[0])
    else:
        yield first, "\n".join(held)
