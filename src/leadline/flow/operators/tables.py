"""Sets and tables that do not fit in memory: beyond `Memory.rows` they go to a database file that leaves with them."""

import json
import shutil
import sqlite3
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from leadline.flow.base import Memory, Row

PREFIX, NAME = "spill-", "rows.sqlite"


def clear(folder: Path) -> None:
    """Take away what a process that was killed has left. Nobody may be at work there."""
    for left in folder.glob(f"{PREFIX}????????"):
        with suppress(OSError):
            (left / NAME).unlink(missing_ok=True)
            left.rmdir()


class _Database:
    """A scratch database, gone when it is closed. Nobody else sees its file, and none is left of a process that was killed,
    where the system lets go of the name of an open file; journals would be files too, so there is none."""

    def __init__(self, memory: Memory, schema: str) -> None:
        if memory.folder is not None:
            memory.folder.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=memory.folder))
        self.connection = sqlite3.connect(self.folder / NAME, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode=OFF")
        self.connection.execute("PRAGMA synchronous=OFF")
        self.connection.execute(schema)
        self.connection.execute("BEGIN")
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """Nothing is left of it."""
        self.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Spilling:
    """What has a scratch database if it needs one."""

    schema = ""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._database: _Database | None = None

    def disk(self) -> sqlite3.Connection:
        """The database, made when it is first needed."""
        if self._database is None:
            self._database = _Database(self._memory, self.schema)
        return self._database.connection

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._database is not None:
            self._database.close()


class Seen(_Spilling):
    """Which digests there were."""

    schema = "CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID"

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self._held: set[str] = set()

    def new(self, digest: str) -> bool:
        """Whether it was not there before; now it is."""
        if digest in self._held:
            return False
        if len(self._held) < self._memory.rows:
            self._held.add(digest)
            return True
        added = self.disk().execute("INSERT OR IGNORE INTO seen VALUES (?)", (bytes.fromhex(digest),))
        return added.rowcount == 1


class Table(_Spilling):
    """Rows by a key; several of one key in the order in which they came."""

    schema = "CREATE TABLE rows (key BLOB, number INTEGER, row TEXT, PRIMARY KEY (key, number)) WITHOUT ROWID"

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self._held: dict[str, list[Row]] = {}
        self._count = 0

    def add(self, key: str, row: Row) -> None:
        """One more."""
        self._count += 1
        if self._count <= self._memory.rows:
            self._held.setdefault(key, []).append(row)
        else:
            values = (_bytes(key), self._count, json.dumps(row))
            self.disk().execute("INSERT INTO rows VALUES (?, ?, ?)", values)

    def get(self, key: str) -> list[Row]:
        """Those of a key."""
        held = self._held.get(key, [])
        if self._count <= self._memory.rows:
            return held
        found = self.disk().execute("SELECT row FROM rows WHERE key = ? ORDER BY number", (_bytes(key),))
        return [*held, *(json.loads(row) for (row,) in found)]


def _bytes(key: str) -> bytes:
    # SQLite takes no text with half a character pair in it.
    return key.encode("utf-8", "surrogatepass")
