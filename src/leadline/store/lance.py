"""The embedded store: LanceDB for vectors and keywords, SQLite for documents and for what is visible.

write: entries -> rows in Lance -> one SQLite transaction (the commit)
read:  newest commit -> Lance at that commit's version -> chunks
"""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import numpy as np

from leadline.embeddings.base import Vectors
from leadline.errors import ConfigError
from leadline.store.base import Entry, Scored
from leadline.store.catalogued import CataloguedStore
from leadline.store.dimensions import check_question
from leadline.store.fields import Field
from leadline.store.filters import Filter
from leadline.store.lance_filters import ALWAYS, NEVER, predicate
from leadline.store.lance_reader import LanceReader
from leadline.store.lance_swap import LanceSwap, SwapInTurn
from leadline.store.lance_view import Snapshot
from leadline.store.lance_writer import LanceWriter
from leadline.store.scanning import Chunks, scanned
from leadline.store.served_rows import Address
from leadline.store.turns import Turns
from leadline.types import Chunk


async def open_store(path: Path, *, read_only: bool = False, address: Address | None = None) -> "LanceStore":
    """The store below the folder `path`, which the first write creates if it is not there."""
    if address is not None and address.uri:
        raise ConfigError(
            "`store_uri` is for a server, and LanceDB needs none. Set `store` to `milvus` or `qdrant`, "
            "or take `store_uri` out."
        )
    return LanceStore(path, read_only=read_only)


class LanceStore(CataloguedStore[LanceWriter, LanceReader]):
    """A `Store` in a folder. Any number of processes may read it while one writes."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        turns = Turns(path, read_only, lambda: LanceWriter.open(path))
        super().__init__(LanceReader(path), turns)

    async def swap(self, name: str, embedding: str, dimension: int) -> SwapInTurn:
        """Begin to give a collection another encoder, or go on with it; see `store.base.Swap`."""
        begun = await self.turns.write(lambda writer: LanceSwap.begin(writer, name, embedding, dimension))
        return SwapInTurn(begun, self.turns.write)

    async def dense(
        self, name: str, vector: Vectors, k: int, where: Filter | None = None, *, ef: int | None = None
    ) -> list[Scored]:
        async def nearest(snapshot: Snapshot) -> list[Scored]:
            check_question(snapshot.record.collection, vector)
            if not (condition := _condition(where, snapshot.record.fields)):
                return []
            return await snapshot.dense(unit, k, condition, ef)

        length = float(np.linalg.norm(vector))
        if k < 1 or not length:
            await self.collection(name)
            return []
        unit = (vector / length).astype(np.float32)
        return await self.reader.search(name, nearest)

    async def keyword(
        self, name: str, terms: Sequence[str], k: int, where: Filter | None = None
    ) -> list[Scored]:
        async def best(snapshot: Snapshot) -> list[Scored]:
            if not (condition := _condition(where, snapshot.record.fields)):
                return []
            return await snapshot.keyword(terms, k, condition)

        if k < 1 or not terms:
            await self.collection(name)
            return []
        return await self.reader.search(name, best)

    async def chunks(self, name: str, ids: Sequence[str], where: Filter | None = None) -> list[Chunk]:
        async def read(snapshot: Snapshot) -> list[Chunk]:
            if not ids or not (condition := _condition(where, snapshot.record.fields)):
                return []
            return await snapshot.by_id(dict.fromkeys(ids), condition)

        found = {chunk.id: chunk for chunk in await self.reader.search(name, read)}
        return [found[one] for one in ids if one in found]

    async def notices(self) -> tuple[str, ...]:
        return ()

    def scan(self, name: str, after: str = "") -> AsyncGenerator[Entry]:
        async def chunks_of(documents: Sequence[str]) -> Chunks:
            return await self.reader.search(name, lambda snapshot: snapshot.with_vectors(documents))

        return scanned(self.reader.catalogue(name), name, after, chunks_of)

    async def section_chunks(self, name: str, section_id: str) -> list[Chunk]:
        found = await self.reader.search(name, lambda snapshot: snapshot.among("section", [section_id]))
        return sorted(found, key=lambda chunk: (chunk.ordinal, chunk.start))


def _condition(where: Filter | None, fields: Sequence[Field]) -> str:
    """The filter as Lance reads it, "" when no chunk can pass."""
    condition = ALWAYS if where is None else predicate(where, fields)
    return "" if condition == NEVER else condition
