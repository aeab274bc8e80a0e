"""What every store does that keeps its documents in the catalogue, wherever the rows of its chunks are."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from leadline.store.base import Entry, FieldSummary, Statistics
from leadline.store.committed import CommittedReader
from leadline.store.phrases import PhraseIndex
from leadline.store.turns import Turns, Writer
from leadline.types import Collection, Document, MetaValue, Section


class CatalogueWriting(Writer, Protocol):
    """Every change of a store; the methods must not overlap."""

    async def create(self, collection: Collection) -> None: ...

    async def describe(self, name: str, description: str) -> None: ...

    async def configure(self, name: str, metadata: Mapping[str, MetaValue | None]) -> None: ...

    async def drop(self, name: str) -> None: ...

    async def replace(self, name: str, entries: Sequence[Entry]) -> None: ...

    async def remove(self, name: str, document_ids: Sequence[str], purge: bool) -> int: ...

    async def optimise(self, name: str) -> None: ...


W = TypeVar("W", bound=CatalogueWriting)
Reader = TypeVar("Reader", bound=CommittedReader)


class CataloguedStore(Generic[W, Reader]):
    """The part of a `Store` that is not about rows."""

    def __init__(self, reader: Reader, turns: Turns[W]) -> None:
        self.reader = reader
        self.turns = turns

    async def close(self) -> None:
        await self.turns.close()
        self.reader.close()

    async def collections(self) -> list[Collection]:
        if self.reader.is_empty:
            return []
        return [record.collection for record in self.reader.catalogue().records()]

    async def collection(self, name: str) -> Collection:
        return self.reader.catalogue(name).record(name).collection

    async def create(self, collection: Collection) -> None:
        await self.turns.write(lambda writer: writer.create(collection))

    async def describe(self, name: str, description: str) -> None:
        await self.turns.write(lambda writer: writer.describe(name, description))

    async def configure(self, name: str, metadata: Mapping[str, MetaValue | None]) -> None:
        await self.turns.write(lambda writer: writer.configure(name, metadata))

    async def drop(self, name: str) -> None:
        await self.turns.write(lambda writer: writer.drop(name))

    async def replace(self, name: str, entries: Sequence[Entry]) -> None:
        await self.turns.write(lambda writer: writer.replace(name, entries))

    async def remove(self, name: str, document_ids: Sequence[str], *, purge: bool = False) -> int:
        return await self.turns.write(lambda writer: writer.remove(name, document_ids, purge))

    async def optimise(self, name: str) -> None:
        await self.turns.write(lambda writer: writer.optimise(name))

    async def fingerprints(self, name: str) -> dict[str, tuple[str, str]]:
        return await asyncio.to_thread(self.reader.catalogue(name).fingerprints, name)

    async def statistics(self, name: str, terms: Sequence[str]) -> Statistics:
        return self.reader.catalogue(name).statistics(name, terms)

    async def terms_with(self, name: str, character: str) -> list[str]:
        return self.reader.catalogue(name).terms_with(name, character)

    async def phrases(self, name: str) -> PhraseIndex:
        return self.reader.phrases(name)

    async def fields(self, name: str) -> list[FieldSummary]:
        return await asyncio.to_thread(self.reader.catalogue(name).fields, name)

    async def sections(self, name: str, ids: Sequence[str]) -> list[Section]:
        return self.reader.catalogue(name).sections(name, ids)

    async def document(self, name: str, document_id: str) -> Document | None:
        return await asyncio.to_thread(self.reader.catalogue(name).document, name, document_id)
