"""The page of figures is written by one command, and only between its marks."""

from pathlib import Path

import pytest

from benchmarks.evaluation_page import PAGE, filled, measure
from benchmarks.evaluation_sections import SECTIONS, Measuring
from benchmarks.long_documents import questions, write_set
from benchmarks.long_world import build
from leadline.evaluation.judging import Judge
from leadline.evaluation.variants import Variation, read_sets
from leadline.testing.running import go

MARKS = "Before.\n" + "\n".join(f"<!-- measured: {name} -->old<!-- end -->" for name in SECTIONS) + "\nAfter."


def test_the_page_has_a_place_for_every_section() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in SECTIONS:
        assert filled(page, name, "new") != page


def test_what_is_not_between_marks_stays(harbour: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(MARKS, encoding="utf-8")
    measuring = Measuring(harbour.parent, tmp_path / "data", limit=3)
    assert go(measure(["several", "union", "untitled"], measuring, page)) == []
    text = page.read_text(encoding="utf-8")
    assert text.startswith("Before.\n<!-- measured: several -->\n\nMeasured at commit ")
    assert text.endswith("\nAfter.")
    assert "| harbour | linked | 3 |" in text
    assert "| harbour | bridge | 2 |" in text
    assert "| harbour in union | linked | 3 |" in text
    assert "| harbour untitled | linked | 3 |" in text
    assert text.count("old") == len(SECTIONS) - 3


def test_a_page_without_the_mark_is_refused() -> None:
    with pytest.raises(SystemExit, match="no section `x`"):
        filled("nothing", "x", "")


def test_the_invented_country_is_the_same_in_every_run_and_its_answers_stand_in_it(tmp_path: Path) -> None:
    write_set(tmp_path / "one")
    write_set(tmp_path / "two")
    for name in ("docs.jsonl", "corpus.jsonl", "questions.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    (found,) = read_sets([tmp_path / "one"], Variation(whole=True))
    assert len(found.supported) >= 200
    assert {len(case.supporting) for case in found.supported} >= {2, 3, 4}
    judge = Judge.of(found)
    assert all(len(gold.offsets) == gold.size for gold in judge.gold.values())


def test_no_question_names_what_answers_it() -> None:
    world = build()
    for _, text, facts in questions(world):
        assert not any(fact.removeprefix("life ") in text for fact in facts if fact.startswith("life "))
