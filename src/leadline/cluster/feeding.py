"""The one place where a cluster's items wait: they come from whoever spreads work, and workers ask for them by number.

put -> [held] -> block(number), as often as it is asked for -> answered -> forgotten
"""

import asyncio

from leadline.cluster.base import TRIES


class Feeder:
    """Lives in a process of its own, so that an item can be asked for again when whoever was given it has died."""

    def __init__(self) -> None:
        self._held: dict[int, bytes] = {}
        self._begun: dict[int, int] = {}
        self._count = 0
        self._ended = False
        self._changed = asyncio.Condition()

    async def put(self, item: bytes) -> None:
        """The next item."""
        async with self._changed:
            self._held[self._count] = item
            self._count += 1
            self._changed.notify_all()

    async def end(self) -> None:
        """There are no more items."""
        async with self._changed:
            self._ended = True
            self._changed.notify_all()

    async def item(self, number: int) -> bytes | None:
        """The item of that number, once it is there; None after the last; empty, if it was answered long ago."""
        async with self._changed:
            await self._changed.wait_for(lambda: number < self._count or self._ended)
            return self._held.get(number, b"") if number < self._count else None

    async def begin(self, number: int) -> int:
        """Count the first beginning of an item; returns how often it was begun before."""
        begun = self._begun.get(number, 0)
        if not begun:
            self._begun[number] = 1
        return begun

    async def begin_again(self, number: int) -> bool:
        """Count another beginning; whether there may be one."""
        begun = self._begun.get(number, 0)
        self._begun[number] = begun + 1
        return begun < TRIES

    async def forget(self, number: int) -> None:
        """It was answered."""
        self._held.pop(number, None)
        self._begun.pop(number, None)
