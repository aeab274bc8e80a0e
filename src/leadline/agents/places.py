"""Where each round of a run searches, when there are several collections to choose from."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.reasoning.base import Reasoner
from leadline.retrieval.base import Retriever
from leadline.retrieval.hybrid import HybridRetriever
from leadline.routing.collections import CollectionRouter
from leadline.run import Run
from leadline.types import Collection, Query


@dataclass(frozen=True, slots=True)
class Places:
    """`retriever` searches all collections; a round searches those that `router` chooses for it."""

    router: CollectionRouter
    retriever: HybridRetriever

    @classmethod
    def among(
        cls, there: Sequence[Collection], retriever: HybridRetriever, reasoner: Reasoner, default: str
    ) -> "Places | None":
        """A choice among those of the collections `there` that are searched; None when there is nothing to choose."""
        own = tuple(each for each in there if each.name in retriever.collections)
        return cls(CollectionRouter(reasoner, own, default), retriever) if len(own) > 1 else None

    async def of(self, question: str, queries: Sequence[Query], number: int, run: Run) -> Retriever:
        """The retriever of round `number`."""
        return self.retriever.within(await self.router.choose(question, queries, number, run))
