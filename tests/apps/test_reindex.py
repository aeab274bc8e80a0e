"""`leadline reindex`: another embedding for what is loaded, said and searched."""

import json
from pathlib import Path

import pytest

from leadline.apps.cli.reindex import said
from leadline.ingest import ReindexReport
from leadline.testing.commands import Command


def test_the_vectors_are_taken_out_and_put_back_and_search_goes_on(loaded: Command) -> None:
    shown = loaded("reindex", "--embedding", "none")
    assert (shown.code, "has no vectors any more" in shown.out) == (0, True), shown.err
    assert "tide.md" in loaded("search", "Who built the tide mill?").out
    report = json.loads(loaded("reindex", "--embedding", "static", "--json").out)
    assert (report["embedded"], report["left"]) == (3, 0)
    assert loaded("doctor").code == 0
    assert "3 unchanged" in loaded("load", "harbour").out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--embedding", "statik"), "Did you mean `static`?"),
        (("--embedding", "static", "-c", "defalt"), "Did you mean `default`?"),
        (("--embedding", "onnx"), "`embedding_model` is not set"),
        (("--embedding", "remote"), "needs `embedding_model`"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_changes_nothing(
    loaded: Command, arguments: tuple[str, ...], reason: str
) -> None:
    shown = loaded("reindex", *arguments)
    assert shown.code == 2
    assert reason in shown.err
    assert shown.err.count("\n") == 1
    assert loaded("doctor").code == 0


def test_it_says_what_is_left_and_what_to_set() -> None:
    whole = ReindexReport("a", "onnx-x-1", 10, 10, 0, 1.0)
    assert '`embedding = "onnx"`' in said(whole, "onnx", "static")
    assert "Set" not in said(whole, "onnx", "onnx")
    assert "3 of 10" in said(ReindexReport("a", "onnx-x-1", 10, 7, 3, 1.0), "onnx", "onnx")


def test_scripts_that_the_embedding_does_not_know_are_said_once_by_load_and_by_the_doctor(
    here: Path, loaded: Command
) -> None:
    for number in range(3):
        (here / "harbour" / f"{number}.md").write_text(
            "# 潮汐磨坊\n\n潮汐磨坊建于1887年，由玛拉建造。\n", encoding="utf-8"
        )
    shown = loaded("load", "harbour")
    assert shown.err.count("leadline reindex --embedding multilingual --collection default") == 1
    assert "3 of 3 documents" in shown.err
    found = loaded("doctor").out
    assert "does not know han" in " ".join(found.split())
    assert "reindex --embedding multilingual" in " ".join(found.split())
