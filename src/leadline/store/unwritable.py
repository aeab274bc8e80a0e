"""Which failures mean that the disk cannot be written, or that a table on it is damaged."""

import errno
import re
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from leadline.errors import StoreError, StoreUnwritable

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ENOENT, errno.EEXIST}
OS_ERROR = re.compile(r"os error (\d+)")
SQLITE_FULL = ("disk is full", "disk I/O error")
SQLITE_CLOSED = ("readonly database", "unable to open database")


@contextmanager
def said_of(folder: Path) -> Generator[None]:
    """Turn a failure to write below `folder` into a `StoreUnwritable` that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if any(one in text for one in SQLITE_FULL):
            raise _full(folder, text) from error
        if any(one in text for one in SQLITE_CLOSED):
            raise _closed(folder, text) from error
        raise
    except (OSError, RuntimeError) as error:
        number = _number(error)
        if number in FULL:
            raise _full(folder, _reason(number)) from error
        if number in CLOSED:
            raise _closed(folder, _reason(number)) from error
        if isinstance(error, RuntimeError) and "lance" in str(error).lower():
            raise _damaged(folder, error) from error
        raise


def _number(error: OSError | RuntimeError) -> int | None:
    """The system's error number; LanceDB has it in its message only."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    found = OS_ERROR.search(str(error))
    return int(found[1]) if found else None


def _reason(number: int | None) -> str:
    return errno.errorcode.get(number or 0, "unknown error")


def _damaged(folder: Path, error: RuntimeError) -> StoreError:
    reason = str(error).splitlines()[0][:200]
    return StoreError(
        f"A table below {folder} is damaged ({reason}). `leadline doctor` names its collection: "
        "`leadline collections drop NAME`, then load again."
    )


def _full(folder: Path, reason: str) -> StoreUnwritable:
    return StoreUnwritable(
        f"No room to write to {folder} ({reason}); free some space and try again. Nothing was changed."
    )


def _closed(folder: Path, reason: str) -> StoreUnwritable:
    return StoreUnwritable(
        f"Cannot write to {folder} ({reason}); make it writable or choose another data folder. Nothing was changed."
    )
