"""Changing the catalogue: one transaction per write, held by the one process with the writer lock."""

import json
import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from leadline.errors import StoreError
from leadline.store.base import Entry
from leadline.store.catalogue import (
    FILE,
    FORMAT,
    SCHEMA,
    Record,
    all_records,
    check_format,
    not_ours,
    one_record,
    structure_text,
)
from leadline.store.catalogue_fields import SCHEMA as FIELD_SCHEMA
from leadline.store.catalogue_fields import FieldWriter, seen_of
from leadline.store.catalogue_phrases import SCHEMA as PHRASE_SCHEMA
from leadline.store.catalogue_phrases import PhraseWriter
from leadline.store.fields import Field, collection_text, metadata_text
from leadline.types import Collection, MetaValue

PATIENCE = 30.0
"""Seconds to wait for readers of other processes to let go of the log before giving up on a purge."""

COMPRESSION = 4
"""zlib's level for full texts: within 5% of the default's size at twice its speed."""


class CatalogueWriter:
    """The writing side. Nothing is visible before its `transaction` ends, all of it afterwards."""

    def __init__(self, folder: Path) -> None:
        self.connection = sqlite3.connect(
            folder / FILE, check_same_thread=False, isolation_level=None, timeout=PATIENCE
        )
        self.phrases = PhraseWriter(self.connection)
        self.fields = FieldWriter(self.connection)
        try:
            self._prepare(folder)
        except BaseException as error:
            self.connection.close()
            if isinstance(error, sqlite3.DatabaseError) and error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                raise not_ours(folder) from error
            raise

    def _prepare(self, folder: Path) -> None:
        execute = self.connection.execute
        if execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            self._upgrade()
            check_format(self.connection, folder)
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = FULL")
        execute("PRAGMA secure_delete = ON")
        execute("PRAGMA temp_store = MEMORY")
        if not execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            self.connection.executescript(
                f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;"
            )

    def _upgrade(self) -> None:
        """Bring an older catalogue to today's layout; the phrases of format 1 are not in it yet."""
        found = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if not 0 < found < FORMAT:
            return
        phrases = PHRASE_SCHEMA if found == 1 else ""
        self.connection.executescript(f"BEGIN IMMEDIATE; {phrases} {FIELD_SCHEMA}")
        try:
            self.fields.count_all()
            self.connection.execute(f"PRAGMA user_version = {FORMAT}")
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def transaction(self) -> Generator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def records(self) -> list[Record]:
        return all_records(self.connection)

    def record(self, name: str) -> Record:
        return one_record(self.connection, name)

    def find(self, name: str) -> Record | None:
        return next((record for record in self.records() if record.collection.name == name), None)

    def add_collection(self, collection: Collection, table: str, version: int) -> None:
        self.connection.execute(
            "INSERT INTO collections (name, description, embedding, dimension, metadata, table_name, version, optimised)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                collection.name,
                collection.description,
                collection.embedding,
                collection.dimension,
                collection_text(collection),
                table,
                version,
                version,
            ),
        )

    def describe(self, record: Record, description: str) -> None:
        self.connection.execute(
            "UPDATE collections SET description = ? WHERE id = ?", (description, record.id)
        )

    def configure(self, record: Record, metadata: Mapping[str, MetaValue | None]) -> None:
        """Change some keys of a collection's metadata; None takes one away."""
        merged = {**record.collection.metadata, **metadata}
        kept = {name: value for name, value in merged.items() if value is not None}
        self.connection.execute(
            "UPDATE collections SET metadata = ? WHERE id = ?",
            (collection_text(replace(record.collection, metadata=kept)), record.id),
        )

    def drop(self, record: Record) -> None:
        for table in ("fields", "documents", "sections", "terms"):
            self.connection.execute(f"DELETE FROM {table} WHERE collection = ?", (record.id,))
        self.phrases.drop(record.id)
        self.fields.drop(record.id)
        self.connection.execute("DELETE FROM collections WHERE id = ?", (record.id,))

    def set_version(self, record: Record, version: int) -> None:
        """Make `version` of the Lance table the visible one."""
        self.connection.execute(
            "UPDATE collections SET version = ?, maintenance = 0 WHERE id = ?", (version, record.id)
        )

    def set_optimised(self, record: Record, version: int) -> None:
        self.set_version(record, version)
        self.connection.execute("UPDATE collections SET optimised = ? WHERE id = ?", (version, record.id))

    def set_maintenance(self, record: Record) -> None:
        self.connection.execute("UPDATE collections SET maintenance = 1 WHERE id = ?", (record.id,))

    def set_purging(self, record: Record, on: bool) -> None:
        self.connection.execute("UPDATE collections SET purging = ? WHERE id = ?", (int(on), record.id))

    def move(self, record: Record, table: str, version: int) -> None:
        """Put another Lance table in the place of the collection's."""
        self.connection.execute("UPDATE collections SET table_name = ? WHERE id = ?", (table, record.id))
        self.set_optimised(record, version)

    def present(self, record: Record, ids: Iterable[str]) -> list[str]:
        """Those of `ids` that are visible documents."""
        asked = ((record.id, one) for one in ids)
        found = (
            self.connection.execute(
                "SELECT id FROM documents WHERE collection = ? AND id = ?", one
            ).fetchone()
            for one in asked
        )
        return [row[0] for row in found if row is not None]

    def remove_documents(self, record: Record, ids: Sequence[str], gone: Sequence[str]) -> None:
        """Take out documents; `gone` are the terms of each of their chunks."""
        self.fields.remove(record.id, ids)
        for table, column in (("documents", "id"), ("sections", "document")):
            self.connection.executemany(
                f"DELETE FROM {table} WHERE collection = ? AND {column} = ?",
                ((record.id, one) for one in ids),
            )
        self.phrases.remove(record.id, ids)
        frequency, length = _count(gone)
        self.connection.executemany(
            "UPDATE terms SET frequency = frequency - ? WHERE collection = ? AND term = ?",
            ((count, record.id, term) for term, count in frequency.items()),
        )
        self.connection.executemany(
            "DELETE FROM terms WHERE collection = ? AND term = ? AND frequency <= 0",
            ((record.id, term) for term in frequency),
        )
        self._count_up(record, -len(ids), -len(gone), -length)

    def add_documents(self, record: Record, entries: Sequence[Entry]) -> None:
        self.connection.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (_document_row(record, entry) for entry in entries),
        )
        self.connection.executemany(
            "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    record.id,
                    one.id,
                    one.document_id,
                    one.ordinal,
                    one.start,
                    one.end,
                    json.dumps(one.heading_path),
                )
                for entry in entries
                for one in entry.sections
            ),
        )
        documents = [entry.document for entry in entries]
        self.fields.add(record.id, [seen_of(one.source, one.title, one.metadata) for one in documents])
        self.phrases.add(record.id, [chunk for entry in entries for chunk in entry.chunks])
        chunks = [chunk.terms for entry in entries for chunk in entry.chunks]
        frequency, length = _count(chunks)
        self.connection.executemany(
            "INSERT INTO terms VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET frequency = frequency + excluded.frequency",
            sorted((record.id, term, count) for term, count in frequency.items()),
        )
        self._count_up(record, len(entries), len(chunks), length)

    def add_fields(self, record: Record, fields: Sequence[Field]) -> None:
        self.connection.executemany(
            "INSERT INTO fields VALUES (?, ?, ?, ?)",
            ((record.id, one.name, one.kind, one.column) for one in fields),
        )

    def _count_up(self, record: Record, documents: int, chunks: int, terms: int) -> None:
        self.connection.execute(
            "UPDATE collections SET documents = documents + ?, chunks = chunks + ?, terms = terms + ? WHERE id = ?",
            (documents, chunks, terms, record.id),
        )

    def scrub(self) -> None:
        """Leave no deleted text in the catalogue's file or its log."""
        self.connection.execute("VACUUM")
        until = time.monotonic() + PATIENCE
        while self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > until:
                raise StoreError(
                    "The documents are removed, but another process is reading and keeps their text in the log. "
                    "End it and purge once more."
                )
            time.sleep(0.05)


def _count(chunks: Sequence[str]) -> tuple[Mapping[str, int], int]:
    """In how many chunks each term occurs, and how many terms there are in all."""
    split = [terms.split() for terms in chunks]
    return Counter(term for terms in split for term in set(terms)), sum(map(len, split))


def _document_row(record: Record, entry: Entry) -> tuple[object, ...]:
    document = entry.document
    return (
        record.id,
        document.id,
        document.source,
        document.title,
        document.content_hash,
        entry.fingerprint,
        metadata_text(document.metadata),
        structure_text(document),
        zlib.compress(document.text.encode(), COMPRESSION),
    )
