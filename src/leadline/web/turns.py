"""How many pages are read at once: in all, and from one host."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Turns:
    """`async with turns(host):` waits until fewer than `per_host` pages of that host and fewer than `total` are read."""

    def __init__(self, total: int = 8, per_host: int = 2) -> None:
        self._total = asyncio.Semaphore(total)
        self._per_host = per_host
        self._hosts: dict[str, asyncio.Semaphore] = {}
        self._users: Counter[str] = Counter()

    @asynccontextmanager
    async def __call__(self, host: str) -> AsyncGenerator[None]:
        self._users[host] += 1
        gate = self._hosts.setdefault(host, asyncio.Semaphore(self._per_host))
        try:
            # Who waits for a slow host keeps nobody from another one.
            async with gate, self._total:
                yield
        finally:
            self._users[host] -= 1
            if not self._users[host]:
                del self._users[host], self._hosts[host]
