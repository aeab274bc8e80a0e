"""Keyword recall over our own analysed terms next to LanceDB's ICU tokeniser over the raw text.

    python -m benchmarks.analysers DIR...

Both are LanceDB's BM25 as it is, over title and text of the same passages, with the same questions. Our terms
hold the title three times, as the store indexes them.
"""
# lancedb is partly typed
# pyright: reportUnknownMemberType=false

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import lancedb
from lancedb.index import FTS
from lancedb.query import MatchQuery

from leadline.analysis.terms import analyse, chunk_terms
from leadline.evaluation.cases import QuestionSet, find_sets, read_set
from leadline.evaluation.metrics import mean, places_of, recall_at

DEPTH = 5
OURS = FTS(
    base_tokenizer="whitespace", lower_case=False, stem=False, remove_stop_words=False, ascii_folding=False
)
ICU = FTS(base_tokenizer="icu", lower_case=True, stem=True, remove_stop_words=True, ascii_folding=True)


async def measure(
    folder: Path, texts: Sequence[str], of: QuestionSet, index: FTS, query: Callable[[str], str]
) -> float:
    """Mean recall@5 of the texts under one index."""
    connection: Any = await lancedb.connect_async(folder)
    match: Any = MatchQuery
    rows = [{"id": one.id, "text": text} for one, text in zip(of.passages, texts, strict=True)]
    table = await connection.create_table("passages", rows)
    await table.create_index("text", config=index)
    recalls: list[float] = []
    for case in of.cases:
        if case.supporting:
            asked: Any = table.query().nearest_to_text(match(query(case.question), "text"))
            found = await asked.select(["id", "_score"]).limit(DEPTH).to_list()
            recalls.append(recall_at(places_of([row["id"] for row in found], set(case.supporting)), DEPTH))
    return mean(recalls)


async def recalls(folder: Path) -> tuple[float, float]:
    """Mean recall@5 of one set by our terms and by ICU."""
    of = read_set(folder)
    terms = [chunk_terms(one.text, title=one.title) for one in of.passages]
    plain = [f"{one.title}\n{one.text}" for one in of.passages]
    with tempfile.TemporaryDirectory() as scratch:
        ours = await measure(Path(scratch, "ours"), terms, of, OURS, lambda text: " ".join(analyse(text)))
        icu = await measure(Path(scratch, "icu"), plain, of, ICU, str)
    return ours, icu


async def main(folders: Sequence[Path]) -> None:
    print(f"{'recall@5':20}{'ours':>8}{'ICU':>8}")
    for folder in find_sets(folders):
        ours, icu = await recalls(folder)
        print(f"{read_set(folder).name:20}{100 * ours:8.1f}{100 * icu:8.1f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    asyncio.run(main(parser.parse_args().folders))
