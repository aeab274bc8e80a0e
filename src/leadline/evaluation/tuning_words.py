"""Does it pay to put the questions into other words? Measured on top of the best ways to search without.

questions -> rewrites, once each -> each way: ranked with the question alone | with the rewrites -> the difference
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from leadline.agents.options import AskOptions
from leadline.agents.rewriting import first_queries
from leadline.evaluation.cases import Case
from leadline.evaluation.judging import passages_of
from leadline.evaluation.metrics import ndcg_at, places_of, recall_at
from leadline.evaluation.setup import OnProgress, Progress, Setup
from leadline.retrieval.hybrid import HybridRetriever
from leadline.retrieval.pooling import Pool, rank
from leadline.retrieval.tuned import Choice
from leadline.run import Budget, Run, each
from leadline.types import Query

DEPTH = 10
READ = 20
"""Best hits whose words are weighed for the order, as in a search of several queries."""

_WORDS = AskOptions(layers=frozenset({"expand"}), expand="always")


@dataclass(frozen=True, slots=True)
class Measured:
    """One question's recall@5 and nDCG@10."""

    recall: float
    ndcg: float

    @property
    def score(self) -> float:
        return (self.recall + self.ndcg) / 2


async def other_words(
    cases: Sequence[Case], collection: str, setup: Setup, run: Run, progress: OnProgress
) -> Mapping[str, tuple[Query, ...]]:
    """The queries of each question that has any in other words; none has without a model."""
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, setup.retrieval)
    done = 0

    async def one(case: Case) -> tuple[Query, ...]:
        nonlocal done
        weights = await retriever.weights([case.question])
        found = await first_queries(setup.reasoner, retriever, case.question, weights, _WORDS, run)
        done += 1
        progress(Progress(collection, "rewrite", done, len(cases)))
        return found

    queries = await each(one, cases, limit=setup.ask.parallel)
    return {case.question: found for case, found in zip(cases, queries, strict=True) if len(found) > 1}


async def gains(
    choice: Choice,
    words: Mapping[str, tuple[Query, ...]],
    cases: Sequence[Case],
    collection: str,
    setup: Setup,
) -> list[Measured]:
    """What each question gains by its rewrites, searched as `choice` says; nothing where it has none."""
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, choice.on(setup.retrieval))
    found: list[Measured] = []
    for case in cases:
        queries = words.get(case.question)
        if queries is None:
            found.append(Measured(0.0, 0.0))
            continue
        alone = await _measured(case, queries[:1], retriever)
        together = await _measured(case, queries, retriever)
        found.append(Measured(together.recall - alone.recall, together.ndcg - alone.ndcg))
    return found


async def _measured(case: Case, queries: Sequence[Query], retriever: HybridRetriever) -> Measured:
    pool = Pool()
    for query in queries:
        results = await retriever.search(query, 5 * DEPTH, Run(Budget(searches=None)))
        pool.add(query, results.hits, results.links, results.scores or None)
    best = [hit.chunk for hit in list(pool.hits.values())[:READ]]
    weights = await retriever.weights([case.question], best)
    places = places_of(passages_of(rank(case.question, pool, weights)), set(case.supporting))
    return Measured(recall_at(places, 5), ndcg_at(places, DEPTH))


def expanded(choice: Choice) -> Choice:
    """The same, in other words too."""
    return replace(choice, expand=True)
