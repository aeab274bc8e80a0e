"""Files that are whole or not there: written beside their place, moved into it at the end."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from leadline.errors import FlowError

PART = ".part"


@contextmanager
def written(path: str | Path, label: str) -> Generator[IO[bytes]]:
    """A file to write to. It takes its place when the block ends well; else what was there before stays there, and
    what was written so far stays beside it, as `NAME.part`."""
    path = Path(path)
    target = path.resolve()
    if target.exists() and not target.is_file():  # a device or a pipe has no place to be moved into
        with _open(target, path, label) as file:
            yield file
        return
    part = target.with_name(target.name + PART)
    with _open(part, path, label) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            raise _failed(path, label, error) from None
    try:
        part.replace(target)
    except OSError as error:
        raise _failed(path, label, error) from None


def begun(path: str | Path, label: str) -> None:
    """See that `path` can be written to, before there is anything to write."""
    path = Path(path)
    target = path.resolve()
    if not target.exists() or target.is_file():
        _open(target.with_name(target.name + PART), path, label).close()


def _open(file: Path, path: Path, label: str) -> IO[bytes]:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        return file.open("wb")
    except OSError as error:
        raise _failed(path, label, error) from None


def _failed(path: Path, label: str, error: OSError) -> FlowError:
    why = error.strerror or error
    return FlowError(
        f"{label}: `{path}` cannot be written: {why}. Check the folder, its permissions and the disk."
    )
