"""A store whose rows a server keeps: what is visible is decided by the catalogue in the data folder.

write: `served_writer`
read:  rows from the server -> those of another generation than the catalogue's, and those that a filter shuts out,
       are dropped -> too few? ask for more -> anyone committed meanwhile? ask again -> chunks
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from leadline.embeddings.base import Vectors
from leadline.errors import StoreError
from leadline.store.base import Entry, Scored
from leadline.store.breadth import breadth_of
from leadline.store.catalogue import Catalogue, Record
from leadline.store.catalogued import CataloguedStore
from leadline.store.committed import CommittedReader
from leadline.store.dimensions import check_question
from leadline.store.fields import fields_of
from leadline.store.filters import Filter, matches
from leadline.store.rows import chunk_from
from leadline.store.scanning import Chunks, scanned
from leadline.store.served_catalogue import visible
from leadline.store.served_rows import Column, Kept, Narrowing, Rows, Words
from leadline.store.served_writer import ServedWriter, portions
from leadline.store.turns import Turns
from leadline.store.weighting import idf_of
from leadline.types import Chunk

logger = logging.getLogger(__name__)

ATTEMPTS = 20
"""How often a read starts anew when somebody commits while it runs."""

MORE = 4
"""So many times as many rows are asked for when too few of the first are of use."""

TOO_NARROW = (
    "Of the best %d rows of collection `%s` few pass the filter, and the server gives no more of them: some that pass "
    "may be missing. Name the field's whole value with ==, or keep such collections in LanceDB."
)

Ask = Callable[[Record, int], Awaitable[list[Kept]]]


@dataclass(frozen=True, slots=True)
class Read:
    """A visible chunk with what the server said of its row."""

    chunk: Chunk
    kept: Kept


class ServedStore(CataloguedStore[ServedWriter, CommittedReader]):
    """A `Store` with its catalogue in a folder and its rows behind `rows`.

    One data folder owns its tables on the server: others neither see nor touch them.
    """

    def __init__(self, path: Path, rows: Rows, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self.rows = rows
        super().__init__(CommittedReader(path), Turns(path, read_only, lambda: ServedWriter.open(path, rows)))

    async def close(self) -> None:
        await super().close()
        await self.rows.close()

    async def reach(self) -> str:
        """What the server says it is; `StoreUnreachable` when it does not answer."""
        return await self.rows.reach()

    async def notices(self) -> tuple[str, ...]:
        return () if self.reader.is_empty else await self.rows.notices()

    async def dense(
        self, name: str, vector: Vectors, k: int, where: Filter | None = None, *, ef: int | None = None
    ) -> list[Scored]:
        length = float(np.linalg.norm(vector))
        collection = await self.collection(name)
        if k < 1 or not length:
            return []
        check_question(collection, vector)
        unit = (vector / length).astype(np.float32)

        async def nearest(record: Record, count: int) -> list[Kept]:
            narrowing = Narrowing(where, record.fields)
            breadth = max(ef or breadth_of(record.collection, k), count)
            return await self.rows.dense(record.table, unit, count, narrowing, breadth)

        return _ranked(await self._best(name, nearest, k, where))

    async def keyword(
        self, name: str, terms: Sequence[str], k: int, where: Filter | None = None
    ) -> list[Scored]:
        statistics = self.reader.catalogue(name).statistics(name, terms)
        words = Words(idf_of(statistics), statistics.frequency, statistics.length)
        if k < 1 or not words.idf:
            return []

        async def best(record: Record, count: int) -> list[Kept]:
            return await self.rows.keyword(record.table, words, count, Narrowing(where, record.fields))

        # An engine that knows terms by a number may take one for another.
        return _ranked(await self._best(name, best, k, where, words.idf.keys()))

    async def chunks(self, name: str, ids: Sequence[str], where: Filter | None = None) -> list[Chunk]:
        read = await self._among(name, "id", dict.fromkeys(ids), where)
        found = {one.chunk.id: one.chunk for one in read}
        return [found[one] for one in ids if one in found]

    async def section_chunks(self, name: str, section_id: str) -> list[Chunk]:
        found = [one.chunk for one in await self._among(name, "section", [section_id])]
        return sorted(found, key=lambda chunk: (chunk.ordinal, chunk.start))

    def scan(self, name: str, after: str = "") -> AsyncGenerator[Entry]:
        async def chunks_of(documents: Sequence[str]) -> Chunks:
            read = await self._among(name, "document", documents, vectors=True)
            # Some servers have no table without vectors.
            return [(one.chunk, one.kept.vector if dimension else None) for one in read]

        catalogue = self.reader.catalogue(name)
        dimension = catalogue.record(name).collection.dimension
        return scanned(catalogue, name, after, chunks_of)

    async def _among(
        self,
        name: str,
        column: Column,
        keys: Iterable[str],
        where: Filter | None = None,
        *,
        vectors: bool = False,
    ) -> list[Read]:
        async def all_of(record: Record, count: int) -> list[Kept]:
            return [
                one
                for some in portions(keys)
                for one in await self.rows.among(record.table, column, some, vectors=vectors)
            ]

        async def read(catalogue: Catalogue, record: Record) -> list[Read]:
            return _of_use(catalogue, record, await all_of(record, 0), where)

        return await self._settled(name, read)

    async def _best(
        self, name: str, ask: Ask, k: int, where: Filter | None, terms: Iterable[str] = ()
    ) -> list[Read]:
        """The best `k` rows that are of use."""
        wanted = set(terms)

        async def read(catalogue: Catalogue, record: Record) -> list[Read]:
            count = min(k, self.rows.most)
            while True:
                kept = await ask(record, count)
                found = _of_use(catalogue, record, kept, where)
                if wanted:
                    found = [one for one in found if not wanted.isdisjoint(one.chunk.terms.split())]
                if count == self.rows.most > len(found) and len(kept) == count and k <= count:
                    logger.warning(TOO_NARROW, count, name)
                if len(found) >= k or len(kept) < count or count == self.rows.most:
                    return sorted(found, key=lambda one: (-one.kept.score, one.chunk.id))[:k]
                count = min(count * MORE, self.rows.most)

        return await self._settled(name, read)

    async def _settled(
        self, name: str, read: Callable[[Catalogue, Record], Awaitable[list[Read]]]
    ) -> list[Read]:
        """What was read while nobody committed: a batch is then seen whole or not at all."""
        for _ in range(ATTEMPTS):
            catalogue = self.reader.catalogue(name)
            changes = catalogue.changes
            found = await read(catalogue, catalogue.record(name))
            if catalogue.changes == changes:
                return found
        raise StoreError(f"Collection `{name}` changes faster than it can be read; search again in a moment.")


def _of_use(catalogue: Catalogue, record: Record, kept: Sequence[Kept], where: Filter | None) -> list[Read]:
    """The rows that are visible and pass the filter."""
    with catalogue.read() as connection:
        shown = visible(connection, record.id, (one.document for one in kept))
    read = [Read(chunk_from(one.body), one) for one in kept if shown.get(one.document) == one.generation]
    return read if where is None else [one for one in read if matches(where, fields_of(one.chunk))]


def _ranked(found: Sequence[Read]) -> list[Scored]:
    return [Scored(one.chunk, one.kept.score) for one in found]
