"""`leadline eval retrieval`: figures for people and programs, finished rows kept."""

import json
from pathlib import Path

from leadline.testing.commands import Command

SET = Path(__file__).parents[1] / "evaluation" / "harbour"
FIGURES = {
    "set",
    "method",
    "questions",
    "recall@2",
    "recall@5",
    "recall@10",
    "all_gold@10",
    "mrr@10",
    "ms_per_query",
}


def test_programs_get_one_line_for_each_method(here: Path, leadline: Command) -> None:
    shown = leadline("eval", "retrieval", SET, "--json", "--limit", "3")
    lines = [json.loads(line) for line in shown.out.splitlines()]
    assert shown.code == 0, shown.err
    assert [line["method"] for line in lines] == ["dense", "keyword", "hybrid", "linked", "deep"]
    assert all(set(line) >= FIGURES and 0 <= line["recall@10"] <= 1 for line in lines)
    assert (here / ".leadline" / "evaluation").is_dir()


def test_people_get_a_table_and_a_report(here: Path, leadline: Command) -> None:
    shown = leadline("eval", "retrieval", SET, "--method", "keyword", "--report", "report.md")
    assert shown.code == 0, shown.err
    assert shown.out.startswith("# Retrieval")
    assert (here / "report.md").read_text(encoding="utf-8").strip() == shown.out.strip()


def test_what_an_earlier_run_has_measured_is_said(here: Path, leadline: Command) -> None:
    command = ("eval", "retrieval", SET, "--method", "keyword", "--method", "hybrid")
    assert "earlier run" not in leadline(*command, "--limit", "2").err
    shown = leadline(*command, "--limit", "2", "--json")
    assert shown.err == "measured by an earlier run and not again: 4 rows. --fresh measures all anew.\n"
    assert len(shown.out.splitlines()) == 2
    assert "earlier run" not in leadline(*command, "--limit", "2", "--fresh").err


def test_an_unknown_method_or_folder_is_refused_before_anything_is_done(
    here: Path, leadline: Command
) -> None:
    for arguments, said in (
        ((SET, "--method", "hybird"), "Did you mean `hybrid`?"),
        (("nowhere",), "nowhere"),
        ((SET, "--method", "keyword", "--report", "no/where.md"), "no/where.md"),
    ):
        shown = leadline("eval", "retrieval", *arguments)
        assert (shown.code, shown.out, shown.err.count("\n")) == (2, "", 1)
        assert said in shown.err
    assert list(here.iterdir()) == []


def test_an_ablation_is_a_table_or_json(here: Path, leadline: Command) -> None:
    shown = leadline("eval", "ablate", SET, "--limit", "3", "--json")
    assert shown.code == 0, shown.err
    assert "without linked" in [one["variation"] for one in json.loads(shown.out)]
    assert leadline("eval", "ablate", SET, "--limit", "3").out.startswith("| variation | harbour |")


def test_sets_can_be_measured_together_and_halved(here: Path, leadline: Command) -> None:
    shown = leadline("eval", "retrieval", SET, "--union", "--half", "odd", "--method", "linked", "--json")
    assert shown.code == 0, shown.err
    told = json.loads(shown.out)
    assert (told["set"], told["questions"]) == ("harbour odd in union", 3)
    shown = leadline("eval", "retrieval", SET, "--half", "both")
    assert (shown.code, shown.out) == (2, "")
    assert "`even` or `odd`" in shown.err


def test_the_vector_index_is_compared_with_exact_search(here: Path, leadline: Command) -> None:
    shown = leadline("eval", "index", SET, "--ef", "16", "--json")
    assert shown.code == 0, shown.err
    told = json.loads(shown.out)
    assert [(one["ef"], one["recall_at_10"]) for one in told] == [(None, 1), (16, 1)]
    (here / "notes").mkdir()
    for number in range(12):
        (here / "notes" / f"{number}.md").write_text(f"Bell {number} rang at noon.", encoding="utf-8")
    assert leadline("load", "notes").code == 0
    shown = leadline("eval", "index", "--ef", "16")
    assert "| as configured | 1.000 |" in shown.out
    assert "every breadth is exact" in shown.err
    shown = leadline("eval", "index", SET, "--collection", "default")
    assert (shown.code, shown.out, shown.err.count("\n")) == (2, "", 1)
