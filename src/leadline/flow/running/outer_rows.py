"""What becomes of one outer row: all of its outputs, or one dead letter.

row -> a stream of this row alone, a run of its own -> the segment's steps -> outputs as JSON, letters, what was spent
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from leadline.errors import (
    BudgetSpent,
    Cancelled,
    ConfigError,
    EmbeddingMismatch,
    FlowError,
    LeadlineError,
    ModelUnusable,
    RowFailed,
    UnknownCollection,
)
from leadline.flow.base import DeadLetter, Operator, Row, Rows, Scope
from leadline.flow.running.dead_letters import legible
from leadline.flow.running.segments import Segment
from leadline.flow.stepping import said
from leadline.run import Run
from leadline.types import Usage

NOT_JSON = (TypeError, ValueError, RecursionError)
"""What `json.dumps` raises where a row holds something else."""
HOPELESS = (ConfigError, EmbeddingMismatch, FlowError, ModelUnusable, UnknownCollection)
"""What no other row would get past: it ends the flow."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of an outer row. `outputs` is a JSON list of rows: what goes on is what a journal holds and what comes
    back from another machine, so that all three are the same.

    `failed`: the last of `letters` is that of the outer row itself. `outer` is there when there are letters. `tally[i]`
    rows entered step `i`, the last one is how many came out. `unfinished` says why it has to be done again, if it has.
    `remembered`: an earlier run did it.
    """

    ordinal: int
    digest: bytes = b""
    outputs: str = "[]"
    letters: tuple[DeadLetter, ...] = ()
    failed: bool = False
    outer: Row | None = None
    usage: Usage = Usage()
    tally: tuple[int, ...] = ()
    unfinished: str = ""
    remembered: bool = False

    def rows(self) -> list[Row]:
        """The outputs, read."""
        return [] if self.outputs == "[]" else cast("list[Row]", json.loads(self.outputs))


@dataclass(frozen=True, slots=True)
class Numbered:
    """An outer row, the how manyth it is of its segment (from 0), the digest of its content, and what an earlier run made
    of it, which is then passed on as it is."""

    ordinal: int
    row: Row
    digest: bytes = b""
    known: Done | None = None


async def done(segment: Segment, numbered: Numbered, scope: Scope) -> Done:
    """Take one outer row through a segment. What it spends counts in `scope.run` too, which may end it.

    Raises only what no other row would get past.
    """
    letters: list[DeadLetter] = []
    tally = [0] * (len(segment.steps) + 1)
    run = Run(segment.budget, scope.run.emit, scope.run.clock, parent=scope.run)
    inner = replace(scope, run=run, lose=letters.append, ordered=True)
    outputs, failed, stopped = "[]", False, ""
    raised: list[Operator] = []
    try:
        rows = through(segment.steps, _only(numbered.row, tally), inner, tally, raised)
        outputs = _as_json([row async for row in rows], segment, numbered.row)
    except LeadlineError as error:
        stopped = str(error) if isinstance(error, Cancelled) else ""
        step = raised[0] if raised else segment.steps[-1]
        letters.append(letter_of(error, step, numbered.row))
        failed = True
    unfinished = stopped or cut_short(run)
    return Done(
        numbered.ordinal,
        numbered.digest,
        outputs,
        tuple(replace(letter, row=legible(letter.row)) for letter in letters),
        failed and not unfinished,
        legible(numbered.row) if letters else None,
        run.usage(),
        tuple(tally),
        unfinished,
    )


def lost(segment: Segment, numbered: Numbered, reason: str) -> Done:
    """What becomes of an outer row that no step was ever given, or that none gave back."""
    row = legible(numbered.row)
    letter = DeadLetter(segment.steps[-1].label, reason, row)
    tally = (1, *(0 for _ in segment.steps))
    return Done(numbered.ordinal, numbered.digest, letters=(letter,), failed=True, outer=row, tally=tally)


def through(
    steps: Sequence[Operator],
    rows: Rows,
    scope: Scope,
    tally: list[int],
    raised: list[Operator] | None = None,
) -> Rows:
    """Rows through steps one after the other, counted after each; the caller counts those that enter the first. `raised`
    is told of the step that fails, then of those behind it."""
    for place, step in enumerate(steps, start=1):
        rows = _counted(step(rows, scope), tally, place, step, raised)
    return rows


def letter_of(error: LeadlineError, step: Operator, row: Row) -> DeadLetter:
    """The dead letter of an outer row. Raises the error itself where no other row would get past it."""
    cause = error.__cause__ if isinstance(error, RowFailed) else error
    if isinstance(cause, HOPELESS):
        raise cause
    if isinstance(error, RowFailed):
        return DeadLetter(error.step, error.reason, error.row)
    return DeadLetter(step.label, said(error), row)


def cut_short(run: Run) -> str:
    """Why what came of a run is not what it would have been, had the whole flow more to spend; "" where only its own
    limits were in its way. A call that the deadline cut off may have been made up for: the clock alone tells of it."""
    total = run.parent
    if run.refused or total is None or total.seconds_left("gather") != 0:
        return run.refused
    try:
        total.check("gather")
    except (BudgetSpent, Cancelled) as spent:
        return str(spent)
    return ""


def _as_json(rows: list[Any], segment: Segment, row: Row) -> str:
    try:
        return json.dumps(rows)
    except NOT_JSON as error:
        reason = f"what came out of it is not plain JSON: {said(error)}"
        raise RowFailed(segment.steps[-1].label, reason, row) from None


async def _only(row: Row, tally: list[int]) -> Rows:
    tally[0] += 1
    yield row


async def _counted(
    rows: Rows, tally: list[int], place: int, step: Operator, raised: list[Operator] | None
) -> Rows:
    try:
        async for row in rows:
            tally[place] += 1
            yield row
    except LeadlineError:
        if raised is not None:
            raised.append(step)
        raise
