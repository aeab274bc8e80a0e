"""Join: what a table knows of each row."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Literal

from leadline.errors import RowFailed
from leadline.flow.base import FieldKind, Operator, Row, Rows, Scope, Shape
from leadline.flow.closing import Closing
from leadline.flow.digests import canonical
from leadline.flow.ends import Source
from leadline.flow.expressions.comparing import found
from leadline.flow.operators.shapes import either, reading
from leadline.flow.operators.tables import Table


@dataclass(frozen=True, slots=True)
class Join(Operator):
    """Looks each row up in a table and gives it the fields of the row found there.

    The table is read once for the whole run; one that does not fit in memory goes to a file. Null is found nowhere.

    table: a source, or in Python a list of rows.
    on: the field that is looked up.
    key: the field of the table that it is compared with; if not given, `on`.
    fields: which fields of the table to take; if not given, all but the key. They replace fields of the same name.
    matches: where the table has several rows of one key, take the `first`, or make a row for each (`all`).
    missing: a row that is not found stays as it was (`keep`), is left out (`drop`), or is an error (`fail`).

    Example:
        join:
          table: {rows: {items: [{code: en, language: English}]}}
          on: code
          missing: fail
    """

    table: Source | Sequence[Row]
    on: str
    key: str = ""
    fields: Sequence[str] = ()
    matches: Literal["first", "all"] = "first"
    missing: Literal["keep", "drop", "fail"] = "keep"

    def reads(self) -> Mapping[str, FieldKind]:
        return {self.on.partition(".")[0]: "any"}

    def after(self, before: Shape) -> Shape:
        table = self.known()
        if not self.fields and table.open:
            # What the table has is not known, so it may replace any of them.
            return Shape(dict.fromkeys(before.fields, "any"))
        taken = self.fields or [name for name in table.fields if name != self.key_path]
        found = Shape(
            {**before.fields, **{name: table.fields.get(name, "any") for name in taken}}, before.open
        )
        return either(before, found) if self.missing == "keep" else found

    def known(self) -> Shape:
        """What is known of the rows of the table."""
        return self.table.shape() if isinstance(self.table, Source) else Shape()

    def takes(self) -> Mapping[str, FieldKind]:
        """The fields of the table that it needs."""
        return reading(self.key_path, *self.fields)

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        table = await scope.kept.get(("join", id(self)), lambda: self._read(scope))
        place = found(self.on.split("."))
        async for row in rows:
            value = place(row)
            matches = table.get(self._canonical(value, row)) if value is not None else []
            if not matches:
                if self.missing == "fail":
                    raise RowFailed(
                        self.label or "join",
                        f"the table has no row where `{self.key_path}` is {value!r:.80}",
                        row,
                    )
                if self.missing == "keep":
                    yield row
            for match in matches if self.matches == "all" else matches[:1]:
                yield {**row, **match}

    @property
    def key_path(self) -> str:
        """Where in a row of the table its key is."""
        return self.key or self.on.rpartition(".")[2]

    @asynccontextmanager
    async def _read(self, scope: Scope) -> AsyncGenerator[Table]:
        place = found(self.key_path.split("."))
        with Table(scope.memory) as table:
            if isinstance(self.table, Source):
                telling = replace(scope, lose=scope.lose_beside or scope.lose)
                async with Closing(self.table.rows(telling)) as read:
                    async for row in read:
                        self._add(table, place(row), row)
            else:
                for row in self.table:
                    self._add(table, place(row), row)
            yield table

    def _canonical(self, value: object, row: Row) -> str:
        try:
            return canonical(value)
        except TypeError as error:
            raise RowFailed(self.label or "join", str(error), row) from None

    def _add(self, table: Table, value: object, row: Row) -> None:
        if value is None:
            return
        taken = self.fields or [name for name in row if name != self.key_path]
        table.add(self._canonical(value, row), {name: row[name] for name in taken if name in row})
