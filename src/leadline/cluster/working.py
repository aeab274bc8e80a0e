"""The other side of a cluster: what runs in each worker process.

item -> begun before? alone, or given up -> handler -> answer
"""

import asyncio
import os
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from leadline.cluster.base import Handler, Work
from leadline.errors import LeadlineError

DONE, LOST, FAILED, OLD = "done", "lost", "failed", "old"
"""Answered; its worker died every time; no worker can do this work; answered before."""


class Worker:
    """Made once in every worker process; `feeder` is the handle of the one `Feeder`, `folder` where the caller works,
    whose relative paths are meant from there.

    An item that was begun before may be what its worker died of. Such items are done one at a time, so that none of
    those beside it is taken for the cause.
    """

    def __init__(self, work: Work, feeder: Any, folder: Path) -> None:
        if folder.is_dir():
            os.chdir(folder)
        self._work = work
        self._feeder = feeder
        self._handler: Handler | None = None
        self._opening = asyncio.Lock()
        self._suspects = asyncio.Lock()

    async def __call__(self, batch: Mapping[str, Sequence[Any]]) -> AsyncIterator[dict[str, list[Any]]]:
        """The answer to a batch of one item."""
        number, item = int(batch["number"][0]), bytes(batch["item"][0])
        try:
            kind, data = await self._answer(number, item)
        except LeadlineError as error:
            kind, data = FAILED, str(error).encode("utf-8", "replace")
        except Exception:  # noqa: BLE001 - the rim of this process: what is caught here is raised where the work came from
            kind, data = FAILED, traceback.format_exc().encode("utf-8", "replace")
        yield {"number": [number], "kind": [kind], "data": [data]}

    async def _answer(self, number: int, item: bytes) -> tuple[str, bytes]:
        if not item:
            return OLD, b""
        handler = await self._opened()
        if not await self._feeder.begin.remote(number):
            return DONE, await handler(item)
        async with self._suspects:
            if not await self._feeder.begin_again.remote(number):
                return LOST, b""
            return DONE, await handler(item)

    async def _opened(self) -> Handler:
        async with self._opening:
            if self._handler is None:
                module, _, name = self._work.opened.partition(":")
                opened: Callable[[object], Awaitable[Handler]] = getattr(import_module(module), name)
                self._handler = await opened(self._work.setup)
            return self._handler
