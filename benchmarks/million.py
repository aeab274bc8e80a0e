"""A million chunks through the real write path, and hybrid and linked search over them.

    python -m benchmarks.million [--chunks 1000000] [--first 100000] [--queries 100] [--keep DIR] [--json]

Prints what a chunk costs to index, by stage, at `--first` chunks and at `--chunks` (limit: 2.5 times as much), the
median time of hybrid search without and with linked recall and of each path alone, the share of the ten nearest by
exact comparison that dense search finds (by `ef`), and the resident memory of a process that only searches.

parse: split and analyse. embed: the static embedding. rows: into Lance's files. catalogue: documents, sections and counts
of terms. phrases: the phrase index. keyword: merging files and the BM25 index. vector: key and HNSW indexes.
"""

import argparse
import asyncio
import json
import multiprocessing
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.million_search import searched
from benchmarks.million_stages import Stages, watched
from benchmarks.prose import PER_DOCUMENT, SPLIT, Prose
from benchmarks.store_times import NAME, say
from leadline import registry
from leadline.embeddings.base import Embedder
from leadline.ingest.entries import embedded, prepare
from leadline.store.lance import LanceStore
from leadline.types import Collection

BATCH = 4_000
"""Chunks in a commit, as `leadline load` has them at most."""

LIMIT = 2.5


async def fill(folder: Path, chunks: int, stages: Stages) -> None:
    """Write everything and build the indexes."""
    embedder: Embedder = registry.find("embedding", "static")()
    prose = Prose(chunks)
    store = LanceStore(folder)
    try:
        await store.create(Collection(NAME, embedding=embedder.name, dimension=embedder.dimension))
        for start in range(0, chunks, BATCH):
            documents = list(prose.documents(start, start + BATCH))
            with stages.timed("parse"):
                ready = [prepare(document, SPLIT, "print") for document in documents]
            with stages.timed("embed"):
                entries = embedded(ready, embedder)
            await store.replace(NAME, entries)
            if (start // BATCH) % 10 == 9:
                say(f"{start + BATCH} of {chunks} chunks: {stages.line()}")
        await store.optimise(NAME)
    finally:
        await store.close()
    say(f"{chunks} chunks indexed: {stages.line()}")


def built(folder: Path, chunks: int) -> dict[str, Any]:
    """Seconds by stage, in a process of its own: one that has just built a million chunks is not what searches."""
    stages = Stages()
    with watched(stages):
        asyncio.run(fill(folder, chunks, stages))
    return {"seconds": stages.seconds, "peak_gib": stages.peak()}


def apart(function: Any, *arguments: Any) -> Any:
    """The result of a function in a new process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def figures(place: Path, chunks: int, first: int, queries: int) -> dict[str, Any]:
    """Everything measured."""
    sizes = sorted({min(first, chunks), chunks})
    costs = {
        size: apart(built, place / str(size), size) for size in sizes if not (place / str(size)).exists()
    }
    found = apart(searched, place / str(chunks), Prose(chunks).questions(queries))
    return {
        "chunks": chunks,
        "costs": {
            str(size): {
                "microseconds": {stage: 1e6 * seconds / size for stage, seconds in one["seconds"].items()},
                "peak_gib": one["peak_gib"],
            }
            for size, one in costs.items()
        },
        **found,
    }


def report(measured: dict[str, Any]) -> None:
    """Two tables."""
    costs = measured["costs"]
    if costs:
        report_costs(costs)
    print("\n" + "p50 in ms".ljust(22) + "".join(f"{name:>11}" for name in measured["p50"]))
    print(" " * 22 + "".join(f"{one:11.2f}" for one in measured["p50"].values()))
    for ef, share in measured["recall"].items():
        print(f"recall@10, ef {ef:>8}: {share:.3f}")
    print(f"resident while searching: {measured['resident_gib']:.2f} GiB")


def report_costs(costs: dict[str, Any]) -> None:
    """What a chunk costs to index, by stage."""
    stages = list(next(iter(costs.values()))["microseconds"])
    print("microseconds a chunk".ljust(22) + "".join(f"{stage:>11}" for stage in [*stages, "all"]))
    totals: list[float] = []
    for size, cost in costs.items():
        times = cost["microseconds"]
        totals.append(sum(times.values()))
        row = "".join(f"{times[stage]:11.0f}" for stage in stages)
        print(f"{size:>10} chunks     {row}{totals[-1]:11.0f}   peak {cost['peak_gib']:.2f} GiB")
    if len(totals) > 1:
        print(f"A chunk costs {totals[-1] / totals[0]:.2f} times as much; the limit is {LIMIT}.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument(
        "--keep", type=Path, help="a folder to leave the collections in; one kept before is only searched"
    )
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args(arguments)
    size = max(PER_DOCUMENT, chosen.chunks)
    with tempfile.TemporaryDirectory() as scratch:
        measured = figures(chosen.keep or Path(scratch), size, chosen.first, chosen.queries)
    if chosen.json:
        print(json.dumps(measured))
    else:
        report(measured)


if __name__ == "__main__":
    main()
