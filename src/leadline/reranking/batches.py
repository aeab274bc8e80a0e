"""Run a blocking model over many pairs so that it can be stopped: a few pairs at a time, each in a thread."""

import asyncio
from collections.abc import Callable, Sequence

from leadline.reranking.base import readable
from leadline.run import Run

Pair = tuple[str, str]
AT_ONCE = 8
"""Pairs in one call of the model, of about the same length: shorter ones take the time of the longest."""


async def in_batches(
    score: Callable[[list[Pair]], list[float]], question: str, passages: Sequence[str], run: Run
) -> list[float]:
    """The score of each passage. Between two batches it looks whether the run still wants them."""
    asked = readable(question)
    by_length = sorted(range(len(passages)), key=lambda each: len(passages[each]))
    scores = [0.0] * len(passages)
    for start in range(0, len(passages), AT_ONCE):
        run.check("search")
        rows = by_length[start : start + AT_ONCE]
        found = await asyncio.to_thread(score, [(asked, readable(passages[row])) for row in rows])
        for row, value in zip(rows, found, strict=True):
            scores[row] = value
    return scores
