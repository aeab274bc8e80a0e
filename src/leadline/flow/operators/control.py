"""Operators that choose where rows go: Fork, If, Each. Each runs others inside."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, cast

from leadline.errors import RowFailed
from leadline.flow.base import Chain, FieldKind, Operator, Reach, Row, Rows, Scope, Shape
from leadline.flow.closing import Closing
from leadline.flow.expressions.comparing import same
from leadline.flow.expressions.conditions import Condition, condition, reads
from leadline.flow.operators.calling import decider
from leadline.flow.operators.shapes import either, having
from leadline.flow.operators.spilling import SpillList
from leadline.flow.operators.streams import Shared, by_itself, stream, through


@dataclass(frozen=True, slots=True)
class Fork(Operator):
    """Gives every row to each of several branches.

    What comes out of the branches is one stream again: all rows of the first branch, then all of the second, and so on.
    An empty branch passes the rows through. Branches see nothing of each other's changes.

    branches: lists of steps.

    Example:
        fork:
          branches:
            - []
            - - filter: {condition: score > 0.5}
              - select: {fields: [title]}
    """

    branches: Sequence[Operator]

    @property
    def reach(self) -> Reach:
        return "stream"

    def parts(self) -> Iterator[Operator]:
        return iter(self.branches)

    def after(self, before: Shape) -> Shape:
        shapes = [branch.after(before) for branch in self.branches] or [before]
        first, *others = shapes
        for other in others:
            first = either(first, other)
        return first

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        last = len(self.branches) - 1
        with SpillList(scope.memory) as passed:
            async with aclosing(Shared(rows)) as shared:
                for number, branch in enumerate(self.branches):
                    new = shared.taken(costly=branch.costly)
                    given = _replayed(passed, new, keep=number < last)
                    async with Closing(branch(given, scope)) as made:
                        async for row in made:
                            yield row


async def _replayed(passed: SpillList, rows: Rows, keep: bool) -> Rows:
    """The rows that branches before have taken already, then those that nobody has taken yet."""
    for row in passed:
        yield row
    async for row in rows:
        if keep:
            passed.append(row)
        yield row


@dataclass(frozen=True, slots=True)
class If(Operator):
    """Rows that meet a condition go through some steps, the others through other steps, or stay as they are.

    Rows keep their order. Where a branch looks at several rows (it groups, sorts, limits ...), it is given all of its rows
    as one stream, and all rows of `then` come out before those of `else`.

    condition: a field (which counts as met if it is not empty), an expression, or in Python a function of the row.
    then: the steps of rows that meet it.
    else: the steps of the others; without any they pass through.

    Example:
        if:
          condition: len(answer) == 0
          then:
            - set: {fields: {answer: {value: not found}}}
    """

    condition: Condition | str
    then: Operator
    else_: Operator = Chain()

    @property
    def reach(self) -> Reach:
        return "row" if all(part.reach == "row" for part in self.parts()) else "stream"

    def parts(self) -> Iterator[Operator]:
        return iter((self.then, self.else_))

    def reads(self) -> Mapping[str, FieldKind]:
        return reads(condition(self.condition))

    def after(self, before: Shape) -> Shape:
        return either(self.then.after(before), self.else_.after(before))

    def __call__(self, rows: Rows, scope: Scope) -> Rows:
        return self._in_order(rows, scope) if self.reach == "row" else self._by_branch(rows, scope)

    def _in_order(self, rows: Rows, scope: Scope) -> Rows:
        decide = decider(self.condition, self.label or "if", scope)

        async def chosen(row: Row) -> list[Row]:
            return await through(self.then if decide(row) else self.else_, (row,), scope)

        return by_itself(rows, chosen, scope, self.costly)

    async def _by_branch(self, rows: Rows, scope: Scope) -> Rows:
        decide = decider(self.condition, self.label or "if", scope)
        with SpillList(scope.memory) as others:

            async def met(shared: Shared, costly: bool) -> Rows:
                async for row in shared.taken(costly=costly):
                    if decide(row):
                        yield row
                    else:
                        others.append(row)

            async with aclosing(Shared(rows)) as shared:
                async with Closing(self.then(met(shared, self.then.costly), scope)) as made:
                    async for row in made:
                        yield row
                # Steps that stop early (a limit) have left rows, and those of the other branch may be among them.
                async for _ in met(shared, costly=False):
                    pass
            async with Closing(self.else_(stream(others), scope)) as made:
                async for row in made:
                    yield row


@dataclass(frozen=True, slots=True)
class Each(Operator):
    """Runs steps on the elements of a list, and gives back the row with the list of what came out.

    The elements of a row are one stream: the steps see each as a row with the fields of its parent and the element in the
    field `as`, and may group, sort or limit them. The parent always comes back, with an empty list if nothing is left. A
    field that holds no list is an error.

    field: the list.
    steps: what each element goes through.
    into: the field for the results; if not given, `field` itself.
    as: what an element is called inside.
    whole: results are whole rows, less the fields that are the parent's, instead of what is in the field `as`.

    Example:
        each:
          field: chunks
          as: chunk
          into: titles
          steps:
            - set: {fields: {chunk: chunk.title}}
    """

    field: str
    steps: Operator
    into: str = ""
    as_: str = "item"
    whole: bool = False

    def parts(self) -> Iterator[Operator]:
        return iter((self.steps,))

    def reads(self) -> Mapping[str, FieldKind]:
        return {self.field: "list"}

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into or self.field: "list"})

    def inside(self, before: Shape) -> Shape:
        return having(before, {self.as_: "any"})

    def __call__(self, rows: Rows, scope: Scope) -> Rows:
        async def bracket(parent: Row) -> list[Row]:
            elements = [{**parent, self.as_: element} for element in self._elements(parent)]
            made = await through(self.steps, elements, scope)
            return [{**parent, self.into or self.field: [self._result(row, parent) for row in made]}]

        return by_itself(rows, bracket, scope, self.costly)

    def _elements(self, parent: Row) -> list[Any]:
        value = parent.get(self.field)
        if not isinstance(value, list):
            raise RowFailed(self.label or "each", f"`{self.field}` holds no list but {value!r:.80}", parent)
        return cast(list[Any], value)

    def _result(self, row: Row, parent: Row) -> Any:
        if self.whole:
            changed = (name for name in row if name not in parent or not same(row[name], parent[name]))
            return {name: row[name] for name in changed}
        if self.as_ not in row:
            reason = f"its steps gave a row without `{self.as_}`; with `whole: true` whole rows are kept"
            raise RowFailed(self.label or "each", reason, row)
        return row[self.as_]
