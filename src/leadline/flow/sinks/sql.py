"""Rows into a table of an SQL database."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from leadline.errors import FlowError
from leadline.flow.base import FieldKind, Row, Scope
from leadline.flow.database import Mode, Writing, connected, write
from leadline.flow.ends import Put, Sink
from leadline.flow.operators.shapes import reading
from leadline.flow.sinks.columns import chosen, mixed_told
from leadline.flow.sinks.spooling import Ends, Spool, blocking


@dataclass(frozen=True, slots=True)
class Sql(Sink):
    """Rows into a table of an SQL database, all of them in one transaction when the flow has ended.

    A run that is stopped and resumed, even one that was killed just after it wrote, writes its rows once; how many a run
    has added stands in table `leadline_flow_writes`, and if a resumed one has others by then, that is an error. A table that
    is not there is made. Lists and mappings are written as JSON.

    url: of the database, as SQLAlchemy writes it (`sqlite:///books.sqlite`).
    table: its name, or `schema.name`.
    mode: `append` adds rows; `replace` puts them in the place of all that are there; `upsert` changes the rows
      that have the same `key` and adds the others.
    key: the fields that tell rows apart, for `upsert`.
    columns: these fields only; by themselves all fields of all rows.

    Example:
        sql:
          url: sqlite:///books.sqlite
          table: answers
          mode: upsert
          key: [id]
    """

    url: str = field(repr=False)
    table: str
    mode: Mode = "append"
    key: Sequence[str] = ()
    columns: Sequence[str] = ()

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(*self.key, *self.columns)

    def opened(self, scope: Scope) -> AbstractAsyncContextManager[Put]:
        label = self.label or "sql"
        self._check(label)

        def begin() -> None:
            with connected(self.url, label):
                pass

        def write_all(spool: Spool) -> Sequence[str]:
            columns = chosen(spool.columns, self.columns)
            target = f"{label} {self.table}"[:191]
            how = Writing(self.table, self.mode, self.key, scope.job, target, spool.count)
            with connected(self.url, label) as connection:
                if write(connection, how, columns, spool.rows(), label):
                    return mixed_told(columns)
            return [f"an earlier part of this run has written its rows to `{self.table}` already."]

        return blocking(
            scope, label, Ends(begin, write_all), self._check_key if self.mode == "upsert" else None
        )

    def _check(self, label: str) -> None:
        if (self.mode == "upsert") != bool(self.key):
            raise FlowError(
                f"{label}: `key` and `mode: upsert` go together. Name the fields that tell rows apart."
            )
        if self.columns and (missing := [name for name in self.key if name not in self.columns]):
            raise FlowError(f"{label}: `key` names `{missing[0]}`, which is not among `columns`.")

    def _check_key(self, row: Row) -> None:
        for name in self.key:
            if row.get(name) is None or isinstance(row[name], list | dict):
                raise ValueError(f"`{name}`, which is to tell rows apart, is not there or no plain value")
