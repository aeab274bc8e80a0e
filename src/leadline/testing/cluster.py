"""A cluster without processes, for tests of what is spread over one: two items at a time, in this process's own loop."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import import_module

from leadline.cluster.base import Answer, ClusterOptions, Handler, Work
from leadline.errors import LeadlineError


class HereCluster:
    """Does as `Cluster` says. It gives items up that `lost` names, as if whoever took them had died each time."""

    workers = 2

    def __init__(self, lost: frozenset[int] = frozenset()) -> None:
        self._lost = lost

    async def spread(self, work: Work, items: AsyncIterator[bytes]) -> AsyncGenerator[Answer]:
        """See `Cluster`."""
        module, _, name = work.opened.partition(":")
        opened: Callable[[object], Awaitable[Handler]] = getattr(import_module(module), name)
        handler = await opened(work.setup)
        under_way: dict[int, asyncio.Task[bytes]] = {}
        number, ended, failure = 0, False, None
        try:
            while under_way or not ended:
                while not ended and len(under_way) < self.workers:
                    try:
                        under_way[number] = asyncio.ensure_future(_handled(handler, await anext(items)))
                        number += 1
                    except (LeadlineError, StopAsyncIteration) as error:
                        ended, failure = True, error
                if under_way:
                    answer = await _next(under_way, work.ordered)
                    yield Answer(answer, None if answer in self._lost else under_way[answer].result())
                    del under_way[answer]
        finally:
            for task in under_way.values():
                task.cancel()
            await asyncio.gather(*under_way.values(), return_exceptions=True)
        if isinstance(failure, LeadlineError):
            raise failure


async def _handled(handler: Handler, item: bytes) -> bytes:
    return await handler(item)


async def _next(under_way: dict[int, asyncio.Task[bytes]], ordered: bool) -> int:
    """The number of the next item to give out, when it is done."""
    if ordered:
        first = next(iter(under_way))
        await asyncio.wait([under_way[first]])
        return first
    await asyncio.wait(under_way.values(), return_when=asyncio.FIRST_COMPLETED)
    return next(number for number, task in under_way.items() if task.done())


@asynccontextmanager
async def here_cluster(options: ClusterOptions) -> AsyncGenerator[HereCluster]:
    """One that is there at once."""
    yield HereCluster()
