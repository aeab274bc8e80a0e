"""`leadline tune`: says what it measured, and changes a collection only for more than chance."""

import json
from pathlib import Path

import pytest

from leadline.testing.commands import Command
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.said import Asked


@pytest.fixture
def bells(here: Path, leadline: Command) -> Path:
    """A collection of twenty notes in this folder, and a question for each."""
    (here / "notes").mkdir()
    lines: list[str] = []
    for number in range(20):
        text = f"# Bell {number}\n\nBell number {number} was cast in {1700 + number}."
        (here / "notes" / f"bell{number}.md").write_text(text, encoding="utf-8")
        question = {
            "id": str(number),
            "question": f"When was bell {number} cast?",
            "sources": [f"bell{number}.md"],
        }
        lines.append(json.dumps(question))
    (here / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert leadline("load", "notes").code == 0
    return here


def test_without_a_gain_the_collection_stays_as_it_is_and_what_was_measured_is_told(
    bells: Path, leadline: Command
) -> None:
    shown = leadline("tune", "questions.jsonl", "--collection", "default")
    assert shown.code == 0, shown.err
    assert shown.out.startswith("| choice | R@5 |")
    assert "`default` was not changed" in shown.err
    tried = json.loads(leadline("tune", ".", "--dry-run", "--json").out)["tried"]
    rows = len(shown.out.splitlines()) - 2
    assert (rows, len(tried)) == (11, 56)
    assert "56 ways were measured; shown are the usual one and the best others, 11 in all." in shown.err


@pytest.mark.slow
def test_other_words_are_measured_with_a_model_and_their_price_is_told(
    bells: Path, leadline: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(asked: Asked) -> str:
        question = asked.prompt.rpartition("Question: ")[2].strip()
        return json.dumps({"queries": [question.replace("cast", "poured")]})

    with ModelServer(script) as server:
        monkeypatch.setenv("LEADLINE_MODEL", f"openai:{MODEL}")
        monkeypatch.setenv("LEADLINE_BASE_URL", server.url)
        without = leadline("tune", ".", "--dry-run", "--no-rewrite")
        assert (without.code, server.asked) == (0, [])
        shown = leadline("tune", ".", "--dry-run")
    assert shown.code == 0, shown.err
    assert "The questions in other words: 20 model calls" in shown.err
    assert "in other words too" in shown.out
    assert {asked.step for asked in server.asked} == {"expand"}


def test_a_mistake_is_one_line(bells: Path, leadline: Command) -> None:
    (bells / "few.jsonl").write_text(
        '{"id": "1", "question": "?", "sources": ["bell1.md"]}', encoding="utf-8"
    )
    for arguments, said in (
        (("few.jsonl",), "at least 20"),
        ((".", "--collection", "other"), "other"),
        (("nowhere",), "nowhere"),
    ):
        shown = leadline("tune", *arguments)
        assert shown.code != 0
        assert (shown.out, shown.err.count("\n")) == ("", 1)
        assert said in shown.err


def test_what_was_tuned_can_be_forgotten(bells: Path, leadline: Command) -> None:
    shown = leadline("tune", "--forget")
    assert (shown.code, shown.err) == (0, "`default` is searched the usual way again.\n")
