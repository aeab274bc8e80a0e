"""Answers of a whole set, measured, kept, and told apart by where they lose something."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.errors import UsageError
from leadline.evaluation.answer_metrics import token_f1
from leadline.evaluation.answer_report import answers_page, lost_in
from leadline.evaluation.answering import AnsweredSet, evaluate_answers
from leadline.evaluation.answers import answer_figures
from leadline.evaluation.experiment import EvalOptions
from leadline.evaluation.setup import Progress, Setup
from leadline.evaluation.variants import Variation
from leadline.run import Budget
from leadline.testing.running import go
from tests.evaluation.test_answers import ROW

Opening = Callable[[], AbstractAsyncContextManager[Setup]]


def answered(opening: Opening, folder: Path, options: EvalOptions) -> tuple[AnsweredSet, list[Progress]]:
    seen: list[Progress] = []

    async def measured() -> list[AnsweredSet]:
        async with opening() as setup:
            return await evaluate_answers([folder], "deep", options, setup, Budget(), seen.append)

    (one,) = go(measured())
    return one, seen


def test_every_question_is_answered_and_measured_once(
    opening: Opening, harbour: Path, tmp_path: Path
) -> None:
    options = EvalOptions(work=tmp_path / "work")
    first, seen = answered(opening, harbour, options)
    figures = first.figures
    assert (figures.questions, figures.supported, figures.wrong_quotes) == (8, 7, 0)
    assert figures.recall == figures.kept == figures.hit_at_3 == 1
    assert figures.right == 0.75
    assert first.types["bridge"].contains == 1
    assert [one.done for one in seen if one.stage == "answers by deep"] == [*range(1, 9)]
    (rows,) = (tmp_path / "work" / "rows").iterdir()
    kept = rows.read_bytes()
    again, _ = answered(opening, harbour, options)
    assert again.rows == first.rows
    assert rows.read_bytes() == kept


def test_a_comparison_is_right_by_its_result(opening: Opening, harbour: Path, tmp_path: Path) -> None:
    one, _ = answered(opening, harbour, EvalOptions(work=tmp_path / "work"))
    row = next(row for row in one.rows if row.id == "q2")
    assert row.text.startswith("Corin was lit first: Corin, 1871; Brannoch, ")
    assert (row.exact, row.f1, row.citation_recall) == (True, 1.0, 1.0)


def test_whole_documents_are_refused(opening: Opening, harbour: Path, tmp_path: Path) -> None:
    options = EvalOptions(work=tmp_path / "work", variation=Variation(whole=True))
    with pytest.raises(UsageError, match=r"docs\.jsonl"):
        answered(opening, harbour, options)


def test_a_loss_is_placed_where_most_is_lost() -> None:
    row = replace(ROW, recall=1.0, kept=1.0, hit_at_3=1.0)
    for changed, place in (
        (row, "nothing"),
        (replace(row, recall=0.5, kept=0.4, contains=False), "search"),
        (replace(row, kept=0.3, contains=False), "keeping"),
        (replace(row, contains=False), "writing"),
    ):
        assert lost_in(answer_figures([changed])) == place


def test_a_report_says_where_a_loss_is_and_leaves_out_what_is_not_known() -> None:
    unsupported = replace(ROW, type="other", supported=False, contains=False)
    page = answers_page(
        [AnsweredSet("harbour", "deep", (replace(ROW, recall=1.0), unsupported))], [("model", "none")]
    )
    assert "| harbour | deep | 2 | 100.0 | 50.0 |" in page
    assert "| harbour | bridge | 1 | 100.0 | 0.0 | 0.0 | 100.0 | 100.0 | keeping |" in page
    assert "| harbour | other | 1 | - | - | - | - | 0.0 | not known |" in page
    assert "- model: none" in page


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("The Corin lighthouse.", "Corin Lighthouse", 1.0),
        ("It is the Corin.", "Corin", 0.5),
        ("in 1871 and 1871", "1871", 0.4),
        ("灯塔建成", "灯塔", 2 / 3),
        ("nothing", "Corin", 0.0),
        ("", "", 0.0),
    ],
)
def test_token_f1_counts_shared_words(text: str, gold: str, expected: float) -> None:
    assert (
        token_f1(text, [gold, "something else entirely"]) == pytest.approx(expected, abs=0.01) or gold == ""
    )
    assert token_f1(text, [gold]) == pytest.approx(expected)
