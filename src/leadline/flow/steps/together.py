"""Steps that work on all rows of one round of one question at once: one call of the judge, searches side by side.

rows -> those next to each other that belong to the same round -> work -> rows
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leadline.flow.base import Row, Rows, Scope
from leadline.flow.stepping import PASSED_ON, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Together(Step):
    """The base of such steps. A row that belongs to no deep search is by itself."""

    async def together(self, rows: Sequence[Row], scope: Scope) -> Sequence[Row]:
        """What becomes of the rows of one round."""
        raise NotImplementedError

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        return list(await self.together([row], scope))

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        group: list[Row] = []
        async for row in rows:
            if group and not _same_round(group[-1], row):
                for made in await self._tried(group, scope):
                    yield made
                group = []
            group.append(row)
        if group:
            for made in await self._tried(group, scope):
                yield made

    async def _tried(self, rows: Sequence[Row], scope: Scope) -> Iterable[Row]:
        try:
            return await self.together(rows, scope)
        except PASSED_ON:
            raise
        except Exception as error:  # noqa: BLE001 - as for every step: what a row holds may be anything
            return await self.again(lambda: self.together(rows, scope), rows, scope, error)


def _same_round(one: Row, other: Row) -> bool:
    """Whether two rows came out of one row, which has the same question and has come equally far."""
    if "search" not in one or "search" not in other:
        return False
    mine, its = one["search"], other["search"]
    return one.get("original_query") == other.get("original_query") and (mine is its or mine == its)
