"""How near the vector index comes to exact search: recall@10 and time by breadth of search (`ef`)."""

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import numpy as np

from leadline.embeddings.base import Vectors
from leadline.errors import UsageError
from leadline.evaluation.metrics import mean
from leadline.evaluation.report import table
from leadline.store.base import Entry, Store

K = 10
BREADTHS = (16, 32, 64, 128, 256)
EQUAL = 1e-5
"""Cosines nearer than this are one: an index keeps vectors a little rounded, and copies of a text are as good."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """What one breadth of search gives; `ef` of None is the collection's own."""

    ef: int | None
    recall_at_10: float
    ms_per_query: float


async def measure_index(
    store: Store, collection: str, questions: Vectors, breadths: Sequence[int] = BREADTHS
) -> list[Nearness]:
    """Search for each question (n, dimension) by the index, and compare with the cosines of exact search."""
    least = await least_of_best(store.scan(collection), questions, K)
    return [await _measure(store, collection, questions, least, ef) for ef in (None, *breadths)]


async def _measure(
    store: Store, collection: str, questions: Vectors, least: Sequence[float], ef: int | None
) -> Nearness:
    # The first search opens the index; users pay that once.
    await store.dense(collection, questions[0], K, ef=ef)
    recalls: list[float] = []
    started = time.perf_counter()
    for question, bound in zip(questions, least, strict=True):
        found = await store.dense(collection, question, K, ef=ef)
        recalls.append(min(1.0, sum(one.score >= bound - EQUAL for one in found) / K))
    return Nearness(ef, mean(recalls), 1000 * (time.perf_counter() - started) / len(questions))


async def least_of_best(entries: AsyncIterator[Entry], questions: Vectors, k: int) -> list[float]:
    """The cosine of each question's `k`-th nearest chunk, by comparing all; nothing is kept but the best."""
    units = questions / np.maximum(np.linalg.norm(questions, axis=1, keepdims=True), 1e-12)
    best = np.full((len(questions), k), -np.inf)
    chunks = 0
    async for entry in entries:
        if entry.vectors is None:
            raise UsageError("the collection has no vectors, so it has no vector index to measure.")
        chunks += len(entry.vectors)
        if len(entry.vectors):
            lengths = np.maximum(np.linalg.norm(entry.vectors, axis=1, keepdims=True), 1e-12)
            cosines = units @ (entry.vectors / lengths).T
            best = np.partition(np.hstack([best, cosines]), -k, axis=1)[:, -k:]
    if chunks < k:
        raise UsageError(f"the collection has {chunks} chunks; recall@{k} needs at least {k}.")
    return [float(each) for each in best.min(axis=1)]


def index_table(measured: Sequence[Nearness]) -> str:
    """The table as Markdown."""
    rows = [
        [str(one.ef or "as configured"), f"{one.recall_at_10:.3f}", f"{one.ms_per_query:.1f}"]
        for one in measured
    ]
    return "\n".join(table(rows, ("ef", "recall@10 of exact", "ms"))) + "\n"
