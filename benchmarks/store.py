"""Dense, keyword and hybrid search on synthetic chunks: our store, bare LanceDB calls, milvus-lite.

    python -m benchmarks.store [--chunks 100000] [--queries 50] [--pool 10] [--without-milvus] [--json]

The same chunks, vectors, terms, payload and filter field go into both engines in one run, each with one
HNSW graph (m 16, ef_construction 200, ef 128) over unit vectors and BM25 over the terms (milvus-lite: split by its
`standard` analyser, which leaves them whole). Bare
LanceDB searches the very table that our store made, so the difference is what our store adds: which
version is visible, the filter's translation, and turning rows into chunks. Hybrid is both searches at
once, fused by reciprocal rank (milvus-lite: its own hybrid_search). recall@10 compares dense search
with an exact scan in numpy. Times are medians over the queries, one at a time.
"""
# lancedb and pyarrow are partly or not typed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import lancedb
from lancedb.query import MatchQuery

from benchmarks.store_milvus import fill_milvus, measure_milvus, milvus_at
from benchmarks.store_times import NAME, Times, measured, say
from benchmarks.synthetic import BATCH, DIMENSION, SINCE, Corpus, Question, entries
from leadline.store.filters import Compare
from leadline.store.lance import LanceStore
from leadline.types import Collection

RECENT = Compare("year", ">=", SINCE)
"""The filter of the filtered searches."""


def fuse(*rankings: Sequence[str], k: int) -> list[str]:
    """Reciprocal rank fusion, the same for both ways of calling LanceDB."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, one in enumerate(ranking, start=1):
            scores[one] = scores.get(one, 0.0) + 1.0 / (60 + rank)
    return sorted(scores, key=lambda one: -scores[one])[:k]


async def fill(store: LanceStore, corpus: Corpus) -> float:
    """Load everything and build the indexes; return the seconds it took."""
    began = time.monotonic()
    await store.create(Collection(NAME, embedding="synthetic", dimension=DIMENSION))
    for start in range(0, corpus.size, BATCH):
        await store.replace(NAME, entries(corpus, start, min(start + BATCH, corpus.size)))
        say(f"store: {start + BATCH} of {corpus.size} chunks")
    await store.optimise(NAME)
    return time.monotonic() - began


async def measure_store(store: LanceStore, questions: Sequence[Question], pool: int) -> Times:
    async def dense(question: Question, recent: bool = False) -> list[str]:
        return [
            one.chunk.id for one in await store.dense(NAME, question.vector, pool, RECENT if recent else None)
        ]

    async def keyword(question: Question, recent: bool = False) -> list[str]:
        return [
            one.chunk.id
            for one in await store.keyword(NAME, question.terms, pool, RECENT if recent else None)
        ]

    async def hybrid(question: Question, recent: bool) -> list[str]:
        return fuse(*await asyncio.gather(dense(question, recent), keyword(question, recent)), k=pool)

    return await measured(questions, dense, keyword, hybrid)


async def measure_bare(folder: Path, questions: Sequence[Question], pool: int) -> Times:
    """LanceDB's own calls on the same table, for the same columns, as Arrow tables."""
    database = await lancedb.connect_async(folder / "tables")
    (name,) = (await database.list_tables()).tables
    table = await database.open_table(name)
    schema: Any = await table.schema()
    year = next(
        one for one in schema.names if one.startswith("f") and str(schema.field(one).type) == "double"
    )
    columns = ["id", "body"]
    whole = "vector_idx" in {index.name for index in await table.list_indices()}
    refine = 2 if pool <= 50 else 1

    async def ids(query: Any, recent: bool) -> list[str]:
        query = query.limit(pool)
        query = query.fast_search() if whole else query
        found = await (query.where(f"{year} >= {SINCE}") if recent else query).to_arrow()
        return found.column("id").to_pylist()

    async def dense(question: Question, recent: bool = False) -> list[str]:
        query = table.query().nearest_to(question.vector).distance_type("dot")
        query = query.ef(max(128, pool * refine, pool + pool // 2)).nprobes(64).refine_factor(refine)
        return await ids(query.select([*columns, "_distance"]), recent)

    async def keyword(question: Question, recent: bool = False) -> list[str]:
        words = MatchQuery(" ".join(question.terms), "terms")  # pyright: ignore[reportCallIssue] - pydantic fills in the rest
        return await ids(table.query().nearest_to_text(words).select([*columns, "_score"]), recent)

    async def hybrid(question: Question, recent: bool) -> list[str]:
        return fuse(*await asyncio.gather(dense(question, recent), keyword(question, recent)), k=pool)

    return await measured(questions, dense, keyword, hybrid)


async def compare(folder: Path, corpus: Corpus, queries: int, pool: int, *, milvus: bool) -> dict[str, Times]:
    """Every engine's times on the same questions."""
    questions = corpus.questions(queries)
    store = LanceStore(folder / "store")
    seconds = await fill(store, corpus)
    say(f"store: loaded and indexed in {seconds:.0f} s")
    found = {
        "LanceStore": await measure_store(store, questions, pool),
        "bare LanceDB": await measure_bare(folder / "store", questions, pool),
    }
    await store.close()
    if milvus:
        client = milvus_at(folder / "milvus.db")
        say(f"milvus-lite: loaded and indexed in {fill_milvus(client, corpus):.0f} s")
        found["milvus-lite"] = await measure_milvus(client, questions, pool)
        client.close()
    return found


def report(found: dict[str, Times]) -> None:
    """A table in milliseconds, and the two ratios that are promised."""
    print(f"{'p50 in ms':14}{'dense':>9}{'keyword':>9}{'hybrid':>9}{'filtered':>10}{'recall@10':>11}")
    for name, one in found.items():
        print(
            f"{name:14}{one.dense:9.2f}{one.keyword:9.2f}{one.hybrid:9.2f}{one.filtered:10.2f}{one.recall:11.3f}"
        )
    ours = found["LanceStore"]
    print(
        f"LanceStore takes {ours.hybrid / found['bare LanceDB'].hybrid:.2f} times as long as bare LanceDB calls."
    )
    if "milvus-lite" in found:
        print(f"LanceStore is {found['milvus-lite'].hybrid / ours.hybrid:.1f} times as fast as milvus-lite.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--pool", type=int, default=10, help="results of each search")
    parser.add_argument("--without-milvus", action="store_true")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        found = asyncio.run(
            compare(
                Path(place),
                Corpus(chosen.chunks),
                chosen.queries,
                chosen.pool,
                milvus=not chosen.without_milvus,
            )
        )
    if chosen.json:
        print(json.dumps({"chunks": chosen.chunks, **{name: asdict(one) for name, one in found.items()}}))
    else:
        report(found)


if __name__ == "__main__":
    main()
