"""Tables of text as rows."""

import codecs
import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from leadline.errors import FlowError
from leadline.flow.base import FieldKind, Row, Rows, Scope, Shape
from leadline.flow.ends import Source
from leadline.flow.sources.files import Broken, delimiter_of, found, opened, present
from leadline.flow.value_types import TYPES

LONGEST_CELL = 16 << 20
csv.field_size_limit(LONGEST_CELL)

KINDS: Mapping[str, FieldKind] = {"text": "text", "int": "number", "float": "number", "bool": "bool"}
"""What the types of columns are to the steps behind."""

Parse = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Csv(Source):
    """Rows from a CSV file whose first line names the columns. All values are text, as they stand there.

    A line that does not have a value for each column is told with file and line, and the next one is read.

    path: the file, or a pattern such as `data/*.csv`; `.gz` is unpacked.
    columns: the names of the columns of a file without a line of them.
    delimiter: between values; by itself a comma, in a file named `.tsv` a tab.
    types: columns that are no text: `int`, `float` or `bool`; an empty value is null there.
    encoding: of the file, UTF-8 by itself.

    Example:
        csv: {path: questions.csv, types: {year: int}}
    """

    path: str | Path
    columns: Sequence[str] = ()
    delimiter: str = ""
    types: Mapping[str, Literal["text", "int", "float", "bool"]] = field(
        default_factory=dict[str, Literal["text", "int", "float", "bool"]]
    )
    encoding: str = "utf-8-sig"

    def shape(self) -> Shape:
        try:
            names = self._names()
        except FlowError:
            return Shape()
        return Shape({name: self._kind(name) for name in names}, open=False) if names else Shape()

    def misfit(self) -> str:
        try:
            self._names()
        except FlowError as error:
            return str(error)
        return ""

    def _names(self) -> Sequence[str]:
        """The columns, as far as the files are there; none where they are not known before the rows."""
        if self.columns:
            return self.columns
        label, names = self.label or "csv", dict[str, None]()
        for path in present(self.path):
            with opened(path, label) as file, self._text(file, label) as text:
                try:
                    header = _header(next(self._table(text, path, label), list[str]()), path, label)
                except (csv.Error, OSError, EOFError, UnicodeError):
                    return ()
            self._check_types(header, path, label)
            names |= dict.fromkeys(header)
        return tuple(names)

    async def rows(self, scope: Scope) -> Rows:
        label = self.label or "csv"
        for path in found(self.path, label):
            for row in self._rows_of(path, label, Broken(scope, label, path)):
                yield row

    def _rows_of(self, path: Path, label: str, broken: Broken) -> Iterator[Row]:
        with opened(path, label) as file, self._text(file, label) as text:
            table = self._table(text, path, label)
            try:
                names = list(self.columns) or _header(next(table, list[str]()), path, label)
                self._check_types(names, path, label)
                parses = [self._parse(name) for name in names]
                yield from self._records(table, names, parses, broken)
            except (csv.Error, OSError, EOFError, UnicodeError) as error:
                raise FlowError(f"{label}: {path}:{table.line_num}: cannot be read: {error}.") from None

    def _table(self, text: io.TextIOWrapper, path: Path, label: str) -> Any:
        delimiter = self.delimiter or delimiter_of(path)
        try:
            return csv.reader(text, delimiter=delimiter, strict=True)
        except (TypeError, csv.Error) as error:
            raise FlowError(f"{label}: `delimiter` is {delimiter!r}: {error}. It is one character.") from None

    def _records(
        self, table: Any, names: list[str], parses: list[Parse | None], broken: Broken
    ) -> Iterator[Row]:
        plain = not self.types
        while True:
            line = table.line_num + 1
            cells: list[str] = []
            try:
                cells = next(table)
                if not cells:
                    continue
                row = _row(names, cells) if plain else _typed(names, cells, parses)
                _check_text(cells)
            except StopIteration:
                return
            except UnicodeError:
                raise  # the file cannot be read on behind it
            except (csv.Error, ValueError) as error:
                broken(line, str(error), ", ".join(cells))
            else:
                yield row

    def _text(self, file: IO[bytes], label: str) -> io.TextIOWrapper:
        try:
            text = io.TextIOWrapper(file, self.encoding, "surrogateescape", newline="")
            codecs.getincrementaldecoder(self.encoding)("surrogateescape").decode(b"")
        except (LookupError, TypeError, ValueError):
            raise FlowError(
                f"{label}: there is no encoding `{self.encoding}`. Try utf-8 or cp1252."
            ) from None
        return text

    def _check_types(self, names: Sequence[str], path: Path, label: str) -> None:
        """Refuse types of columns that are not there; an empty file has none at all."""
        if names and (stray := [name for name in self.types if name not in names]):
            raise FlowError(
                f"{label}: `types.{stray[0]}` is of no column of `{path}`. It has: {', '.join(names)}."
            )

    def _kind(self, name: str) -> FieldKind:
        wanted = self.types.get(name, "text")
        if wanted not in KINDS:
            known = ", ".join(KINDS)
            raise FlowError(f"{self.label or 'csv'}: `types.{name}` is `{wanted}`. It is one of {known}.")
        return KINDS[wanted]

    def _parse(self, name: str) -> Parse | None:
        return None if self._kind(name) == "text" else TYPES[self.types[name]]


def _header(cells: list[str], path: Path, label: str) -> list[str]:
    """The names of the columns; one without a name is called by its place."""
    try:
        _check_text(cells)
    except ValueError as error:
        raise FlowError(f"{label}: {path}:1: the line of columns {error}.") from None
    names = [cell.strip() or f"column{place}" for place, cell in enumerate(cells, 1)]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise FlowError(
            f"{label}: {path}:1: two columns are called `{twice[0]}`. Give `columns` and leave that line out."
        )
    return names


def _row(names: list[str], cells: list[str]) -> Row:
    if len(cells) != len(names):
        raise ValueError(f"has {len(cells)} values for {len(names)} columns")
    return dict(zip(names, cells, strict=True))


def _typed(names: list[str], cells: list[str], parses: list[Parse | None]) -> Row:
    row = _row(names, cells)
    for name, cell, parse in zip(names, cells, parses, strict=True):
        if parse is not None:
            try:
                row[name] = parse(cell.strip()) if cell.strip() else None
            except ValueError as error:
                raise ValueError(f"`{name}` {error}, not {cell!r:.40}") from None
    return row


def _check_text(cells: list[str]) -> None:
    """Bytes that the encoding does not know were read as half character pairs."""
    text = "".join(cells)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError("holds bytes that are not of its encoding; set `encoding`") from None
