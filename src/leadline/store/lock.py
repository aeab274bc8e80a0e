"""One writer at a time: a lock file with the process and host that hold it.

The operating system's lock on the open file is what counts, as it ends with its process however that
ends. Where the file system has no such locks, the process named in the file is looked up instead.
"""

import contextlib
import errno
import fcntl
import json
import logging
import os
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.errors import StoreLocked

logger = logging.getLogger(__name__)

LOCK = "writer.lock"
"""The lock file's name in the folder of a store."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock, or held it last."""

    pid: int
    host: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} (since {self.since})"

    @property
    def ended(self) -> bool:
        """Whether the process is known to be gone; one on another host never is."""
        if self.host != socket.gethostname():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False


class WriterLock:
    """The right to write below a folder, from `acquire` to `release`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    @property
    def held(self) -> bool:
        return self._file is not None

    def acquire(self) -> None:
        """Take the lock or raise `StoreLocked`, which says who has it."""
        if self._file is not None:
            return
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            self._claim(file)
            me = Holder(os.getpid(), socket.gethostname(), time.strftime("%Y-%m-%d %H:%M:%S"))
            os.ftruncate(file, 0)
            os.pwrite(file, json.dumps({"pid": me.pid, "host": me.host, "since": me.since}).encode(), 0)
        except BaseException:
            os.close(file)
            raise
        self._file = file

    def _claim(self, file: int) -> None:
        last = _read(file)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in {errno.EWOULDBLOCK, errno.EACCES}:
                raise self._locked(last) from None
            if error.errno not in {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL}:
                raise
            if last is not None and not last.ended:
                raise self._locked(last) from None
        if last is not None:
            logger.warning("Taking over a lock left behind by %s, which ended without closing.", last)

    def _locked(self, holder: Holder | None) -> StoreLocked:
        who = str(holder) if holder else "another process"
        return StoreLocked(
            f"The store {self.path.parent} is being written by {who}. "
            "Wait until it is done or stop it; searching works meanwhile."
        )

    def release(self) -> None:
        """Give the lock back; the file stays, empty."""
        if self._file is None:
            return
        file, self._file = self._file, None
        with contextlib.suppress(OSError):
            os.ftruncate(file, 0)
        os.close(file)


def holder(path: Path) -> Holder | None:
    """Who holds the lock at `path`, or left it behind; None when it is free."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        return _read(file)
    finally:
        os.close(file)


def _read(file: int) -> Holder | None:
    try:
        written: dict[str, Any] = json.loads(os.pread(file, 4096, 0))
        return Holder(int(written["pid"]), str(written["host"]), str(written["since"]))
    except (ValueError, KeyError, TypeError):
        return None
