"""Another encoder for a collection: a second table is filled beside the first, then takes its place in one commit.

stored rows -> those the new table lacks -> their chunks -> vectors -> new table ... -> indexes -> one flip

The new table says itself how far it is: a row counts when its chunk is, byte for byte, the one that is
stored. So a swap that was killed goes on, and documents that changed meanwhile are embedded again.
"""
# pyarrow ships no types
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import hashlib
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from leadline.embeddings.base import Vectors, unit
from leadline.errors import StoreError
from leadline.store.catalogue import Record
from leadline.store.catalogue_swaps import Pending
from leadline.store.lance_table import AT_ONCE, LanceTable
from leadline.store.lance_writer import LanceWriter
from leadline.store.rows import READ, chunks_from, schema
from leadline.types import Chunk

R = TypeVar("R")

_MERGED_EVERY = 200
"""Batches after which the new table's files are merged."""


class LanceSwap:
    """One swap under way; made by `begin`. `left` chunks are still to be embedded, `total` there are."""

    def __init__(self, writer: LanceWriter, record: Record, old: LanceTable, new: LanceTable) -> None:
        self.writer = writer
        self.record = record
        self.old = old
        self.new = new
        self.total = 0
        self._todo: list[str] = []
        self._rows: Any = None
        self._batches = 0

    @classmethod
    async def begin(cls, writer: LanceWriter, name: str, embedding: str, dimension: int) -> "LanceSwap":
        """Start a swap, or go on with the one to this encoder that is there."""
        record = writer.catalogue.record(name)
        swaps = writer.swaps
        pending = swaps.find(record.id)
        if pending is not None and (pending.embedding, pending.dimension) != (embedding, dimension):
            async with writer.changing():
                await writer.give_up_swap(record)
            pending = None
        async with writer.changing():
            if pending is None:
                table, _ = await writer.new_table(dimension, record.fields)
                pending = Pending(embedding, dimension, table)
                with writer.catalogue.transaction():
                    swaps.begin(record.id, pending)
            new = await LanceTable.open(writer.connection, pending.table, dimension)
            swap = cls(writer, record, await writer.table(record), new)
            await swap._compare()
        return swap

    @property
    def left(self) -> int:
        return len(self._todo)

    async def next(self, count: int) -> list[Chunk]:
        """The next chunks to embed, at most `count`; none when all are done."""
        ids, self._todo = self._todo[:count], self._todo[count:]
        columns = schema(0, self.record.fields).names
        parts = [rows async for rows in self.old.among("id", ids, columns)]
        self._rows = pa.concat_tables(parts) if parts else None
        return chunks_from(self._rows) if parts else []

    async def add(self, vectors: Vectors | None) -> None:
        """Write the chunks that `next` gave last, with their vectors in the same order."""
        rows, self._rows = self._rows, None
        if vectors is not None:
            column = pa.FixedSizeListArray.from_arrays(pa.array(unit(vectors).ravel()), vectors.shape[1])
            rows = rows.append_column(pa.field("vector", column.type), column)
        async with self.writer.changing():
            await self.new.add(rows)
            self._batches += 1
            if self._batches % _MERGED_EVERY == 0:
                await self.new.compact()
                await self.new.forget_versions(AT_ONCE)

    async def finish(self) -> None:
        """Put the new table in the place of the old one."""
        catalogue = self.writer.catalogue
        name = self.record.collection.name
        if catalogue.record(name).version != self.record.version or await self.new.count() != self.total:
            raise StoreError(
                f"Collection `{name}` was changed while it was indexed. Run the same command again."
            )
        swaps = self.writer.swaps
        pending = swaps.find(self.record.id)
        assert pending is not None
        async with self.writer.changing():
            await self.new.compact()
            await self.new.build_indexes(self.record.collection.index)
            await self.new.forget_versions(AT_ONCE)
            version = await self.new.version()
            with catalogue.transaction():
                catalogue.move(self.record, pending.table, version)
                swaps.embed(self.record.id, pending)
                swaps.end(self.record.id)
            # The writer's own handle on the new table is from before its rows came.
            for table in (self.record.table, pending.table):
                self.writer.forget(table)
            await self.writer.connection.drop_table(self.record.table)

    async def _compare(self) -> None:
        """Find what the new table lacks, and take out of it what is no longer stored."""
        stored = await _chunks_of(self.old)
        done = await _chunks_of(self.new)
        outdated = {document for key, (_, document) in done.items() if key not in stored}
        await self.new.delete_documents(sorted(outdated))
        have = {key for key, (_, document) in done.items() if document not in outdated}
        self.total = len(stored)
        self._todo = [chunk for key, (chunk, _) in stored.items() if key not in have]
        columns = (await self.new.table.schema()).names
        await self.new.add_fields([one for one in self.record.fields if one.column not in columns])


async def _chunks_of(table: LanceTable) -> dict[bytes, tuple[str, str]]:
    """Every row: a hash of its chunk with all that belongs to it -> chunk id and document id."""
    found: dict[bytes, tuple[str, str]] = {}
    async for rows in table.batches(["id", "document", *READ]):
        columns: Sequence[list[str]] = [rows[name].to_pylist() for name in ("id", "document", *READ)]
        for chunk, document, body in zip(*columns, strict=True):
            found[_hash(body)] = (chunk, document)
    return found


def _hash(body: str) -> bytes:
    return hashlib.blake2b(body.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Write(Protocol):
    """How a store carries out one change of its writer."""

    def __call__(
        self, change: Callable[[LanceWriter], Coroutine[Any, Any, R]], /
    ) -> Coroutine[Any, Any, R]: ...


class SwapInTurn:
    """A swap whose steps take their turn among the other writes of its store."""

    def __init__(self, swap: LanceSwap, write: Write) -> None:
        self._swap = swap
        self._write = write
        self.total = swap.total

    @property
    def left(self) -> int:
        return self._swap.left

    async def next(self, count: int) -> list[Chunk]:
        return await self._write(lambda _: self._swap.next(count))

    async def add(self, vectors: Vectors | None) -> None:
        await self._write(lambda _: self._swap.add(vectors))

    async def finish(self) -> None:
        await self._write(lambda _: self._swap.finish())
