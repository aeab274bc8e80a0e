"""A call that failed for a reason that may pass is made again, so many times, after the wait the server asks for."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from leadline.endpoints import pause
from leadline.errors import ModelFailed
from leadline.events import CallFailed
from leadline.llm.base import Chat, Reply, Request, Told
from leadline.llm.failures import PassingFailure
from leadline.run import Run

SPREAD = 0.25
"""Share of a wait by which it is drawn out at random, so that those turned away together do not return together."""


@dataclass(frozen=True, slots=True)
class Retried:
    """At most `attempts` calls in all, at most `longest` seconds between two of them."""

    inner: Chat
    attempts: int = 3
    longest: float = 30.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def context(self) -> int:
        return self.inner.context

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        for attempt in range(1, self.attempts + 1):
            try:
                return await self.inner.ask(request, run, told)
            except ModelFailed as failure:
                again = self._wait(failure, attempt, run)
                run.emit(CallFailed(request.step, self.name, str(failure), again))
                if again is None:
                    raise
            await self.sleep(again)
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        await self.inner.close()

    def _wait(self, failure: ModelFailed, attempt: int, run: Run) -> float | None:
        """Seconds until the next attempt; None when there is none, or no time for it."""
        if not isinstance(failure, PassingFailure) or attempt == self.attempts:
            return None
        asked = "" if failure.wait is None else str(failure.wait)
        wait = min(pause(attempt, asked, self.longest) * (1 + SPREAD * self.chance()), self.longest)
        left = run.seconds_left()
        return None if left is not None and wait >= left else wait
