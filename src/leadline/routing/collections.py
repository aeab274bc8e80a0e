"""Which collections a round searches: a model chooses by name and description, once a round.

one -> that; several -> those chosen, those without a description, and the default; none chosen, or few calls -> all
"""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.errors import BudgetSpent, Cancelled
from leadline.events import CollectionsChosen
from leadline.reasoning.base import Option, Reasoner
from leadline.routing.calls import may_choose
from leadline.run import Run
from leadline.types import Collection, Query


@dataclass(frozen=True, slots=True)
class CollectionRouter:
    """Chooses among `collections`. What nobody has described can't be judged by its description, so it always stays."""

    reasoner: Reasoner
    collections: tuple[Collection, ...]
    default: str = ""

    async def choose(self, question: str, queries: Sequence[Query], number: int, run: Run) -> tuple[str, ...]:
        """The names to search in round `number`, in the order of the collections."""
        names = tuple(dict.fromkeys(each.name for each in self.collections))
        if len(names) < 2:
            return names
        described = [each for each in self.collections if each.description.strip()]
        if all(each.name == self.default for each in described):
            return self._told(names, "none but the default has a description", number, run)
        if not may_choose(run):
            return self._told(names, "there are few calls to spend, so all", number, run)
        chosen = await self._chosen(question, queries, described, run)
        if not chosen:
            return self._told(names, "none was chosen, so all", number, run)
        always = {each.name for each in self.collections if each not in described} | {self.default}
        kept = tuple(name for name in names if name in chosen or name in always)
        return self._told(kept, _reason(chosen, kept), number, run)

    async def _chosen(
        self, question: str, queries: Sequence[Query], described: Sequence[Collection], run: Run
    ) -> set[str]:
        options = [Option(each.name, each.description.strip()) for each in described]
        try:
            chosen = await self.reasoner.choose(_wording(question, queries), options, run, several=True)
        except (BudgetSpent, Cancelled):
            return set()
        return set(chosen) & {option.name for option in options}

    def _told(self, names: tuple[str, ...], reason: str, number: int, run: Run) -> tuple[str, ...]:
        run.emit(CollectionsChosen(number, names, reason))
        return names


def _wording(question: str, queries: Sequence[Query]) -> str:
    """The question, and what this round asks beside it."""
    others = [query.text for query in queries if query.text != question]
    return "\n- ".join((question, *dict.fromkeys(others)))


def _reason(chosen: set[str], kept: Sequence[str]) -> str:
    added = [name for name in kept if name not in chosen]
    return "the model chose them" + (f"; always searched: {', '.join(added)}" if added else "")
