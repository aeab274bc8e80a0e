"""How often others are asked, how much at once, and when a provider is left alone for a while.

The clock and the wait are given, so that tests need no time.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

Clock = Callable[[], float]

FAILURES = 3
"""Failures in a row after which a provider is left alone."""
REST = 60.0
"""Seconds for which it is."""
LONGEST_WAIT = 60.0
"""Most seconds that a provider is left alone because it asks for it."""


@dataclass(slots=True)
class Pace:
    """At most so many starts a second; each that is let in takes the next place in the queue."""

    per_second: float
    clock: Clock
    _next: float = float("-inf")

    def wait(self) -> float:
        """Seconds until the next start, which is then taken."""
        now = self.clock()
        start = max(now, self._next)
        self._next = start + 1 / self.per_second
        return start - now


@dataclass(slots=True)
class Circuit:
    """Left alone after failures in a row, and for as long as the provider asks; then one search tries again."""

    clock: Clock
    failures: int = 0
    closed_until: float = float("-inf")
    why: str = ""
    """What its last failure was."""
    out: str = ""
    """Why it will refuse every search; "" while it may be asked."""

    def left(self) -> float:
        """Seconds for which it is left alone; 0 where it may be asked now."""
        return max(self.closed_until - self.clock(), 0.0)

    def enter(self) -> None:
        """One search begins. Where it is the one that tries again, the others wait until that is known."""
        if self.failures >= FAILURES:
            self.closed_until = self.clock() + REST

    def answered(self) -> None:
        """All is well again."""
        self.failures = 0
        self.closed_until = float("-inf")

    def failed(self, wait: float, why: str) -> None:
        """One more failure; the provider asks to be left alone for `wait` seconds."""
        self.failures += 1
        self.why = why
        rest = REST if self.failures >= FAILURES else 0.0
        self.closed_until = max(self.closed_until, self.clock() + max(rest, min(wait, LONGEST_WAIT)))


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
