"""Work on several rows at a time, in their order or as they finish. Nothing is taken that nobody waits for.

rows -> at most `limit` at work -> at most AHEAD * `limit` waiting behind a slow one -> results
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")

AHEAD = 4
"""In ordered work, how many times `limit` may be started and not yet given out, the one at work included."""


class _End:
    """What the end of the rows looks like."""


END = _End()


async def spread(
    rows: AsyncIterator[A], work: Callable[[A], Awaitable[B]], limit: int, ordered: bool = True
) -> AsyncGenerator[B]:
    """`work` of every row, at most `limit` at a time.

    Where `rows` fails, what was started is finished and given out before that error is raised. Where `work` fails, its
    error is raised in its place and the rest is cancelled, as it is when this generator is closed.
    """
    if limit <= 1:
        async for row in rows:
            yield await work(row)
        return
    crowd = _Crowd(rows, work, limit, ordered)
    try:
        while await crowd.moved():
            while (task := crowd.ready()) is not None:
                yield task.result()
        if crowd.failure is not None:
            raise crowd.failure
    finally:
        await crowd.close()


class _Crowd(Generic[A, B]):
    """The tasks of one `spread`: those started, in order, and the one that takes the next row."""

    def __init__(
        self, rows: AsyncIterator[A], work: Callable[[A], Awaitable[B]], limit: int, ordered: bool
    ) -> None:
        self.rows, self.work, self.limit, self.ordered = rows, work, limit, ordered
        self.started: deque[asyncio.Task[B]] = deque()
        self.taking: asyncio.Task[A | _End] | None = None
        self.ended = False
        self.failure: Exception | None = None

    async def moved(self) -> bool:
        """Wait until something is ready or another row has come; false at the end of everything."""
        busy = [task for task in self.started if not task.done()]
        room = len(busy) < self.limit and len(self.started) < self.limit * AHEAD
        if room and self.taking is None and not self.ended:
            self.taking = asyncio.ensure_future(self._next())
        waiting = [*busy, *([self.taking] if self.taking is not None else [])]
        if not waiting:
            return bool(self.started)
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if self.taking is not None and self.taking.done():
            taken, self.taking = self.taking, None
            self._start(taken)
        return True

    async def _next(self) -> A | _End:
        return await anext(self.rows, END)

    def _start(self, taken: asyncio.Task[A | _End]) -> None:
        try:
            row = taken.result()
        except Exception as error:  # noqa: BLE001 - raised again when what was started is done
            self.failure, self.ended = error, True
            return
        if isinstance(row, _End):
            self.ended = True
        else:
            self.started.append(asyncio.ensure_future(_awaited(self.work, row)))

    def ready(self) -> asyncio.Task[B] | None:
        """The next result to give out."""
        if self.ordered:
            return self.started.popleft() if self.started and self.started[0].done() else None
        found = next((task for task in self.started if task.done()), None)
        if found is not None:
            self.started.remove(found)
        return found

    async def close(self) -> None:
        """Cancel what is left, and wait until it has ended."""
        left: list[asyncio.Task[Any]] = [*self.started]
        if self.taking is not None:
            left.append(self.taking)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def _awaited(work: Callable[[A], Awaitable[B]], row: A) -> B:
    return await work(row)
