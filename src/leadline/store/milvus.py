"""Rows in Milvus: one of its collections for each of ours, so that word statistics and dimensions stay apart.

Dense vectors in an HNSW index. Keywords by its own BM25 over our terms, each made a word that its tokeniser leaves as
it is. Servers before 2.5 have no BM25: rows that hold the rarest words asked for are ranked here instead.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import hexdigits
from typing import Any

from leadline.embeddings.base import Vectors
from leadline.errors import StoreError
from leadline.store.fields import Field
from leadline.store.milvus_connection import FILE_ENDING, MilvusConnection, MissingTable
from leadline.store.milvus_filters import among, expression, literal
from leadline.store.milvus_tables import READ, indexes_of, kept_of, packets, row_of, schema_of
from leadline.store.rows import chunk_from
from leadline.store.served import ServedStore
from leadline.store.served_rows import Address, Column, Kept, Narrowing, Row, Words
from leadline.store.weighting import bm25, coded
from leadline.types import IndexOptions

FILE = "rows.db"

CANDIDATES = 2_000
"""Rows ranked here where the server has no BM25."""

READ_ROWS = 8_192
STRONG = "Strong"
"""Reads see every write that has ended."""

HAS_BM25 = (2, 5)
HAS_INFIX = (2, 4)


async def open_store(path: Path, *, read_only: bool = False, address: Address | None = None) -> ServedStore:
    """A store with its catalogue in `path`; without an address its rows are in a milvus-lite file there."""
    given = address or Address()
    uri = given.uri or str(path / FILE)
    if "://" not in uri and not uri.endswith(FILE_ENDING):
        raise StoreError(
            f"`store_uri` cannot be {uri!r} for Milvus: write `http://localhost:19530`, or a file `NAME.db`."
        )
    rows = MilvusRows(MilvusConnection(Address(uri, given.token)))
    return ServedStore(path, rows, read_only=read_only)


class MilvusRows:
    """`Rows` by pymilvus."""

    most = 16_384

    def __init__(self, connection: MilvusConnection) -> None:
        self.connection = connection
        self._version = (0, 0)
        self._ranked: dict[str, bool] = {}

    async def close(self) -> None:
        self._ranked.clear()
        await self.connection.close()

    async def reach(self) -> str:
        said = await self.connection.call("get_server_version")
        return f"Milvus {said} at {self.connection.place}"

    async def version(self) -> tuple[int, int]:
        """Major and minor number; the file's own engine can do what 2.5 can."""
        if self._version == (0, 0):
            found = re.search(r"(\d+)\.(\d+)", str(await self.connection.call("get_server_version")))
            self._version = (int(found[1]), int(found[2])) if found else HAS_BM25
        return self._version

    async def notices(self) -> tuple[str, ...]:
        if await self.version() >= HAS_BM25:
            return ()
        return (
            f"Milvus {'.'.join(map(str, self._version))} has no BM25: keyword search ranks at most {CANDIDATES:,} "
            "passages, those with the rarest words of the question. Milvus 2.5 or newer ranks all of them.",
        )

    async def create(self, table: str, dimension: int, index: IndexOptions) -> None:
        ranked = await self.version() >= HAS_BM25
        lookups = (
            "" if self.connection.is_file else "INVERTED" if await self.version() >= HAS_INFIX else "Trie"
        )
        await self.connection.call(
            "create_collection", table, schema=schema_of(dimension, ranked), consistency_level=STRONG
        )
        # There is nothing to wait for in an empty table.
        await self.connection.call(
            "create_index", table, indexes_of(dimension, ranked, index, lookups), sync=False
        )
        await self.connection.call("load_collection", table)
        self._ranked[table] = ranked

    async def drop(self, table: str) -> None:
        self._ranked.pop(table, None)
        await self.connection.call("drop_collection", table)

    async def add_fields(self, table: str, fields: Sequence[Field]) -> None:
        """Fields are dynamic: nothing to do."""

    async def add(self, table: str, rows: Sequence[Row]) -> None:
        ranked = await self._table(table)
        spare = [0.0, 1.0] if not ranked else None
        for some in packets([row_of(row, ranked, spare) for row in rows]):
            await self.connection.call("insert", table, some)

    async def delete(self, table: str, documents: Sequence[str], generation: int) -> None:
        condition = f"{among('document', documents)} and generation == {generation}"
        try:
            await self._table(table)
            await self.connection.call("delete", table, filter=condition)
        except MissingTable:
            return

    async def dense(self, table: str, vector: Vectors, k: int, narrowing: Narrowing, ef: int) -> list[Kept]:
        parameters = {"metric_type": "IP", "params": {"ef": max(ef, k)}}
        return await self._search(table, "vector", vector, k, narrowing, parameters)

    async def keyword(self, table: str, words: Words, k: int, narrowing: Narrowing) -> list[Kept]:
        if not await self._table(table):
            return await self._ranked_here(table, words, k, narrowing)
        text = " ".join(coded(term) for term in words.idf)
        return await self._search(table, "sparse", text, k, narrowing, {"metric_type": "BM25", "params": {}})

    async def among(
        self, table: str, column: Column, keys: Sequence[str], *, vectors: bool = False
    ) -> list[Kept]:
        await self._table(table)
        return await self._all(table, among(column, keys), [*READ, "vector"] if vectors else READ)

    async def tidy(self, table: str) -> None:
        await self._table(table)
        await self.connection.call("flush", table)

    async def _table(self, table: str) -> bool:
        """Whether the table has BM25; loaded into memory when it was not."""
        if table not in self._ranked:
            described = await self.connection.call("describe_collection", table)
            await self.connection.call("load_collection", table)
            self._ranked[table] = any(field["name"] == "sparse" for field in described["fields"])
        return self._ranked[table]

    async def _search(
        self,
        table: str,
        field: str,
        asked: Vectors | str,
        k: int,
        narrowing: Narrowing,
        parameters: Mapping[str, Any],
    ) -> list[Kept]:
        await self._table(table)
        condition = expression(narrowing, await self.version() >= HAS_INFIX)
        found = await self.connection.call(
            "search",
            table,
            [asked],
            anns_field=field,
            filter=condition,
            limit=k,
            output_fields=READ,
            search_params=parameters,
            consistency_level=STRONG,
        )
        # The file's engine gives BM25 below zero, best lowest, a server above it; no cosine is turned round.
        sparse = field == "sparse"
        return [
            kept_of(one["entity"], abs(one["distance"]) if sparse else one["distance"]) for one in found[0]
        ]

    async def _ranked_here(self, table: str, words: Words, k: int, narrowing: Narrowing) -> list[Kept]:
        """BM25 over the rows that hold the rarest of the words."""
        rare: list[str] = []
        rows = 0
        for term in words.idf:
            rows += words.frequency[term]
            if rare and rows > CANDIDATES:
                break
            rare.append(literal(coded(term)))
        condition = f"array_contains_any(words, [{', '.join(rare)}])"
        narrowed = expression(narrowing, await self.version() >= HAS_INFIX)
        found = await self._query(
            table, f"{condition} and ({narrowed})" if narrowed else condition, READ, CANDIDATES
        )
        scored = [
            Kept(
                one.document,
                one.generation,
                one.body,
                bm25(chunk_from(one.body).terms, words.idf, words.length),
            )
            for one in found
        ]
        return sorted(scored, key=lambda one: -one.score)[:k]

    async def _query(self, table: str, condition: str, fields: Sequence[str], limit: int) -> list[Kept]:
        found = await self.connection.call(
            "query",
            table,
            filter=condition,
            output_fields=list(fields),
            limit=limit,
            consistency_level=STRONG,
        )
        return [kept_of(one) for one in found]

    async def _all(
        self, table: str, condition: str, fields: Sequence[str], beginning: str = ""
    ) -> list[Kept]:
        """Every row, however many: one query gives a bounded number, so more are asked for by their keys."""
        keys = f" and key like {literal(beginning + '%')}" if beginning else ""
        found = await self._query(table, condition + keys, fields, READ_ROWS)
        if len(found) < READ_ROWS:
            return found
        parts = [await self._all(table, condition, fields, beginning + digit) for digit in hexdigits[:16]]
        return [one for part in parts for one in part]
