"""Searching a large collection: medians by path, recall against exact comparison, resident memory."""
# pyarrow is not typed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.store_times import NAME, say
from leadline import registry
from leadline.analysis.terms import analyse
from leadline.embeddings.base import Embedder, Vectors
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.run import Budget, Run
from leadline.store.lance import LanceStore
from leadline.store.lance_connection import connect
from leadline.store.lance_table import LanceTable
from leadline.store.lance_writer import TABLES
from leadline.types import Query

COMPARED = 10
"""Questions that are compared with every vector for the time it takes."""

RECALLED = (None, 64, 128, 256, 512)
"""Breadths of search whose recall is measured; None is what the collection says."""


def searched(folder: Path, questions: Sequence[str]) -> dict[str, Any]:
    """Everything measured, memory before the exact comparison, which takes some of its own."""
    return asyncio.run(_searched(folder, questions))


async def _searched(folder: Path, questions: Sequence[str]) -> dict[str, Any]:
    embedder: Embedder = registry.find("embedding", "static")()
    times, resident = await _times(folder, embedder, questions)
    store = LanceStore(folder, read_only=True)
    try:
        vectors = embedder.embed_queries(questions)
        connection = await connect(folder / TABLES)
        (table,) = (await connection.list_tables()).tables
        opened = await LanceTable.open(connection, table, vectors.shape[1])
        times["exact"] = await _exact(opened, vectors[:COMPARED])
        exact = await nearest(opened, vectors, 10)
        connection.close()
        recall: dict[str, float] = {}
        for ef in RECALLED:
            found = [
                {one.chunk.id for one in await store.dense(NAME, vector, 10, ef=ef)} for vector in vectors
            ]
            shares = [len(one & other) / 10 for one, other in zip(found, exact, strict=True)]
            recall[str(ef or "of the collection")] = statistics.mean(shares)
        pooled = [
            {one.chunk.id for one in (await store.dense(NAME, vector, RetrievalOptions().pool))[:10]}
            for vector in vectors
        ]
        shares = [len(one & other) / 10 for one, other in zip(pooled, exact, strict=True)]
        recall["of hybrid search"] = statistics.mean(shares)
    finally:
        await store.close()
    return {"p50": times, "recall": recall, "resident_gib": resident}


async def _times(
    folder: Path, embedder: Embedder, questions: Sequence[str]
) -> tuple[dict[str, float], float]:
    """Median milliseconds by path, and the memory of the last.

    Each has a store of its own: in one that others have searched, most of what hybrid search gives is in memory, and
    half of what linked search gives is not.
    """
    found: dict[str, float] = {}
    resident = 0.0
    for name in ("dense", "keyword", "hybrid", "linked"):
        store = LanceStore(folder, read_only=True)
        search = _searches(store, embedder)[name]
        try:
            found[name] = await _median(search, questions)
            resident = _resident()
        finally:
            await store.close()
        say(f"{name}: {found[name]:.2f} ms")
    return found, resident


def _searches(store: LanceStore, embedder: Embedder) -> dict[str, Callable[[str], Awaitable[object]]]:
    run = Run(Budget(searches=None))
    linked = HybridRetriever(store, (NAME,), embedder, RetrievalOptions(dense_weight=0.15))
    hybrid = HybridRetriever(
        store,
        (NAME,),
        embedder,
        RetrievalOptions(
            dense_weight=0.15, paths=frozenset({"dense", "keyword"}), titles=False, coverage=False
        ),
    )
    pool = RetrievalOptions().pool
    return {
        "dense": lambda text: store.dense(NAME, embedder.embed_queries([text])[0], pool),
        "keyword": lambda text: store.keyword(NAME, list(dict.fromkeys(analyse(text))), pool),
        "hybrid": lambda text: hybrid.search(Query(text), 10, run),
        "linked": lambda text: linked.search(Query(text), 10, run),
    }


async def _median(search: Callable[[str], Awaitable[object]], questions: Sequence[str]) -> float:
    """Milliseconds, when a fifth of the questions was asked before."""
    for text in questions[: len(questions) // 5]:
        await search(text)
    taken: list[float] = []
    for text in questions[len(questions) // 5 :]:
        began = time.perf_counter()
        await search(text)
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


async def _exact(table: LanceTable, vectors: Vectors) -> float:
    """Median milliseconds of comparing a question with every vector."""
    taken: list[float] = []
    for vector in vectors:
        began = time.perf_counter()
        query = table.table.query().nearest_to(vector).distance_type("dot").bypass_vector_index()
        await query.select(["id", "_distance"]).limit(10).to_arrow()
        taken.append(1000 * (time.perf_counter() - began))
    say(f"exact: {statistics.median(taken):.2f} ms")
    return statistics.median(taken)


async def nearest(table: LanceTable, vectors: Vectors, k: int) -> list[set[str]]:
    """For each vector the ids of the `k` chunks with the greatest cosine, by comparing all."""
    best: list[list[tuple[float, str]]] = [[] for _ in vectors]
    async for part in table.batches(["id", "vector"]):
        ids = part.column("id").to_pylist()
        held = part.column("vector").combine_chunks().flatten().to_numpy(zero_copy_only=False)
        scores = held.reshape(len(ids), -1) @ vectors.T
        for at, kept in enumerate(best):
            top = np.argsort(-scores[:, at])[:k]
            kept += [(float(scores[place, at]), ids[place]) for place in top]
            kept.sort(reverse=True)
            del kept[k:]
    return [{one for _, one in kept} for kept in best]


def _resident() -> float:
    """Memory of this process now, in GiB; where the system does not say, not a number."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / (1 << 20)
