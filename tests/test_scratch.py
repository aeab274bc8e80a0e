"""Folders of passing work go with it, and those of killed processes when Leadline is used again."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from leadline import Leadline
from leadline.config import settings
from leadline.scratch import OLD, Scratch, sweep

CHILD = """
import sys
from leadline.scratch import Scratch

with Scratch("pages") as folder:
    print(folder.path, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def left(folder: Path, name: str) -> Path:
    """A folder that nobody has touched for long."""
    made = folder / name
    made.mkdir()
    (made / "page.html").write_text("<p>Lamp</p>", encoding="utf-8")
    aged(made)
    return made


def aged(folder: Path) -> None:
    then = folder.stat().st_mtime - OLD - 60
    os.utime(folder, (then, then))


def test_a_folder_goes_with_what_it_was_for(temporary: Path) -> None:
    with Scratch("page") as folder:
        (folder.path / "a").write_text("a", encoding="utf-8")
        assert folder.path.parent == temporary
    assert list(temporary.iterdir()) == []


def test_what_is_in_use_stays_and_what_a_killed_process_left_goes(temporary: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    with child:
        assert child.stdout is not None
        folder = Path(child.stdout.readline().strip())
        try:
            aged(folder)
            sweep()
            assert folder.is_dir()
        finally:
            child.kill()
    sweep()
    assert not folder.exists()


def test_what_is_young_or_not_ours_stays(temporary: Path, tmp_path: Path) -> None:
    (temporary / "leadline-page-young").mkdir()
    left(temporary, "leadline-atlas")
    outside = left(tmp_path, "outside")
    (temporary / "leadline-page-link").symlink_to(outside)
    (temporary / "leadline-page-file").write_text("a", encoding="utf-8")
    there = sorted(temporary.iterdir())
    sweep()
    assert sorted(temporary.iterdir()) == there
    assert (outside / "page.html").is_file()


def test_the_next_use_of_the_web_clears_up(temporary: Path, tmp_path: Path) -> None:
    folder = left(temporary, "leadline-pages-old")
    with Leadline(settings=settings(flags={"data": tmp_path / "data", "embedding": "none"})) as lead:
        lead.load("http://127.0.0.1:9/a")
    assert not folder.exists()
