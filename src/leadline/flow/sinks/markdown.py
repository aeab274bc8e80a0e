"""Rows as a report that people read."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from leadline.flow.base import FieldKind, Row, Scope
from leadline.flow.ends import Put, Sink
from leadline.flow.expressions.comparing import found
from leadline.flow.operators.shapes import reading
from leadline.flow.sinks.files import written
from leadline.flow.sinks.lines import writing
from leadline.flow.templates import filled, shown, slots


@dataclass(frozen=True, slots=True)
class Markdown(Sink):
    """Rows into a Markdown file: a section for each, as a template says, or a line of a table.

    The file takes its place when the flow has ended.

    path: the file.
    title: the heading of the whole.
    row: what is written for each row, with slots: `{{question}}`, `{{answer.text}}`.
    columns: instead of `row`: these fields of each row as a line of a table.

    Example:
        markdown:
          path: report.md
          title: What was asked
          row: |
            ## {{question}}

            {{answer}}
    """

    path: str | Path
    title: str = ""
    row: str = ""
    columns: Sequence[str] = ()

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(*(self.columns or slots(self.row)))

    @asynccontextmanager
    async def opened(self, scope: Scope) -> AsyncGenerator[Put]:
        label = self.label or "markdown"
        with written(self.path, label) as file:
            if self.title:
                file.write(_bytes(f"# {self.title}\n\n"))
            if self.columns:
                file.write(_bytes(_line(self.columns) + _line(["---"] * len(self.columns))))
            yield writing(lambda row: _bytes(self._told(row)), file.write, scope, label)

    def _told(self, row: Row) -> str:
        if self.columns:
            return _line([shown(found(name.split("."))(row)) for name in self.columns])
        if self.row:
            return filled(self.row, row).strip("\n") + "\n\n"
        return "".join(f"- **{name}**: {_in_line(shown(value))}\n" for name, value in row.items()) + "\n"


def _line(cells: Sequence[str]) -> str:
    """A line of a table, in which a bar would end a cell.

    >>> _line(["a|b", "two\\nlines"])
    '| a\\\\|b | two lines |\\n'
    """
    return "| " + " | ".join(_in_line(cell).replace("|", "\\|") for cell in cells) + " |\n"


def _in_line(text: str) -> str:
    return " ".join(text.split())


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
