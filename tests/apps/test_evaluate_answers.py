"""`leadline eval answers` and `eval compare`: a report for people, lines for programs, and what is refused."""

import json
from pathlib import Path

import pytest

from leadline.testing.commands import Command
from leadline.testing.model_server import ModelServer
from leadline.testing.said import turns

SET = Path(__file__).parents[1] / "evaluation" / "harbour"


def test_people_get_a_report_and_programs_lines(here: Path, leadline: Command) -> None:
    shown = leadline("eval", "answers", SET, "--limit", "3", "--report", "report.md", "--rows", "a.jsonl")
    assert shown.code == 0, shown.err
    assert shown.out.startswith("# Answers")
    assert "## Where a loss is" in shown.out
    assert (here / "report.md").read_text(encoding="utf-8").strip() == shown.out.strip()
    rows = [json.loads(line) for line in (here / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["q1", "q2", "q3"]
    again = leadline("eval", "answers", SET, "--limit", "3", "--json")
    assert "not again: 3 rows." in again.err
    told = json.loads(again.out)
    assert (told["set"], told["agent"], told["questions"], told["calls_per_question"]) == (
        "harbour",
        "auto",
        3,
        0,
    )


def test_two_runs_are_compared(here: Path, leadline: Command) -> None:
    for agent in ("fast", "deep"):
        shown = leadline("eval", "answers", SET, "--agent", agent, "--rows", f"{agent}.jsonl", "--json")
        assert shown.code == 0, shown.err
    shown = leadline("eval", "compare", "fast.jsonl", "deep.jsonl")
    assert shown.code == 0, shown.err
    assert (
        "| answer contains the expected one | 75.0 | 75.0 | 0.0 | 0.0 | 0.0 | no difference shown |"
        in shown.out
    )
    told = json.loads(leadline("eval", "compare", "fast.jsonl", "deep.jsonl", "--json").out)
    assert {one["metric"] for one in told} >= {"contains", "f1", "calls", "citation_recall"}


def test_a_place_that_is_not_there_is_refused_before_anything_is_asked(here: Path, leadline: Command) -> None:
    for arguments in (("--rows", "no/a.jsonl"), ("--report", "no/a.md"), ("--agent", "nobody")):
        shown = leadline("eval", "answers", SET, *arguments)
        assert (shown.code, shown.out) == (2, "")
    assert list(here.iterdir()) == []
    assert leadline("eval", "compare", "a.jsonl", "b.jsonl").code == 2


def test_with_a_model_each_question_says_what_it_cost(
    here: Path, leadline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model's replies are of no use: every question still ends in an answer, and what was paid is told."""
    with ModelServer(turns("I cannot help with that.")) as server:
        monkeypatch.setenv("LEADLINE_MODEL", "openai:scripted")
        monkeypatch.setenv("LEADLINE_BASE_URL", server.url)
        monkeypatch.setenv("LEADLINE_API_KEY", "k-of-a-test")
        flags = ("--limit", "2", "--agent", "deep", "--json")
        shown = leadline("eval", "answers", SET, *flags, "--rows", "a.jsonl")
        assert shown.code == 0, shown.err
        told = json.loads(shown.out)
        assert told["calls_per_question"] > 1
        assert told["tokens_per_question"] > told["calls_per_question"]
        limited = json.loads(leadline("eval", "answers", SET, *flags, "--max-calls", "1").out)
        assert limited["calls_per_question"] <= 1
        asked = len(server.asked)
        assert json.loads(leadline("eval", "answers", SET, *flags).out)["types"] == told["types"]
        assert len(server.asked) == asked
