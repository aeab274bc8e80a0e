"""Figures are means over questions, and a ranking is what the agent kept before what it passed over."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from leadline.evaluation.cases import Case, CorpusPassage, QuestionSet, read_set
from leadline.evaluation.figures import OfType, figures
from leadline.evaluation.judging import passages_of
from leadline.evaluation.methods import ranked
from leadline.evaluation.report import json_line, markdown
from leadline.events import Searched
from leadline.testing.builders import chunk, evidence, hits
from leadline.types import Answer, Query, StopReason

QUESTIONS = QuestionSet(
    "two",
    (CorpusPassage("a", "", "A."), CorpusPassage("b", "", "B."), CorpusPassage("c", "", "C.")),
    (
        Case("q1", "?", supporting=("a", "b"), type="bridge"),
        Case("q2", "?", supporting=("c",), type="single"),
        Case("q3", "?"),
    ),
)
ROWS: dict[str, dict[str, Any]] = {
    "q1": {"id": "q1", "ranking": ["c", "a", "x", "y", "z", "b"], "ms": 4, "searches": 3},
    "q2": {"id": "q2", "ranking": ["c"], "ms": 2, "searches": 1},
}


def test_figures_are_means_over_the_supported_questions() -> None:
    found = figures(QUESTIONS, "deep", ROWS)
    assert found.recall == {2: 0.75, 5: 0.75, 10: 1}
    assert found.all_gold_at_10 == found.hit_at_3 == 1
    assert found.mrr_at_10 == float(Fraction(3, 4))
    assert (found.ms_per_query, found.ms_median, found.searches_per_question) == (3, 3, 2)
    assert (found.questions, found.left_out) == (2, 1)
    assert found.types == {"bridge": OfType(1, 0.5, 1), "single": OfType(1, 1, 1)}


def test_a_report_over_several_sets_has_their_mean() -> None:
    one = figures(QUESTIONS, "hybrid", ROWS)
    other = figures(
        QuestionSet("other", QUESTIONS.passages, QUESTIONS.cases[:1]),
        "hybrid",
        {"q1": ROWS["q1"] | {"ms": 1}},
    )
    report = markdown([one, other])
    assert "## Mean over the sets" in report
    assert "| hybrid | 62.5 | 62.5 | 100.0 | 100.0 | 100.0 | 62.5 |" in report
    assert "searches_per_question" not in json_line(one)


def test_evidence_comes_before_the_rest_and_the_rest_by_rank() -> None:
    a, b, c, d, e = (chunk(name, f"{name}.md") for name in "abcde")
    again = chunk("more of b", "b.md", ordinal=1)
    searched = [
        Searched(Query("one"), (), tuple(hits([a, b, c])), 1.0),
        Searched(Query("two"), (), tuple(hits([d, c, e, again])), 1.0),
    ]
    answer = Answer("?", (), (evidence(c), evidence(again)), StopReason.ANSWERED, True)
    assert passages_of(ranked(answer, searched)) == ("c.md", "b.md", "a.md", "d.md", "e.md")
    assert passages_of(ranked(answer, [])) == ("c.md", "b.md")


def test_a_large_set_can_be_read(large_sets: Path) -> None:
    questions = read_set(large_sets / "xquad_en")
    assert len(questions.passages) == 240
    assert len(questions.supported) == 298
