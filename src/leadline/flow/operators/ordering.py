"""Operators that look at where a row stands among the others: Sort, Distinct, Limit, Skip, Sample."""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.errors import FlowError, RowFailed
from leadline.flow.base import FieldKind, Operator, Reach, Row, Rows, Scope
from leadline.flow.digests import digest
from leadline.flow.expressions.comparing import found
from leadline.flow.operators.sorting import Sorter, by_fields
from leadline.flow.operators.tables import Seen


@dataclass(frozen=True, slots=True)
class Sort(Operator):
    """Gives out the rows in the order of some fields; rows that are equal in them stay in their order.

    null comes first, then false and true, numbers, texts by code point, lists and mappings. Rows that do not fit in memory
    go to files.

    by: the fields, the most important first; `-` before one turns its order round.

    Example:
        sort: {by: [-score, title]}
    """

    by: Sequence[str]

    @property
    def reach(self) -> Reach:
        return "stream"

    def reads(self) -> Mapping[str, FieldKind]:
        return {name.removeprefix("-").partition(".")[0]: "any" for name in self.by}

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        with Sorter(scope.memory, by_fields(self.by)) as sorter:
            async for row in rows:
                sorter.add(row)
            for row in sorter:
                yield row


@dataclass(frozen=True, slots=True)
class Distinct(Operator):
    """Leaves out rows that are equal to an earlier one, in some fields or in all.

    by: the fields; without any, whole rows are compared. A field that is not there is as null.

    Example:
        distinct: {by: [url]}
    """

    by: Sequence[str] = ()

    @property
    def reach(self) -> Reach:
        return "stream"

    def reads(self) -> Mapping[str, FieldKind]:
        return {name.partition(".")[0]: "any" for name in self.by}

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        places = [found(path.split(".")) for path in self.by]
        with Seen(scope.memory) as seen:
            async for row in rows:
                what = [place(row) for place in places] if places else row
                if seen.new(_digest(self.label or "distinct", row, what)):
                    yield row


@dataclass(frozen=True, slots=True)
class Limit(Operator):
    """Lets the first rows through and stops asking for more.

    n: how many.

    Example:
        limit: {n: 100}
    """

    n: int

    def __post_init__(self) -> None:
        _from_zero("limit", self.n)

    @property
    def reach(self) -> Reach:
        return "stream"

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        left = self.n
        while left > 0:
            row = await anext(rows, None)
            if row is None:
                return
            left -= 1
            yield row


@dataclass(frozen=True, slots=True)
class Skip(Operator):
    """Leaves out the first rows.

    n: how many.

    Example:
        skip: {n: 10}
    """

    n: int

    def __post_init__(self) -> None:
        _from_zero("skip", self.n)

    @property
    def reach(self) -> Reach:
        return "stream"

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        left = self.n
        async for row in rows:
            if left > 0:
                left -= 1
            else:
                yield row


def _from_zero(name: str, n: int) -> None:
    if n < 0:
        raise FlowError(f"{name}: `n` is {n}; it is a whole number from 0")


@dataclass(frozen=True, slots=True)
class Sample(Operator):
    """Lets some rows through, picked by what they hold: the same rows every time, in their order.

    Rows that are equal are picked together.

    fraction: how many of all, from 0 to 1.
    n: or exactly how many (all, if there are fewer); equal rows are then picked one by one.
    seed: another number picks other rows.

    Example:
        sample: {fraction: 0.1}
    """

    fraction: float | None = None
    n: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if (self.fraction is None) == (self.n is None):
            raise FlowError("sample: give either `fraction` or `n`")
        if self.fraction is not None and not 0 <= self.fraction <= 1:
            raise FlowError(f"sample: `fraction` is {self.fraction}; it is a number from 0 to 1")
        _from_zero("sample", self.n or 0)

    @property
    def reach(self) -> Reach:
        return "row" if self.n is None else "stream"

    def __call__(self, rows: Rows, scope: Scope) -> Rows:
        return (
            self._share(rows, self.fraction)
            if self.fraction is not None
            else self._exactly(rows, self.n or 0)
        )

    async def _share(self, rows: Rows, fraction: float) -> Rows:
        async for row in rows:
            if self._lot(row) < fraction:
                yield row

    async def _exactly(self, rows: Rows, n: int) -> Rows:
        # The n smallest lots: of all rows so far, those that would be thrown out first stand first.
        held: list[tuple[float, int, Row]] = []
        number = 0
        async for row in rows:
            number += 1
            heapq.heappush(held, (-self._lot(row), -number, row))
            if len(held) > n:
                heapq.heappop(held)
        for _, _, row in sorted(held, key=_number, reverse=True):
            yield row

    def _lot(self, row: Row) -> float:
        return int(_digest(self.label or "sample", row, self.seed, row)[:16], 16) / 2**64


def _digest(step: str, row: Row, *values: Any) -> str:
    try:
        return digest(*values)
    except TypeError as error:
        raise RowFailed(step, str(error), row) from error


def _number(entry: tuple[float, int, Any]) -> int:
    return entry[1]
