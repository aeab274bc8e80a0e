"""Folders for as long as something takes, and those of processes that were killed meanwhile."""

import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self, get_args

Purpose = Literal["page", "pages", "report"]

OLD = 3_600.0
"""Seconds. A folder is there before it is locked, so that none that is younger is taken for one that was left behind."""


class Scratch:
    """A folder of its own, gone when it is closed. As long as it is open it is locked, so that no other process removes it."""

    def __init__(self, purpose: Purpose) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=f"leadline-{purpose}-")
        self.path = Path(self._folder.name)
        self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        # Where there are no locks, no folder is ever taken for one that was left behind.
        with suppress(OSError):
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder and all that is in it."""
        try:
            self._folder.cleanup()
        finally:
            os.close(self._lock)


def sweep() -> None:
    """Remove the folders of this user's processes that ended without doing so."""
    for purpose in get_args(Purpose):
        for folder in Path(tempfile.gettempdir()).glob(f"leadline-{purpose}-*"):
            with suppress(OSError):
                _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder that was left behind; OSError for one that is locked, or is none."""
    there = folder.lstat()
    if not stat.S_ISDIR(there.st_mode) or there.st_uid != os.geteuid() or time.time() - there.st_mtime < OLD:
        return
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)
    finally:
        os.close(lock)
