"""Vectors of passages that were embedded before: SQLite in the data folder, by a hash of encoder and text.

It holds hashes and vectors, no text. Any number of processes may use it; when it cannot be read or
written, vectors are computed as if there were none.
"""

import hashlib
import logging
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from leadline.embeddings.base import Embedder, Strength, Vectors

logger = logging.getLogger(__name__)

FILE = "vectors.sqlite"
"""The cache's name in the data folder."""

FORMAT = 1
PATIENCE = 30.0
ROOM = 0.2
"""The share that is emptied when the cache is full, oldest vectors first."""

_AT_ONCE = 500
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, data BLOB NOT NULL);
PRAGMA user_version = {FORMAT};
COMMIT;
"""


class VectorCache:
    """At most about `limit` bytes at `file`, which the first vector makes."""

    def __init__(self, file: Path, limit: int) -> None:
        self.file = file
        self.limit = limit

    @property
    def size(self) -> int:
        """Bytes on disk."""
        try:
            return self.file.stat().st_size
        except FileNotFoundError:
            return 0

    def find(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """The vectors that are there."""
        found: dict[bytes, Vectors] = {}
        if not self.file.exists():
            return found
        with self._careful(), closing(self._connect()) as connection:
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                marks = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT key, data FROM vectors WHERE key IN ({marks})", some)
                found |= {key: np.frombuffer(data, np.float32) for key, data in rows}
        return found

    def keep(self, rows: Iterable[tuple[bytes, Vectors]]) -> None:
        """Add vectors; the oldest make room for them."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self._careful(), closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT OR IGNORE INTO vectors (key, data) VALUES (?, ?)",
                ((key, np.asarray(vector, np.float32).tobytes()) for key, vector in rows),
            )
            if _used(connection) > self.limit:
                (count,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
                connection.execute(
                    "DELETE FROM vectors WHERE id IN (SELECT id FROM vectors ORDER BY id LIMIT ?)",
                    (max(1, int(count * ROOM)),),
                )
            connection.execute("COMMIT")

    def clear(self) -> None:
        """Delete every vector, from the disk too."""
        if not self.file.exists():
            return
        with closing(self._connect()) as connection:
            connection.execute("DELETE FROM vectors")
            connection.execute("VACUUM")

    def _connect(self) -> sqlite3.Connection:
        """A connection of its own for every use, so that threads and processes share nothing but the file."""
        connection = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None)
        try:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            if connection.execute("PRAGMA user_version").fetchone()[0] != FORMAT:
                connection.executescript(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _careful(self) -> Generator[None]:
        """A cache that fails is left out; one that is damaged is thrown away."""
        try:
            yield
        except sqlite3.OperationalError as error:
            logger.warning("The vector cache %s is not used: %s.", self.file, error)
        except sqlite3.DatabaseError as error:
            logger.warning("The vector cache %s is damaged and starts anew: %s.", self.file, error)
            self.file.unlink(missing_ok=True)


class CachedEmbedder:
    """An encoder whose passages are looked up first. New vectors are kept batch by batch, so that a load or
    reindex that is stopped does not embed them again."""

    def __init__(self, inner: Embedder, cache: VectorCache) -> None:
        self.inner = inner
        self.cache = cache

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimension(self) -> int:
        return self.inner.dimension

    @property
    def strength(self) -> Strength:
        return self.inner.strength

    @property
    def slow(self) -> bool:
        return self.inner.slow

    @property
    def batch(self) -> int:
        return self.inner.batch

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.inner.embed_queries(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        keys = [key_of(self.inner.name, text) for text in texts]
        width = self.inner.dimension
        found = {key: row for key, row in self.cache.find(keys).items() if row.shape == (width,)}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        wanted = list(missing)
        for start in range(0, len(wanted), self.inner.batch):
            some = wanted[start : start + self.inner.batch]
            made = self.inner.embed_documents([missing[key] for key in some])
            new = dict(zip(some, made, strict=True))
            self.cache.keep(new.items())
            found |= new
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, width), np.float32)


def key_of(name: str, text: str) -> bytes:
    """What stands for a text embedded by one encoder."""
    return hashlib.sha256(f"{name}\x00{text}".encode("utf-8", "surrogatepass")).digest()[:16]


def _used(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int(pages - free) * int(size)
