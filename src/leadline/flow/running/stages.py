"""How rows pass through a flow's segments, of which there are three kinds.

costly: number -> journal? -> engine -> journal -> outputs | cheap: one by one, each whole or not at all | stream: as it is
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from leadline.errors import BudgetSpent, Cancelled, FlowError, LeadlineError, RowFailed
from leadline.flow.base import DeadLetter, Operator, Reach, Rows, Scope
from leadline.flow.closing import Closing
from leadline.flow.operators.control import Fork, If
from leadline.flow.running.course import TURN, Course
from leadline.flow.running.journal import row_digest
from leadline.flow.running.outer_rows import NOT_JSON, Done, Numbered, letter_of, lost
from leadline.flow.running.segments import Segment, cut
from leadline.flow.running.straight import straight
from leadline.flow.stepping import said
from leadline.run import Budget, Run


def staged(segments: Sequence[Segment], rows: Rows, scope: Scope, course: Course) -> Rows:
    """The rows that come out of the last of several segments."""
    for segment in segments:
        rows = _stage(segment, rows, scope, course)
    return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class _Branch(Operator):
    """A branch of a fork or of a condition, in segments of its own."""

    segments: Sequence[Segment]
    course: Course

    @property
    def reach(self) -> Reach:
        return "stream"

    def parts(self) -> Iterator[Operator]:
        return chain.from_iterable(segment.steps for segment in self.segments)

    def __call__(self, rows: Rows, scope: Scope) -> Rows:
        return staged(self.segments, rows, scope, self.course)


def _branched(step: Fork | If, segment: Segment, course: Course) -> Fork | If:
    place = step.label.partition(" ")[0]

    def branch(number: int, steps: Operator, name: str) -> _Branch:
        parts = cut(steps, segment.budget, f"{segment.key}.{number}.", f"{place}.{name}")
        return _Branch(segments=parts, course=course)

    if isinstance(step, If):
        return replace(step, then=branch(0, step.then, "then"), else_=branch(1, step.else_, "else"))
    found = [branch(number, steps, f"branches[{number}]") for number, steps in enumerate(step.branches)]
    return replace(step, branches=found)


def _stage(segment: Segment, rows: Rows, scope: Scope, course: Course) -> Rows:
    match segment.kind:
        case "costly":
            return _costly(segment, rows, scope, course)
        case "cheap":
            return _cheap(segment, rows, scope, course)
        case "stream":
            return _stream(segment, rows, scope, course)


async def _costly(segment: Segment, rows: Rows, scope: Scope, course: Course) -> Rows:
    numbered = _numbered(segment, rows, course)
    async with (
        Closing(rows),
        Closing(numbered),
        Closing(course.engine.spread(segment, numbered, scope)) as dones,
    ):
        async for done in dones:
            if done.unfinished:
                course.spent(done.unfinished)
                continue
            await _finished(segment, done, course)
            for row in done.rows():
                yield row


async def _numbered(segment: Segment, rows: Rows, course: Course) -> AsyncIterator[Numbered]:
    ordinal = 0
    async for row in rows:
        numbered = await _looked_up(segment, Numbered(ordinal, row), course)
        course.check(spending=numbered.known is None)
        yield numbered
        ordinal += 1


async def _looked_up(segment: Segment, numbered: Numbered, course: Course) -> Numbered:
    """A row with what is known of it before anything is done."""
    try:
        digest = row_digest(numbered.row)
    except NOT_JSON as error:
        return replace(numbered, known=lost(segment, numbered, f"it is not plain JSON: {said(error)}"))
    if course.journal is None:
        return numbered
    known = await course.journal.known(segment.key, numbered.ordinal, digest, failed=not course.retry_failed)
    return replace(numbered, digest=digest, known=known)


async def _finished(segment: Segment, done: Done, course: Course) -> None:
    tally = course.tally(segment)
    for place, count in enumerate(done.tally):
        tally[place] += count
    course.resumed += done.remembered
    course.through += segment.key == course.first
    for letter in done.letters:
        course.lose(letter, segment.key, done.ordinal, done.outer)
    # The row that stops a flow is done again when it is resumed.
    stopping = done.failed and course.failures.policy == "stop"
    if course.journal is not None and not done.remembered and not stopping:
        await course.journal.put(segment.key, done)
    course.tell()


async def _cheap(segment: Segment, rows: Rows, scope: Scope, course: Course) -> Rows:
    """One row after the other, each of which gives all of its outputs or one dead letter."""
    first = segment.key == course.first
    ordinal, outer = -1, dict[str, Any]()

    def lose(letter: DeadLetter) -> None:
        course.lose(letter, segment.key, ordinal, outer)

    outputs_of = straight(segment.steps, replace(scope, concurrency=1, lose=lose), course.tally(segment))
    async with Closing(rows):
        async for outer in rows:
            ordinal += 1
            if first:
                course.through = ordinal + 1
            if not ordinal % TURN:
                await course.turn()
            try:
                outputs = await outputs_of(outer)
            except (BudgetSpent, Cancelled):
                raise
            except LeadlineError as error:
                lose(letter_of(error, segment.steps[-1], outer))
                course.check()
                continue
            for row in outputs:
                yield row


async def _stream(segment: Segment, rows: Rows, scope: Scope, course: Course) -> Rows:
    (step,) = segment.steps
    tally = course.tally(segment)

    async def counted() -> Rows:
        first, entered = segment.key == course.first, 0
        try:
            async for row in rows:
                entered += 1
                if first:
                    course.through = entered
                yield row
        finally:
            tally[0] += entered

    if isinstance(step, Fork | If):
        step = _branched(step, segment, course)
        run = scope.run
    else:
        run = Run(Budget(searches=None), scope.run.emit, scope.run.clock, parent=scope.run)
    entering = counted()
    leaving = step(entering, replace(scope, run=run, lose=course.losing(segment.key)))
    try:
        async with Closing(rows), Closing(entering), Closing(leaving):
            async for row in leaving:
                _go_on(run, course)
                tally[1] += 1
                yield row
        _go_on(run, course)
    except BudgetSpent:
        _go_on(run, course)
        raise
    except RowFailed as error:
        raise FlowError(
            f"{error}. A step over all rows cannot go on without one: filter such rows out before it."
        ) from error


def _go_on(run: Run, course: Course) -> None:
    """Stop the flow where it has no more for a step over all rows, whose rows are then not what they would have been."""
    if run.refused:
        course.spent(run.refused)
        course.check()
