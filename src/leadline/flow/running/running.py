"""A run of a flow, from its first row to its report.

source -> rows -> segments -> sinks, made final at the end; journal and dead letters beside them
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import asdict, replace
from itertools import pairwise
from types import MappingProxyType

from leadline.errors import Cancelled, RowFailed
from leadline.events import FlowEnded, FlowStarted, Notice
from leadline.flow.base import DeadLetter, Operator, Row, Rows, Scope
from leadline.flow.closing import Closing
from leadline.flow.ends import Flow, Put
from leadline.flow.operators.streams import stream
from leadline.flow.running.course import TURN, Course
from leadline.flow.running.opening import Choices, opened
from leadline.flow.running.report import FlowReport, StepCount
from leadline.flow.running.segments import cut
from leadline.flow.running.stages import staged
from leadline.run import Budget, Run
from leadline.workspace import Workspace

NOTHING_LEFT = "No row came out, and some failed: the sinks hold what they held before."


class _NothingLeftError(Exception):
    """Leaves the sinks without making anything final."""


async def run_flow(
    flow: Flow, workspace: Workspace | None = None, *, run: Run | None = None, choices: Choices | None = None
) -> FlowReport:
    """Run a flow to its end, or until `run` is cancelled: then rows at work are finished and no further one is started.

    Limits are those of the flow; what it spends is added to `run`. Raises `FlowError` where it cannot run at all.
    """
    run, choices = run or Run(Budget(searches=None)), choices or Choices()
    started = time.monotonic()
    async with opened(flow, workspace, run, choices) as (course, place):
        scope = Scope(
            course.total,
            MappingProxyType(dict(flow.shared)),
            workspace,
            choices.concurrency or flow.concurrency,
            flow.ordered,
            flow.memory if flow.memory.folder or place is None else replace(flow.memory, folder=place),
            lose_beside=course.losing("source"),
            job=course.journal.job if course.journal else "",
        )
        try:
            out = await _poured(flow, scope, course, workspace, choices.limit)
        finally:
            await scope.kept.close()
            run.usage_spent(course.total.usage())
        course.tell(now=True)
    report = _report(flow, course, out, time.monotonic() - started)
    run.emit(FlowEnded(flow.name, report.rows_in, report.rows_out, report.failed, report.ending))
    return report


async def collected(operator: Operator, rows: list[Row], scope: Scope | None = None) -> list[Row]:
    """What an operator makes of some rows: to try one out, without a flow around it."""
    scope = scope or Scope()
    try:
        return [row async for row in operator(stream(rows), scope)]
    finally:
        await scope.kept.close()


async def _poured(
    flow: Flow, scope: Scope, course: Course, workspace: Workspace | None, limit: int | None
) -> int:
    """All rows into the sinks; how many there were. The sinks keep what they held if the flow is stopped before its end."""
    total = await flow.source.total(scope)
    known = total if limit is None or total is None else min(total, limit)
    course.run.emit(FlowStarted(flow.name, known))
    segments = cut(flow.steps, _of_row(flow, workspace))
    course.first = segments[0].key if segments else ""
    out = 0
    try:
        async with AsyncExitStack() as stack:
            losing = replace(scope, lose=course.losing("sink"))
            puts = [await stack.enter_async_context(sink.opened(losing)) for sink in flow.sinks]
            rows = staged(segments, _taken(flow, scope, course, limit), scope, course)
            async with Closing(rows):
                async for row in rows:
                    await _put(row, puts, course)
                    out += 1
                    if not out % TURN:
                        await asyncio.sleep(0)
            if course.ending != "finished":
                raise Cancelled(course.detail)
            if not out and course.letters.failed:
                raise _NothingLeftError
    except _NothingLeftError:
        course.run.emit(Notice(NOTHING_LEFT))
    except Cancelled:
        if course.ending == "finished":
            raise
    return out


async def _taken(flow: Flow, scope: Scope, course: Course, limit: int | None) -> Rows:
    """The rows of the source, as many as are wanted. It may look at the run whether to go on waiting for more."""
    if limit == 0:
        return
    listening = replace(scope, run=course.run, lose=course.losing("source"))
    async with Closing(flow.source.rows(listening)) as rows:
        async for row in rows:
            course.taken = taken = course.taken + 1
            if not taken % TURN:
                await course.turn()
            yield row
            if taken == limit:
                return
    if course.run.cancelled:  # it may have ended for that
        course.check()


async def _put(row: Row, puts: list[Put], course: Course) -> None:
    for put in puts:
        try:
            await put(row)
        except RowFailed as error:
            course.lose(DeadLetter(error.step, error.reason, row), "sink", None, None)


def _of_row(flow: Flow, workspace: Workspace | None) -> Budget:
    """What one outer row may spend: what the flow says, else what the settings say of one run."""
    if workspace is None:
        return flow.limits.row
    general = asdict(workspace.settings.budget.of_run())
    return Budget(
        **{name: general[name] if own is None else own for name, own in asdict(flow.limits.row).items()}
    )


def _report(flow: Flow, course: Course, out: int, seconds: float) -> FlowReport:
    letters = course.letters
    return FlowReport(
        flow.name,
        course.taken,
        out,
        letters.failed,
        letters.skipped,
        course.resumed,
        seconds,
        course.total.usage(),
        tuple(_counts(course)),
        course.ending,
        course.detail,
        letters.file if letters.failed + letters.skipped else None,
    )


def _counts(course: Course) -> Iterator[StepCount]:
    """The counts of all steps, in the order of the flow."""
    for _, (segment, tally) in sorted(course.tallies.items(), key=lambda each: _order(each[0])):
        for step, (entered, left) in zip(segment.steps, pairwise(tally), strict=True):
            place = step.label.partition(" ")[0]
            own = (step.label, place)
            failed = sum(
                count
                for label, count in course.letters.by_step.items()
                if label in own or label.startswith((f"{place}.", f"{place} "))
            )
            yield StepCount(step.label, entered, left, failed)


def _order(key: str) -> list[int]:
    return [int(part) for part in key.split(".")]
