"""Plan: the first queries for a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from leadline.agents.state import SearchState
from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.progress import FIELDS, Choices, asking_of, begun, check, shown
from leadline.flow.steps.values import text_at


@dataclass(frozen=True, slots=True)
class Plan(Step):
    """Begins a deep search: what to search for first.

    The row gets the fields by which the steps after it know where the search stands:
    `gap_queries`: what to search for next, the question itself first; a text is a query too.
    `all_sub_queries`: what was searched for, empty here.
    `chunks`: what was found in this round and is to be judged, each with the `sub_query` that found it.
    `all_chunks`: everything found, each with its `verdict` and the `round` of that.
    `search`: the rest, such as the `round`, what is `missing`, and in `stop` why the search is over.
    Inside of a round rows have `sub_query`, `sub_query_vector` and what was `found`, then `chunk` and `selected`, and last
    the `chunks_selected`.

    question: the field with the question. It is put into `original_query` too.
    collections: where to search; none is the collection of the settings.
    where: a filter on the documents, such as "year >= 2023".
    rounds: the most rounds, else as the settings say.
    layers: parts of the search to turn on or off: rewrite, expand, rerank, judge, reflect, verify.

    Example:
        plan:
          question: original_query
          rounds: 3
    """

    question: str = "original_query"
    collections: Sequence[str] = ()
    where: str | None = None
    rounds: int | None = None
    layers: Mapping[str, bool] = field(default_factory=dict[str, bool])

    def __post_init__(self) -> None:
        check(self._choices())

    def _choices(self) -> Choices:
        return Choices(tuple(self.collections), self.where, self.rounds, self.layers)

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.question, kind="text")

    def after(self, before: Shape) -> Shape:
        return having(before, FIELDS)

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        question = text_at(row, self.question).strip()
        choices = self._choices()
        work = begun(await asking_of(scope, "plan", choices), question)
        state = await work.step(work.plan, SearchState(question), scope.run)
        return [shown({**row, "original_query": question}, work, state, choices)]
