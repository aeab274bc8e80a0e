"""How far two stores find the same chunks by keyword once their scores are put on one scale."""

from collections.abc import Sequence

from leadline.retrieval.base import TermWeights
from leadline.retrieval.scoring import bm25, idf, saturations
from leadline.store.base import Store

POOL = 200
TOP = 10


async def best(store: Store, name: str, terms: Sequence[str]) -> list[str]:
    """The ten best chunks of a pool, scored outside the store."""
    statistics = await store.statistics(name, terms)
    weights = TermWeights(
        idf={term: idf(count, statistics.chunks) for term, count in statistics.frequency.items() if count},
        length=statistics.length,
        chunks=statistics.chunks,
    )
    found = await store.keyword(name, terms, POOL)
    scores = {one.chunk.id: bm25(saturations(one.chunk, terms, weights.length), weights) for one in found}
    return sorted(scores, key=lambda key: (-scores[key], key))[:TOP]


async def overlap(one: Store, other: Store, name: str, questions: Sequence[Sequence[str]]) -> float:
    """The mean share of the ten best that both have."""
    shares: list[float] = []
    for terms in questions:
        first, second = await best(one, name, terms), await best(other, name, terms)
        if first:
            shares.append(len(set(first) & set(second)) / len(first))
    return sum(shares) / len(shares)
