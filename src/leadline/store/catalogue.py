"""What is visible: the SQLite file beside the vector tables, and reading it.

A collection's row names the version of its Lance table that belongs to the rest of the catalogue.
Changing that row in the transaction that changes documents, sections and term counts is the commit
point of every write: whatever Lance holds beyond that version does not exist for readers.
"""

import json
import sqlite3
import threading
import zlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from leadline.errors import StoreError, UnknownCollection
from leadline.store.base import FieldSummary, Statistics
from leadline.store.catalogue_fields import SCHEMA as FIELD_SCHEMA
from leadline.store.catalogue_fields import read_fields
from leadline.store.catalogue_phrases import SCHEMA as PHRASE_SCHEMA
from leadline.store.catalogue_phrases import Segments, read_index
from leadline.store.fields import Field, collection_from, metadata_from
from leadline.store.phrases import PhraseIndex
from leadline.types import Block, Collection, Document, Heading, Page, Section

FORMAT = 3
"""The version of the layout below and of the Lance tables' columns, kept as SQLite's `user_version`.

1: without the phrase index; 2: with it; 3: with counts of fields and values.
"""

FILE = "catalogue.sqlite"

SCHEMA = (
    """
CREATE TABLE collections (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, embedding TEXT NOT NULL,
    dimension INTEGER NOT NULL, metadata TEXT NOT NULL, table_name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
    optimised INTEGER NOT NULL, maintenance INTEGER NOT NULL DEFAULT 0, purging INTEGER NOT NULL DEFAULT 0,
    documents INTEGER NOT NULL DEFAULT 0, chunks INTEGER NOT NULL DEFAULT 0, terms INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE fields (
    collection INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, column_name TEXT NOT NULL,
    PRIMARY KEY (collection, name, kind)
) WITHOUT ROWID;
CREATE TABLE documents (
    collection INTEGER NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL,
    content_hash TEXT NOT NULL, fingerprint TEXT NOT NULL, metadata TEXT NOT NULL, structure TEXT NOT NULL,
    text BLOB NOT NULL, PRIMARY KEY (collection, id)
);
CREATE TABLE sections (
    collection INTEGER NOT NULL, id TEXT NOT NULL, document TEXT NOT NULL, ordinal INTEGER NOT NULL,
    first INTEGER NOT NULL, past INTEGER NOT NULL, headings TEXT NOT NULL, PRIMARY KEY (collection, id)
) WITHOUT ROWID;
CREATE INDEX sections_of_document ON sections (collection, document);
CREATE TABLE terms (
    collection INTEGER NOT NULL, term TEXT NOT NULL, frequency INTEGER NOT NULL, PRIMARY KEY (collection, term)
) WITHOUT ROWID;
"""
    + PHRASE_SCHEMA
    + FIELD_SCHEMA
)


@dataclass(frozen=True, slots=True)
class Record:
    """A collection as the catalogue has it; `version` of table `table` is what readers see.

    While `maintenance` is on, every later version of the table holds the same rows.
    """

    id: int
    collection: Collection
    table: str
    version: int
    optimised: int
    maintenance: bool
    purging: bool
    terms: int
    fields: tuple[Field, ...]


class Catalogue:
    """Reads the catalogue; every `read` sees one state of it, whatever is written meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.connection = _connect_read_only(folder / FILE)
        self._lock = threading.Lock()
        self._segments: dict[int, Segments] = {}
        self._fields: dict[str, tuple[int, list[FieldSummary]]] = {}
        check_format(self.connection, folder)

    def close(self) -> None:
        self.connection.close()

    @property
    def changes(self) -> int:
        """A number that differs once another connection has committed."""
        with self._lock:
            return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def read(self) -> Generator[sqlite3.Connection]:
        with self._lock:
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                self.connection.execute("COMMIT")

    def records(self) -> list[Record]:
        with self.read() as connection:
            return all_records(connection)

    def record(self, name: str) -> Record:
        with self.read() as connection:
            return one_record(connection, name)

    def fingerprints(self, name: str) -> dict[str, tuple[str, str]]:
        with self.read() as connection:
            rows = connection.execute(
                "SELECT id, source, fingerprint FROM documents WHERE collection = ?",
                (one_record(connection, name).id,),
            )
            return {row[0]: (row[1], row[2]) for row in rows}

    def statistics(self, name: str, terms: Sequence[str]) -> Statistics:
        with self.read() as connection:
            record = one_record(connection, name)
            asked = dict.fromkeys(terms, 0)
            for term in asked:
                row = connection.execute(
                    "SELECT frequency FROM terms WHERE collection = ? AND term = ?", (record.id, term)
                ).fetchone()
                asked[term] = row[0] if row else 0
        chunks = record.collection.chunks
        return Statistics(asked, chunks, record.terms / chunks if chunks else 0.0)

    def terms_with(self, name: str, character: str, most: int = 100) -> list[str]:
        with self.read() as connection:
            rows = connection.execute(
                "SELECT term FROM terms WHERE collection = ? AND instr(term, ?) ORDER BY frequency DESC, term LIMIT ?",
                (one_record(connection, name).id, character, most),
            )
            return [row[0] for row in rows]

    def phrases(self, name: str) -> PhraseIndex:
        """The phrase index of a collection; what was read of it before is not read again."""
        with self.read() as connection:
            record = one_record(connection, name)
            return read_index(connection, record.id, self._segments.setdefault(record.id, {}))

    def fields(self, name: str) -> list[FieldSummary]:
        """The fields of a collection's documents; read anew only when anyone has committed."""
        changes = self.changes
        known = self._fields.get(name)
        if known is None or known[0] != changes:
            with self.read() as connection:
                known = changes, read_fields(connection, one_record(connection, name).id)
            self._fields[name] = known
        return list(known[1])

    def document(self, name: str, document_id: str) -> Document | None:
        with self.read() as connection:
            row = connection.execute(
                "SELECT id, source, text, title, content_hash, metadata, structure FROM documents"
                " WHERE collection = ? AND id = ?",
                (one_record(connection, name).id, document_id),
            ).fetchone()
        return None if row is None else _document(row)

    def sections(self, name: str, ids: Sequence[str]) -> list[Section]:
        with self.read() as connection:
            record = one_record(connection, name)
            found = [
                connection.execute(
                    "SELECT id, document, ordinal, first, past, headings FROM sections WHERE collection = ? AND id = ?",
                    (record.id, one),
                ).fetchone()
                for one in ids
            ]
        return [_section(row) for row in found if row is not None]


def check_format(connection: sqlite3.Connection, folder: Path) -> None:
    """Refuse a store of another format than ours, saying what to do."""
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found == FORMAT:
        return
    connection.close()
    if found > FORMAT:
        raise StoreError(
            f"The store {folder} was written by a newer Leadline (format {found}); upgrade Leadline to read it."
        )
    if found:
        raise StoreError(
            f"The store {folder} was written by an older Leadline (format {found}); the next `leadline load` upgrades it."
        )
    raise not_ours(folder)


def not_ours(folder: Path) -> StoreError:
    return StoreError(
        f"{folder / FILE} is not a catalogue of Leadline; name another folder or move that file away."
    )


def all_records(connection: sqlite3.Connection) -> list[Record]:
    names = [row[0] for row in connection.execute("SELECT name FROM collections ORDER BY name")]
    return [one_record(connection, name) for name in names]


def one_record(connection: sqlite3.Connection, name: str) -> Record:
    row = connection.execute(
        "SELECT id, name, description, embedding, dimension, metadata, documents, chunks,"
        " table_name, version, optimised, maintenance, purging, terms FROM collections WHERE name = ?",
        (name,),
    ).fetchone()
    if row is None:
        known = [one[0] for one in connection.execute("SELECT name FROM collections ORDER BY name")]
        raise unknown(name, known)
    fields = connection.execute(
        "SELECT name, kind, column_name FROM fields WHERE collection = ? ORDER BY column_name", (row[0],)
    )
    metadata, index = collection_from(json.loads(row[5]))
    collection = Collection(row[1], row[2], row[3], row[4], metadata, row[6], row[7], index)
    return Record(
        id=row[0],
        collection=collection,
        table=row[8],
        version=row[9],
        optimised=row[10],
        maintenance=bool(row[11]),
        purging=bool(row[12]),
        terms=row[13],
        fields=tuple(Field(*one) for one in fields),
    )


def unknown(name: str, known: Sequence[str]) -> UnknownCollection:
    have = f"there are: {', '.join(known)}" if known else "there is none yet; `leadline load PATH` makes one"
    return UnknownCollection(f"No collection is called `{name}`; {have}.")


def structure_text(document: Document) -> str:
    """Pages, headings and blocks as JSON; `_document` reads it back."""
    return json.dumps(
        {
            "pages": [[page.number, page.start, page.end] for page in document.pages],
            "headings": [[one.level, one.text, one.start, one.end] for one in document.headings],
            "blocks": [[block.kind, block.start, block.end] for block in document.blocks],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _section(row: tuple[Any, ...]) -> Section:
    return Section(row[0], row[1], row[2], row[3], row[4], tuple(json.loads(row[5])))


def _document(row: tuple[Any, ...]) -> Document:
    structure: dict[str, list[list[Any]]] = json.loads(row[6])
    return Document(
        id=row[0],
        source=row[1],
        text=zlib.decompress(row[2]).decode(),
        title=row[3],
        content_hash=row[4],
        metadata=metadata_from(json.loads(row[5])),
        pages=tuple(Page(*one) for one in structure["pages"]),
        headings=tuple(Heading(*one) for one in structure["headings"]),
        blocks=tuple(Block(*one) for one in structure["blocks"]),
    )


def _connect_read_only(file: Path) -> sqlite3.Connection:
    """A connection that writes nothing; on a read-only disk SQLite must be told that nobody else does."""
    address = f"file:{quote(str(file.resolve()))}?mode=ro"
    for more in ("", "&immutable=1"):
        connection = sqlite3.connect(
            address + more, uri=True, check_same_thread=False, isolation_level=None, timeout=30
        )
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError:
            connection.close()
        except sqlite3.DatabaseError:
            connection.close()
            break
        else:
            return connection
    raise StoreError(
        f"{file} cannot be read as a catalogue of Leadline; is the store damaged or not yours to read? "
        "Restore the folder from a copy, or remove it and load the files again."
    )
