"""`leadline prompt`: what models are told, and with whose files."""

import json
from pathlib import Path

import pytest

from leadline.testing.commands import Command


def test_every_prompt_is_listed_with_its_purpose_and_slots(leadline: Command) -> None:
    listed = json.loads(leadline("prompt", "--json").out)
    plan = next(prompt for prompt in listed if prompt["name"] == "plan")
    assert "question" in plan["slots"]
    assert plan["file"] is None
    assert all(prompt["purpose"] for prompt in listed)
    shown = leadline("prompt", "list").out
    assert [prompt["name"] for prompt in listed if prompt["name"] not in shown] == []


def test_what_is_shown_can_be_edited_and_put_in_a_folder(
    here: Path, leadline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = here / "mine"
    folder.mkdir()
    shown = leadline("prompt", "show", "repair").out
    (folder / "repair.md").write_text(shown.replace("Write nothing", "Add nothing"), encoding="utf-8")
    monkeypatch.setenv("LEADLINE_LLM_PROMPTS", "mine")
    assert "Add nothing before" in leadline("prompt", "show", "repair").out
    assert json.loads(leadline("prompt", "show", "repair", "--json").out)["file"] == "mine/repair.md"
    assert "mine/repair.md" in leadline("prompt").out


def test_a_prompt_that_is_not_there_is_an_error_with_the_nearest_name(leadline: Command) -> None:
    shown = leadline("prompt", "show", "repare")
    assert shown.code == 2
    assert "Did you mean `repair`?" in shown.err


def test_a_folder_with_a_broken_prompt_says_which(
    here: Path, leadline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "repair.md").write_text("Try again.", encoding="utf-8")
    monkeypatch.setenv("LEADLINE_LLM_PROMPTS", ".")
    shown = leadline("prompt")
    assert shown.code == 2
    assert "repair.md: a prompt begins with" in shown.err
