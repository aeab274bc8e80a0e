"""So many calls at once to one endpoint, whoever makes them."""

import asyncio
from dataclasses import dataclass

from leadline.llm.base import Chat, Reply, Request, Told
from leadline.run import Run


@dataclass(frozen=True, slots=True)
class Limited:
    """Models at the same endpoint share one `gate`.

    The budget is looked at once more after the wait: what others spent meanwhile counts.
    """

    inner: Chat
    gate: asyncio.Semaphore

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def context(self) -> int:
        return self.inner.context

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        async with self.gate:
            run.check(request.purpose)
            return await self.inner.ask(request, run, told)

    async def close(self) -> None:
        await self.inner.close()
