"""What steps make once for a whole run and use for all its rows: reader processes, connections."""

import asyncio
from collections.abc import Callable, Hashable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, TypeVar

R = TypeVar("R")


class Kept:
    """Made when first asked for, ended by `close`, the last made first. Asked for again, it is made anew.

    What is made may ask for others: a table that is read once is read by processes that are started once.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._stack = AsyncExitStack()
        self._making: dict[Hashable, asyncio.Lock] = {}

    async def get(self, key: Hashable, make: Callable[[], AbstractAsyncContextManager[R]]) -> R:
        """What is kept under `key`."""
        async with self._making.setdefault(key, asyncio.Lock()):
            if key not in self._made:
                self._made[key] = await self._stack.enter_async_context(make())
            return self._made[key]

    async def close(self) -> None:
        """End all of it."""
        self._made.clear()
        await self._stack.aclose()
