"""What cannot be done is said in one line with what to do, ends with code 2, and changes nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from leadline.store.lock import WriterLock
from leadline.testing.commands import Command, contents

BAD: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ("unknown collection", ("ask", "why?", "-c", "defalt"), ("`defalt`", "Did you mean `default`?")),
    ("unknown collection", ("search", "why?", "-c", "zzz"), ("`zzz`", "There are: default")),
    ("unknown collection", ("collections", "drop", "defalt", "--yes"), ("Did you mean `default`?",)),
    ("unknown collection", ("remove", "x.md", "-c", "defalt"), ("Did you mean `default`?",)),
    ("missing path", ("load", "nowhere"), ("`nowhere`", "Check the path")),
    ("path below a file", ("load", "harbour/tide.md/x"), ("`harbour/tide.md/x`", "Check the path")),
    ("empty question", ("ask", "  "), ("the question is empty", "in quotes")),
    ("empty question", ("search", ""), ("the question is empty", "in quotes")),
    ("bad metadata", ("load", "harbour", "--meta", "year:2023"), ("`year:2023`", "key=value")),
    ("missing password file", ("load", "harbour", "--password-file", "p.txt"), ("`p.txt`", "Check the path")),
    ("two agents", ("ask", "why?", "--fast", "--deep"), ("--fast, --deep and --agent", "one of them")),
    ("two forms", ("ask", "why?", "--json", "--html"), ("exclude each other", "one of them")),
    ("a glob that is none", ("load", "harbour", "--exclude", "!"), ("exclude", ".gitignore")),
    ("a name for no collection", ("load", "harbour", "-c", "a\nb"), ("a collection cannot be called",)),
    ("unknown collection", ("search", "why?", "-c", "a\n\x1b[31mb"), ("`a b`", "There are: default")),
    ("no such home", ("status", "--data", "~nobody-of-that-name/x"), ("home folder", "whole path")),
    ("a file for a folder", ("status", "--data", "harbour/tide.md"), ("Not a directory", "--data")),
    ("unknown source", ("remove", "harbour/tides.md"), ("harbour/tides.md", "Did you mean")),
    ("nobody to ask", ("collections", "drop", "default"), ("Drop `default`", "--yes")),
    ("unknown embedding", ("search", "why?", "--config", "odd.toml"), ("statik", "Did you mean `static`?")),
    (
        "unknown key",
        ("search", "why?", "--config", "bad.toml"),
        ("`ask.round`", "Did you mean `ask.rounds`?"),
    ),
    (
        "no time at all",
        ("ask", "why?", "--deadline", "0"),
        ("leadline: --deadline cannot be 0", "greater than 0"),
    ),
    ("less than nothing", ("ask", "why?", "--max-usd", "-1"), ("leadline: --max-usd cannot be -1",)),
    ("a graph of nothing", ("load", "harbour", "--hnsw-m", "0"), ("leadline: --hnsw-m cannot be 0",)),
    ("missing configuration", ("status", "--config", "no.toml"), ("`no.toml`", "--config")),
]

FULL_DISK = """
import resource
from leadline.apps.cli import main

resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
main()
"""


@pytest.mark.parametrize(("kind", "arguments", "said"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_is_one_line_and_changes_nothing(
    kind: str, arguments: tuple[str, ...], said: tuple[str, ...], here: Path, loaded: Command
) -> None:
    (here / "bad.toml").write_text("[ask]\nround = 2\n", encoding="utf-8")
    (here / "odd.toml").write_text('embedding = "statik"\n', encoding="utf-8")
    before = contents(here)
    shown = loaded(*arguments)
    assert (shown.code, shown.out) == (2, ""), kind
    assert shown.err.startswith("leadline: ")
    assert shown.err.count("\n") == 1
    assert [part for part in said if part not in shown.err] == []
    assert contents(here) == before


def test_a_pipe_is_listed_and_not_waited_for(here: Path, leadline: Command) -> None:
    os.mkfifo(here / "pipe.txt")
    shown = leadline("load", "pipe.txt")
    assert shown.code == 1
    assert "is not a regular file" in shown.out


def test_without_a_standard_input_nobody_is_asked(loaded: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    shown = loaded("collections", "drop", "default")
    assert (shown.code, shown.err.count("\n")) == (2, 1)
    assert "--yes" in shown.err


def test_a_bad_filter_points_at_the_character(here: Path, loaded: Command) -> None:
    before = contents(here)
    shown = loaded("search", "tide", "--where", "year >> 2023")
    message, text, pointer = shown.err.splitlines()
    assert shown.code == 2
    assert message.startswith("leadline: ")
    assert text[pointer.index("^")] == ">"
    assert contents(here) == before


@pytest.mark.parametrize("arguments", [("search", "why?"), ("remove", "a.md")], ids=str)
def test_without_any_load_it_says_how_to_start_and_makes_no_folder(
    arguments: tuple[str, ...], here: Path, leadline: Command
) -> None:
    shown = leadline(*arguments)
    assert shown.code == 2
    assert "leadline load PATH" in shown.err
    assert list(here.iterdir()) == []


def test_asking_without_any_load_warns_and_finds_nothing(here: Path, leadline: Command) -> None:
    shown = leadline("ask", "why?")
    assert shown.code == 0
    assert "leadline load PATH" in shown.err
    assert "leadline load PATH" in shown.out
    assert list(here.iterdir()) == []


def test_a_locked_store_says_who_writes_and_still_answers(here: Path, loaded: Command) -> None:
    before = contents(here)
    (lock_file,) = here.glob(".leadline/*lock*")
    lock = WriterLock(lock_file)
    lock.acquire()
    try:
        for arguments in (
            ("load", "harbour"),
            ("remove", "harbour"),
            ("collections", "drop", "default", "-y"),
        ):
            shown = loaded(*arguments)
            assert (shown.code, shown.out, shown.err.count("\n")) == (2, "", 1)
            assert f"process {os.getpid()}" in shown.err
        assert f"process {os.getpid()}" in loaded("status").out
        assert "tide.md" in loaded("search", "tide mill").out
    finally:
        lock.release()
    assert contents(here) == before
    assert "writer        none" in loaded("status").out


@pytest.mark.skipif(not Path("/sys").is_dir(), reason="needs a folder that nobody can write to")
def test_a_folder_that_cannot_be_written_is_refused(here: Path, leadline: Command) -> None:
    (here / "a.md").write_text("# A\n\nText.\n", encoding="utf-8")
    shown = leadline("load", "a.md", "--data", "/sys/leadline")
    assert (shown.code, shown.out, shown.err.count("\n")) == (2, "", 1)
    assert "/sys/leadline" in shown.err


def test_a_full_disk_is_said_and_what_was_loaded_stays(here: Path, loaded: Command) -> None:
    (here / "more.md").write_text("# More\n\n" + "Another word about the harbour. " * 400, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, "load", "more.md"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "free some space" in done.stderr.casefold()
    assert "3 documents" in loaded("doctor").out
    assert "tide.md" in loaded("search", "tide mill").out


@pytest.mark.skipif(os.geteuid() == 0 or sys.platform == "win32", reason="everything is readable to root")
def test_a_file_without_permission_is_refused(here: Path, leadline: Command) -> None:
    file = here / "secret.md"
    file.write_text("# A\n", encoding="utf-8")
    file.chmod(0)
    shown = leadline("load", "secret.md")
    assert (shown.code, shown.err.count("\n")) == (2, 1)
    assert "Permission denied" in shown.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("ftp://docs.example.org/guide", "only those with https:// or http:// are loaded"),
        ("docs.example.org/guide", "begins with `https://`"),
        ("notes/guide.md", "Check the path."),
    ],
)
def test_what_was_meant_as_an_address_gets_a_hint(leadline: Command, given: str, said: str) -> None:
    shown = leadline("load", given)
    assert shown.code == 2
    assert said in " ".join(shown.err.split())
