"""Every change of a store whose rows a server keeps.

lock -> leftovers noted -> new rows under a generation that nobody reads -> one SQLite transaction makes it the visible
one and notes the old rows -> old rows deleted. What is noted is deleted by the next write, whatever happens in between.
"""

import asyncio
import logging
import secrets
from collections.abc import (
    AsyncGenerator,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from leadline.errors import StoreUnreachable
from leadline.store.base import Entry
from leadline.store.catalogue import Record
from leadline.store.catalogue_writer import CatalogueWriter
from leadline.store.dimensions import check_same, check_vectors
from leadline.store.fields import fields_of, missing_fields
from leadline.store.lock import LOCK, WriterLock
from leadline.store.rows import chunk_from
from leadline.store.served_catalogue import WHOLE, Journal
from leadline.store.served_rows import Rows, copies_of, rows_of
from leadline.types import Collection, MetaValue

logger = logging.getLogger(__name__)

AT_ONCE = 100
"""Documents asked for, or deleted, in one call."""


class ServedWriter:
    """The writing side of a store, from the first write to `close`. Its methods must not overlap."""

    def __init__(self, lock: WriterLock, catalogue: CatalogueWriter, rows: Rows) -> None:
        self.lock = lock
        self.catalogue = catalogue
        self.journal = Journal(catalogue.connection)
        self.rows = rows
        self._suspect = True
        self._left = False

    @classmethod
    async def open(cls, folder: Path, rows: Rows) -> "ServedWriter":
        """Take the writer lock and delete what an earlier writer left half done."""
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        lock = WriterLock(folder / LOCK)
        lock.acquire()
        catalogue: CatalogueWriter | None = None
        try:
            catalogue = CatalogueWriter(folder)
            writer = cls(lock, catalogue, rows)
            await writer.settle()
        except BaseException:
            if catalogue is not None:
                catalogue.close()
            lock.release()
            raise
        return writer

    def close(self) -> None:
        self.catalogue.close()
        self.lock.release()

    async def settle(self) -> None:
        """Delete leftovers, unless the last write ended well; finish a purge that was cut off."""
        if not self._suspect:
            return
        for (table, generation), documents in self.journal.leftovers().items():
            if WHOLE in documents:
                await self._drop_table(table)
            else:
                await self._delete(table, documents, generation)
        for record in self.catalogue.records():
            if record.purging:
                await self._purge(record)
        self._suspect = False

    async def create(self, collection: Collection) -> None:
        there = self.catalogue.find(collection.name)
        if there is not None:
            check_same(there.collection, collection)
            return
        async with self._changing():
            table = await self._new_table(collection)
            with self.catalogue.transaction():
                self.catalogue.add_collection(collection, table, 0)
                self.journal.forget_table(table)

    async def describe(self, name: str, description: str) -> None:
        record = self.catalogue.record(name)
        with self.catalogue.transaction():
            self.catalogue.describe(record, description)

    async def configure(self, name: str, metadata: Mapping[str, MetaValue | None]) -> None:
        record = self.catalogue.record(name)
        with self.catalogue.transaction():
            self.catalogue.configure(record, metadata)

    async def drop(self, name: str) -> None:
        record = self.catalogue.record(name)
        async with self._changing():
            with self.catalogue.transaction():
                self.catalogue.drop(record)
                self.journal.drop(record.id)
                self.journal.note(record.table, {WHOLE: 0})
            await self._afterwards(self._drop_table(record.table))

    async def replace(self, name: str, entries: Sequence[Entry]) -> None:
        record = self.catalogue.record(name)
        check_vectors(record.collection, entries)
        entries = list({entry.document.id: entry for entry in entries}.values())
        if not entries:
            return
        new = missing_fields(record.fields, [fields_of(each) for entry in entries for each in entry.chunks])
        generation = record.version + 1
        ids = [entry.document.id for entry in entries]
        rows = await asyncio.to_thread(
            rows_of, entries, [*record.fields, *new], generation, _length(record, entries)
        )
        async with self._changing():
            old, gone = await self._old_rows(record, ids)
            with self.catalogue.transaction():
                self.journal.note(record.table, dict.fromkeys(ids, generation))
            if new:
                await self.rows.add_fields(record.table, new)
            if rows:
                await self.rows.add(record.table, rows)

            def flip() -> None:
                with self._flipping(record, old, gone, generation):
                    self.catalogue.add_documents(record, entries)
                    self.catalogue.add_fields(record, new)
                    self.journal.show(record.id, ids, generation)
                    self.journal.forget(record.table, ids, generation)

            await self._flip(record, flip, old)

    async def remove(self, name: str, document_ids: Sequence[str], purge: bool) -> int:
        record = self.catalogue.record(name)
        async with self._changing():
            old, gone = await self._old_rows(record, dict.fromkeys(document_ids))

            def flip() -> None:
                with self._flipping(record, old, gone, record.version + 1):
                    self.catalogue.set_purging(record, purge or record.purging)

            await self._flip(record, flip, old)
            if purge:
                await self._purge(self.catalogue.record(name))
        return len(old)

    async def optimise(self, name: str) -> None:
        record = self.catalogue.record(name)
        if record.version != record.optimised:
            await self.rows.tidy(record.table)
            with self.catalogue.transaction():
                self.catalogue.set_optimised(record, record.version)

    async def _purge(self, record: Record) -> None:
        """Copy what is visible into a new table: engines keep deleted rows in files of the old one."""
        table = await self._new_table(record.collection)
        await self.rows.add_fields(table, record.fields)
        visible = self.journal.all_visible(record.id)
        for some in portions(visible):
            kept = [
                one
                for one in await self.rows.among(record.table, "document", some, vectors=True)
                if visible.get(one.document) == one.generation
            ]
            chunks = [chunk_from(one.body) for one in kept]
            copies = copies_of(kept, chunks, record.fields, _length(record, ()))
            if copies:
                await self.rows.add(table, copies)
        await self.rows.tidy(table)
        with self.catalogue.transaction():
            self.catalogue.move(record, table, record.version)
            self.catalogue.phrases.clean(record.id)
            self.journal.forget_table(table)
            self.journal.note(record.table, {WHOLE: 0})
        await self._drop_table(record.table)
        await asyncio.to_thread(self.catalogue.scrub)
        with self.catalogue.transaction():
            self.catalogue.set_purging(record, False)

    async def _old_rows(self, record: Record, ids: Iterable[str]) -> tuple[dict[str, int], list[str]]:
        """The visible documents among `ids` with their generations, and the terms of each of their chunks."""
        old = self.journal.visible(record.id, ids)
        gone: list[str] = []
        for some in portions(old):
            kept = await self.rows.among(record.table, "document", some)
            gone += [chunk_from(one.body).terms for one in kept if old.get(one.document) == one.generation]
        return old, gone

    @contextmanager
    def _flipping(
        self, record: Record, old: Mapping[str, int], gone: Sequence[str], version: int
    ) -> Generator[None]:
        """The transaction that takes `old` out of sight; what the body adds becomes visible with it."""
        with self.catalogue.transaction():
            self.catalogue.remove_documents(record, list(old), gone)
            self.journal.hide(record.id, old)
            self.journal.note(record.table, old)
            self.catalogue.set_version(record, version)
            yield

    async def _flip(self, record: Record, flip: Callable[[], None], old: Mapping[str, int]) -> None:
        """Commit, then delete the rows nobody sees any more."""
        await asyncio.to_thread(flip)
        for generation in sorted(set(old.values())):
            documents = [document for document, one in old.items() if one == generation]
            await self._afterwards(self._delete(record.table, documents, generation))

    async def _afterwards(self, work: Coroutine[Any, Any, None]) -> None:
        """What is committed stays so when tidying up after it fails: the next write does it."""
        try:
            await work
        except StoreUnreachable as error:
            self._left = True
            logger.warning("Committed; outdated rows are deleted by the next write: %s", error)

    async def _delete(self, table: str, documents: Sequence[str], generation: int) -> None:
        for some in portions(documents):
            await self.rows.delete(table, some, generation)
        with self.catalogue.transaction():
            self.journal.forget(table, documents, generation)

    async def _drop_table(self, table: str) -> None:
        await self.rows.drop(table)
        with self.catalogue.transaction():
            self.journal.forget_table(table)

    async def _new_table(self, collection: Collection) -> str:
        """Made-up, as names of people's collections need not be what a server allows."""
        table = f"leadline_{secrets.token_hex(8)}"
        with self.catalogue.transaction():
            self.journal.note(table, {WHOLE: 0})
        await self.rows.create(table, collection.dimension, collection.index)
        return table

    @asynccontextmanager
    async def _changing(self) -> AsyncGenerator[None]:
        """While the body runs, and for good if it fails, there may be rows that nobody sees."""
        self._suspect = True
        self._left = False
        yield
        self._suspect = self._left


def portions(keys: Iterable[str], size: int = AT_ONCE) -> Iterator[list[str]]:
    """Keys in lists of bounded length."""
    listed = list(keys)
    for start in range(0, len(listed), size):
        yield listed[start : start + size]


def _length(record: Record, entries: Sequence[Entry]) -> float:
    """The mean number of terms of a chunk, the new ones included."""
    counts = [len(chunk.terms.split()) for entry in entries for chunk in entry.chunks]
    chunks = record.collection.chunks + len(counts)
    return (record.terms + sum(counts)) / chunks if chunks else 0.0
