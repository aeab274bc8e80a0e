"""Judge: which of the chunks found help to answer, in one call for all of a round.

chunk -> verdict -> selected
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from leadline.flow.base import FieldKind, Reach, Row, Scope, Shape
from leadline.flow.operators.shapes import having
from leadline.flow.steps.progress import FIELDS, opened
from leadline.flow.steps.together import Together
from leadline.flow.steps.values import hit_of, plain


@dataclass(frozen=True, slots=True)
class Judge(Together):
    """Says of each chunk of a round whether it helps to answer the question.

    The rows are the chunks of a round, spread out by `flat` or `each`; they are judged together. Each gets `selected`, true
    or false, and its chunk a `verdict`: `keep`, `score`, `reason`.

    chunk: the field with the chunk, one of `chunks`.
    selected: the field for whether it helps.

    Example:
        each:
          field: chunks
          as: chunk
          steps:
            - judge: {}
            - filter: selected
          into: chunks_selected
    """

    chunk: str = "chunk"
    selected: str = "selected"

    @property
    def reach(self) -> Reach:
        return "stream"

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return {**FIELDS, self.chunk: "mapping"}

    def after(self, before: Shape) -> Shape:
        return having(before, {self.chunk: "mapping", self.selected: "bool"})

    async def together(self, rows: Sequence[Row], scope: Scope) -> Sequence[Row]:
        work, state = await opened(rows[0], scope, "judge")
        hits = [hit_of(row.get(self.chunk), self.chunk) for row in rows]
        work.pool.hits |= {hit.chunk.id: hit for hit in hits}
        state = replace(state, new=tuple(hit.chunk.id for hit in hits))
        verdicts, cut = await work.judged(state, scope.run)
        told: dict[str, Any] = {} if cut is None else {"cut": {"reason": cut[0].value, "detail": cut[1]}}
        return [
            {
                **row,
                self.chunk: {**cast(dict[str, Any], row[self.chunk]), "verdict": plain(verdict), **told},
                self.selected: verdict.keep,
            }
            for row, verdict in zip(rows, verdicts, strict=True)
        ]
