"""Changes of a store take turns: one at a time, each carried through once it has begun."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from leadline.errors import StoreUnwritable
from leadline.store.unwritable import said_of

R = TypeVar("R")


class Writer(Protocol):
    """The writing side of a store, from its first write to `close`."""

    async def settle(self) -> None:
        """Put right what a write that failed left half done."""
        ...

    def close(self) -> None: ...


W = TypeVar("W", bound=Writer)


class Turns(Generic[W]):
    """The writer of the store below `path`, opened by the first change."""

    def __init__(self, path: Path, read_only: bool, open_writer: Callable[[], Awaitable[W]]) -> None:
        self.path = path
        self.read_only = read_only
        self._open = open_writer
        self._writer: W | None = None
        self._turn = asyncio.Lock()

    async def write(self, change: Callable[[W], Coroutine[Any, Any, R]]) -> R:
        """One change at a time; once begun it is carried through, also when the caller is cancelled."""
        if self.read_only:
            raise StoreUnwritable(f"The store {self.path} is open for reading only. Nothing was changed.")
        task = asyncio.ensure_future(self._in_turn(change))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise

    async def _in_turn(self, change: Callable[[W], Coroutine[Any, Any, R]]) -> R:
        async with self._turn:
            with said_of(self.path):
                if self._writer is None:
                    self._writer = await self._open()
                await self._writer.settle()
                return await change(self._writer)

    async def close(self) -> None:
        """Wait for the change under way, then let go of the writer."""
        async with self._turn:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
