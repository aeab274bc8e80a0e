"""`leadline eval answers` and `eval compare`: a report for people, lines for programs, and what is refused."""

import json
from pathlib import Path

import pytest

from leadline.testing.commands import Command
from leadline.testing.model_server import ModelServer, unused_port
from leadline.testing.said import Asked, Said, refusal, turns
from leadline.testing.thinking import Thinker

SET = Path(__file__).parents[1] / "evaluation" / "harbour"


def configure(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """A model at `url`, which is not waited for."""
    monkeypatch.setenv("LEADLINE_MODEL", "openai:scripted")
    monkeypatch.setenv("LEADLINE_BASE_URL", url)
    monkeypatch.setenv("LEADLINE_API_KEY", "k-of-a-test")
    monkeypatch.setenv("LEADLINE_LLM_WAIT", "0.01")


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
        configure(monkeypatch, server.url)
        flags = ("--limit", "2", "--agent", "deep", "--json")
        shown = leadline("eval", "answers", SET, *flags, "--rows", "a.jsonl")
        assert shown.code == 0, shown.err
        told = json.loads(shown.out)
        assert told["calls_per_question"] > 1
        assert told["without_model"] == 2
        page = leadline("eval", "answers", SET, *flags[:-1]).out
        assert "- harbour: 2 of 2 answered in quotes, without the model" in page
        assert told["tokens_per_question"] > told["calls_per_question"]
        limited = json.loads(leadline("eval", "answers", SET, *flags, "--max-calls", "1").out)
        assert limited["calls_per_question"] <= 1
        asked = len(server.asked)
        assert json.loads(leadline("eval", "answers", SET, *flags).out)["types"] == told["types"]
        assert len(server.asked) == asked


def test_without_the_models_server_nothing_is_measured(
    here: Path, leadline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://127.0.0.1:{unused_port()}/v1"
    configure(monkeypatch, url)
    shown = leadline("eval", "answers", SET, "--limit", "2", "--agent", "deep", "--rows", "a.jsonl")
    assert (shown.code, shown.out) == (1, "")
    assert f"openai:scripted at {url} cannot be reached" in " ".join(shown.err.split())
    assert "nothing was measured" in " ".join(shown.err.split())
    assert not (here / "a.jsonl").exists()
    with ModelServer(Thinker()) as server:
        configure(monkeypatch, server.url)
        again = leadline("eval", "answers", SET, "--limit", "2", "--agent", "deep", "--json")
    assert "not again" not in again.err
    assert json.loads(again.out)["without_model"] == 0


def test_a_question_that_no_call_of_the_model_answered_is_counted_and_asked_again(
    leadline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = json.loads((SET / "questions.jsonl").read_text(encoding="utf-8").splitlines()[1])["question"]

    def ends_early(asked: Asked) -> Said | str:
        return refusal(503) if second in asked.prompt else Thinker()(asked)

    with ModelServer(ends_early) as server:
        configure(monkeypatch, server.url)
        flags = ("eval", "answers", SET, "--limit", "2", "--agent", "deep")
        shown = leadline(*flags)
        assert shown.code == 0, shown.err
        assert "- harbour: 1 of 2 answered in quotes, without the model" in shown.out
        server.script = Thinker()
        again = leadline(*flags, "--json")
        assert "not again: 1 rows." in again.err
        assert json.loads(again.out)["without_model"] == 0
