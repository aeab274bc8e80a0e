"""Every change of a store: one writer, one commit per batch, and what a killed writer left put right.

lock -> new rows in Lance (nobody sees them) -> one SQLite transaction that also names Lance's new version
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lancedb import AsyncConnection

from leadline.errors import StoreError
from leadline.store.base import Entry
from leadline.store.catalogue import Record
from leadline.store.catalogue_swaps import SwapWriter
from leadline.store.catalogue_writer import CatalogueWriter
from leadline.store.dimensions import check_same, check_vectors
from leadline.store.fields import Field, fields_of, missing_fields
from leadline.store.lance_connection import connect, table_names
from leadline.store.lance_table import AT_ONCE, LanceTable
from leadline.store.lock import LOCK, WriterLock
from leadline.store.rows import READ, chunks_from, table_of
from leadline.types import Collection, MetaValue

TABLES = "tables"

FEW_ROWS = 500
"""So many new rows are searched as fast without an index."""

FEW_VERSIONS = 32
"""So many files and deletions do not slow a search down."""

TIDY_EVERY = 128
"""Lance versions after which files are merged even if nobody asks; each commit makes one to three."""

TIDY_LESS = 200_000
"""With every so many chunks the merge waits as long again: it writes the whole table, and a load must stay linear."""


class LanceWriter:
    """The writing side of a store, from the first write to `close`. Its methods must not overlap."""

    def __init__(self, lock: WriterLock, catalogue: CatalogueWriter, connection: AsyncConnection) -> None:
        self.lock = lock
        self.catalogue = catalogue
        self.connection = connection
        self.swaps = SwapWriter(catalogue.connection)
        self._tables: dict[str, LanceTable] = {}
        self._suspect = True

    @classmethod
    async def open(cls, folder: Path) -> "LanceWriter":
        """Take the writer lock and put right what an earlier writer left half done."""
        (folder / TABLES).mkdir(parents=True, exist_ok=True)
        lock = WriterLock(folder / LOCK)
        lock.acquire()
        catalogue: CatalogueWriter | None = None
        try:
            catalogue = CatalogueWriter(folder)
            writer = cls(lock, catalogue, await connect(folder / TABLES))
            await writer.settle()
        except BaseException:
            if catalogue is not None:
                catalogue.close()
            lock.release()
            raise
        return writer

    def close(self) -> None:
        self.catalogue.close()
        self.connection.close()
        self.lock.release()

    async def settle(self) -> None:
        """Bring Lance back to what the catalogue says, unless the last write ended well."""
        if not self._suspect:
            return
        self._tables.clear()
        there = set(await table_names(self.connection))
        for record in self.catalogue.records():
            if record.table in there:
                # One that is missing must not keep the others, nor its own `drop`, from being written.
                await self._settle(record)
        known = {record.table for record in self.catalogue.records()} | self.swaps.tables()
        for name in await table_names(self.connection):
            if name not in known:
                await self.connection.drop_table(name)
        self._suspect = False

    async def _settle(self, record: Record) -> None:
        table = await self.table(record)
        if record.maintenance:
            with self.catalogue.transaction():
                self.catalogue.set_optimised(record, await table.version())
        elif await table.version() != record.version:
            await table.restore(record.version)
            with self.catalogue.transaction():
                self.catalogue.set_version(record, await table.version())
        if record.collection.chunks and not self.catalogue.phrases.holds(record.id):
            await self._index_phrases(record)
        if record.purging:
            await self._purge(self.catalogue.record(record.collection.name))

    async def _index_phrases(self, record: Record) -> None:
        """Build the phrase index of a collection that was written before there was one."""
        table = await self.table(record)
        with self.catalogue.transaction():
            async for rows in table.batches(READ):
                self.catalogue.phrases.add(record.id, chunks_from(rows))

    async def create(self, collection: Collection) -> None:
        there = self.catalogue.find(collection.name)
        if there is None:
            async with self.changing():
                table, version = await self.new_table(collection.dimension, ())
                with self.catalogue.transaction():
                    self.catalogue.add_collection(collection, table, version)
            return
        check_same(there.collection, collection)

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
        async with self.changing():
            await self.give_up_swap(record)
            with self.catalogue.transaction():
                self.catalogue.drop(record)
            self.forget(record.table)
            await self.connection.drop_table(record.table, ignore_missing=True)

    async def replace(self, name: str, entries: Sequence[Entry]) -> None:
        record = self.catalogue.record(name)
        check_vectors(record.collection, entries)
        entries = list({entry.document.id: entry for entry in entries}.values())
        if not entries:
            return
        known = record.fields
        new = missing_fields(known, [fields_of(chunk) for entry in entries for chunk in entry.chunks])
        rows = await asyncio.to_thread(table_of, entries, record.collection.dimension, [*known, *new])
        async with self.changing():
            await self._commit(record, entries, new, rows)
        await self._tidy_when_due(name)

    async def _commit(
        self, record: Record, entries: Sequence[Entry], new: Sequence[Field], rows: Any
    ) -> None:
        table = await self.table(record)
        replaced = self.catalogue.present(record, [entry.document.id for entry in entries])
        gone = await table.terms_of(replaced)
        await table.add_fields(new)
        await table.delete_documents(replaced)
        await table.add(rows)
        version = await table.version()

        def flip() -> None:
            with self.catalogue.transaction():
                self.catalogue.remove_documents(record, replaced, gone)
                self.catalogue.add_documents(record, entries)
                self.catalogue.add_fields(record, new)
                self.catalogue.set_version(record, version)

        await asyncio.to_thread(flip)

    async def remove(self, name: str, document_ids: Sequence[str], purge: bool) -> int:
        record = self.catalogue.record(name)
        ids = self.catalogue.present(record, dict.fromkeys(document_ids))
        async with self.changing():
            table = await self.table(record)
            gone = await table.terms_of(ids)
            await table.delete_documents(ids)
            version = await table.version()

            def flip() -> None:
                with self.catalogue.transaction():
                    self.catalogue.remove_documents(record, ids, gone)
                    self.catalogue.set_version(record, version)
                    self.catalogue.set_purging(record, purge or record.purging)

            await asyncio.to_thread(flip)
            if purge:
                await self._purge(self.catalogue.record(name))
        if not purge:
            await self._tidy_when_due(name)
        return len(ids)

    async def _purge(self, record: Record) -> None:
        """Copy what is visible into a new table: indexes and files of the old one keep deleted text."""
        await self.give_up_swap(record)
        old = await self.table(record)
        name, _ = await self.new_table(record.collection.dimension, record.fields)
        new = self._tables[name]
        await old.copy_into(new)
        await new.compact()
        await new.build_indexes(record.collection.index)
        await new.forget_versions(AT_ONCE)
        with self.catalogue.transaction():
            self.catalogue.move(record, name, await new.version())
            self.catalogue.phrases.clean(record.id)
        self.forget(record.table)
        await self.connection.drop_table(record.table)
        await asyncio.to_thread(self.catalogue.scrub)
        with self.catalogue.transaction():
            self.catalogue.set_purging(record, False)

    async def optimise(self, name: str) -> None:
        """Worth its time only when enough has changed: each time costs a new keyword index."""
        record = self.catalogue.record(name)
        changed = record.version - record.optimised
        if not changed:
            return
        if changed > FEW_VERSIONS or await (await self.table(record)).unindexed() > FEW_ROWS:
            await self._tidy(record, build=True)

    async def _tidy_when_due(self, name: str) -> None:
        record = self.catalogue.record(name)
        patience = TIDY_EVERY * (1 + record.collection.chunks // TIDY_LESS)
        if record.version - record.optimised > patience:
            await self._tidy(record, build=False)

    async def _tidy(self, record: Record, *, build: bool) -> None:
        """Merge files, refresh indexes, and forget old versions once the new one is the visible one."""
        async with self.changing():
            table = await self.table(record)
            with self.catalogue.transaction():
                self.catalogue.set_maintenance(record)
            await table.compact()
            if build:
                await table.build_indexes(record.collection.index)
            version = await table.version()
            with self.catalogue.transaction():
                if build:
                    self.catalogue.phrases.gather(record.id)
                self.catalogue.set_optimised(record, version)
                self.catalogue.set_maintenance(record)
            await table.forget_versions()
            version = await table.version()
            with self.catalogue.transaction():
                self.catalogue.set_optimised(record, version)

    async def give_up_swap(self, record: Record) -> None:
        """End a swap of encoders without its result; what was embedded is in the vector cache."""
        pending = self.swaps.find(record.id)
        if pending is not None:
            with self.catalogue.transaction():
                self.swaps.end(record.id)
            await self.connection.drop_table(pending.table, ignore_missing=True)

    @asynccontextmanager
    async def changing(self) -> AsyncGenerator[None]:
        """While the body runs, and for good if it fails, Lance may be ahead of the catalogue."""
        self._suspect = True
        yield
        self._suspect = False

    def forget(self, table: str) -> None:
        """Let go of a table that is no longer a collection's."""
        self._tables.pop(table, None)

    async def new_table(self, dimension: int, fields: Sequence[Field]) -> tuple[str, int]:
        name = f"t{secrets.token_hex(8)}"
        table = await LanceTable.create(self.connection, name, dimension, fields)
        self._tables[name] = table
        return name, await table.version()

    async def table(self, record: Record) -> LanceTable:
        if record.table not in self._tables:
            try:
                opened = await LanceTable.open(self.connection, record.table, record.collection.dimension)
            except ValueError as error:
                raise StoreError(
                    f"The table of collection `{record.collection.name}` is missing from the store; "
                    "drop the collection and load it again."
                ) from error
            self._tables[record.table] = opened
        return self._tables[record.table]
