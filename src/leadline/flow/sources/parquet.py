"""Parquet files as rows, a few groups of rows in memory at a time."""
# pyarrow ships no types
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from leadline.errors import FlowError
from leadline.flow.base import FieldKind, Row, Rows, Scope, Shape
from leadline.flow.ends import Source
from leadline.flow.sources.files import found, present
from leadline.flow.sources.plain_values import plain_row

BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Parquet(Source):
    """Rows from a Parquet file. Dates become text (ISO 8601), binary values base64, what is not a number null.

    path: the file, or a pattern such as `data/*.parquet`, whose files are read in order of their names.
    columns: these only.

    Example:
        parquet: {path: questions.parquet, columns: [id, question]}
    """

    path: str | Path
    columns: Sequence[str] = ()

    def shape(self) -> Shape:
        fields: dict[str, FieldKind] = {}
        try:
            for path in present(self.path):
                with closing(_opened(path, self.label or "parquet")) as file:
                    for column in file.schema_arrow:
                        kind = _kind(column.type)
                        fields[column.name] = kind if fields.get(column.name, kind) == kind else "any"
        except FlowError:
            return Shape()
        columns = self.columns or fields
        return Shape({name: fields.get(name, "any") for name in columns}, open=False) if fields else Shape()

    def misfit(self) -> str:
        label = self.label or "parquet"
        try:
            for path in present(self.path):
                with closing(_opened(path, label)) as file:
                    self._check_columns(file.schema_arrow.names, path, label)
        except FlowError as error:
            return str(error)
        return ""

    async def rows(self, scope: Scope) -> Rows:
        label = self.label or "parquet"
        for path in found(self.path, label):
            async for row in self._rows_of(path, label):
                yield row

    async def total(self, scope: Scope) -> int | None:
        paths = found(self.path, self.label or "parquet")
        return sum([await asyncio.to_thread(_count, path, self.label or "parquet") for path in paths])

    async def _rows_of(self, path: Path, label: str) -> AsyncIterator[Row]:
        file = await asyncio.to_thread(_opened, path, label)
        with closing(file):
            self._check_columns(file.schema_arrow.names, path, label)
            batches = file.iter_batches(BATCH, columns=list(self.columns) or None)
            try:
                while (batch := await asyncio.to_thread(next, batches, None)) is not None:
                    for record in batch.to_pylist():
                        yield plain_row(record)
            except (pa.ArrowException, OSError) as error:
                raise FlowError(f"{label}: `{path}` cannot be read on: {error}.") from None

    def _check_columns(self, known: Sequence[str], path: Path, label: str) -> None:
        for name in self.columns:
            if name not in known:
                has = ", ".join(sorted(known))
                raise FlowError(f"{label}: `{path}` has no column `{name}`. It has: {has}.")


def _kind(type_: Any) -> FieldKind:
    """What values of a column are as plain ones, where they are all alike."""
    if pa.types.is_string(type_) or pa.types.is_large_string(type_):
        return "text"
    if pa.types.is_integer(type_) or pa.types.is_floating(type_):
        return "number"
    if pa.types.is_boolean(type_):
        return "bool"
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return "list"
    return "mapping" if pa.types.is_struct(type_) else "any"


def _opened(path: Path, label: str) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise FlowError(f"{label}: `{path}` cannot be read as Parquet: {error}.") from None


def _count(path: Path, label: str) -> int:
    with closing(_opened(path, label)) as file:
        return file.metadata.num_rows
