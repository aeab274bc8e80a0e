"""The embedded store: LanceDB for vectors and keywords, SQLite for documents and for what is visible.

write: entries -> rows in Lance -> one SQLite transaction (the commit)
read:  newest commit -> Lance at that commit's version -> chunks
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from leadline.embeddings.base import Vectors
from leadline.errors import EmbeddingMismatch, StoreUnwritable
from leadline.store.base import Entry, FieldSummary, Scored, Statistics
from leadline.store.fields import Field
from leadline.store.filters import Filter
from leadline.store.lance_filters import ALWAYS, NEVER, predicate
from leadline.store.lance_reader import LanceReader
from leadline.store.lance_view import Snapshot
from leadline.store.lance_writer import LanceWriter
from leadline.store.phrases import PhraseIndex
from leadline.store.unwritable import said_of
from leadline.types import Chunk, Collection, Document, MetaValue, Section

R = TypeVar("R")


async def open_store(path: Path, *, read_only: bool = False) -> "LanceStore":
    """The store below the folder `path`, which the first write creates if it is not there."""
    return LanceStore(path, read_only=read_only)


class LanceStore:
    """A `Store` in a folder. Any number of processes may read it while one writes."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._reader = LanceReader(path)
        self._writer: LanceWriter | None = None
        self._turn = asyncio.Lock()

    async def close(self) -> None:
        async with self._turn:
            self._reader.close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    async def collections(self) -> list[Collection]:
        if self._reader.is_empty:
            return []
        return [record.collection for record in self._reader.catalogue().records()]

    async def collection(self, name: str) -> Collection:
        return self._reader.catalogue(name).record(name).collection

    async def create(self, collection: Collection) -> None:
        await self._write(lambda writer: writer.create(collection))

    async def describe(self, name: str, description: str) -> None:
        await self._write(lambda writer: writer.describe(name, description))

    async def configure(self, name: str, metadata: Mapping[str, MetaValue | None]) -> None:
        await self._write(lambda writer: writer.configure(name, metadata))

    async def drop(self, name: str) -> None:
        await self._write(lambda writer: writer.drop(name))

    async def replace(self, name: str, entries: Sequence[Entry]) -> None:
        await self._write(lambda writer: writer.replace(name, entries))

    async def remove(self, name: str, document_ids: Sequence[str], *, purge: bool = False) -> int:
        return await self._write(lambda writer: writer.remove(name, document_ids, purge))

    async def optimise(self, name: str) -> None:
        await self._write(lambda writer: writer.optimise(name))

    async def _write(self, change: Callable[[LanceWriter], Coroutine[Any, Any, R]]) -> R:
        """One change at a time; once begun it is carried through, also when the caller is cancelled."""
        if self.read_only:
            raise StoreUnwritable(f"The store {self.path} is open for reading only. Nothing was changed.")
        task = asyncio.ensure_future(self._in_turn(change))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            raise

    async def _in_turn(self, change: Callable[[LanceWriter], Coroutine[Any, Any, R]]) -> R:
        async with self._turn:
            with said_of(self.path):
                if self._writer is None:
                    self._writer = await LanceWriter.open(self.path)
                await self._writer.settle()
                return await change(self._writer)

    async def fingerprints(self, name: str) -> dict[str, tuple[str, str]]:
        return await asyncio.to_thread(self._reader.catalogue(name).fingerprints, name)

    async def dense(
        self, name: str, vector: Vectors, k: int, where: Filter | None = None, *, ef: int | None = None
    ) -> list[Scored]:
        async def nearest(snapshot: Snapshot) -> list[Scored]:
            dimension = snapshot.record.collection.dimension
            if vector.shape != (dimension,):
                raise _other_dimension(snapshot.record.collection, vector)
            if not (condition := _condition(where, snapshot.record.fields)):
                return []
            return await snapshot.dense(unit, k, condition, ef)

        length = float(np.linalg.norm(vector))
        if k < 1 or not length:
            await self.collection(name)
            return []
        unit = (vector / length).astype(np.float32)
        return await self._reader.search(name, nearest)

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
        return await self._reader.search(name, best)

    async def statistics(self, name: str, terms: Sequence[str]) -> Statistics:
        return self._reader.catalogue(name).statistics(name, terms)

    async def phrases(self, name: str) -> PhraseIndex:
        return self._reader.phrases(name)

    async def fields(self, name: str) -> list[FieldSummary]:
        return await asyncio.to_thread(self._reader.catalogue(name).fields, name)

    async def chunks(self, name: str, ids: Sequence[str], where: Filter | None = None) -> list[Chunk]:
        async def read(snapshot: Snapshot) -> list[Chunk]:
            if not ids or not (condition := _condition(where, snapshot.record.fields)):
                return []
            return await snapshot.by_id(dict.fromkeys(ids), condition)

        found = {chunk.id: chunk for chunk in await self._reader.search(name, read)}
        return [found[one] for one in ids if one in found]

    async def section_chunks(self, name: str, section_id: str) -> list[Chunk]:
        found = await self._reader.search(name, lambda snapshot: snapshot.among("section", [section_id]))
        return sorted(found, key=lambda chunk: (chunk.ordinal, chunk.start))

    async def sections(self, name: str, ids: Sequence[str]) -> list[Section]:
        return self._reader.catalogue(name).sections(name, ids)

    async def document(self, name: str, document_id: str) -> Document | None:
        return await asyncio.to_thread(self._reader.catalogue(name).document, name, document_id)


def _condition(where: Filter | None, fields: Sequence[Field]) -> str:
    """The filter as Lance reads it, "" when no chunk can pass."""
    condition = ALWAYS if where is None else predicate(where, fields)
    return "" if condition == NEVER else condition


def _other_dimension(collection: Collection, vector: Vectors) -> EmbeddingMismatch:
    return EmbeddingMismatch(
        f"Collection `{collection.name}` is indexed with {collection.embedding} ({collection.dimension} dimensions) "
        f"and cannot be searched with a vector of {vector.shape[-1]}; use the embedding it was loaded with."
    )
