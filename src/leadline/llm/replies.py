"""The file of kept replies: SQLite, a hash of what was asked and what came back. It holds no question and no prompt,
but a reply may quote documents.

Any number of processes may use it; when it cannot be read or written, models are called as if there were none. A file
that holds something else is somebody's: it is left as it is.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from leadline.llm.base import Reply

logger = logging.getLogger(__name__)

FILE = "replies.sqlite"
"""Its name in the data folder."""

FORMAT = 1
PATIENCE = 30.0
LIMIT = 512 << 20
"""Bytes after which the oldest replies make room."""

ROOM = 0.2
_HEAD = b"SQLite format 3\x00"
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS replies (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, text TEXT NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, whole INTEGER NOT NULL
);
PRAGMA user_version = {FORMAT};
COMMIT;
"""
_FIND = """
SELECT text, input_tokens, output_tokens, whole FROM replies
WHERE key = ? AND typeof(text) = 'text' AND typeof(input_tokens) = 'integer' AND typeof(output_tokens) = 'integer'
"""


class Replies:
    """At most about `limit` bytes at `file`, which the first reply makes. Its methods block."""

    def __init__(self, file: Path, limit: int = LIMIT) -> None:
        self.file = file
        self.limit = limit
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None
        self._fixed = False

    @property
    def size(self) -> int:
        """Bytes on disk."""
        try:
            return self.file.stat().st_size
        except OSError:
            return 0

    def find(self, key: bytes) -> Reply | None:
        """The reply that is kept under `key`."""
        if self._open is None and not self.file.exists():
            return None
        with self._careful():
            row = self._connected().execute(_FIND, (key,)).fetchone()
            return None if row is None else Reply(row[0], row[1], row[2], whole=bool(row[3]))
        return None

    def keep(self, key: bytes, reply: Reply) -> None:
        """Add one; the oldest make room for it."""
        text = reply.text.encode("utf-8", "replace").decode("utf-8")
        with self._careful():
            connection = self._connected()
            if self._fixed:
                return
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "INSERT OR IGNORE INTO replies (key, text, input_tokens, output_tokens, whole) "
                "VALUES (?, ?, ?, ?, ?)",
                (key, text, reply.input_tokens, reply.output_tokens, reply.whole),
            )
            if _used(connection) > self.limit:
                (count,) = connection.execute("SELECT count(*) FROM replies").fetchone()
                connection.execute(
                    "DELETE FROM replies WHERE id IN (SELECT id FROM replies ORDER BY id LIMIT ?)",
                    (max(1, int(count * ROOM)),),
                )
            connection.execute("COMMIT")

    def clear(self) -> None:
        """Delete every reply, from the disk too."""
        if self._open is None and not self.file.exists():
            return
        with self._lock:
            connection = self._connected()
            connection.execute("DELETE FROM replies")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let go of the file, which then holds everything."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def _connected(self) -> sqlite3.Connection:
        if self._open is not None:
            return self._open
        self.file.parent.mkdir(parents=True, exist_ok=True)
        _refuse(_head(self.file) not in (b"", _HEAD))
        self._fixed = self.file.exists() and not _writable(self.file)
        how = "?mode=ro&immutable=1" if self._fixed else "?mode=rwc"
        connection = sqlite3.connect(
            self.file.absolute().as_uri() + how,
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            _refuse(tables not in ([], [("replies",)]))
            if self._fixed:
                logger.warning("Kept replies %s are read-only: new ones are not kept.", self.file)
            else:
                _prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._open = connection
        return connection

    @contextmanager
    def _careful(self) -> Generator[None]:
        """A file that fails is left out; one that is damaged is put aside."""
        with self._lock:
            try:
                yield
            except (sqlite3.OperationalError, OSError, _NotOurs) as error:
                self._drop()
                logger.warning("Kept replies %s are not used: %s.", self.file, error)
            except sqlite3.DatabaseError as error:
                self._drop()
                logger.warning("Kept replies %s are damaged and start anew: %s.", self.file, error)
                with suppress(OSError):  # where nothing can be written it stays, and is not used
                    for beside in ("-wal", "-shm"):
                        self.file.with_name(self.file.name + beside).unlink(missing_ok=True)
                    self.file.replace(self.file.with_name(self.file.name + ".damaged"))

    def _drop(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class _NotOurs(Exception):
    """The file that is named for replies holds something else."""


def _head(file: Path) -> bytes:
    if not file.exists():
        return b""
    with file.open("rb") as held:
        return held.read(len(_HEAD))


def _refuse(other: bool) -> None:
    if other:
        raise _NotOurs("it holds something else. Name another file in `llm.cache_file`")


def _writable(file: Path) -> bool:
    """Whether SQLite can write there, which makes files beside its own."""
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
        connection.executescript(_SCHEMA)


def _used(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int(pages - free) * int(size)
