"""As much of some work as is done before a run ends."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from leadline.errors import LeadlineError
from leadline.run import Run

A = TypeVar("A")
B = TypeVar("B")

LOOK = 0.2
"""Seconds between two looks at whether the run was cancelled."""


async def done_in_time(
    function: Callable[[A], Awaitable[B]], items: Sequence[A], run: Run, *, limit: int
) -> list[B | LeadlineError | None]:
    """What `function` gives for each item, at most `limit` at a time, or why it gives nothing. None for what was not
    done when gathering has to end, by the deadline or a cancel; that is left off."""
    gate = asyncio.Semaphore(limit)

    async def one(item: A) -> B | LeadlineError:
        async with gate:
            try:
                return await function(item)
            except LeadlineError as error:
                return error

    tasks = [asyncio.create_task(one(item)) for item in items]
    try:
        pending = set(tasks)
        while pending and not _over(run):
            left = run.seconds_left("gather")
            _, pending = await asyncio.wait(pending, timeout=LOOK if left is None else min(left, LOOK))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return [None if task.cancelled() else task.result() for task in tasks]


def _over(run: Run) -> bool:
    return run.cancelled or run.seconds_left("gather") == 0.0
