"""What a deep search of three rounds asks of a model: few calls, short prompts, none waiting for another in vain."""

import pytest

from benchmarks.models import Figures, measure
from leadline.testing.running import go
from leadline.types import Answer

LATENCY = 0.2
CRITICAL = 7
"""Plan, judge, reflect, judge, reflect, judge, write."""


def three_rounds(figures: Figures, answer: Answer) -> None:
    assert (figures.rounds, figures.distinct, figures.claims) == (3, 18, 7)
    assert sum(query.kind in {"sub", "follow"} for query in answer.queries) == 4 + 3 + 2
    assert answer.found


def test_three_rounds_over_twenty_documents_take_at_most_ten_calls() -> None:
    figures, answer = go(measure(0, 10))
    three_rounds(figures, answer)
    assert figures.calls <= 10
    assert figures.critical_path <= CRITICAL
    assert figures.prompt_characters <= 16_500


@pytest.mark.slow
def test_chunks_judged_one_by_one_are_judged_at_once() -> None:
    figures, answer = go(measure(LATENCY, 1))
    three_rounds(figures, answer)
    assert figures.calls == figures.judged + CRITICAL - 3
    assert figures.at_once > 5
