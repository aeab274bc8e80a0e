"""Reflect: what the judge made of a round, what is still missing, and what to ask next.

chunks_selected -> verdicts -> is it over? -> reflection -> gap_queries
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from leadline.agents.state import SearchState
from leadline.agents.stopping import Decision, interrupted
from leadline.errors import BudgetSpent, Cancelled, UsageError
from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.operators.shapes import having
from leadline.flow.stepping import Step
from leadline.flow.steps.progress import FIELDS, opened, progress_in, shown
from leadline.flow.steps.values import list_at, made, verdict_of
from leadline.run import Run
from leadline.types import StopReason, Verdict

SELECTED = Verdict(True, 1.0, "selected")
REJECTED = Verdict(False, 0.0, "not selected")


@dataclass(frozen=True, slots=True)
class _Cut:
    reason: StopReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Reflect(Step):
    """Ends a round: keeps the chunks that were selected, and says what to ask next.

    `gap_queries` are the next queries; they are empty where the search is over, and `search.stop` says why. Chunks of this
    round that were not selected count as rejected; a round in which all were is reflected on like any other.

    selected: the field with the chunks of this round that help, or with lists of them.

    Example:
        reflect:
          selected: chunks_selected
    """

    selected: str = "chunks_selected"

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return {**FIELDS, self.selected: "list"}

    def after(self, before: Shape) -> Shape:
        return having(before, FIELDS)

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        work, state = await opened(row, scope, "reflect")
        chosen = list(_chunks(list_at(row, self.selected)))
        verdicts: dict[str, Verdict] = {}
        for at, piece in enumerate(chosen):
            place = f"{self.selected}[{at}]"
            key = made(str, piece.get("id"), f"{place}.id")
            if key not in state.new:
                raise UsageError(f"field `{place}` has a chunk that is not among `chunks`")
            verdicts[key] = replace(verdict_of(piece, place) or SELECTED, keep=True)
        settled = [verdicts.get(key, REJECTED) for key in state.new]
        before = {key for key in state.new if key in work.verdicts}
        state = await work.decide(state, settled, _cut(chosen, state, before, scope.run), scope.run)
        if state.stop is None:
            state = await work.step(work.reflect, state, scope.run)
        told = shown(row, work, replace(state, new=()), progress_in(row).choices)
        return [{name: value for name, value in told.items() if name != self.selected}]


def _chunks(values: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """The chunks in lists of lists; null stands for none."""
    for value in values:
        if isinstance(value, list):
            yield from _chunks(cast(list[Any], value))
        elif isinstance(value, dict):
            yield cast(dict[str, Any], value)
        elif value is not None:
            raise UsageError("a chunk that was selected is a mapping, as `judge` gives it")


def _cut(
    chosen: Sequence[Mapping[str, Any]], state: SearchState, before: set[str], run: Run
) -> Decision | None:
    """Why gathering must end, if judging was cut short. Such a judge keeps the best of what is new, which says so; only
    where nothing is new may nothing be left to say it."""
    told = next((piece["cut"] for piece in chosen if piece.get("cut")), None)
    if told is not None:
        cut = made(_Cut, told, "cut")
        return cut.reason, cut.detail
    if chosen or not state.new or not before.issuperset(state.new):
        return None
    try:
        run.check()
    except (BudgetSpent, Cancelled) as error:
        return interrupted(error)
    return None
