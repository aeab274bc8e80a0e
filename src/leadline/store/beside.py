"""Several stores read as one: each collection is where its name says."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from leadline.embeddings.base import Vectors
from leadline.store.base import Entry, FieldSummary, Reading, Scored, Statistics
from leadline.store.filters import Filter
from leadline.store.phrases import PhraseIndex
from leadline.types import Chunk, Collection, Document, Section


@dataclass(frozen=True, slots=True)
class Beside:
    """`apart` are the stores of single collections, by name; every other collection is in `store`."""

    store: Reading
    apart: Mapping[str, Reading]

    def of(self, name: str) -> Reading:
        """The store that holds a collection."""
        return self.apart.get(name, self.store)

    async def collections(self) -> list[Collection]:
        own = [each for each in await self.store.collections() if each.name not in self.apart]
        return [*own, *await asyncio.gather(*(self.collection(name) for name in self.apart))]

    async def collection(self, name: str) -> Collection:
        return await self.of(name).collection(name)

    async def fingerprints(self, name: str) -> dict[str, tuple[str, str]]:
        return await self.of(name).fingerprints(name)

    async def dense(
        self, name: str, vector: Vectors, k: int, where: Filter | None = None, *, ef: int | None = None
    ) -> list[Scored]:
        return await self.of(name).dense(name, vector, k, where, ef=ef)

    async def keyword(
        self, name: str, terms: Sequence[str], k: int, where: Filter | None = None
    ) -> list[Scored]:
        return await self.of(name).keyword(name, terms, k, where)

    async def statistics(self, name: str, terms: Sequence[str]) -> Statistics:
        return await self.of(name).statistics(name, terms)

    async def terms_with(self, name: str, character: str) -> list[str]:
        return await self.of(name).terms_with(name, character)

    async def phrases(self, name: str) -> PhraseIndex:
        return await self.of(name).phrases(name)

    async def fields(self, name: str) -> list[FieldSummary]:
        return await self.of(name).fields(name)

    async def chunks(self, name: str, ids: Sequence[str], where: Filter | None = None) -> list[Chunk]:
        return await self.of(name).chunks(name, ids, where)

    async def section_chunks(self, name: str, section_id: str) -> list[Chunk]:
        return await self.of(name).section_chunks(name, section_id)

    async def sections(self, name: str, ids: Sequence[str]) -> list[Section]:
        return await self.of(name).sections(name, ids)

    async def document(self, name: str, document_id: str) -> Document | None:
        return await self.of(name).document(name, document_id)

    async def scan(self, name: str, after: str = "") -> AsyncGenerator[Entry]:
        async with aclosing(self.of(name).scan(name, after)) as entries:
            async for entry in entries:
                yield entry

    async def notices(self) -> tuple[str, ...]:
        parts = [await store.notices() for store in (self.store, *self.apart.values())]
        return tuple(dict.fromkeys(text for part in parts for text in part))
