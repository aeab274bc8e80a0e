"""Small sources, sinks and steps of tests: what they give, take and do is written in the test that uses them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from leadline.flow import Row, Rows, Scope, Sink, Source, Step
from leadline.flow.ends import Put


@dataclass(frozen=True, slots=True)
class Given(Source):
    """These rows."""

    given: Sequence[Row] = ()

    async def rows(self, scope: Scope) -> AsyncIterator[Row]:
        for row in self.given:
            yield row

    async def total(self, scope: Scope) -> int | None:
        return len(self.given)


@dataclass(frozen=True, slots=True)
class Kept(Sink):
    """Keeps rows in `rows`, which hold nothing unless the flow came to its end; `part` is what it took."""

    rows: list[Row] = field(default_factory=list[Row])
    part: list[Row] = field(default_factory=list[Row])

    @asynccontextmanager
    async def opened(self, scope: Scope) -> AsyncGenerator[Put]:
        async def put(row: Row) -> None:
            self.part.append(row)

        self.part.clear()
        yield put
        self.rows[:] = self.part


@dataclass(frozen=True, slots=True)
class Asked(Step):
    """A costly step: calls `function` with the row after a turn of the loop or `turns` of them."""

    function: Callable[[Row], Iterable[Row]]
    turns: Callable[[Row], int] = lambda row: 1

    @property
    def costly(self) -> bool:
        return True

    async def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
        for _ in range(self.turns(row)):
            await asyncio.sleep(0)
        return self.function(row)


@dataclass(frozen=True, slots=True)
class Quick(Step):
    """A step that costs nothing."""

    function: Callable[[Row], Iterable[Row]]

    def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
        return self.function(row)


@dataclass(frozen=True, slots=True)
class Backwards(Step):
    """All rows, the last one first."""

    @property
    def reach(self) -> Any:
        return "stream"

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        for row in reversed([row async for row in rows]):
            yield row


def counted(count: int) -> Given:
    """Rows `n` from 0."""
    return Given([{"n": number} for number in range(count)])
