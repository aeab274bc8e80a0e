"""What fields documents have and with which values, counted in the commit's own transaction.

A value of a document counts once for it; what is filtered by passage (`kind`) is not counted.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from leadline.store.base import FieldKind, FieldSummary
from leadline.store.fields import metadata_from
from leadline.store.filter_tree import number
from leadline.types import Metadata, MetaValue

SCHEMA = """
CREATE TABLE field_counts (
    collection INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, documents INTEGER NOT NULL,
    PRIMARY KEY (collection, name, kind)
) WITHOUT ROWID;
CREATE TABLE field_values (
    collection INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, value NOT NULL,
    documents INTEGER NOT NULL, PRIMARY KEY (collection, name, kind, value)
) WITHOUT ROWID;
CREATE INDEX commonest_values ON field_values (collection, name, kind, documents DESC, value);
"""

LISTED = 50
"""So many values of a field are listed, the commonest first."""

LONGEST = 200
"""A longer value is counted by its beginning."""

_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?)?")

Key = tuple[str, FieldKind]
Plain = str | float


class FieldWriter:
    """Changes of the counts, inside a transaction that somebody else holds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def add(self, collection: int, documents: Iterable[Metadata]) -> None:
        """Count documents with these fields (`seen_of`) in."""
        self.count(collection, documents, 1)

    def remove(self, collection: int, ids: Sequence[str]) -> None:
        """Count stored documents out; they are still there."""
        rows = (
            self.connection.execute(
                "SELECT source, title, metadata FROM documents WHERE collection = ? AND id = ?",
                (collection, one),
            ).fetchone()
            for one in ids
        )
        self.count(collection, [_seen(row) for row in rows if row is not None], -1)

    def drop(self, collection: int) -> None:
        for table in ("field_counts", "field_values"):
            self.connection.execute(f"DELETE FROM {table} WHERE collection = ?", (collection,))

    def count_all(self) -> None:
        """Count every document of every collection, in a catalogue that has no counts yet."""
        collections = [row[0] for row in self.connection.execute("SELECT id FROM collections")]
        for one in collections:
            rows = self.connection.execute(
                "SELECT source, title, metadata FROM documents WHERE collection = ?", (one,)
            )
            self.count(one, [_seen(row) for row in rows], 1)

    def count(self, collection: int, documents: Iterable[Metadata], sign: int) -> None:
        """Count documents with these fields in (`sign` 1) or out (-1)."""
        fields, values = Counter[Key](), Counter[tuple[Key, Plain]]()
        for metadata in documents:
            for name, value in metadata.items():
                held = set(_plain(value))
                kinds: set[FieldKind] = {kind for kind, _ in held}
                fields.update((name, kind) for kind in kinds)
                values.update(((name, kind), one) for kind, one in held)
        execute = self.connection.executemany
        execute(
            "INSERT INTO field_counts VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET documents = documents + excluded.documents",
            ((collection, *key, sign * count) for key, count in fields.items()),
        )
        execute(
            "INSERT INTO field_values VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET documents = documents + excluded.documents",
            ((collection, *key, value, sign * count) for (key, value), count in values.items()),
        )
        if sign < 0:
            execute(
                "DELETE FROM field_counts WHERE collection = ? AND name = ? AND kind = ? AND documents <= 0",
                ((collection, *key) for key in fields),
            )
            execute(
                "DELETE FROM field_values WHERE collection = ? AND name = ? AND kind = ? AND value = ?"
                " AND documents <= 0",
                ((collection, *key, value) for key, value in values),
            )


def read_fields(connection: sqlite3.Connection, collection: int) -> list[FieldSummary]:
    """Every field of a collection, in order of name and kind."""
    counts = connection.execute(
        "SELECT name, kind, documents FROM field_counts WHERE collection = ? ORDER BY name, kind",
        (collection,),
    ).fetchall()
    return [_summary(connection, (collection, name, kind), documents) for name, kind, documents in counts]


def _summary(connection: sqlite3.Connection, key: tuple[int, str, FieldKind], documents: int) -> FieldSummary:
    _, name, kind = key
    which = "FROM field_values WHERE collection = ? AND name = ? AND kind = ?"
    (distinct,) = connection.execute(f"SELECT count(*) {which}", key).fetchone()
    (least,) = connection.execute(f"SELECT min(value) {which}", key).fetchone()
    (most,) = connection.execute(f"SELECT max(value) {which}", key).fetchone()
    top = connection.execute(
        f"SELECT value, documents {which} ORDER BY documents DESC, value LIMIT {LISTED}", key
    ).fetchall()
    return FieldSummary(
        name,
        kind,
        documents,
        distinct,
        _typed(kind, least),
        _typed(kind, most),
        tuple((_typed(kind, value), count) for value, count in top),
    )


def _typed(kind: FieldKind, value: Plain) -> str | int | float | bool:
    if isinstance(value, str):
        return value
    if kind == "truth":
        return bool(value)
    return int(value) if float(value).is_integer() else value


def seen_of(source: str, title: str, metadata: Metadata) -> Metadata:
    """What filters see of a whole document (`store.fields.fields_of` has what they see of a chunk)."""
    return {"source": source, "title": title, **metadata}


def _seen(row: tuple[str, str, str]) -> Metadata:
    return seen_of(row[0], row[1], metadata_from(json.loads(row[2])))


def _plain(value: MetaValue) -> Iterator[tuple[FieldKind, Plain]]:
    """The kinds and values to be counted of one value; nothing for one that no comparison can meet."""
    if isinstance(value, str):
        yield "date" if _DATE.fullmatch(value) else "text", value[:LONGEST]
    elif isinstance(value, tuple):
        for one in value:
            yield "texts", one[:LONGEST]
    elif isinstance(value, bool):
        yield "truth", int(value)
    elif (plain := number(value)) is not None:
        yield "number", plain
