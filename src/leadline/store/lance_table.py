"""One collection's Lance table: versions, searches and indexes. LanceDB is called here and in `lance_connection`."""
# lancedb's own types lean on pyarrow, which ships none
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from lancedb import AsyncConnection, AsyncTable
from lancedb.index import FTS, BTree, HnswSq
from lancedb.query import MatchQuery

from leadline.embeddings.base import Vectors
from leadline.store.fields import Field
from leadline.store.lance_filters import ALWAYS, quoted
from leadline.store.lance_ranked import Ranked
from leadline.store.rows import READ, field_columns, schema, vectors_of
from leadline.types import IndexOptions

Numbers = npt.NDArray[np.uint64]

INDEXED_FROM = 20_000
"""Below this many rows looking through all of them for a key is as fast as an index."""

HELD_ROWS, HELD_BYTES = 65_536, 48 << 20
"""Tables with no more rows, and no more bytes of vectors, are compared in memory and need no vector index."""

ROWS_PER_GRAPH = 2_000_000
"""Rows of one HNSW graph when it is built. Lance joins graphs of less than a quarter million with their neighbours
whenever it brings the index up to date, which takes longer than building it."""

GRAPHS_SEARCHED = 64
"""More than there are below some millions of rows, so that all of them are."""

COMPARED = 40
"""Twice as many candidates as results are compared in full, up to so many; for more results enough come anyway."""

EXACT_ABOVE = 1000
"""From so many results on, walking the graph takes longer than comparing every row."""

SEGMENTS = 12
"""Parts of a vector index, one more for each time it is brought up to date, from which it is built anew."""

KEYS = ("id", "document", "section")
ALL_VERSIONS = timedelta(days=36500)
"""As an age: compact and index, but delete nothing."""

GRACE = timedelta(seconds=10)
"""How long an outdated version stays readable for searches that have begun on it."""

AT_ONCE = timedelta(milliseconds=1)
BATCH = 500
"""Keys in one SQL list."""

READ_AT_ONCE = 16_384
"""Rows of a batch where a whole table is read; Lance's own thousand spend most of the time on handing them over."""

COPIED = 50_000
"""Rows copied at a time when a table is rewritten."""


def held_in_memory(rows: int, dimension: int) -> bool:
    """Whether a table is so small that searches compare all of it in memory."""
    return rows <= HELD_ROWS and 4 * rows * dimension <= HELD_BYTES


class LanceTable:
    """A handle on one table, at its latest version or fixed at one (`at`)."""

    def __init__(self, table: AsyncTable, dimension: int) -> None:
        self.table = table
        self.dimension = dimension
        self._whole: frozenset[str] = frozenset()

    @classmethod
    async def create(
        cls, connection: AsyncConnection, name: str, dimension: int, fields: Sequence[Field] = ()
    ) -> "LanceTable":
        made = cls(await connection.create_table(name, schema=schema(dimension, fields)), dimension)
        await made._index_terms()
        return made

    @classmethod
    async def open(cls, connection: AsyncConnection, name: str, dimension: int) -> "LanceTable":
        return cls(await connection.open_table(name), dimension)

    async def at(self, version: int) -> "LanceTable":
        """Fix the handle at a version; `ValueError` or `RuntimeError` when it is gone.

        It then knows which indexes hold every row, so that searches need not look for rows outside them.
        """
        await self.table.checkout(version)
        indexes = await self.table.list_indices()
        self._whole = frozenset(index.columns[0] for index in indexes if index.num_unindexed_rows == 0)
        columns = await self.table.schema()

        async def known() -> Any:
            return columns

        # LanceDB asks for it before each query, through its threads; that of a version never changes.
        self.table.schema = known
        return self

    async def version(self) -> int:
        return await self.table.version()

    async def restore(self, version: int) -> None:
        """Make a new latest version with the rows of an earlier one."""
        await self.table.checkout(version)
        await self.table.restore()

    async def add_fields(self, fields: Sequence[Field]) -> None:
        if fields:
            await self.table.add_columns(pa.schema(field_columns(fields)))

    async def add(self, rows: Any) -> None:
        if rows.num_rows:
            await self.table.add(rows)

    async def delete_documents(self, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), BATCH):
            await self.table.delete(_among("document", ids[start : start + BATCH]))

    async def dense(
        self, vector: Vectors, k: int, where: str, ef: int, *, exactly: bool = False, bodies: bool = False
    ) -> Ranked:
        """The nearest rows with their cosines, and with their `bodies` if wanted.

        What the index keeps is rounded, so candidates are compared again in full; `ef` grows with `k`, more than it
        must unless it is to be kept `exactly`.
        """
        exact = k > EXACT_ABOVE
        compared = max(k, min(2 * k, COMPARED))
        # Vectors come along with the bodies: were Lance to compare them first, it would read each row twice.
        columns = [*(READ if bodies else ()), "_distance", *(() if exact else ("vector",))]
        query = (
            self.table.query()
            .nearest_to(vector)
            .distance_type("dot")
            .nprobes(GRAPHS_SEARCHED)
            .ef(max(ef, compared) if exactly else max(ef, 2 * k))
            .select(columns)
            .with_row_id()
            .limit(compared)
        )
        if exact:
            query = query.bypass_vector_index()
        elif "vector" in self._whole:
            query = query.fast_search()
        found = await (query if where == ALWAYS else query.where(where)).to_arrow()
        if exact:
            # The distance is one minus the dot product.
            return Ranked.of(found, [1.0 - far for far in found.column("_distance").to_pylist()])
        cosines = np.vecdot(vectors_of(found, self.dimension), vector)
        best = np.argsort(-cosines, kind="stable")[:k]
        return Ranked.of(found.drop_columns("vector").take(best), cosines[best].tolist())

    async def keyword(self, terms: Sequence[str], k: int, where: str, *, bodies: bool = False) -> Ranked:
        """The best rows with their BM25 scores, and with their `bodies` if wanted."""
        query = (
            self.table.query()
            .nearest_to_text(MatchQuery(" ".join(terms), "terms"))  # pyright: ignore[reportCallIssue] - pydantic fills in the rest
            .select([*READ, "_score"] if bodies else ["_score"])
            .with_row_id()
            .limit(k)
        )
        if "terms" in self._whole:
            query = query.fast_search()
        found = await (query if where == ALWAYS else query.where(where)).to_arrow()
        return Ranked.of(found, found.column("_score").to_pylist())

    async def bodies(self, rows: Sequence[int]) -> list[tuple[int, str]]:
        """The bodies of rows, in any order."""
        found = await self.table.take_row_ids(sorted(rows)).select(READ).with_row_id().to_arrow()
        return list(zip(found.column("_rowid").to_pylist(), found.column("body").to_pylist(), strict=True))

    async def rows_where(self, where: str) -> Numbers:
        """The numbers of all rows that pass a filter."""
        found = await self.table.query().where(where).select([]).with_row_id().to_arrow()
        return found.column("_rowid").to_numpy()

    async def in_order(self, columns: Sequence[str]) -> Any:
        """Some columns of every row and its number, in order of the numbers."""
        found = await self.table.query().select(list(columns)).with_row_id().to_arrow()
        return found.sort_by("_rowid").combine_chunks()

    async def among(
        self, column: str, keys: Sequence[str], columns: Sequence[str] = READ, where: str = ALWAYS
    ) -> AsyncIterator[Any]:
        """Rows whose `column` is one of `keys` and that pass `where`, in batches of Arrow tables."""
        for start in range(0, len(keys), BATCH):
            wanted = _among(column, keys[start : start + BATCH])
            query = self.table.query().where(wanted if where == ALWAYS else f"{wanted} AND {where}")
            yield await query.select(list(columns)).to_arrow()

    async def batches(self, columns: Sequence[str], *, numbered: bool = False) -> AsyncIterator[Any]:
        """Some columns of every row, and its number if wanted, in Arrow tables of bounded size."""
        query = self.table.query().select(list(columns))
        if numbered:
            query = query.with_row_id()
        async for batch in await query.to_batches(max_batch_length=READ_AT_ONCE):
            yield pa.Table.from_batches([batch])

    async def count(self) -> int:
        return await self.table.count_rows()

    async def terms_of(self, ids: Sequence[str]) -> list[str]:
        """The terms of every chunk of these documents."""
        return [
            terms
            async for table in self.among("document", ids, ["terms"])
            for terms in table["terms"].to_pylist()
        ]

    async def copy_into(self, other: "LanceTable") -> None:
        """Write every row of this table into another one."""
        held: list[Any] = []
        count = 0
        async for batch in await self.table.query().to_batches(max_batch_length=READ_AT_ONCE):
            held.append(batch)
            count += batch.num_rows
            if count >= COPIED:
                await other.add(pa.Table.from_batches(held))
                held, count = [], 0
        if count:
            await other.add(pa.Table.from_batches(held))

    async def compact(self) -> None:
        """Merge small files and bring the indexes there are up to date; no version is deleted."""
        await self.table.optimize(cleanup_older_than=ALL_VERSIONS)

    async def forget_versions(self, older_than: timedelta = GRACE) -> None:
        """Delete outdated versions and what writes that never ended have left."""
        await self.table.optimize(cleanup_older_than=older_than, delete_unverified=True)

    async def build_indexes(self, options: IndexOptions) -> None:
        """Build the indexes that are worth having at this size and are not there yet."""
        indexed = {column for index in await self.table.list_indices() for column in index.columns}
        if "terms" not in indexed:
            await self._index_terms()
        rows = await self.count()
        for column in KEYS if rows >= INDEXED_FROM else ():
            if column not in indexed:
                await self.table.create_index(column, config=BTree())
        if not self.dimension or held_in_memory(rows, self.dimension):
            return
        if await self._vector_segments() not in range(1, SEGMENTS):
            graph = HnswSq(
                distance_type="dot",
                num_partitions=1 + rows // ROWS_PER_GRAPH,
                m=options.m,
                ef_construction=options.ef_construction,
            )
            await self.table.create_index("vector", config=graph, replace=True)

    async def unindexed(self) -> int:
        """How many rows keyword search still scans one by one."""
        return sum(
            index.num_unindexed_rows or 0
            for index in await self.table.list_indices()
            if index.columns == ["terms"]
        )

    async def _vector_segments(self) -> int:
        return sum(
            index.num_segments or 1
            for index in await self.table.list_indices()
            if index.columns == ["vector"]
        )

    async def _index_terms(self) -> None:
        """Keyword search over the terms as they are: our analyser has done all there is to do."""
        whole_terms = FTS(
            base_tokenizer="whitespace",
            lower_case=False,
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
            max_token_length=None,
        )
        await self.table.create_index("terms", config=whole_terms)


def _among(column: str, keys: Sequence[str]) -> str:
    return f"{column} IN ({', '.join(map(quoted, keys))})"
