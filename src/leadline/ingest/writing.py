"""Outcomes -> batches -> commits, one after the other, the next batch being gathered meanwhile; what is said of each."""

import asyncio
from dataclasses import dataclass, field

import numpy as np

from leadline.embeddings.base import Embedder
from leadline.errors import UnknownCollection
from leadline.events import FileLoaded
from leadline.ingest.coverage import Coverage
from leadline.ingest.entries import Prepared, described, embedded_in, with_vectors
from leadline.ingest.reading import Outcome
from leadline.run import Run
from leadline.store.base import Store
from leadline.types import IndexOptions

BATCH_DOCUMENTS = 256
BATCH_CHUNKS = 4_000
BATCH_CHUNKS_SLOW = 512
"""Chunks of a batch where each takes a slow encoder a tenth of a second: a kill then costs a minute at most."""

BATCH_SECONDS = 2.0


async def known_in(store: Store, name: str, embedder: Embedder | None) -> dict[str, tuple[str, str]] | None:
    """What the collection holds, None when there is none; one of another embedding is refused here."""
    try:
        known = await store.fingerprints(name)
    except UnknownCollection:
        return None
    await store.create(described(name, embedder))
    return known


@dataclass(slots=True)
class Writer:
    """Gathers batches and commits them one after the other, while the next is being gathered."""

    collection: str
    index: IndexOptions
    store: Store
    embedder: Embedder | None
    run: Run
    exists: bool
    files: list[FileLoaded] = field(default_factory=list[FileLoaded])
    wrote: bool = False
    _batch: list[Outcome] = field(default_factory=list[Outcome])
    _chunks: int = 0
    _since: float = 0.0
    _committing: asyncio.Task[None] | None = None
    coverage: Coverage = field(init=False)
    _most: int = field(init=False)

    def __post_init__(self) -> None:
        self.coverage = Coverage(self.embedder)
        self._most = BATCH_CHUNKS_SLOW if self.embedder is not None and self.embedder.slow else BATCH_CHUNKS

    def tell(self, event: FileLoaded) -> None:
        self.files.append(event)
        self.run.emit(event)

    async def take(self, outcome: Outcome) -> None:
        """Add what became of a file; commits when the batch is full."""
        for notice in outcome.notices:
            self.run.emit(notice)
        if outcome.said is not None:
            self.tell(outcome.said)
        if outcome.prepared is None:
            return
        if not self._batch:
            self._since = self.run.clock()
        self._batch.append(outcome)
        self._chunks += len(outcome.prepared.chunks)
        full = len(self._batch) >= BATCH_DOCUMENTS or self._chunks >= self._most
        if full or self.run.clock() - self._since > BATCH_SECONDS:
            await self._start_commit()

    async def flush(self) -> None:
        """Commit what is left and wait for it."""
        await self._start_commit()
        await self._committed()

    async def remove(self, vanished: dict[str, str]) -> None:
        """Remove documents by id; the values are their sources."""
        if vanished:
            await self.store.remove(self.collection, list(vanished))
            self.wrote = True
        for source in vanished.values():
            self.tell(FileLoaded(source, "removed"))

    async def close(self) -> None:
        """Wait for a commit under way, whatever comes of it: it must not outlive the store."""
        if self._committing is not None:
            await asyncio.gather(self._committing, return_exceptions=True)

    async def _committed(self) -> None:
        if self._committing is not None:
            await self._committing
            self._committing = None

    async def _start_commit(self) -> None:
        await self._committed()
        if self._batch:
            self._committing = asyncio.create_task(self._commit(self._batch))
            self._batch, self._chunks = [], 0

    async def _commit(self, batch: list[Outcome]) -> None:
        prepared: list[Prepared] = [outcome.prepared for outcome in batch if outcome.prepared is not None]
        made = [outcome.vectors for outcome in batch if outcome.vectors is not None]
        if made:
            entries = with_vectors(prepared, np.concatenate(made))
        else:
            entries = await embedded_in(self.run, prepared, self.embedder)
        if not entries:
            return
        if not self.exists:
            await self.store.create(described(self.collection, self.embedder, self.index))
            self.exists = True
        await self.store.replace(self.collection, entries)
        self.wrote = True
        # A run that was cancelled has the first documents of the batch only.
        for outcome, item in zip(batch[: len(entries)], entries, strict=True):
            self.coverage.see(item.document.text)
            self.tell(FileLoaded(outcome.file.source, "loaded", len(item.chunks), outcome.file.size))
