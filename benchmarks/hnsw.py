"""What the options of the vector index cost and find.

    python -m benchmarks.hnsw [--chunks 100000] [--queries 200] [--json]

One table of made-up passages with their static vectors, its HNSW index built anew for each M and efConstruction, searched
for ten neighbours with each ef. Recall is the share of the ten nearest by exact comparison; times are medians, one search at a time.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.million_search import nearest
from benchmarks.prose import SPLIT, Prose
from benchmarks.store_times import say
from leadline import registry
from leadline.embeddings.base import Embedder
from leadline.ingest.entries import embedded, prepare
from leadline.store.lance_connection import connect
from leadline.store.lance_filters import ALWAYS
from leadline.store.lance_table import LanceTable
from leadline.store.rows import table_of
from leadline.types import IndexOptions

BUILDS = ((16, 200), (16, 400), (32, 200), (32, 400))
BREADTHS = (64, 128, 256)
STEP = 4_000


@dataclass(frozen=True, slots=True)
class Measured:
    """One line of the table."""

    m: int
    ef_construction: int
    build_seconds: float
    ef: int
    recall: float
    p50_ms: float


async def measure(folder: Path, chunks: int, queries: int) -> list[Measured]:
    """Every build with every breadth of search."""
    embedder: Embedder = registry.find("embedding", "static")()
    prose = Prose(chunks)
    table = await LanceTable.create(await connect(folder), "vectors", embedder.dimension)
    for start in range(0, chunks, STEP):
        ready = [prepare(document, SPLIT, "") for document in prose.documents(start, start + STEP)]
        await table.add(table_of(embedded(ready, embedder), embedder.dimension, ()))
    await table.compact()
    questions = embedder.embed_queries(prose.questions(queries))
    exact = await nearest(table, questions, 10)
    found: list[Measured] = []
    for m, ef_construction in BUILDS:
        if found:
            await table.table.drop_index("vector_idx")
        began = time.perf_counter()
        await table.build_indexes(IndexOptions(m, ef_construction))
        seconds = time.perf_counter() - began
        version = await table.version()
        fixed = await (await LanceTable.open(await connect(folder), "vectors", embedder.dimension)).at(
            version
        )
        places = await row_numbers(fixed)
        for ef in BREADTHS:
            shares: list[float] = []
            taken: list[float] = []
            for question, wanted in zip(questions, exact, strict=True):
                began = time.perf_counter()
                near = await fixed.dense(question, 10, ALWAYS, ef, exactly=True)
                taken.append(1000 * (time.perf_counter() - began))
                shares.append(len({places[row] for row, _ in near.rows} & wanted) / 10)
            found.append(
                Measured(m, ef_construction, seconds, ef, statistics.mean(shares), statistics.median(taken))
            )
            say(str(found[-1]))
    return found


async def row_numbers(table: LanceTable) -> dict[int, str]:
    """Chunk ids by row number."""
    found = await table.in_order(["id"])
    return dict(zip(found.column("_rowid").to_pylist(), found.column("id").to_pylist(), strict=True))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        found = asyncio.run(measure(Path(place), chosen.chunks, chosen.queries))
    if chosen.json:
        print(json.dumps([asdict(one) for one in found]))
        return
    print(f"{'M':>3}{'efConstruction':>16}{'build s':>9}{'ef':>6}{'recall@10':>11}{'p50 ms':>8}")
    for one in found:
        print(
            f"{one.m:>3}{one.ef_construction:>16}{one.build_seconds:9.1f}{one.ef:>6}{one.recall:11.3f}{one.p50_ms:8.2f}"
        )


if __name__ == "__main__":
    main()
