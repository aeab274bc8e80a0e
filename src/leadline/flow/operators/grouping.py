"""Operators that make one row of many: Group, Collect, Batch. They give it out when their input ends, wherever they stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from leadline.errors import FlowError, RowFailed
from leadline.flow.base import DeadLetter, FieldKind, Operator, Reach, Row, Rows, Scope, Shape
from leadline.flow.expressions.conditions import Expression, reads
from leadline.flow.files import catalogue
from leadline.flow.operators.aggregates import Aggregate
from leadline.flow.operators.groups import Groups, names_of
from leadline.flow.operators.shapes import having, lacking, reading
from leadline.flow.stepping import said


@dataclass(frozen=True, slots=True)
class Group(Operator):
    """Makes one row of all rows that are equal in some fields, in the order in which each such group first came.

    The row has the fields of `by`, under their last name, and one field for each aggregate. A field that is not there is
    as null, which is a group of its own. No rows make no groups. Groups that do not fit in memory go to files.

    by: the fields; without any, all rows are one group.
    aggregates: for each new field what it says of the group: `count`, `sum`, `min`, `max`, `mean`, `variance`, `deviation`,
        `first`, `last`, `collect`, `distinct`, `sort`, `head`, `tail`, each with the field it is of, and `where` a row
        counts.
    inherit: the other fields are those of the first row of the group.
    on_error: what becomes of a row that an aggregate cannot use (a text in a `sum`): `skip`, which tells of it in the dead
        letters and counts it nowhere, or `fail`.

    Example:
        group:
          by: [language]
          aggregates:
            documents: count
            words: {sum: {field: words, where: words > 10}}
            titles: {collect: title}
    """

    by: Sequence[str] = ()
    aggregates: Mapping[str, Aggregate] = field(default_factory=dict[str, Aggregate])
    inherit: bool = False
    on_error: Literal["skip", "fail"] = "skip"

    def __post_init__(self) -> None:
        made = {name: _aggregate(name, each) for name, each in self.aggregates.items()}
        object.__setattr__(self, "aggregates", made)
        names = [*names_of(self.by), *self.aggregates]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise FlowError(f"group: two fields of the new row would be called `{twice[0]}`")

    @property
    def reach(self) -> Reach:
        return "stream"

    def reads(self) -> Mapping[str, FieldKind]:
        read = reading(*self.by)
        for each in self.aggregates.values():
            wheres = reads(each.where) if isinstance(each.where, Expression) else {}
            wanted = reading(each.field, kind=each.wants) if each.field else {}
            for name, kind in (*wheres.items(), *wanted.items()):
                read[name] = kind if read.get(name, "any") == "any" else read[name]
        return read

    def after(self, before: Shape) -> Shape:
        fields: dict[str, FieldKind] = {}
        for name, path in zip(names_of(self.by), self.by, strict=True):
            fields[name] = before.fields.get(path, "any")
        for name, aggregate in self.aggregates.items():
            fields[name] = aggregate.kind
        return having(before, fields) if self.inherit else Shape(fields, open=False)

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        groups = Groups(self.by, self.aggregates, self.inherit, scope)
        add = groups.adder()
        with groups.spilled, groups.finished:
            async for row in rows:
                try:
                    add(row)
                except (TypeError, ValueError, RowFailed) as error:
                    self._lose(row, error, scope)
            for row in groups.rows():
                yield row

    def _lose(self, row: Row, error: Exception, scope: Scope) -> None:
        step = self.label or "group"
        if self.on_error == "fail":
            raise RowFailed(step, said(error), row) from error
        scope.lose(DeadLetter(step, said(error), row, "skip"))


def _aggregate(name: str, given: object) -> Aggregate:
    """An aggregate, also one that is said as in a flow file."""
    if isinstance(given, Aggregate):
        return given
    said_as: object = {given: dict[str, Any]()} if isinstance(given, str) else given
    if not isinstance(said_as, dict) or len(cast(Row, said_as)) != 1:
        raise FlowError(
            f"group: `aggregates.{name}` is {given!r:.60}. It is an aggregate such as `Sum('n')`, "
            "or one as a flow file says it, {'sum': 'n'}."
        )
    ((kind, arguments),) = cast(Row, said_as).items()
    cls = catalogue.found("aggregate", kind)
    try:
        return cls(**arguments) if isinstance(arguments, dict) else cls(arguments)
    except TypeError as error:
        raise FlowError(f"group: `aggregates.{name}`: {error}.") from None


@dataclass(frozen=True, slots=True)
class Collect(Operator):
    """Makes one row of all rows, which holds all of them in memory; no rows make none.

    With `lists` it has the fields of the first row, and for each new field the list of what the rows hold in another; a row
    without that field adds nothing to it. Without `lists` it has one field, the list of the rows.

    lists: for each new field the one whose values it lists; a field that was listed under another name is left out.
    flat: values that are lists are joined to one list.
    into: without `lists`, the field for the rows.

    Example:
        collect: {lists: {all_chunks: chunks}, flat: true}
    """

    lists: Mapping[str, str] = field(default_factory=dict[str, str])
    flat: bool = False
    into: str = "rows"

    @property
    def reach(self) -> Reach:
        return "stream"

    def reads(self) -> Mapping[str, FieldKind]:
        return dict.fromkeys(self.lists.values(), "any")

    def after(self, before: Shape) -> Shape:
        if not self.lists:
            return Shape({self.into: "list"}, open=False)
        return having(
            lacking(before, *self.lists.values()), dict.fromkeys(self.lists, cast(FieldKind, "list"))
        )

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        if not self.lists:
            every = [row async for row in rows]
            if every:
                yield {self.into: every}
            return
        first: Row | None = None
        lists: dict[str, list[Any]] = {into: [] for into in self.lists}
        async for row in rows:
            first = row if first is None else first
            for into, name in self.lists.items():
                if name in row:
                    lists[into].extend(self._values(row[name]))
        if first is not None:
            listed = frozenset(self.lists.values())
            yield {**{name: value for name, value in first.items() if name not in listed}, **lists}

    def _values(self, value: Any) -> list[Any]:
        return cast(list[Any], value) if self.flat and isinstance(value, list) else [value]


@dataclass(frozen=True, slots=True)
class Batch(Operator):
    """Makes one row of every `size` rows, with the list of them; the last may have fewer, and none is empty.

    size: how many rows.
    into: the field for the list.

    Example:
        batch: {size: 100}
    """

    size: int
    into: str = "rows"

    def __post_init__(self) -> None:
        if self.size < 1:
            raise FlowError(f"batch: `size` is {self.size}; it is a whole number from 1")

    @property
    def reach(self) -> Reach:
        return "stream"

    def after(self, before: Shape) -> Shape:
        return Shape({self.into: "list"}, open=False)

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        held: list[Row] = []
        async for row in rows:
            held.append(row)
            if len(held) == self.size:
                yield {self.into: held}
                held = []
        if held:
            yield {self.into: held}
