"""A collection at one commit, as searches see it, with what they need again kept in memory.

query -> row numbers and scores, from Lance or from the vectors held here -> chunks, from the cache or from Lance

Fetching texts is most of what a search costs, and questions share many candidates: so chunks are kept once read.
Vectors that fit are held too: comparing twenty thousand takes a tenth of what Lance's own scan does, and is exact.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from leadline.embeddings.base import Vectors
from leadline.store.base import Scored
from leadline.store.breadth import breadth_of
from leadline.store.catalogue import Record
from leadline.store.lance_addresses import Addresses
from leadline.store.lance_filters import ALWAYS
from leadline.store.lance_ranked import Along, Ranked
from leadline.store.lance_table import LanceTable, held_in_memory
from leadline.store.rows import READ, chunk_from, vectors_of
from leadline.store.scanning import Chunks
from leadline.types import Chunk

Rows = npt.NDArray[np.uint64]

CACHED = 20_000
"""Chunks kept of one collection; when there are more, the older half goes."""

CHUNK_BYTES = 4_000
"""About what a kept chunk takes."""

READ_WHOLE = 8
"""A small table's texts are all read, once every eighth was wanted: that takes as long as these did one search at a time."""

TEXT_BYTES = 64 << 20
"""Texts larger than that together stay on disk."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """All rows of a small table: `rows` (n), sorted, with their chunk `ids` and unit `vectors` (n, dimension)."""

    rows: Rows
    ids: list[str]
    vectors: Vectors | None
    places: dict[str, int]

    @classmethod
    def of(cls, table: Any, dimension: int) -> "Held":
        """From an Arrow table with all rows in order of their numbers."""
        ids: list[str] = table.column("id").to_pylist()
        vectors = vectors_of(table, dimension) if dimension else None
        places = {one: place for place, one in enumerate(ids)}
        return cls(table.column("_rowid").to_numpy(), ids, vectors, places)

    @property
    def size(self) -> int:
        """Bytes, about."""
        return 200 * len(self.ids) + (0 if self.vectors is None else self.vectors.nbytes)

    def nearest(self, vector: Vectors, k: int, allowed: Rows | None) -> list[tuple[int, float]]:
        """The `k` rows with the greatest dot product, best first, equal ones in order of chunk id."""
        assert self.vectors is not None
        # Row by row, not as a matrix product: equal rows get equal scores, and no threads wait for a busy machine.
        scores = np.vecdot(self.vectors, vector)
        if allowed is not None:
            scores[~np.isin(self.rows, allowed)] = -np.inf
        least = np.partition(scores, len(scores) - k)[len(scores) - k] if k < len(scores) else -np.inf
        places = np.flatnonzero((scores >= least) & (scores > -np.inf))
        found = [
            (-score, self.ids[place], place)
            for score, place in zip(scores[places].tolist(), places.tolist(), strict=True)
        ]
        return [(int(self.rows[place]), -score) for score, _, place in sorted(found)[:k]]


@dataclass(slots=True)
class Texts:
    """The bodies of a small table's rows: all in order of row, once so many were read one by one that this is cheaper."""

    whole: Any = None
    read: int = 0
    length: int = 0

    @property
    def size(self) -> int:
        """Bytes, about."""
        return 0 if self.whole is None else self.whole.nbytes

    def count(self, found: Sequence[tuple[int, str]]) -> None:
        """Take note of what was read."""
        self.read += len(found)
        self.length += sum(len(body) for _, body in found)

    def worth_reading(self, rows: int) -> bool:
        """Whether it is time to read all, which may not be too large."""
        return READ_WHOLE * self.read >= rows > 0 and self.length * rows <= TEXT_BYTES * self.read


class Snapshot:
    """Searches one version of a table; a new commit needs a new snapshot."""

    def __init__(self, record: Record, table: LanceTable, addresses: Addresses) -> None:
        self.record = record
        self.table = table
        self.addresses = addresses
        self._held: Held | None = None
        self._texts = Texts()
        self._along_dense, self._along_keyword = Along(), Along()
        self._chunks: dict[int, Chunk] = {}
        self._by_id: dict[str, Chunk] = {}
        self._loading = asyncio.Lock()

    @property
    def size(self) -> int:
        """Bytes kept in memory, about."""
        held = self._held.size if self._held else 0
        return CHUNK_BYTES * len(self._by_id) + held + self._texts.size + self.addresses.size

    async def dense(self, vector: Vectors, k: int, where: str, ef: int | None) -> list[Scored]:
        """The nearest chunks to a unit vector; `where` is as Lance reads it."""
        held = await self._all()
        if held is not None:
            allowed = None if where == ALWAYS else await self.table.rows_where(where)
            return await self._scored(held.nearest(vector, k, allowed))
        breadth, exactly = ef or breadth_of(self.record.collection, k), ef is not None
        bodies = self._along_dense.worth
        found = await self.table.dense(vector, k, where, breadth, exactly=exactly, bodies=bodies)
        return await self._read(found, self._along_dense)

    async def keyword(self, terms: Sequence[str], k: int, where: str) -> list[Scored]:
        """The best chunks by BM25."""
        if await self._all() is not None:
            return await self._scored((await self.table.keyword(terms, k, where)).rows)
        found = await self.table.keyword(terms, k, where, bodies=self._along_keyword.worth)
        return await self._read(found, self._along_keyword)

    async def _read(self, found: Ranked, along: Along) -> list[Scored]:
        """The chunks of what a search gave."""
        along.count(found, self._chunks)
        self._keep({row: chunk_from(one) for row, one in found.bodies.items() if row not in self._chunks})
        return await self._scored(found.rows)

    async def by_id(self, ids: Iterable[str], where: str) -> list[Chunk]:
        """The chunks of these ids that pass `where`, in any order."""
        held = await self._all()
        if held is None:
            return await self._named(list(ids), where)
        rows = [int(held.rows[held.places[one]]) for one in ids if one in held.places]
        if where != ALWAYS and rows:
            allowed = set((await self.table.rows_where(where)).tolist())
            rows = [row for row in rows if row in allowed]
        return [chunk for _, chunk in await self._fetched(rows)]

    async def _named(self, ids: Sequence[str], where: str) -> list[Chunk]:
        """The chunks of a large table by their ids."""
        if where != ALWAYS:
            return await self.among("id", ids, where)
        found = {one: self._by_id[one] for one in ids if one in self._by_id}
        missing = [one for one in ids if one not in found]
        if missing:
            found |= await self._at_addresses(missing)
        if left := [one for one in missing if one not in found]:
            looked_up = await self.among("id", left)
            self._keep({}, looked_up)
            self.addresses.looked_up(len(looked_up), self.table, self.record.collection.chunks)
            found |= {chunk.id: chunk for chunk in looked_up}
        return list(found.values())

    async def _at_addresses(self, ids: Sequence[str]) -> dict[str, Chunk]:
        """Those of the chunks that lie where they are thought to."""
        guessed = dict.fromkeys(self.addresses.rows_of(ids))
        known = [self._chunks[row] for row in guessed if row in self._chunks]
        missing = [row for row in guessed if row not in self._chunks]
        new = {row: chunk_from(body) for row, body in await self.table.bodies(missing)} if missing else {}
        self._keep(new)
        wanted = set(ids)
        return {chunk.id: chunk for chunk in (*known, *new.values()) if chunk.id in wanted}

    async def among(self, column: str, keys: Sequence[str], where: str = ALWAYS) -> list[Chunk]:
        """The chunks whose `column` is one of `keys` and that pass `where`."""
        return [
            chunk_from(body)
            async for table in self.table.among(column, keys, where=where)
            for body in table.column("body").to_pylist()
        ]

    async def with_vectors(self, documents: Sequence[str]) -> Chunks:
        """Every chunk of some documents with its vector."""
        found: list[tuple[Chunk, Vectors | None]] = []
        columns = ["body", "vector"] if self.table.dimension else ["body"]
        async for table in self.table.among("document", documents, columns):
            chunks = [chunk_from(body) for body in table.column("body").to_pylist()]
            if self.table.dimension:
                vectors = np.array(table.column("vector").to_pylist(), dtype=np.float32)
                found += zip(chunks, vectors, strict=True)
            else:
                found += [(chunk, None) for chunk in chunks]
        return found

    async def _scored(self, found: Sequence[tuple[int, float]]) -> list[Scored]:
        """Best first; equal scores in order of id, as the engine's own order depends on how rows lie on disk."""
        scores = dict(found)
        scored = [Scored(chunk, scores[row]) for row, chunk in await self._fetched(list(scores))]
        return sorted(scored, key=lambda one: (-one.score, one.chunk.id))

    async def _fetched(self, rows: Sequence[int]) -> list[tuple[int, Chunk]]:
        known = self._chunks
        missing = [row for row in rows if row not in known]
        new: dict[int, Chunk] = {}
        if missing:
            new = {row: chunk_from(body) for row, body in await self._bodies(missing)}
        found = [(row, new.get(row) or known[row]) for row in rows]
        self._keep(new)
        return found

    async def _bodies(self, rows: Sequence[int]) -> list[tuple[int, str]]:
        held, texts = self._held, self._texts
        if held is None:
            return await self.table.bodies(rows)
        if texts.worth_reading(len(held.rows)):
            async with self._loading:
                if texts.whole is None:
                    texts.whole = (await self.table.in_order(READ)).column("body").combine_chunks()
        if texts.whole is None:
            found = await self.table.bodies(rows)
            texts.count(found)
            return found
        places = np.searchsorted(held.rows, np.array(rows, np.uint64)).tolist()
        return [(row, texts.whole[place].as_py()) for row, place in zip(rows, places, strict=True)]

    def _keep(self, new: dict[int, Chunk], named: Iterable[Chunk] = ()) -> None:
        if len(self._by_id) > CACHED:
            # The order of a dict is that of its keys' first coming.
            self._by_id = dict(list(self._by_id.items())[CACHED // 2 :])
            self._chunks = dict(list(self._chunks.items())[CACHED // 2 :])
        self._chunks.update(new)
        self._by_id.update((chunk.id, chunk) for chunk in (*new.values(), *named))

    async def _all(self) -> Held | None:
        """Everything of a small table, read at the first search."""
        collection = self.record.collection
        if self._held is None and held_in_memory(collection.chunks, collection.dimension):
            async with self._loading:
                if self._held is None:
                    columns = ["id", "vector"] if collection.dimension else ["id"]
                    self._held = Held.of(await self.table.in_order(columns), collection.dimension)
        return self._held
