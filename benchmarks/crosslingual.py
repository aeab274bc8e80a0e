"""Questions of one language on the passages of another: `python -m benchmarks.crosslingual PASSAGES QUESTIONS...`

Each names a folder of an evaluation set; passages of two sets are the same when their ids end alike. With
`--weights` it prints recall for several dense shares over every second question, from which they are chosen;
the figures without it are over the other half.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from leadline.config import Settings
from leadline.evaluation.cases import Case, QuestionSet, read_set
from leadline.evaluation.indexing import indexed
from leadline.evaluation.methods import Ranking, as_configured, dense_only, hybrid, keyword_only, searching
from leadline.evaluation.metrics import distinct, mean, places_of, recall_at, reciprocal_rank_at
from leadline.evaluation.setup import Progress, Setup, opened

DEPTH = 20
WAYS = {"keyword": keyword_only, "dense": dense_only, "hybrid": hybrid, "linked": as_configured}


def said(progress: Progress) -> None:
    if progress.stage == "load":
        print(f"  {progress.set_name}: {progress.done} of {progress.total} passages", flush=True)


def ending(name: str) -> str:
    return name.rpartition("-")[2]


def places(case: Case, ranking: Ranking) -> list[float]:
    gold = {ending(each) for each in case.supporting}
    return places_of(distinct(ending(hit.chunk.source) for hit in ranking.hits), gold)


async def measured(setup: Setup, collection: str, way: str, cases: Sequence[Case]) -> tuple[float, float]:
    """recall@5 and MRR, in percent."""
    rank = searching(WAYS[way])(setup, collection, DEPTH)
    found = [places(case, await rank(case.question)) for case in cases]
    return (
        100 * mean([recall_at(each, 5) for each in found]),
        100 * mean([reciprocal_rank_at(each, 10) for each in found]),
    )


async def compare(
    setup: Setup, collection: str, questions: QuestionSet, weights: Sequence[float], limit: int
) -> None:
    half = questions.supported[0 if weights else 1 :: 2][:limit]
    print(f"\n{questions.name} ({len(half)} questions) on {collection.rpartition('-')[0]}")
    for way in () if weights else WAYS:
        recall, rank = await measured(setup, collection, way, half)
        print(f"  {way:<8} recall@5 {recall:5.1f}  MRR {rank:5.1f}", flush=True)
    for weight in weights:
        told = replace(setup, retrieval=replace(setup.retrieval, dense_weight=weight))
        recall, rank = await measured(told, collection, "hybrid", half)
        print(f"  dense share {weight:<4} recall@5 {recall:5.1f}  MRR {rank:5.1f}", flush=True)


async def main(
    passages: Path,
    questions: Sequence[Path],
    embedding: str,
    data: Path,
    weights: Sequence[float],
    limit: int,
) -> None:
    async with opened(Settings(data=data, embedding=embedding)) as setup:
        collection = await indexed(read_set(passages), setup, fresh=False, progress=said)
        for folder in questions:
            await compare(setup, collection, read_set(folder), weights, limit)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Cross-lingual recall.")
    parser.add_argument("passages", type=Path)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--embedding", default="multilingual")
    parser.add_argument("--data", type=Path, help="keep the index here")
    parser.add_argument("--weights", default="", help="dense shares to try, with commas")
    parser.add_argument("--limit", type=int, default=1_000)
    asked = parser.parse_args()
    shares = [float(each) for each in asked.weights.split(",") if each]
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(
            main(
                asked.passages,
                asked.questions,
                asked.embedding,
                asked.data or Path(folder),
                shares,
                asked.limit,
            )
        )
