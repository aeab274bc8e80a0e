"""Outer rows worked on by the processes of a Ray cluster; journal, dead letters and sinks stay in this process.

rows -> known from the journal? -> JSON -> [worker: workspace, segment -> Done] -> merged in their order -> results
"""

import asyncio
import json
import pickle
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from leadline.cluster.base import TRIES, Answer, Cluster, Handler, OpenCluster, Work
from leadline.cluster.opening import opened as opened_cluster
from leadline.cluster.opening import options_of
from leadline.config import Settings
from leadline.flow.base import Row, Scope
from leadline.flow.running.outer_rows import HOPELESS, NOT_JSON, Done, Numbered, done, lost
from leadline.flow.running.segments import Segment
from leadline.flow.stepping import said
from leadline.run import Budget, Run
from leadline.workspace import Workspace

SHARE = 0.01
"""Of a core, which a worker holds: the segments of a flow work at the same time, each with workers of its own."""
AHEAD = 1_000
"""Most rows that wait behind one that is being worked on, those that an earlier run finished included."""
READY = 16
"""Most finished rows that wait for whoever wants them."""


@dataclass(frozen=True, slots=True)
class RowSetup:
    """What every worker is told. `scope` is without what belongs to this process."""

    segment: Segment
    scope: Scope
    settings: Settings | None


@dataclass(frozen=True, slots=True)
class RayEngine:
    """`scope.concurrency` rows at a time in all, at least one in each worker. Limits of the whole flow are known to a row
    as they stood when it was given out. `cluster` opens the one that the settings name, once for a flow."""

    cluster: OpenCluster = partial(opened_cluster, "ray")

    async def spread(
        self, segment: Segment, rows: AsyncIterator[Numbered], scope: Scope
    ) -> AsyncGenerator[Done]:
        """See `Engine`."""
        settings = scope.workspace.settings if scope.workspace is not None else None
        cluster = await scope.kept.get("cluster", lambda: self.cluster(options_of(settings)))
        line = _Line(segment, scope)
        work = _work(segment, scope, settings, cluster.workers)
        pumping = asyncio.create_task(line.pump(cluster, work, rows))
        try:
            while (found := await line.out.get()) is not None:
                yield found
            await pumping
        finally:
            line.closed = True
            pumping.cancel()
            await asyncio.gather(pumping, return_exceptions=True)


def _work(segment: Segment, scope: Scope, settings: Settings | None, workers: int) -> Work:
    memory = replace(scope.memory, folder=None)
    told = Scope(
        shared=dict(scope.shared),
        concurrency=scope.concurrency,
        ordered=scope.ordered,
        memory=memory,
        job=scope.job,
    )
    return Work(
        "leadline.flow.running.ray_engine:opened",
        RowSetup(segment, told, settings),
        at_once=max(1, -(-scope.concurrency // workers)),
        ordered=scope.ordered,
        cores=SHARE,
    )


class _Line:
    """The rows of a segment, from when they are given out to when they are handed on.

    `order` has those under way and, behind them, those that an earlier run finished, in the order of the rows.
    """

    def __init__(self, segment: Segment, scope: Scope) -> None:
        self.segment, self.scope = segment, scope
        self.out: asyncio.Queue[Done | None] = asyncio.Queue(READY)
        self.order: deque[Numbered] = deque()
        self.given: dict[int, Numbered] = {}
        self.moved = asyncio.Event()
        self.closed = False

    async def pump(self, cluster: Cluster, work: Work, rows: AsyncIterator[Numbered]) -> None:
        """Everything that comes back, to `out`, and None after it, whatever ends it."""
        try:
            async with aclosing(cluster.spread(work, self._items(rows))) as answers:
                async for answer in answers:
                    await self._put(answer)
        finally:
            if not self.closed:
                await self.out.put(None)

    async def _items(self, rows: AsyncIterator[Numbered]) -> AsyncIterator[bytes]:
        number = 0
        async for numbered in rows:
            item = _item(self.segment, numbered, self.scope.run)
            if isinstance(item, Done):
                await self._pass(replace(numbered, known=item), item)
                continue
            self.given[number] = numbered
            if self.scope.ordered:
                self.order.append(numbered)
            number += 1
            yield item

    async def _pass(self, numbered: Numbered, known: Done) -> None:
        """A row that an earlier run finished goes by, or waits for those before it."""
        if not self.order:
            await self.out.put(known)
            return
        self.order.append(numbered)
        while len(self.order) > AHEAD:
            self.moved.clear()
            await self.moved.wait()

    async def _put(self, answer: Answer) -> None:
        """An answer, and what waited behind it. A row leaves `order` when it has been handed on, so that none gets past it."""
        await self.out.put(self._made(self.given.pop(answer.number), answer))
        if not self.scope.ordered:
            return
        self.order.popleft()
        while self.order and (known := self.order[0].known) is not None:
            await self.out.put(known)
            self.order.popleft()
        self.moved.set()

    def _made(self, numbered: Numbered, answer: Answer) -> Done:
        if answer.data is None:
            return lost(self.segment, numbered, f"the process that worked on it died, {TRIES} times")
        found: Done | Exception = pickle.loads(answer.data)
        if isinstance(found, Exception):
            raise found
        self.scope.run.usage_spent(found.usage)
        outer = numbered.row if found.letters else None
        return replace(found, ordinal=numbered.ordinal, digest=numbered.digest, outer=outer)


def _item(segment: Segment, numbered: Numbered, run: Run) -> bytes | Done:
    """What a worker is sent, or what is known of the row without one."""
    if numbered.known is not None:
        return numbered.known
    try:
        return json.dumps({"row": numbered.row, "left": asdict(_left(run))}).encode()
    except NOT_JSON as error:
        return lost(segment, numbered, f"it is not plain JSON: {said(error)}")


def _left(run: Run) -> Budget:
    """What a run may still spend."""
    spent = {"searches": run.searches, "calls": run.calls, "tokens": run.tokens, "usd": run.usd}
    limits: dict[str, Any] = asdict(run.budget)
    left = {
        name: None if limits[name] is None else max(limits[name] - used, 0) for name, used in spent.items()
    }
    return Budget(**left, seconds=run.seconds_left())


async def opened(setup: RowSetup) -> Handler:
    """What a worker makes of a row: all that `done` says of it, or the error that no other row would get past."""
    workspace = await Workspace.open(setup.settings) if setup.settings is not None else None
    scope = replace(setup.scope, workspace=workspace)

    async def handle(item: bytes) -> bytes:
        told: dict[str, Any] = json.loads(item)
        row: Row = told["row"]
        total = Run(Budget(**told["left"]))
        try:
            made = await done(setup.segment, Numbered(0, row), replace(scope, run=total))
        except HOPELESS as error:
            return pickle.dumps(error)
        return pickle.dumps(replace(made, outer=None))

    return handle
