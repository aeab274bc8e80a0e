"""What a run may still spend is looked at before a call, what the call spent is counted after it.

A call that outlives its run's time, or whose run is asked to stop, is cut off; what was written until then counts.
"""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from leadline.errors import BudgetSpent, Cancelled
from leadline.events import Called, Notice
from leadline.llm.base import Chat, Reply, Request, Told
from leadline.llm.tokens import cut_short, request_tokens
from leadline.run import RESERVE, Purpose, Run

LOOK = 0.2
"""Seconds between two looks at whether the run was asked to stop."""


@dataclass(slots=True)
class _Heard:
    """The pieces of a stream, passed on, and whether the call was counted."""

    told: Told
    pieces: list[str] = field(default_factory=list[str])
    counted: bool = False

    def __call__(self, piece: str) -> None:
        self.pieces.append(piece)
        self.told(piece)

    @property
    def unpaid(self) -> bool:
        return bool(self.pieces) and not self.counted

    def so_far(self, request: Request) -> Reply:
        return cut_short(request, "".join(self.pieces))


@dataclass(frozen=True, slots=True)
class Metered:
    """Counts calls, tokens and dollars in the run, and tells of each call."""

    inner: Chat

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def context(self) -> int:
        return self.inner.context

    async def ask(self, request: Request, run: Run, told: Told | None = None) -> Reply:
        run.check(request.purpose)
        _leave_the_reserve(request, run)
        heard = _Heard(told) if told else None
        started = time.perf_counter()
        try:
            return await _in_time(self._counted(request, run, heard, started), run, request.purpose)
        except BudgetSpent:
            if heard is None or not heard.unpaid:
                raise
            reply = heard.so_far(request)
            self._spent(reply, request, run, started)
            return reply
        except BaseException:
            if heard is not None and heard.unpaid:
                self._spent(heard.so_far(request), request, run, started)
            raise

    async def _counted(self, request: Request, run: Run, heard: _Heard | None, started: float) -> Reply:
        # Nothing may come between the end of the call and its count: who waits for its place looks at the budget.
        reply = await self.inner.ask(request, run, heard)
        self._spent(reply, request, run, started)
        if heard is not None:
            heard.counted = True
        return reply

    async def close(self) -> None:
        await self.inner.close()

    def _spent(self, reply: Reply, request: Request, run: Run, started: float) -> None:
        if run.budget.usd is not None and reply.usd is None and not run.calls:
            run.emit(Notice(f"What {self.name} costs is not known, so the limit in US dollars cannot hold."))
        run.call_spent(reply.input_tokens + reply.output_tokens, reply.usd or 0.0)
        milliseconds = (time.perf_counter() - started) * 1_000
        run.emit(
            Called(request.step, self.name, reply.input_tokens, reply.output_tokens, reply.usd, milliseconds)
        )


def _leave_the_reserve(request: Request, run: Run) -> None:
    """Raise `BudgetSpent` where the words of a call that gathers would take what is kept for the answer."""
    limit = run.budget.tokens
    if limit is None or request.purpose == "write":
        return
    needed = run.tokens + request_tokens(request)
    if needed > limit * (1 - RESERVE):
        raise BudgetSpent(f"tokens: {needed} of {limit} would be used, and some are kept to answer", "tokens")


async def _in_time(work: Coroutine[Any, Any, Reply], run: Run, purpose: Purpose) -> Reply:
    """The reply, unless the time for `purpose` runs out before it is there."""
    task = asyncio.create_task(work)
    try:
        while not task.done():
            left = run.seconds_left(purpose)
            if left is not None and left <= 0:
                raise BudgetSpent("deadline: a call of the model was cut off", "deadline")
            if purpose == "gather" and run.cancelled:
                raise Cancelled("cancelled: answering with what was found so far")
            await asyncio.wait({task}, timeout=LOOK if left is None else min(left, LOOK))
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
