"""Rows as a Parquet file whose columns fit all of them."""
# pyarrow ships no types
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from leadline.flow.base import FieldKind, Scope
from leadline.flow.ends import Put, Sink
from leadline.flow.operators.shapes import reading
from leadline.flow.sinks.columns import ColumnKind, Columns, chosen, fitted, mixed_told, titles
from leadline.flow.sinks.files import begun, written
from leadline.flow.sinks.spooling import Ends, Spool, blocking

BATCH = 5_000
_TYPES: dict[str, Any] = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64()}


@dataclass(frozen=True, slots=True)
class Parquet(Sink):
    """Rows into a Parquet file, written when all of them are there, with columns that fit them all.

    Whole numbers and fractions in one column become fractions. A column (or a part of one) whose values are of several
    kinds becomes text, each value as JSON, and that is said. The file takes its place when the flow has ended.

    path: the file.
    columns: these fields only, in this order.

    Example:
        parquet: {path: answers.parquet}
    """

    path: str | Path
    columns: Sequence[str] = ()

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(*self.columns)

    def opened(self, scope: Scope) -> AbstractAsyncContextManager[Put]:
        label = self.label or "parquet"

        def write(spool: Spool) -> Sequence[str]:
            columns = chosen(spool.columns, self.columns)
            with written(self.path, label) as file:
                _write(spool, columns, file)
            return mixed_told(columns)

        return blocking(scope, label, Ends(lambda: begun(self.path, label), write))


def _write(spool: Spool, columns: Columns, file: Any) -> None:
    called = titles(columns)
    schema = pa.schema([(called[name], _type(kind)) for name, kind in columns.items()])
    rows = spool.rows()
    with pq.ParquetWriter(file, schema) as writer:
        while batch := list(islice(rows, BATCH)):
            fitting = [
                {called[name]: fitted(row.get(name), kind) for name, kind in columns.items()} for row in batch
            ]
            writer.write_table(pa.Table.from_pylist(fitting, schema))


def _type(kind: ColumnKind) -> Any:
    if kind.as_text:
        return pa.string()
    if kind.name == "list" and kind.item is not None:
        return pa.list_(_type(kind.item))
    if kind.name == "mapping":
        return pa.struct([(name, _type(inner)) for name, inner in kind.fields.items()])
    return _TYPES[kind.name]
