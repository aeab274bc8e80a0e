"""Files that are whole or not there: written beside their place, moved into it at the end.

Whoever writes holds the lock of the file, so that two flows at a time do not mix their rows in it.
"""

import errno
import fcntl
import io
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from leadline.errors import FlowError

PART = ".part"
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)
"""What file systems say that have no locks."""


@contextmanager
def written(path: str | Path, label: str) -> Generator[IO[bytes]]:
    """A file to write to. It takes its place when the block ends well; else what was there before stays there, and
    what was written so far stays beside it, as `NAME.part`."""
    path, target = Path(path), resolved(path, label)
    if is_device(path):
        with _ended(_opened(path, path, label)) as file:
            yield file
        return
    part = beside(target)
    with _ended(_locked(part, path, label)) as file:
        yield file
        file.flush()
        try:
            os.fsync(file.fileno())
            part.replace(target)
        except OSError as error:
            raise _failed(path, label, error) from None


def begun(path: str | Path, label: str) -> None:
    """See that `path` can be written to, before there is anything to write."""
    path, target = Path(path), resolved(path, label)
    if not is_device(path):
        _locked(beside(target), path, label).close()


def resolved(path: str | Path, label: str) -> Path:
    """The file that a path leads to."""
    try:
        return Path(path).resolve()
    except RuntimeError:
        raise FlowError(
            f"{label}: `{path}` is a link that leads in a circle. Remove it, or name another file."
        ) from None
    except (OSError, ValueError) as error:
        raise FlowError(f"{label}: `{path!s:.200}` is no name of a file: {error}.") from None


def is_device(path: Path) -> bool:
    """Whether it is there and no file: a device or a pipe, which has no place to be moved into."""
    try:
        return path.exists() and not path.is_file()
    except OSError:
        return False


def beside(target: Path) -> Path:
    """Where a file is until it is whole."""
    return target.with_name(target.name + PART)


class _Raw(io.FileIO):
    """A file to add to, whose failures say what it is whenever they come: what is written waits in memory first."""

    def __init__(self, file: Path, label: str, path: Path) -> None:
        self._label, self._path = label, path
        super().__init__(file, "ab")

    def write(self, data: Any, /) -> int:
        """As any file does."""
        try:
            return super().write(data)
        except OSError as error:
            raise _failed(self._path, self._label, error) from None


@contextmanager
def _ended(raw: _Raw) -> Generator[IO[bytes]]:
    """The file with what waits to be written; where the block fails, that is what is told."""
    file = io.BufferedWriter(raw)
    try:
        yield file
    except BaseException:
        with suppress(FlowError):
            file.close()
        raise
    file.close()


def _opened(file: Path, path: Path, label: str) -> _Raw:
    try:
        return _Raw(file, label, path)
    except OSError as error:
        raise _failed(path, label, error) from None


def _locked(file: Path, path: Path, label: str) -> _Raw:
    """An empty file that nobody else writes to until it is closed."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        while True:
            raw = _opened(file, path, label)
            if _claimed(raw, file):
                return raw
            raw.close()
    except BlockingIOError:
        raise FlowError(
            f"{label}: `{path}` is being written by another flow. Wait for its end, or name another file."
        ) from None
    except OSError as error:
        raise _failed(path, label, error) from None


def _claimed(raw: _Raw, file: Path) -> bool:
    """Lock and empty an open file; False where it has taken its place meanwhile, so that it is no longer `file`."""
    try:
        _lock(raw)
        if not os.path.samestat(os.fstat(raw.fileno()), file.stat()):
            return False
        if file.is_file():
            raw.truncate(0)
            raw.seek(0)
    except FileNotFoundError:
        return False
    except BaseException:
        raw.close()
        raise
    return True


def _lock(raw: _Raw) -> None:
    try:
        fcntl.flock(raw, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise


def _failed(path: Path, label: str, error: OSError) -> FlowError:
    why = error.strerror or error
    return FlowError(
        f"{label}: `{path}` cannot be written: {why}. Check the folder, its permissions and the disk."
    )
