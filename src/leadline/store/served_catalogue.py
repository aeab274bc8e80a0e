"""Which generation of a document's rows is visible, and what rows a killed writer may have left behind.

Two more tables in the catalogue of a store whose rows are kept by a server, changed in the same transactions.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

SCHEMA = """
CREATE TABLE IF NOT EXISTS generations (
    collection INTEGER NOT NULL, document TEXT NOT NULL, generation INTEGER NOT NULL,
    PRIMARY KEY (collection, document)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS leftovers (
    table_name TEXT NOT NULL, document TEXT NOT NULL, generation INTEGER NOT NULL,
    PRIMARY KEY (table_name, document, generation)
) WITHOUT ROWID;
"""

WHOLE = ""
"""In the place of a document: the whole table is to go."""

Leftovers = dict[tuple[str, int], list[str]]
"""By table and generation: the documents whose rows are to go."""


def visible(connection: sqlite3.Connection, collection: int, documents: Iterable[str]) -> dict[str, int]:
    """Those of the documents that are visible, each with the generation of its rows."""
    found: dict[str, int] = {}
    for one in dict.fromkeys(documents):
        row = connection.execute(
            "SELECT generation FROM generations WHERE collection = ? AND document = ?", (collection, one)
        ).fetchone()
        if row is not None:
            found[one] = row[0]
    return found


class Journal:
    """Changes of both tables, inside a transaction that somebody else holds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")

    def visible(self, collection: int, documents: Iterable[str]) -> dict[str, int]:
        return visible(self.connection, collection, documents)

    def all_visible(self, collection: int) -> dict[str, int]:
        """Every document with the generation of its rows."""
        rows = self.connection.execute(
            "SELECT document, generation FROM generations WHERE collection = ? ORDER BY document",
            (collection,),
        )
        return dict(rows.fetchall())

    def show(self, collection: int, documents: Iterable[str], generation: int) -> None:
        """Make the rows of a generation the visible ones of their documents."""
        self.connection.executemany(
            "INSERT INTO generations VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET generation = excluded.generation",
            ((collection, one, generation) for one in documents),
        )

    def hide(self, collection: int, documents: Iterable[str]) -> None:
        self.connection.executemany(
            "DELETE FROM generations WHERE collection = ? AND document = ?",
            ((collection, one) for one in documents),
        )

    def drop(self, collection: int) -> None:
        self.connection.execute("DELETE FROM generations WHERE collection = ?", (collection,))

    def note(self, table: str, generations: Mapping[str, int]) -> None:
        """Rows that must be deleted unless somebody says otherwise: document -> generation."""
        self.connection.executemany(
            "INSERT OR IGNORE INTO leftovers VALUES (?, ?, ?)",
            ((table, document, generation) for document, generation in generations.items()),
        )

    def forget(self, table: str, documents: Sequence[str], generation: int) -> None:
        """They are gone, or visible now."""
        self.connection.executemany(
            "DELETE FROM leftovers WHERE table_name = ? AND document = ? AND generation = ?",
            ((table, document, generation) for document in documents),
        )

    def forget_table(self, table: str) -> None:
        """Nothing of the table is left."""
        self.connection.execute("DELETE FROM leftovers WHERE table_name = ?", (table,))

    def leftovers(self) -> Leftovers:
        found: Leftovers = {}
        rows = self.connection.execute(
            "SELECT table_name, generation, document FROM leftovers ORDER BY table_name, generation, document"
        )
        for table, generation, document in rows:
            found.setdefault((table, generation), []).append(document)
        return found
