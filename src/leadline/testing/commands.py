"""The command line as a test sees it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


Command = Callable[..., Shown]
"""Call it with the arguments of `leadline`."""


def contents(folder: Path) -> dict[str, str]:
    """Every file below a folder and a hash of what it holds, less those that SQLite makes for reading."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }
