"""One run of one question or load: its budget, its deadline, its events, and how to watch or stop it."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from leadline.errors import BudgetSpent, Cancelled, LeadlineError
from leadline.events import Event
from leadline.types import Usage

A = TypeVar("A")
B = TypeVar("B")
R = TypeVar("R")

Purpose = Literal["gather", "search", "write"]
"""Asking a model for what to gather, searching (which spends nothing of a model's limits), writing the answer."""
RESERVE = 0.15
"""The share of every limit that gathering leaves untouched for writing and repairing the answer."""

LOOK = 0.2
"""Seconds between two looks at whether the run was cancelled."""


@dataclass(slots=True)
class Budget:
    """Limits of a run; None means no limit. `seconds` counts from the run's start."""

    searches: int | None = 200
    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    usd: float | None = None


def _ignore(event: Event) -> None: ...


@dataclass(slots=True)
class Run:
    """Handed down explicitly; nothing in the package looks it up from a global.

    `cancel()` asks the run to answer with what it has; closing the stream of `watch` stops it outright. What a run with
    a `parent` spends counts there too, and it goes no further than that may.
    """

    budget: Budget = field(default_factory=Budget)
    emit: Callable[[Event], None] = _ignore
    clock: Callable[[], float] = time.monotonic
    searches: int = 0
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    parent: "Run | None" = None
    started: float = field(init=False)
    cancelled: bool = field(default=False, init=False)
    refused: str = field(default="", init=False)
    """What the parent did not let this run do for want of its own means: what came of this run was cut short by that."""

    def __post_init__(self) -> None:
        self.started = self.clock()

    def cancel(self) -> None:
        """Stop gathering at the next check; the run still ends in an answer."""
        self.cancelled = True

    def check(self, purpose: Purpose = "gather") -> None:
        """Raise `BudgetSpent` or `Cancelled` if the next step is not covered.

        Gathering may use each limit less its reserve, of calls at least one; writing may use all of it, and so may the
        first search, without which there is nothing to write from. Searches and a model's calls do not use up each
        other: what a plan was paid for is looked for, and what was found is read.
        """
        if self.parent is not None:
            try:
                self.parent.check(purpose)
            except (BudgetSpent, Cancelled) as error:
                self.refused = self.refused or str(error)
                raise
        if purpose != "write" and self.cancelled:
            raise Cancelled("cancelled: answering with what was found so far")
        limits: tuple[tuple[str, float, float | None], ...] = (
            ("searches", self.searches, self.budget.searches),
            ("calls", self.calls, self.budget.calls),
            ("tokens", self.tokens, self.budget.tokens),
            ("usd", self.usd, self.budget.usd),
            ("deadline", self.clock() - self.started, self.budget.seconds),
        )
        whole = purpose == "write" or (purpose == "search" and not self.searches)
        for name, used, limit in limits:
            if limit is None or (name != "deadline" and (name == "searches") != (purpose == "search")):
                continue
            usable = limit if whole or name == "searches" else limit * (1 - RESERVE)
            usable = max(int(usable), 1) if name == "calls" else usable
            if used >= usable:
                raise BudgetSpent(f"{name}: {used:.4g} of {limit:.4g} used", name)

    def search_spent(self) -> None:
        """Count one search."""
        self.searches += 1
        if self.parent is not None:
            self.parent.search_spent()

    def call_spent(self, tokens: int, usd: float = 0.0) -> None:
        """Count one call of a model."""
        self.calls += 1
        self.tokens += tokens
        self.usd += usd
        if self.parent is not None:
            self.parent.call_spent(tokens, usd)

    def usage_spent(self, usage: Usage) -> None:
        """Count what was spent elsewhere, in another run or on another machine."""
        self.searches += usage.searches
        self.calls += usage.calls
        self.tokens += usage.tokens
        self.usd += usage.usd
        if self.parent is not None:
            self.parent.usage_spent(usage)

    def seconds_left(self, purpose: Purpose = "write") -> float | None:
        """Seconds that `purpose` may still take, at least 0; None without a deadline."""
        limit, share = self.budget.seconds, 1.0 if purpose == "write" else 1 - RESERVE
        own = None if limit is None else max(limit * share - (self.clock() - self.started), 0.0)
        above = self.parent.seconds_left(purpose) if self.parent else None
        return min((left for left in (own, above) if left is not None), default=None)

    def usage(self) -> Usage:
        """What was spent so far."""
        return Usage(self.searches, self.calls, self.tokens, self.clock() - self.started, self.usd)


async def watch(work: Callable[[Run], Coroutine[Any, Any, R]], run: Run) -> AsyncGenerator[Event | R]:
    """Yield the run's events as they happen and its result last.

    Closing the generator cancels the work. The run's own `emit` still gets every event.
    """
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    outer = run.emit

    def emit(event: Event) -> None:
        outer(event)
        queue.put_nowait(event)

    run.emit = emit
    task = asyncio.create_task(work(run))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        yield await task
    finally:
        run.emit = outer
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def each(function: Callable[[A], Awaitable[B]], items: Iterable[A], *, limit: int = 8) -> list[B]:
    """Call `function` on every item, at most `limit` at a time, and keep their order.

    The first failure cancels the rest and is raised as itself, not in a group.
    """
    gate = asyncio.Semaphore(limit)

    async def one(item: A) -> B:
        async with gate:
            return await function(item)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(item)) for item in items]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


async def settle(
    function: Callable[[A], Awaitable[B]], items: Iterable[A], *, limit: int = 8
) -> list[B | LeadlineError]:
    """Like `each`, but a failing item gives its error in its place and loses nothing else.

    Only errors of our own tree are returned: anything else is a bug and is raised.
    """

    async def one(item: A) -> B | LeadlineError:
        try:
            return await function(item)
        except LeadlineError as error:
            return error

    return await each(one, items, limit=limit)


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


def raise_endings(settled: Sequence[object]) -> None:
    """Raise the first error that `settle` gave and that ends the run. A spent budget or a cancel ends it only where it
    has left nothing: what was paid for before is kept."""
    errors = [one for one in settled if isinstance(one, LeadlineError)]
    for error in errors:
        if not isinstance(error, BudgetSpent | Cancelled) or len(errors) == len(settled):
            raise error
