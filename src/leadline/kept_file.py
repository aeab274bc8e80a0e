"""A file of what is kept to save work: SQLite, one table. Whatever is wrong with it, the work is done without it.

Any number of processes may use it. A damaged file is put aside; one that holds something else is somebody's and is left as
it is; one that cannot be written is read.
"""

import logging
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from leadline.errors import StoreError

R = TypeVar("R")

logger = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds to wait for another process that writes."""

ROOM = 0.2
"""The share that is emptied when the file is full."""

_HEAD = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class Table:
    """What the file holds: `name` is the table and what a person calls its rows. A file of another `version` starts anew.
    `setting`: the setting that may name a file of somebody's own, which is then never taken for a damaged one."""

    name: str
    version: int
    schema: tuple[str, ...]
    setting: str = ""


class DamagedRow(Exception):
    """A row is not as it was written."""


class _NotOurs(Exception):
    """The file that is named holds something else."""


class KeptFile:
    """At most about `limit` bytes at `file`, which the first row makes. Its methods block."""

    def __init__(self, file: Path, limit: int, table: Table) -> None:
        self.file = file
        self.limit = limit
        self._table = table
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

    @property
    def there(self) -> bool:
        """Whether there can be anything in it."""
        return self._open is not None or self.file.exists()

    def read(self, work: Callable[[sqlite3.Connection], R]) -> R | None:
        """What `work` finds in the file; None where there is none, or it fails."""
        return self._careful(work) if self.there else None

    def write(self, work: Callable[[sqlite3.Connection], object]) -> None:
        """Do `work` in a transaction; nothing where nothing can be written."""

        def whole(connection: sqlite3.Connection) -> None:
            if self._fixed:
                return
            connection.execute("BEGIN IMMEDIATE")
            work(connection)
            connection.execute("COMMIT")

        self._careful(whole)

    def surplus(self, connection: sqlite3.Connection) -> int:
        """How many rows have to make room now."""
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size <= self.limit:
            return 0
        (count,) = connection.execute(f"SELECT count(*) FROM {self._table.name}").fetchone()
        return max(1, int(count * ROOM))

    def clear(self) -> None:
        """Delete every row, from the disk too, and what was put aside. StoreError where that cannot be done."""
        with self._lock, suppress(_NotOurs):
            try:
                if self.there:
                    self._emptied()
                self._beside(".damaged").unlink(missing_ok=True)
            except (sqlite3.Error, OSError) as error:
                self._drop()
                raise StoreError(
                    f"kept {self._table.name} in {self.file} cannot be deleted: {error}."
                ) from error

    def _emptied(self) -> None:
        try:
            connection = self._connected()
            connection.execute(f"DELETE FROM {self._table.name}")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            # What is damaged may still hold words.
            self._drop()
            for suffix in ("", "-wal", "-shm"):
                self._beside(suffix).unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the file, which then holds everything."""
        with self._lock:
            self._drop()

    def _connected(self) -> sqlite3.Connection:
        if self._open is not None:
            return self._open
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self._refuse(bool(self._table.setting) and _head(self.file) not in (b"", _HEAD))
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
            self._refuse(tables not in ([], [(self._table.name,)]))
            if self._fixed:
                logger.warning(
                    "Kept %s %s are read-only: new ones are not kept.", self._table.name, self.file
                )
            else:
                self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._open = connection
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if _version(connection) == self._table.version:
            return
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have made it in the meantime.
        if _version(connection) != self._table.version:
            connection.execute(f"DROP TABLE IF EXISTS {self._table.name}")
            for statement in self._table.schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {self._table.version}")
        connection.execute("COMMIT")

    def _refuse(self, other: bool) -> None:
        if other:
            remedy = f". Name another file in `{self._table.setting}`" if self._table.setting else ""
            raise _NotOurs(f"it holds something else{remedy}")

    def _careful(self, work: Callable[[sqlite3.Connection], R]) -> R | None:
        """A file that fails is left out; one that is damaged is put aside."""
        what = self._table.name
        with self._lock:
            try:
                return work(self._connected())
            except (sqlite3.OperationalError, OSError, _NotOurs) as error:
                self._drop()
                logger.warning("Kept %s %s are not used: %s.", what, self.file, error)
            except (sqlite3.DatabaseError, DamagedRow) as error:
                self._drop()
                logger.warning("Kept %s %s are damaged and start anew: %s.", what, self.file, error)
                with suppress(OSError):  # where nothing can be written it stays, and is not used
                    for suffix in ("-wal", "-shm"):
                        self._beside(suffix).unlink(missing_ok=True)
                    self.file.replace(self._beside(".damaged"))
        return None

    def _beside(self, suffix: str) -> Path:
        return self.file.with_name(self.file.name + suffix)

    def _drop(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _head(file: Path) -> bytes:
    if not file.exists():
        return b""
    with file.open("rb") as held:
        return held.read(len(_HEAD))


def _writable(file: Path) -> bool:
    """Whether SQLite can write there, which makes files beside its own."""
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
