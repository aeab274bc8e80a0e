"""Write: the answer from everything that was found, also where a loop was cut short."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from leadline.agents.answering import answer
from leadline.agents.state import SearchState
from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.operators.shapes import having
from leadline.flow.stepping import Step
from leadline.flow.steps.answers import answered
from leadline.flow.steps.progress import FIELDS, opened
from leadline.flow.steps.values import made
from leadline.types import StopReason

EXITS: Mapping[str, StopReason] = {
    "max_rounds": StopReason.MAX_ROUNDS,
    "budget": StopReason.BUDGET,
    "deadline": StopReason.DEADLINE,
    "cancelled": StopReason.CANCELLED,
    "empty": StopReason.NO_NEW_EVIDENCE,
    "stalled": StopReason.REPEATED_QUERIES,
}
"""How a loop that has left something to ask has ended, as a reason to stop searching."""


@dataclass(frozen=True, slots=True)
class Write(Step):
    """Writes the answer of a deep search, every sentence with what it rests on.

    A row that a loop let go with queries still open is answered from what was found so far; `stop` says why it ended.

    into: the field for the answer: `text`, `found`, `claims` and the `sources` they cite, `confidence`, `stop`, `rounds`,
      `missing`, `notices`.
    evidence: the field for the evidence, best first; "" for none.
    loop: the field with the report of the loop.

    Example:
        write:
          into: answer
          evidence: evidence
    """

    into: str = "answer"
    evidence: str = "evidence"
    loop: str = "loop"

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return FIELDS

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "mapping", **({self.evidence: "list"} if self.evidence else {})})

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        work, state = await opened(row, scope, "write")
        report = row.get(self.loop)
        state = _ended(state, {} if report is None else made(dict[str, Any], report, self.loop))
        return [answered(row, await answer(work, state, scope.run, "deep"), self.into, self.evidence)]


def _ended(state: SearchState, report: Mapping[str, Any]) -> SearchState:
    """The state with the reason of its loop's end, where it has none of its own."""
    if state.stop is not None or not state.queries:
        return state
    reason = EXITS.get(str(report.get("exit", "max_rounds")), StopReason.MAX_ROUNDS)
    if reason is StopReason.MAX_ROUNDS and not state.kept:
        reason = StopReason.NOTHING_FOUND
    return replace(state, stop=reason, queries=())
