"""The phrase index in the catalogue: written in the commit's own transaction, read as one state.

Segments of a level are merged into one of the next when there are enough of them.
"""

import sqlite3
from collections.abc import Iterable, Sequence

import numpy as np

from leadline.analysis.phrases import number
from leadline.store.phrase_segments import Mask, PhraseSegment, merged, segment_of
from leadline.store.phrases import PhraseIndex
from leadline.types import Chunk

SCHEMA = """
CREATE TABLE phrase_segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, level INTEGER NOT NULL, data BLOB NOT NULL
);
CREATE TABLE phrase_gone (
    segment INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (segment, row)
) WITHOUT ROWID;
"""

MERGED_FROM = 6
"""So many segments of one level become one of the next."""

MOSTLY_GONE = 0.25
"""A segment with this share of removed chunks is written anew without them."""

Segments = dict[int, PhraseSegment]
"""Segments by their id; an id is never used for another one."""


def read_index(connection: sqlite3.Connection, collection: int, known: Segments) -> PhraseIndex:
    """The index as it is now. `known` holds what was read before, and is brought up to date."""
    ids = _ids(connection, collection)
    for outdated in known.keys() - set(ids):
        del known[outdated]
    for one in ids:
        if one not in known:
            known[one] = _read(connection, one)
    segments = tuple(known[one] for one in ids)
    masks = tuple(_gone(connection, one, known[one].size) for one in ids)
    return PhraseIndex(segments, masks)


class PhraseWriter:
    """Changes of the index, inside a transaction that somebody else holds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._known: dict[int, Segments] = {}

    def add(self, collection: int, chunks: Sequence[Chunk]) -> None:
        """Add the phrases of new chunks."""
        if chunks:
            self._write(collection, segment_of(chunks), 0)
            self._merge_full_levels(collection)

    def remove(self, collection: int, document_ids: Sequence[str]) -> None:
        """Mark all chunks of these documents as removed."""
        if not document_ids:
            return
        known = self._known.setdefault(collection, {})
        index = read_index(self.connection, collection, known)
        numbers = np.array([number(one) for one in document_ids], np.uint64)
        for one, mask in zip(list(known), index.gone, strict=True):
            rows = np.flatnonzero(np.isin(known[one].documents, numbers) & ~mask)
            self.connection.executemany(
                "INSERT INTO phrase_gone VALUES (?, ?)", ((one, int(row)) for row in rows)
            )
            if len(rows) and len(rows) + mask.sum() > MOSTLY_GONE * len(mask):
                level = self._level(one)
                self._replace(collection, [one], level)

    def holds(self, collection: int) -> bool:
        """Whether anything was ever indexed of the collection."""
        return bool(_ids(self.connection, collection))

    def clean(self, collection: int) -> None:
        """Write every segment anew that still holds something removed."""
        for one in _ids(self.connection, collection):
            if self.connection.execute("SELECT 1 FROM phrase_gone WHERE segment = ?", (one,)).fetchone():
                self._replace(collection, [one], self._level(one))

    def gather(self, collection: int) -> None:
        """Merge all segments into one: searching is fastest then."""
        ids = _ids(self.connection, collection)
        if len(ids) > 1:
            self._replace(collection, ids, max(map(self._level, ids)))

    def drop(self, collection: int) -> None:
        self._delete(_ids(self.connection, collection))
        self._known.pop(collection, None)

    def _level(self, segment: int) -> int:
        row = self.connection.execute("SELECT level FROM phrase_segments WHERE id = ?", (segment,)).fetchone()
        return int(row[0])

    def _merge_full_levels(self, collection: int) -> None:
        level = 0
        while True:
            found = self.connection.execute(
                "SELECT id FROM phrase_segments WHERE collection = ? AND level = ? ORDER BY id",
                (collection, level),
            ).fetchall()
            if len(found) < MERGED_FROM:
                return
            self._replace(collection, [row[0] for row in found], level + 1)
            level += 1

    def _replace(self, collection: int, ids: Sequence[int], level: int) -> None:
        """Put one segment, without what was removed, in the place of several."""
        parts: list[tuple[PhraseSegment, Mask]] = []
        for one in ids:
            segment = _read(self.connection, one)
            parts.append((segment, _gone(self.connection, one, segment.size)))
        self._delete(ids)
        whole = merged(parts)
        if whole.size:
            self._write(collection, whole, level)

    def _write(self, collection: int, segment: PhraseSegment, level: int) -> None:
        self.connection.execute(
            "INSERT INTO phrase_segments (collection, level, data) VALUES (?, ?, ?)",
            (collection, level, segment.to_bytes()),
        )

    def _delete(self, ids: Iterable[int]) -> None:
        for one in ids:
            self.connection.execute("DELETE FROM phrase_segments WHERE id = ?", (one,))
            self.connection.execute("DELETE FROM phrase_gone WHERE segment = ?", (one,))


def _ids(connection: sqlite3.Connection, collection: int) -> list[int]:
    rows = connection.execute(
        "SELECT id FROM phrase_segments WHERE collection = ? ORDER BY id", (collection,)
    )
    return [row[0] for row in rows]


def _read(connection: sqlite3.Connection, segment: int) -> PhraseSegment:
    row = connection.execute("SELECT data FROM phrase_segments WHERE id = ?", (segment,)).fetchone()
    return PhraseSegment.from_bytes(row[0])


def _gone(connection: sqlite3.Connection, segment: int, size: int) -> Mask:
    mask = np.zeros(size, np.bool_)
    rows = connection.execute("SELECT row FROM phrase_gone WHERE segment = ?", (segment,)).fetchall()
    mask[[row[0] for row in rows]] = True
    return mask
