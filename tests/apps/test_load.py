"""`leadline load`: what it says of every file, and how it ends."""

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from msoffcrypto.format.ooxml import OOXMLFile

from leadline.apps.cli.load import metadata, passwords
from leadline.errors import UsageError
from leadline.events import FileLoaded
from leadline.ingest import LoadReport
from leadline.testing.commands import Command

REPO = Path(__file__).parents[2]


def test_the_second_load_finds_everything_unchanged(loaded: Command) -> None:
    shown = loaded("load", "harbour", "--json")
    report = json.loads(shown.out)
    assert (report["loaded"], report["unchanged"], report["chunks"]) == (0, 3, 0)
    assert {file["status"] for file in report["files"]} == {"unchanged"}


def test_json_is_all_that_stands_on_stdout_and_counts_add_up(here: Path, leadline: Command) -> None:
    (here / "good.md").write_text("# Good\n\nThis one can be read.\n", encoding="utf-8")
    (here / "bad.pdf").write_bytes(b"%PDF-1.7 and then nothing of the kind")
    shown = leadline("load", "good.md", "bad.pdf", "--json")
    report = json.loads(shown.out)
    assert shown.code == 0
    assert (report["loaded"], report["failed"] + report["skipped"]) == (1, 1)
    (bad,) = [file for file in report["files"] if file["source"].endswith("bad.pdf")]
    assert bad["reason"] and bad["remedy"]


def test_a_file_that_cannot_be_read_is_listed_with_reason_and_remedy(here: Path, leadline: Command) -> None:
    (here / "bad.pdf").write_bytes(b"%PDF-1.7 and then nothing of the kind")
    shown = leadline("load", "bad.pdf")
    assert shown.code == 1
    assert "bad.pdf" in shown.out
    assert "0 loaded, 0 unchanged" in shown.out
    assert "\x1b" not in shown.out + shown.err


def test_an_empty_folder_says_that_there_was_nothing(here: Path, leadline: Command) -> None:
    (here / "empty").mkdir()
    (here / "empty" / ".hidden.md").write_text("# H\n", encoding="utf-8")
    shown = leadline("load", "empty")
    assert shown.code == 1
    assert "no files to load: 1 were hidden" in shown.err


def test_metadata_given_can_be_filtered_by(here: Path, leadline: Command) -> None:
    for name, year in (("old.md", "1999"), ("new.md", "2024")):
        (here / name).write_text(f"# {name}\n\nThe tide table of the harbour.\n", encoding="utf-8")
        assert leadline("load", name, "--meta", f"year={year}", "--meta", "lang=en").code == 0
    shown = leadline("search", "tide table", "--where", 'year >= 2000 and lang == "en"', "--json")
    assert [Path(hit["chunk"]["source"]).name for hit in json.loads(shown.out)["hits"]] == ["new.md"]


def test_prune_removes_what_has_vanished(here: Path, loaded: Command) -> None:
    (here / "harbour" / "quill.md").unlink()
    assert json.loads(loaded("load", "harbour", "--json").out)["removed"] == 0
    assert json.loads(loaded("load", "harbour", "--prune", "--json").out)["removed"] == 1
    assert "quill.md" not in loaded("collections", "show", "default").out


def test_excluded_files_are_left_out(here: Path, loaded: Command) -> None:
    report = json.loads(loaded("load", "harbour", "-c", "texts", "--exclude", "*.md", "--json").out)
    assert [Path(file["source"]).name for file in report["files"]] == ["refunds.txt"]


def test_values_of_metadata_keep_their_kind() -> None:
    assert metadata(["a=1", "b=1.5", "c=1.50", "d=true", "e=x=y", "f=", "g=-3"]) == {
        "a": 1,
        "b": 1.5,
        "c": "1.50",
        "d": True,
        "e": "x=y",
        "f": "",
        "g": -3,
    }
    with pytest.raises(UsageError, match="key=value"):
        metadata(["=1"])


def test_a_password_file_has_one_password_a_line(tmp_path: Path) -> None:
    file = tmp_path / "passwords"
    file.write_text("one\n\ntwo words\n", encoding="utf-8")
    assert passwords(file) == ("one", "two words")
    assert passwords(None) == ()


def test_a_second_report_replaces_the_lines_of_the_first() -> None:
    first = LoadReport((FileLoaded("a", "loaded", 2), FileLoaded("b", "failed", reason="needs a password")))
    both = first.with_again(LoadReport((FileLoaded("b", "loaded", 3),)))
    assert (both.loaded, both.failed, both.chunks) == (2, 0, 5)


def test_an_interrupt_stops_after_the_batch_and_the_next_load_goes_on(here: Path, leadline: Command) -> None:
    folder = here / "many"
    folder.mkdir()
    for number in range(3_000):
        (folder / f"{number}.md").write_text(
            f"# Note {number}\n\nThe number is {number}.\n", encoding="utf-8"
        )
    process = subprocess.Popen(
        [sys.executable, "-m", "leadline.apps.cli", "load", "many"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    lock = here / ".leadline" / "writer.lock"
    while process.poll() is None and not lock.exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert "The same command again goes on from there" in err
    assert "loaded" in out
    report = json.loads(leadline("load", "many", "--json").out)
    assert report["loaded"] + report["unchanged"] == 3_000
    assert report["unchanged"] > 0


def protected(file: Path, password: str) -> None:
    """One of the example documents, encrypted."""
    with next((REPO / "examples").rglob("*.docx")).open("rb") as plain, file.open("wb") as out:
        office: Any = OOXMLFile(plain)
        office.encrypt(password, out)


def test_a_protected_file_is_listed_and_opens_with_a_password_file(here: Path, leadline: Command) -> None:
    protected(here / "locked.docx", "tide")
    shown = leadline("load", "locked.docx")
    assert shown.code == 1
    assert "password" in shown.out
    assert "--password-file" in shown.out
    (here / "passwords").write_text("ebb\ntide\n", encoding="utf-8")
    report = json.loads(leadline("load", "locked.docx", "--password-file", "passwords", "--json").out)
    assert report["loaded"] == 1


def test_at_a_terminal_the_password_is_asked_for(here: Path) -> None:
    protected(here / "locked.docx", "tide")
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "leadline.apps.cli", "load", "locked.docx"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while b"Password" not in shown:
        shown += os.read(terminal, 4096)
    time.sleep(0.2)
    os.write(terminal, b"tide\n")
    with contextlib.suppress(OSError):
        while more := os.read(terminal, 4096):
            shown += more
    os.close(terminal)
    assert process.wait(timeout=600) == 0
    assert b"1 loaded" in shown
    assert b"tide" not in shown.partition(b"Password")[2]


def test_a_load_says_how_many_files_it_left_out(here: Path, leadline: Command) -> None:
    (here / "docs").mkdir()
    (here / "docs" / "a.md").write_text("# A\n\nThe tide mill.\n", encoding="utf-8")
    (here / "docs" / "weights.bin").write_bytes(b"\x7fELF\x00\x01\x02\x00")
    shown = leadline("load", "docs").out
    assert "1 loaded, 0 unchanged, 0 skipped, 0 failed, 1 left out" in shown
    assert "; 1 chunk in " in shown
    (here / "docs" / "weights.bin").unlink()
    assert "left out" not in leadline("load", "docs").out
