"""Plain text as rows: by line, by paragraph, or by file."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline.flow.base import FieldKind, Row, Rows, Scope, Shape
from leadline.flow.ends import Source
from leadline.flow.sources.files import Broken, Line, found, lines

Each = Literal["line", "paragraph", "file"]


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

    path: Path
    each: Each = "line"
    into: str = "text"

    def shape(self) -> Shape:
        fields: Mapping[str, FieldKind] = {"file": "text", "line": "number", self.into: "text"}
        return Shape(fields, open=False)

    async def rows(self, scope: Scope) -> Rows:
        label = self.label or "text"
        for path in found(self.path, label):
            told = _decoded(lines(path, label), Broken(scope, label, path))
            for number, text in JOINED[self.each](told):
                row: Row = {self.into: text, "file": str(path), "line": number}
                yield row


Numbered = Iterator[tuple[int, str]]


def _decoded(given: Iterator[Line], broken: Broken) -> Numbered:
    for line in given:
        try:
            if not line.whole:
                raise ValueError("the line is too long")
            yield line.number, line.data.decode()
        except UnicodeDecodeError as error:
            broken(
                line.number,
                f"is no UTF-8 (byte {error.start + 1})",
                line.data[:1000].decode("utf-8", "replace"),
            )
        except ValueError as error:
            broken(line.number, str(error))


def _by_line(told: Numbered) -> Numbered:
    for number, text in told:
        yield number, text.strip()


def _by_paragraph(told: Numbered) -> Numbered:
    first, last, held = 0, 0, list[str]()
    for number, text in told:
        if held and number != last + 1:
            yield first, "\n".join(held)
            held = []
        first, last = first if held else number, number
        held.append(text)
    if held:
        yield first, "\n".join(held)


def _by_file(told: Numbered) -> Numbered:
    whole: list[str] = []
    last = 0
    for number, text in told:
        whole += [""] * (number - last - 1) + [text]
        last = number
    if whole:
        yield 1, "\n".join(whole)


JOINED: Mapping[Each, Callable[[Numbered], Numbered]] = {
    "line": _by_line,
    "paragraph": _by_paragraph,
    "file": _by_file,
}
