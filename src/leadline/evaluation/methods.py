"""The ways to rank passages for a question that can be compared."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from leadline.agents.deep import DeepSearch
from leadline.errors import UsageError
from leadline.evaluation.metrics import distinct
from leadline.evaluation.setup import Setup
from leadline.events import Event, Searched
from leadline.retrieval.hybrid import HybridRetriever, Path
from leadline.run import Budget, Run
from leadline.types import Answer, Hit, Query


@dataclass(frozen=True, slots=True)
class Ranking:
    """Passage ids, best first, each once, and how many searches it took."""

    passages: tuple[str, ...]
    searches: int


Rank = Callable[[str], Awaitable[Ranking]]
Build = Callable[[Setup, str, int], Rank]
"""(setup, collection, depth) -> a function that ranks at least `depth` passages if so many are found."""

RECALL_ROOMS = ("analysis", "documents", "embeddings", "store", "retrieval", "ingest")


@dataclass(frozen=True, slots=True)
class Method:
    """How to rank, and the rooms whose code decides the result."""

    build: Build
    rooms: tuple[str, ...] = RECALL_ROOMS


def searching(path: Path | None = None) -> Build:
    """One search with the question as it is: by one recall path, or by all that are configured."""

    def build(setup: Setup, collection: str, depth: int) -> Rank:
        options = setup.retrieval
        if path is not None:
            options = replace(options, paths=frozenset({path}))
        if path == "dense" and setup.embedder is None:
            raise UsageError('method `dense` needs an embedding: set `embedding = "static"`.')
        retriever = HybridRetriever(setup.store, (collection,), setup.embedder, options)

        async def rank(question: str) -> Ranking:
            results = await retriever.search(Query(question), depth, Run(Budget(searches=None)))
            return Ranking(passages_of(results.hits), 1)

        return rank

    return build


def deep(setup: Setup, collection: str, depth: int) -> Rank:
    """Deep search: its evidence in order of final score, then the rest of what it found."""
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, setup.retrieval)
    agent = DeepSearch(setup.reasoner, retriever, setup.ask, setup.reranker)

    async def rank(question: str) -> Ranking:
        searched: list[Searched] = []

        def note(event: Event) -> None:
            if isinstance(event, Searched):
                searched.append(event)

        answer = await agent(question, Run(Budget(searches=None), note))
        return Ranking(ranked(answer, searched), answer.usage.searches)

    return rank


def ranked(answer: Answer, searched: Sequence[Searched]) -> tuple[str, ...]:
    """Passages of the evidence, then the other hits: those of earlier searches' same rank first."""
    evidence = [piece.hit for piece in answer.evidence]
    deepest = max((len(search.hits) for search in searched), default=0)
    rest = [search.hits[rank] for rank in range(deepest) for search in searched if rank < len(search.hits)]
    return passages_of([*evidence, *rest])


def passages_of(hits: Sequence[Hit]) -> tuple[str, ...]:
    """The passages that these chunks came from, each at its best chunk's place."""
    return distinct(hit.chunk.source for hit in hits)


METHODS: Mapping[str, Method] = {
    "dense": Method(searching("dense")),
    "keyword": Method(searching("keyword")),
    "hybrid": Method(searching()),
    "deep": Method(deep, (*RECALL_ROOMS, "reasoning", "citing", "agents", "reranking")),
}


def method(name: str) -> Method:
    """The method of that name; `UsageError` lists the known ones."""
    if name in METHODS:
        return METHODS[name]
    close = get_close_matches(name, METHODS, n=1)
    hint = f"Did you mean `{close[0]}`?" if close else f"Known: {', '.join(METHODS)}."
    raise UsageError(f"method `{name}` is unknown. {hint}")
