"""What became of every finished outer row, so that a stopped flow goes on where it was.

SQLite: segment, digest of the input row -> outputs, letters. What was made of a row answers for an equal row of the same
segment, wherever that stands now, and only once: of equal rows each has an answer of its own.
"""

import asyncio
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from leadline.errors import FlowError, StoreUnwritable
from leadline.flow.base import DeadLetter, Row
from leadline.flow.running.outer_rows import Done
from leadline.types import Usage

FILE = "journal.sqlite"
FORMAT = 1
WAITING = 256
"""Most finished rows that wait to be written."""
PATIENCE = 30.0
UNREADABLE = (AttributeError, KeyError, TypeError, ValueError)
"""What reading an answer raises that no journal has written so."""
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS done (
    id INTEGER PRIMARY KEY, segment TEXT NOT NULL, digest BLOB NOT NULL, ordinal INTEGER NOT NULL,
    failed INTEGER NOT NULL, outputs TEXT NOT NULL, rest TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS rows ON done (segment, digest);
CREATE TABLE IF NOT EXISTS state (finished INTEGER NOT NULL, job TEXT NOT NULL);
INSERT INTO state SELECT 0, lower(hex(randomblob(8))) WHERE NOT EXISTS (SELECT 1 FROM state);
PRAGMA user_version = {FORMAT};
"""
_FIND = """
SELECT id, failed, outputs, rest FROM done WHERE segment = ? AND digest = ? AND id <= ? AND failed <= ?
ORDER BY failed, ordinal, id
"""
_KEEP = "INSERT INTO done (segment, digest, ordinal, failed, outputs, rest) VALUES (?, ?, ?, ?, ?, ?)"


def row_digest(row: Row) -> bytes:
    """What tells outer rows from each other."""
    return blake2b(json.dumps(row, default=repr).encode(), digest_size=16).digest()


class Journal:
    """One file, written behind the rows by a task of its own: a kill loses what finished a moment ago, which is done
    again. Made by `open`, ended by `close`."""

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self._file, self._connection = file, connection
        self.remembered: int = connection.execute("SELECT count(*) FROM done").fetchone()[0]
        self._before: int = connection.execute("SELECT coalesce(max(id), 0) FROM done").fetchone()[0]
        self._given = bytearray(self._before + 1)
        finished, self.job = connection.execute("SELECT finished, job FROM state").fetchone()
        self.finished = bool(finished)
        self._queue: asyncio.Queue[tuple[Any, ...] | None] = asyncio.Queue(WAITING)
        self._failure: Exception | None = None
        self._writer = asyncio.ensure_future(self._write_behind())

    @classmethod
    async def open(cls, file: Path, *, anew: bool) -> "Journal":
        """The journal at `file`; `anew`: without what it holds."""
        try:
            return cls(file, await asyncio.to_thread(_opened, file, anew))
        except sqlite3.Error as error:
            raise _unusable(file, error) from None

    async def known(self, segment: str, ordinal: int, digest: bytes, *, failed: bool = True) -> Done | None:
        """What an earlier run made of such a row; without `failed`, only what was well."""
        if not self.remembered:
            return None
        try:
            rows = await asyncio.to_thread(self._read, segment, digest, failed)
        except sqlite3.Error as error:
            raise _unusable(self._file, error) from None
        for number, *found in rows:
            if not self._given[number]:
                self._given[number] = 1
                try:
                    return _done(ordinal, digest, *found)
                except UNREADABLE as error:
                    raise _unusable(self._file, f"what it holds of a row cannot be read ({error})") from None
        return None

    async def put(self, segment: str, done: Done) -> None:
        """Remember one; soon, not at once."""
        if self._failure is not None:
            raise self._unwritable(self._failure)
        await self._queue.put((segment, done.digest, done.ordinal, done.failed, done.outputs, _rest(done)))

    async def close(self, *, finished: bool = False) -> None:
        """Write what waits, and whether the flow came to its end."""
        if not self._writer.done():
            await self._queue.put(None)
        try:
            await self._writer
            if self._failure is not None:
                raise self._failure
            with self._connection:
                self._connection.execute("UPDATE state SET finished = ?", (int(finished),))
        except Exception as error:  # noqa: BLE001 - of any kind: the end is told by `finally` alone
            raise self._unwritable(error) from None
        finally:
            self._connection.close()

    def _unwritable(self, error: Exception) -> StoreUnwritable:
        return StoreUnwritable(f"`{self._file}` cannot be written: {error}. Free some space, then --resume.")

    def _read(self, segment: str, digest: bytes, failed: bool) -> list[tuple[Any, ...]]:
        return self._connection.execute(_FIND, (segment, digest, self._before, int(failed))).fetchall()

    async def _write_behind(self) -> None:
        ended = False
        while not ended:
            batch = [await self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get_nowait())
            ended = batch[-1] is None
            if self._failure is None:
                try:
                    await asyncio.to_thread(self._write, [each for each in batch if each is not None])
                except Exception as error:  # noqa: BLE001 - told by whoever puts next; it must not wait for ever
                    self._failure = error

    def _write(self, batch: Sequence[tuple[Any, ...]]) -> None:
        with self._connection:
            self._connection.executemany(_KEEP, batch)


def _unusable(file: Path, error: sqlite3.Error | str) -> FlowError:
    return FlowError(f"`{file}` cannot be used: {error}. With --anew the flow starts with a new one.")


def _opened(file: Path, anew: bool) -> sqlite3.Connection:
    if anew:
        for name in (file.name, f"{file.name}-wal", f"{file.name}-shm"):
            file.with_name(name).unlink(missing_ok=True)
    connection = sqlite3.connect(file, timeout=PATIENCE, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if connection.execute("PRAGMA user_version").fetchone()[0] not in (0, FORMAT):
            raise sqlite3.DatabaseError("it was written by another version of Leadline")
        connection.executescript(_SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection


def _rest(done: Done) -> str:
    letters = [
        {"step": each.step, "error": each.error, "row": each.row, "policy": each.policy}
        for each in done.letters
    ]
    rest = {"letters": letters, "outer": done.outer}
    return json.dumps({**rest, "usage": asdict(done.usage), "tally": done.tally})


def _done(ordinal: int, digest: bytes, failed: int, outputs: str, rest: str) -> Done:
    read = json.loads(rest)
    made = Done(ordinal, digest, outputs, failed=bool(failed), outer=read["outer"], remembered=True)
    rows: Any = json.loads(outputs)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast(list[Any], rows)):
        raise ValueError("there is no list of rows")
    letters = tuple(DeadLetter(**letter) for letter in read["letters"])
    return replace(made, letters=letters, usage=Usage(**read["usage"]), tally=tuple(read["tally"]))
