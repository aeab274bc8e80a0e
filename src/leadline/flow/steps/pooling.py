"""Pool: what the queries of a round found, taken together.

found of each query -> one entry a chunk -> those to judge
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from leadline.errors import LeadlineError, UsageError
from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.operators.shapes import having
from leadline.flow.stepping import Step
from leadline.flow.steps.progress import FIELDS, opened, progress_in, shown
from leadline.flow.steps.retrieving import found_of
from leadline.flow.steps.values import list_at, made
from leadline.retrieval.base import Results


@dataclass(frozen=True, slots=True)
class Pool(Step):
    """Takes in what the queries of a round found, each chunk once.

    What was found joins `all_chunks`; `chunks` are those of it that are to be judged in this round: what is new, and what
    was rejected before and comes up again. `gap_queries` joins `all_sub_queries`.

    found: the field with the list of what `retrieve` found for each query, or of rows that have it in a field of that name.

    Example:
        pool:
          found: found
    """

    found: str = "found"

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return {**FIELDS, self.found: "list"}

    def after(self, before: Shape) -> Shape:
        return having(before, FIELDS)

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        work, state = await opened(row, scope, "pool")
        by_query: dict[str, Results | LeadlineError] = {}
        for at, one in enumerate(list_at(row, self.found)):
            place = f"{self.found}[{at}]"
            told = made(dict[str, Any], one, place)
            query, found = found_of(told.get(self.found, told), place)
            by_query[query.text] = found
        unasked = [query.text for query in state.queries if query.text not in by_query]
        if unasked:
            raise UsageError(
                f"field `{self.found}` has nothing of “{unasked[0]:.80}”: every query must be there"
            )
        state = await work.take(state, [by_query[query.text] for query in state.queries], scope.run)
        made_of = shown(row, work, replace(state, queries=()), progress_in(row).choices)
        return [{name: value for name, value in made_of.items() if name != self.found}]
