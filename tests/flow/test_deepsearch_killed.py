"""A deep search over a file that is killed at any row: the same command with --resume gives what it would have given."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.flow.running.opening import FLOWS
from leadline.testing.running import go
from leadline.workspace import Workspace

QUESTIONS = 40
NAMES = ("Osprey", "Heron", "Petrel", "Gannet", "Curlew", "Plover")


def documents(folder: Path) -> list[Path]:
    """Ferries, the yards that built them, and who founded those."""
    folder.mkdir()
    for at, name in enumerate(NAMES):
        other = NAMES[(at + 1) % len(NAMES)]
        (folder / f"{name}.md").write_text(
            f"# {name}\n\nThe ferry {name} was built at the {other} Yard in {1880 + at}.\n"
        )
        (folder / f"{name}-yard.md").write_text(
            f"# {name} Yard\n\nThe {name} Yard was founded by Ada {name}son.\n"
        )
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with these documents, and the questions beside it."""
    folder = tmp_path_factory.mktemp("killed")
    rows = [
        {"id": at, "question": f"Who founded the yard that built the ferry {NAMES[at % len(NAMES)]}? ({at})"}
        for at in range(QUESTIONS)
    ]
    (folder / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    async def load() -> None:
        async with await Workspace.open(Settings(data=folder / "data")) as workspace:
            await workspace.load(documents(folder / "documents"))

    go(load())
    return folder


def command(folder: Path, answers: Path, name: str, *more: str) -> "subprocess.Popen[str]":
    """The flow in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    given = [f"questions={folder / 'questions.jsonl'}", f"answers={answers}"]
    flags = [part for pair in given for part in ("--set", pair)]
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "leadline",
            "--data",
            str(folder / "data"),
            "flow",
            "run",
            name,
            *flags,
            *more,
        ],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def journalled(folder: Path) -> int:
    """How many rows the journal holds, as far as it can be read."""
    for file in (folder / "data" / FLOWS).glob("*/journal.sqlite"):
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM done").fetchone()[0])
        except sqlite3.Error:
            return 0
        finally:
            connection.close()
    return 0


def killed_at(row: int, folder: Path, answers: Path, name: str) -> int:
    """Run, and kill with so many rows in the journal; how many there are then."""
    child = command(folder, answers, name)
    while child.poll() is None and journalled(folder) < row:
        time.sleep(0.002)
    child.kill()
    child.communicate()
    assert child.returncode == -signal.SIGKILL
    return journalled(folder)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["deepsearch", "deepsearch-each"])
def test_a_killed_deep_search_goes_on_to_the_same_answers(name: str, loaded: Path, tmp_path: Path) -> None:
    undisturbed = tmp_path / "undisturbed.jsonl"
    said, _ = command(copied(loaded, tmp_path / "whole"), undisturbed, name).communicate(timeout=600)
    assert len(undisturbed.read_text().splitlines()) == QUESTIONS, said
    draw = random.Random(name)
    for time_ in range(2):
        folder, answers = copied(loaded, tmp_path / f"killed-{time_}"), tmp_path / f"answers-{time_}.jsonl"
        there = killed_at(draw.randrange(1, QUESTIONS - 10), folder, answers, name)
        assert 0 < there < QUESTIONS
        assert not answers.exists()
        child = command(folder, answers, name, "--resume", "--json")
        said, _ = child.communicate(timeout=600)
        assert child.returncode == 0, said + "".join(
            file.read_text() for file in folder.rglob("failed.jsonl")
        )
        assert answers.read_bytes() == undisturbed.read_bytes()
        assert json.loads(said[said.index("{") :])["resumed"] == there


def copied(loaded: Path, folder: Path) -> Path:
    """A folder of its own with the same documents and questions."""
    return shutil.copytree(loaded, folder)
