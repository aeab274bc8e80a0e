"""Rows as a table of text."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal

from leadline.errors import FlowError
from leadline.flow.base import FieldKind, Scope
from leadline.flow.ends import Put, Sink
from leadline.flow.operators.shapes import reading
from leadline.flow.sinks.files import begun, written
from leadline.flow.sinks.spooling import Ends, Spool, blocking
from leadline.flow.sources.files import delimiter_of
from leadline.flow.templates import as_text

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would compute."""


@dataclass(frozen=True, slots=True)
class Csv(Sink):
    """Rows into a CSV file: first a line of column names, then one line for each row.

    Text is quoted where it has to be; a list or mapping is written as JSON, null as nothing. Columns are all fields
    of all rows, in the order in which they first appear. The file takes its place when the flow has ended.

    path: the file.
    columns: these fields only, in this order.
    delimiter: between values; by itself a comma, in a file named `.tsv` a tab.
    formulas: `escape` puts `'` before a text that a spreadsheet would compute (`=1+1`).

    Example:
        csv: {path: answers.csv, columns: [question, answer], formulas: escape}
    """

    path: str | Path
    columns: Sequence[str] = ()
    delimiter: str = ""
    formulas: Literal["keep", "escape"] = "keep"

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(*self.columns)

    def opened(self, scope: Scope) -> AbstractAsyncContextManager[Put]:
        label = self.label or "csv"
        delimiter = self.delimiter or delimiter_of(Path(self.path))
        if len(delimiter) != 1:
            raise FlowError(f"{label}: `delimiter` is {delimiter!r}. It is one character.")

        def write(spool: Spool) -> Sequence[str]:
            with written(self.path, label) as file:
                self._write(spool, file, delimiter)
            return ()

        return blocking(scope, label, Ends(lambda: begun(self.path, label), write))

    def _write(self, spool: Spool, file: IO[bytes], delimiter: str) -> None:
        text = io.TextIOWrapper(file, "utf-8", "replace", newline="", write_through=True)
        names = list(self.columns or spool.columns)
        table = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        quoted = csv.writer(text, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
        lines = (map(row.get, names) for row in spool.rows())
        for cells in map(self._cells, chain((names,), lines)):
            # The library does not see that this character ends a line too.
            (quoted if any("\r" in cell for cell in cells) else table).writerow(cells)
        text.detach()

    def _cells(self, values: Iterable[Any]) -> list[str]:
        cells = ["" if value is None else as_text(value) for value in values]
        if self.formulas == "escape":
            return [f"'{cell}" if cell.startswith(FORMULA) and not _number(cell) else cell for cell in cells]
        return cells


def _number(text: str) -> bool:
    """Whether it is a number with its sign, which nothing need be done about.

    >>> _number("-1.5e3"), _number("-1+2")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True
