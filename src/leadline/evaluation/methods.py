"""The ways to rank passages for a question that can be compared."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from leadline.agents.deep import DeepSearch
from leadline.agents.reranking import searched as reranked_search
from leadline.errors import UsageError
from leadline.evaluation.setup import Setup
from leadline.events import Event, Searched
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.run import Budget, Run
from leadline.types import Answer, Hit, Query


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunks, best first, each once, and how many searches it took."""

    hits: tuple[Hit, ...]
    searches: int


Rank = Callable[[str], Awaitable[Ranking]]
Build = Callable[[Setup, str, int], Rank]
"""(setup, collection, depth) -> a function that ranks at least `depth` chunks if so many are found."""

RECALL_ROOMS = ("analysis", "documents", "embeddings", "store", "retrieval", "ingest")


@dataclass(frozen=True, slots=True)
class Method:
    """How to rank, and the rooms whose code decides the result."""

    build: Build
    rooms: tuple[str, ...] = RECALL_ROOMS


Options = Callable[[RetrievalOptions], RetrievalOptions]


def dense_only(options: RetrievalOptions) -> RetrievalOptions:
    """Nearest by vector."""
    return replace(options, paths=frozenset({"dense"}), titles=False, coverage=False)


def keyword_only(options: RetrievalOptions) -> RetrievalOptions:
    """Best by BM25."""
    return replace(options, paths=frozenset({"keyword"}), titles=False, coverage=False)


def hybrid(options: RetrievalOptions) -> RetrievalOptions:
    """Dense and keyword recall fused, and nothing after that: what linked recall is measured against."""
    return replace(options, paths=frozenset({"dense", "keyword"}), titles=False, coverage=False)


def as_configured(options: RetrievalOptions) -> RetrievalOptions:
    """The recall of fast search."""
    return options


def searching(choose: Options) -> Build:
    """One search with the question as it is."""

    def build(setup: Setup, collection: str, depth: int) -> Rank:
        options = choose(setup.retrieval)
        if options.paths == frozenset({"dense"}) and setup.embedder is None:
            raise UsageError('method `dense` needs an embedding: set `embedding = "static"`.')
        retriever = HybridRetriever(setup.store, (collection,), setup.embedder, options)

        async def rank(question: str) -> Ranking:
            results = await retriever.search(Query(question), depth, Run(Budget(searches=None)))
            return Ranking(results.hits, 1)

        return rank

    return build


def reranked(setup: Setup, collection: str, depth: int) -> Rank:
    """One search, its best hits read by the reranker."""
    if setup.reranker is None:
        raise UsageError("method `reranked` needs a reranker: set `reranker` (see docs/configuration.md).")
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, setup.retrieval)

    async def rank(question: str) -> Ranking:
        run = Run(Budget(searches=None))
        results = await reranked_search(retriever, Query(question), depth, setup.reranker, setup.ask, run)
        return Ranking(results.hits, 1)

    return rank


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


def ranked(answer: Answer, searched: Sequence[Searched]) -> tuple[Hit, ...]:
    """The evidence, then the other hits: those of earlier searches' same rank first."""
    evidence = [piece.hit for piece in answer.evidence]
    deepest = max((len(search.hits) for search in searched), default=0)
    rest = [search.hits[rank] for rank in range(deepest) for search in searched if rank < len(search.hits)]
    first: dict[str, Hit] = {}
    for hit in (*evidence, *rest):
        first.setdefault(hit.chunk.id, hit)
    return tuple(first.values())


METHODS: Mapping[str, Method] = {
    "dense": Method(searching(dense_only)),
    "keyword": Method(searching(keyword_only)),
    "hybrid": Method(searching(hybrid)),
    "linked": Method(searching(as_configured)),
    "reranked": Method(reranked, (*RECALL_ROOMS, "agents/reranking.py", "reranking")),
    "deep": Method(deep, (*RECALL_ROOMS, "reasoning", "citing", "agents", "reranking")),
}


def available(setup: Setup) -> list[str]:
    """The methods that this setup has the parts for."""
    missing = {
        name for name, part in (("dense", setup.embedder), ("reranked", setup.reranker)) if part is None
    }
    return [name for name in METHODS if name not in missing]


def method(name: str) -> Method:
    """The method of that name; `UsageError` lists the known ones."""
    if name in METHODS:
        return METHODS[name]
    close = get_close_matches(name, METHODS, n=1)
    hint = f"Did you mean `{close[0]}`?" if close else f"Known: {', '.join(METHODS)}."
    raise UsageError(f"method `{name}` is unknown. {hint}")
