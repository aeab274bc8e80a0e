"""Timing one engine: medians over the questions, one at a time."""

import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from benchmarks.synthetic import Question

NAME = "bench"
"""The collection, in every engine."""


@dataclass(frozen=True, slots=True)
class Times:
    """Medians in milliseconds, and how much of the exact result dense search found."""

    dense: float
    keyword: float
    hybrid: float
    filtered: float
    recall: float


async def measured(
    questions: Sequence[Question],
    dense: Callable[[Question], Awaitable[list[str]]],
    keyword: Callable[[Question], Awaitable[list[str]]],
    hybrid: Callable[[Question, bool], Awaitable[list[str]]],
) -> Times:
    """Each kind of search over all questions, after one round that is not counted."""
    found = [await dense(question) for question in questions]
    recall = statistics.mean(
        len(question.nearest.intersection(ids[:10])) / 10
        for question, ids in zip(questions, found, strict=True)
    )

    async def median(search: Callable[[Question], Awaitable[list[str]]]) -> float:
        for question in questions[:10]:
            await search(question)
        taken: list[float] = []
        for question in questions:
            began = time.perf_counter()
            await search(question)
            taken.append(time.perf_counter() - began)
        return 1000 * statistics.median(taken)

    return Times(
        dense=await median(dense),
        keyword=await median(keyword),
        hybrid=await median(lambda question: hybrid(question, False)),
        filtered=await median(lambda question: hybrid(question, True)),
        recall=recall,
    )


def say(line: str) -> None:
    """Progress, away from the figures."""
    print(line, file=sys.stderr, flush=True)
