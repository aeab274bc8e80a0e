"""`leadline ask` and `leadline demo`: cited answers in every form, and what --explain shows."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leadline.apps.cli.ask_view import AskView, show_answer
from leadline.apps.cli.demo import examples_folder, first_question
from leadline.events import Drafted, Stopped
from leadline.testing.commands import Command
from leadline.types import Answer, StopReason

QUESTION = "Where was the builder of the tide mill at Oxley born?"


def test_an_answer_quotes_what_the_files_say(here: Path, loaded: Command) -> None:
    shown = loaded("ask", QUESTION, "--json")
    answer = json.loads(shown.out)
    assert shown.code == 0
    assert answer["found"]
    assert answer["claims"]
    for claim in answer["claims"]:
        for citation in claim["citations"]:
            assert " ".join(citation["quote"].split()) in " ".join(
                Path(citation["source"]).read_text(encoding="utf-8").split()
            )


def test_the_terminal_shows_sentences_and_sources(loaded: Command) -> None:
    shown = loaded("ask", QUESTION)
    assert shown.code == 0
    assert "[1]" in shown.out
    assert "tide.md" in shown.out
    assert "\x1b" not in shown.out + shown.err


def test_explain_shows_rounds_searches_and_the_reason_to_stop(loaded: Command) -> None:
    shown = loaded("ask", QUESTION, "--deep", "--explain")
    for part in ("Round 1", "search", "keyword", "Stopped after round"):
        assert part in shown.out


def test_explaining_to_a_program_goes_to_stderr(loaded: Command) -> None:
    shown = loaded("ask", QUESTION, "--deep", "--explain", "--json")
    assert json.loads(shown.out)["question"] == QUESTION
    assert "Round 1" in shown.err


def test_markdown_and_html_are_printed_alone(loaded: Command) -> None:
    assert "[^1]" in loaded("ask", QUESTION, "--markdown").out
    page = loaded("ask", QUESTION, "--html").out
    assert page.lstrip().startswith("<")
    assert page.rstrip().endswith(">")


def test_fast_is_one_round_and_deep_as_many_as_allowed(loaded: Command) -> None:
    assert json.loads(loaded("ask", QUESTION, "--fast", "--json").out)["rounds"] == 1
    assert json.loads(loaded("ask", QUESTION, "--deep", "--rounds", "1", "--json").out)["rounds"] == 1


def test_a_filter_that_nothing_passes_finds_nothing(loaded: Command) -> None:
    answer = json.loads(loaded("ask", QUESTION, "--where", 'author == "nobody"', "--json").out)
    assert (answer["found"], answer["stop"]) == (False, "nothing_found")


def test_limits_of_the_call_reach_the_run(loaded: Command) -> None:
    answer = json.loads(loaded("ask", QUESTION, "--deep", "--max-searches", "1", "--json").out)
    assert answer["usage"]["searches"] == 1


@pytest.mark.parametrize("layer", ["rewrite", "rerank", "judge", "reflect", "verify"])
def test_every_layer_can_be_switched_off(layer: str, loaded: Command) -> None:
    answer = json.loads(loaded("ask", QUESTION, "--deep", f"--no-{layer}", "--json").out)
    assert answer["evidence"]
    if layer == "reflect":
        assert answer["rounds"] == 1


def test_an_answer_with_odd_characters_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(Answer("潮汐\x1b[31m?", (), (), StopReason.NOTHING_FOUND, found=False), "json")
    assert json.loads(capsys.readouterr().out)["question"] == "潮汐\x1b[31m?"


def expected(question: str) -> str:
    """The answer that the examples give to one of their questions."""
    lines = (examples_folder() / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return next(case["answer"] for case in map(json.loads, lines) if case["question"] == question)


def test_the_demo_answers_from_three_documents(here: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "leadline.apps.cli", "demo"],
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    question = first_question(examples_folder())
    answer = done.stdout.rpartition("Stopped after round")[2]
    files = [path.name for path in (examples_folder() / "corpus").rglob("*") if path.is_file()]
    assert question in answer
    assert expected(question) in answer
    assert len([name for name in files if name in answer]) >= 3
    assert list(here.iterdir()) == []


def test_the_demo_keeps_what_it_loaded_where_it_is_told_to(here: Path, leadline: Command) -> None:
    assert leadline("demo", "When was the harbour rebuilt?", "--data", "kept").code == 0
    assert json.loads(leadline("status", "--data", "kept", "--json").out)["documents"] > 20


def test_the_moving_line_shows_what_is_being_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = ""
    with AskView(explaining=False, style="terminal") as view:
        view.show(Stopped(1, StopReason.ANSWERED, "covered"))
        view.show(Drafted("The tide mill [red]was built\n"))
        view.show(Drafted("by Ada."))
        until = time.monotonic() + 60
        while "by Ada." not in shown and time.monotonic() < until:
            time.sleep(0.05)
            shown += capsys.readouterr().err
    assert "not checked yet: …The tide mill [red]was built by Ada." in shown
