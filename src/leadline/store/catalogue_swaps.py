"""Swaps of a collection's encoder that are under way, in the catalogue: a killed one goes on, none is lost track of."""

import sqlite3
from dataclasses import dataclass

SCHEMA = """
CREATE TABLE IF NOT EXISTS swaps (
    collection INTEGER PRIMARY KEY, embedding TEXT NOT NULL, dimension INTEGER NOT NULL, table_name TEXT NOT NULL
);
"""


@dataclass(frozen=True, slots=True)
class Pending:
    """The table that is being filled to take the place of a collection's."""

    embedding: str
    dimension: int
    table: str


class SwapWriter:
    """Changes inside a transaction that somebody else holds. Its table is made with the first swap."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def find(self, collection: int) -> Pending | None:
        if not self._there():
            return None
        row = self.connection.execute(
            "SELECT embedding, dimension, table_name FROM swaps WHERE collection = ?", (collection,)
        ).fetchone()
        return None if row is None else Pending(*row)

    def tables(self) -> set[str]:
        """The tables of all swaps under way."""
        if not self._there():
            return set()
        return {row[0] for row in self.connection.execute("SELECT table_name FROM swaps")}

    def begin(self, collection: int, pending: Pending) -> None:
        self.connection.execute(SCHEMA)
        self.connection.execute(
            "INSERT OR REPLACE INTO swaps VALUES (?, ?, ?, ?)",
            (collection, pending.embedding, pending.dimension, pending.table),
        )

    def end(self, collection: int) -> None:
        """Forget a swap, done or given up; its table, if it is no collection's now, goes with `settle`."""
        if self._there():
            self.connection.execute("DELETE FROM swaps WHERE collection = ?", (collection,))

    def embed(self, collection: int, pending: Pending) -> None:
        """Say which encoder the collection now has."""
        self.connection.execute(
            "UPDATE collections SET embedding = ?, dimension = ? WHERE id = ?",
            (pending.embedding, pending.dimension, collection),
        )

    def _there(self) -> bool:
        found = self.connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'swaps'").fetchone()
        return found is not None
