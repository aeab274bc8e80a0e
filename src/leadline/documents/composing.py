"""Build the text of a document piece by piece, keeping positions exact.

Every piece is normalised on its own and pieces are joined by newlines, which never compose with what
follows, so the whole is normalised too and no position has to be corrected afterwards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leadline.documents.base import Extracted
from leadline.documents.figures import is_caption, said
from leadline.documents.normalising import normalise, one_line
from leadline.errors import DocumentError
from leadline.types import Block, BlockKind, Heading, MetaValue, Page

MOST_CHARACTERS = 50_000_000
"""A text longer than this is a bomb or a data dump, not something to search and quote."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the text ended after a figure or a caption, and whether that wrote anything."""

    at: int = -1
    written: bool = False


class Composer:
    """Collects headings, paragraphs, tables, lists, code, figures and page starts, and gives an `Extracted`."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.title = ""
        self.metadata: dict[str, MetaValue] = {}
        self.notes: list[str] = []
        self._parts: list[str] = []
        self._length = 0
        self._pages: list[tuple[int, int]] = []
        self._page_waits: list[int] = []
        self._headings: list[Heading] = []
        self._blocks: list[Block] = []
        self._uncaptioned = _Place()
        self._caption = _Place()

    def heading(self, level: int, text: str) -> None:
        """A heading, on a line of its own."""
        line = one_line(text)
        if line:
            start, end = self._append(line, "\n\n")
            self._headings.append(Heading(max(1, min(level, 9)), line, start, end))

    def paragraph(self, text: str) -> None:
        """A paragraph; newlines inside it stay. Right below a figure it may be the figure's caption."""
        if self._uncaptioned.at == self._length and is_caption(text.strip()):
            self.caption(text)
        else:
            self._block("paragraph", text)

    def caption(self, text: str) -> None:
        """A text that its style or wording shows to be a caption: part of the figure beside it."""
        text, place = normalise(text), self._uncaptioned
        if not text.strip():
            return
        if place.at == self._length and not self._page_waits:
            self._figure(text, joins=place.written)
        elif is_caption(text):
            self._block("figure", text)
            self._caption = _Place(self._length, written=True)
        else:
            self._block("paragraph", text)

    def figure(self, *texts: str, caption: str = "") -> None:
        """A picture by what is said of it and what is read in it; without a caption, one right beside it is taken."""
        words = "\n\n".join(said((caption, *texts)))
        above = not caption and self._caption_above()
        if words or above:
            self._figure(words, joins=above)
        self._uncaptioned = _Place() if caption or above else _Place(self._length, written=bool(words))

    def code(self, text: str) -> None:
        """Source code or anything else whose lines matter."""
        self._block("code", text)

    def item(self, text: str, depth: int = 0) -> None:
        """A list item; items that follow each other make one block."""
        line = one_line(text)
        if not line:
            return
        last = self._blocks[-1] if self._blocks else None
        joins = last is not None and last.kind == "list" and last.end == self._length and not self._page_waits
        start, end = self._append("  " * depth + "- " + line, "\n" if joins else "\n\n")
        if joins and last is not None:
            self._blocks[-1] = Block("list", last.start, end)
        else:
            self._blocks.append(Block("list", start, end))

    def table(self, rows: Iterable[Sequence[str]]) -> None:
        """A table, written as a Markdown table whose first row is its header."""
        text = markdown_table([[one_line(cell) for cell in row] for row in rows])
        if text:
            self._block("table", text)

    def raw_table(self, text: str) -> None:
        """A table that keeps the text it came with (a ragged CSV)."""
        self._block("table", text)

    def page(self, number: int = 0) -> None:
        """What follows stands on page `number` (one after the last, if not given)."""
        last = self._page_waits[-1] if self._page_waits else self._pages[-1][0] if self._pages else 0
        self._page_waits.append(number or last + 1)

    def include(self, other: Extracted) -> None:
        """Everything of another text, shifted to its place here; its pages are not ours."""
        if not other.text:
            return
        start, _ = self._append(other.text, "\n\n")
        self._headings += [Heading(h.level, h.text, h.start + start, h.end + start) for h in other.headings]
        self._blocks += [Block(b.kind, b.start + start, b.end + start) for b in other.blocks]

    def build(self) -> Extracted:
        """The finished text."""
        self._pages += [(number, self._length) for number in self._page_waits]
        starts = [start for _, start in self._pages] + [self._length]
        if self._pages:
            starts[0] = 0
        pages = tuple(Page(number, starts[i], starts[i + 1]) for i, (number, _) in enumerate(self._pages))
        return Extracted(
            text="".join(self._parts),
            title=one_line(self.title),
            kind=self.kind,
            metadata=self.metadata,
            pages=pages,
            headings=tuple(self._headings),
            blocks=tuple(self._blocks),
            notes=tuple(self.notes),
        )

    def _caption_above(self) -> bool:
        """Whether the text ends with a caption that belongs to no figure yet."""
        last = self._blocks[-1] if self._blocks else None
        if last is None or last.end != self._length or self._page_waits:
            return False
        return self._caption.at == self._length or (last.kind == "paragraph" and is_caption(self._parts[-1]))

    def _figure(self, text: str, *, joins: bool) -> None:
        """Text of a figure; `joins` when the last block is part of the same one."""
        if not joins:
            self._block("figure", text)
            return
        start = self._blocks.pop().start
        end = self._append(text, "\n\n")[1] if text else self._length
        self._blocks.append(Block("figure", start, end))

    def _block(self, kind: BlockKind, text: str) -> None:
        text = normalise(text)
        if text.strip():
            start, end = self._append(text, "\n\n")
            self._blocks.append(Block(kind, start, end))

    def _append(self, text: str, separator: str) -> tuple[int, int]:
        if self._parts:
            self._parts.append(separator)
            self._length += len(separator)
        self._pages += [(number, self._length) for number in self._page_waits]
        self._page_waits.clear()
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        if self._length > MOST_CHARACTERS:
            raise DocumentError(
                f"holds more than {MOST_CHARACTERS // 1_000_000} million characters of text",
                "Split it into smaller files.",
            )
        return start, self._length


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table of equal rows; "" when there is nothing in it. Cells must be single lines; columns with nothing in them are left out."""
    rows = [row for row in rows if any(row)]
    if not rows:
        return ""
    width = max(len(row) for row in rows)
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    used = [column for column in range(width) if any(row[column] for row in rows)]
    lines = ["| " + " | ".join(row[column].replace("|", "\\|") for column in used) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(used))
    return "\n".join(lines)
