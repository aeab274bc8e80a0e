"""The file of pages read lately: SQLite, an address and the page as a document. It holds what stood on pages of the web.

Any number of processes may use it; where it cannot be read or written, pages are fetched as if there were none. A damaged
file is put aside; a file that holds something else is somebody's and is left as it is.
"""

import json
import logging
import sqlite3
import threading
import zlib
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from leadline.types import Block, Document, Heading, MetaValue
from leadline.types import Page as Sheet
from leadline.web.base import Page

logger = logging.getLogger(__name__)

FILE = "pages.sqlite"
"""Its name in the data folder."""

FORMAT = 1
PATIENCE = 10.0
LIMIT = 256 << 20
"""Bytes after which the pages read longest ago make room."""

ROOM = 0.2
_LARGEST = 64 << 20
_SCHEMA = (
    "DROP TABLE IF EXISTS pages",
    "CREATE TABLE pages (url TEXT NOT NULL PRIMARY KEY, page BLOB NOT NULL, read REAL NOT NULL, "
    "opened INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX pages_read ON pages (read)",
    f"PRAGMA user_version = {FORMAT}",
)
_FIND = """
SELECT page, read, opened FROM pages
WHERE url = ? AND typeof(page) = 'blob' AND typeof(read) = 'real' AND typeof(opened) = 'integer'
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A page, when it was read or last found unchanged (seconds since 1970), and whether only a setting let it be read."""

    page: Page
    read: float
    opened: bool = False


class PageCache:
    """At most about `limit` bytes at `file`, which the first page makes. Its methods block."""

    def __init__(self, file: Path, limit: int = LIMIT) -> None:
        self.file = file
        self.limit = limit
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None

    def find(self, url: str) -> Kept | None:
        """The page that was read at `url`."""
        if self._open is None and not self.file.exists():
            return None
        with self._careful():
            row = self._connected().execute(_FIND, (url,)).fetchone()
            return None if row is None else _kept(*row)
        return None

    def keep(self, url: str, kept: Kept) -> None:
        """Put a page in the place of the one that was read at `url` before; those read longest ago make room."""
        held = zlib.compress(json.dumps(asdict(kept.page)).encode("utf-8"), 1)
        if len(held) * 4 > self.limit:
            return
        with self._careful():
            connection = self._connected()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "INSERT OR REPLACE INTO pages (url, page, read, opened) VALUES (?, ?, ?, ?)",
                (url, held, float(kept.read), int(kept.opened)),
            )
            if _used(connection) > self.limit:
                (count,) = connection.execute("SELECT count(*) FROM pages").fetchone()
                connection.execute(
                    "DELETE FROM pages WHERE url IN (SELECT url FROM pages WHERE url != ? ORDER BY read LIMIT ?)",
                    (url, max(1, int(count * ROOM))),
                )
            connection.execute("COMMIT")

    def clear(self) -> None:
        """Delete every page, from the disk too."""
        if self._open is None and not self.file.exists():
            return
        with self._careful():
            connection = self._connected()
            connection.execute("DELETE FROM pages")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let go of the file, which then holds everything."""
        with self._lock:
            self._drop()

    def _connected(self) -> sqlite3.Connection:
        if self._open is not None:
            return self._open
        self.file.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self.file, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            if tables and "pages" not in tables:
                raise _NotOurs("it holds something else")
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
                logger.warning("Kept pages %s are not used: %s.", self.file, error)
            except (sqlite3.DatabaseError, _Damaged) as error:
                self._drop()
                logger.warning("Kept pages %s are damaged and start anew: %s.", self.file, error)
                with suppress(OSError):  # where nothing can be written it stays, and is not used
                    for beside in ("-wal", "-shm"):
                        self.file.with_name(self.file.name + beside).unlink(missing_ok=True)
                    self.file.replace(self.file.with_name(self.file.name + ".damaged"))

    def _drop(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class _NotOurs(Exception):
    """The file that is named for pages holds something else."""


class _Damaged(Exception):
    """A page in the file is not as it was written."""


def _kept(held: bytes, read: float, opened: int) -> Kept:
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(held, _LARGEST)
        return Kept(_page(json.loads(data)), read, bool(opened))
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _Damaged(type(error).__name__) from error


def _page(told: dict[str, Any]) -> Page:
    document = told.pop("document")
    document["metadata"] = {name: _value(value) for name, value in document["metadata"].items()}
    for name, make in (("pages", Sheet), ("headings", Heading), ("blocks", Block)):
        document[name] = tuple(make(**each) for each in document[name])
    told["links"] = tuple(told["links"])
    return Page(Document(**document), **told)


def _value(value: Any) -> MetaValue:
    return tuple(cast(list[str], value)) if isinstance(value, list) else value


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = ON")
    if connection.execute("PRAGMA user_version").fetchone()[0] == FORMAT:
        return
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have made it in the meantime.
    if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
        for statement in _SCHEMA:
            connection.execute(statement)
    connection.execute("COMMIT")


def _used(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int(pages - free) * int(size)
