"""What the pages show can be done: commands and their options exist, Python runs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.transcript import MARKED, transcript
from leadline.apps.cli import main

REPO = Path(__file__).parents[1]
TUTORIAL = REPO / "docs" / "flows.md"
"""Runs in a test of its own."""
PAGES = [REPO / "README.md", *sorted(page for page in (REPO / "docs").glob("*.md") if page != TUTORIAL)]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?leadline ((?:eval )?[a-z]+)(.*)$", re.MULTILINE)
LEADLINE = Path(sys.executable).parent / "leadline"


def blocks(language: str) -> list[str]:
    found = [m for page in PAGES for m in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    return [m[2] for m in found if m[1] == language]


def commands() -> dict[str, set[str]]:
    """Every command shown, with the options shown for it."""
    shown: dict[str, set[str]] = {}
    for block in blocks(""):
        for command, rest in COMMAND.findall(block):
            options = re.findall(r"(?<!\S)--[a-z-]+", rest.partition("#")[0])
            shown.setdefault(command, set()).update(options)
    return shown


@pytest.mark.parametrize("command", sorted(commands()))
def test_a_command_that_is_shown_exists_with_its_options(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    shown = capsys.readouterr()
    assert not ended.value.code, shown.err
    assert {option for option in commands()[command] if option not in shown.out} == set()


def test_the_command_is_installed() -> None:
    done = subprocess.run([LEADLINE, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {command.split()[0] for command in commands() if command.split()[0] not in done.stdout} == set()


def test_load_and_ask_are_shown() -> None:
    assert {"load", "ask"} <= set(commands())


@pytest.mark.parametrize("code", blocks("python"))
def test_python_that_is_shown_runs(code: str, tmp_path: Path) -> None:
    shutil.copytree(REPO / "examples" / "corpus", tmp_path / "examples" / "corpus")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Beatrix Orrin" in done.stdout


def test_the_transcript_is_what_the_commands_print() -> None:
    page = (REPO / "README.md").read_text(encoding="utf-8")
    found = MARKED.search(page)
    assert found
    shown = found[0].removeprefix(found[1]).removesuffix(found[2])
    assert timeless(shown) == timeless(transcript()), "bring it up to date: python -m benchmarks.transcript"


def timeless(text: str) -> str:
    """The text without what times and their width change."""
    return re.sub(r"\d+(?:\.\d+)?(?= (?:s|ms|files/s)\b)", "_", " ".join(text.split()))
