"""A user's first hour, through the real command in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FILES = {
    "yard.md": "# Yard\n\nThe ferry Sable Heron was built by the Dunmore yard in 2021.\n",
    "founder.md": "# Dunmore yard\n\nThe Dunmore yard was founded by Ansel Dunmore in 1887.\n",
    "tickets.txt": "Tickets are refunded within 14 days of purchase.\n",
}


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """`leadline ARGUMENTS...`, called in `folder`."""
    done = subprocess.run(
        [sys.executable, "-m", "leadline.apps.cli", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=600,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def json_of(folder: Path, *arguments: str) -> Any:
    """What a command gives to programs."""
    code, out, err = run(folder, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for name, text in FILES.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_load_search_ask_change_load_remove(folder: Path) -> None:
    code, out, _ = run(folder, "load", "docs")
    assert code == 0
    assert "3 loaded, 0 unchanged" in out

    hits = json_of(folder, "search", "refund of tickets")["hits"]
    assert Path(hits[0]["chunk"]["source"]).name == "tickets.txt"

    question = "Who founded the yard that built the ferry Sable Heron?"
    answer = json_of(folder, "ask", question, "--deep")
    cited = {Path(source["source"]).name for source in answer["sources"]}
    assert "Ansel Dunmore" in answer["text"]
    assert {"yard.md", "founder.md"} <= cited

    changed = FILES["tickets.txt"].replace("14 days", "30 days")
    (folder / "docs" / "tickets.txt").write_text(changed, encoding="utf-8")
    report = json_of(folder, "load", "docs")
    assert (report["loaded"], report["unchanged"]) == (1, 2)
    answer = json_of(folder, "ask", "Within how many days are tickets refunded?")
    assert "30 days" in answer["text"]
    assert "14 days" not in json.dumps(answer)

    assert json_of(folder, "remove", "docs/tickets.txt")["removed"]
    assert json_of(folder, "status")["documents"] == 2
    hits = json_of(folder, "search", "refund of tickets")["hits"]
    assert "tickets.txt" not in {Path(hit["chunk"]["source"]).name for hit in hits}
