"""Streams made of rows, and rows taken from streams, as operators need them to run others on a few rows."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from leadline.flow.base import Operator, Row, Rows, Scope
from leadline.flow.closing import Closing
from leadline.flow.spreading import spread


async def stream(rows: Iterable[Row]) -> Rows:
    """A stream of rows that are there already."""
    for row in rows:
        yield row


async def through(operator: Operator, rows: Iterable[Row], scope: Scope) -> list[Row]:
    """What an operator makes of these rows, all of them."""
    return [row async for row in operator(stream(rows), scope)]


async def by_itself(
    rows: Rows, work: Callable[[Row], Awaitable[list[Row]]], scope: Scope, costly: bool
) -> Rows:
    """`work` of each row; of several at a time where that is worth a task for each."""
    limit = scope.concurrency if costly else 1
    async with Closing(spread(rows, work, limit, scope.ordered)) as lists:
        async for made in lists:
            for row in made:
                yield row


class Shared:
    """A stream that several take from, one after the other. Whoever stops early, at whatever moment, takes nothing along:
    what it still waited for goes to the next."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._coming: asyncio.Future[Row | None] | None = None
        self._turn = 0

    async def taken(self, *, costly: bool) -> Rows:
        """The rows from here on, until this is called again. Only who does costly work may stop while it waits for one."""
        self._turn = turn = self._turn + 1
        while True:
            if self._coming is None and not costly:
                row = await _next(self._rows)
            else:
                if self._coming is None:
                    self._coming = asyncio.ensure_future(_next(self._rows))
                await asyncio.wait((self._coming,))
                if self._turn != turn:
                    return
                coming, self._coming = self._coming, None
                row = coming.result()
            if row is None:
                return
            yield row

    async def aclose(self) -> None:
        """Nobody takes any more."""
        self._turn += 1
        if self._coming is not None:
            self._coming.cancel()
            await asyncio.gather(self._coming, return_exceptions=True)


async def _next(rows: AsyncIterator[Row]) -> Row | None:
    return await anext(rows, None)
