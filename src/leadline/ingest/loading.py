"""Load files and folders into a collection, incrementally; whatever stops it, what was committed stays whole.

walk -> unchanged by size and time? -> groups, a few at once (here or on a cluster): hash -> read -> describe -> split
     -> batches, one commit each, the next batch being read meanwhile -> prune -> optimise -> report
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from leadline.documents.walking import FoundFile, Walked, walk
from leadline.embeddings.base import Embedder
from leadline.errors import UnknownCollection
from leadline.events import FileLoaded, LoadStarted, Notice
from leadline.ingest.coverage import Coverage
from leadline.ingest.entries import Prepared, described, embedded_in, with_vectors
from leadline.ingest.picturing import Describer
from leadline.ingest.reading import GroupReader, Outcome, Readers, grouped, settled
from leadline.ingest.report import LoadOptions, LoadReport
from leadline.ingest.revision import Revision, how_loaded
from leadline.ingest.spreading import SpreadGroups
from leadline.run import Run
from leadline.store.base import Store
from leadline.types import IndexOptions

BATCH_DOCUMENTS = 256
BATCH_CHUNKS = 4_000
BATCH_CHUNKS_SLOW = 512
"""Chunks of a batch where each takes a slow encoder a tenth of a second: a kill then costs a minute at most."""

BATCH_SECONDS = 2.0
GROUPS_AT_ONCE = 4


async def load(
    paths: Sequence[Path],
    options: LoadOptions,
    store: Store,
    embedder: Embedder | None,
    readers: Readers | SpreadGroups,
    run: Run,
    describer: Describer | None = None,
) -> LoadReport:
    """Load `paths` into a collection, which is made if it is not there.

    One bad file ends in a line of the report. A path that cannot be read raises UsageError before anything
    is done; a store that cannot be written to ends the load with what was committed before.
    """
    begun = run.clock()
    walked = await asyncio.to_thread(walk, paths, options.exclude, options.max_file_mb << 20)
    size = sum(file.size for file in walked.files)
    run.emit(LoadStarted(len(walked.files) + len(walked.left_out), size))
    known = await _known(store, options.collection, embedder)
    revisions = {key: Revision.parse(fingerprint) for key, (_, fingerprint) in (known or {}).items()}
    how = how_loaded(options.metadata, options.split, describer.name if describer else "")
    writer = _Writer(options.collection, options.index, store, embedder, run, exists=known is not None)
    for left in walked.left_out:
        writer.tell(FileLoaded(left.source, "skipped", 0, left.size, left.reason, left.remedy))
    if isinstance(readers, SpreadGroups):
        outcomes = partial(readers.outcomes, options=options, known=revisions, how=how, run=run)
    else:
        outcomes = partial(_ahead, reader=GroupReader(readers, options, revisions, how, describer), run=run)
    try:
        todo = await _changed(walked.files, revisions, how, writer)
        await _read_and_write(outcomes(grouped(todo)), writer)
        if options.prune and not run.cancelled:
            await writer.remove(_vanished(known or {}, walked))
        if writer.wrote and not run.cancelled:
            await store.optimise(options.collection)
        if said := writer.coverage.notice(options.collection):
            run.emit(Notice(said))
        for notice in describer.notices() if describer else ():
            run.emit(notice)
    finally:
        await writer.close()
    files = sorted(writer.files, key=lambda file: file.source)
    return LoadReport(tuple(files), run.clock() - begun, size, walked.ignored, run.cancelled)


async def _changed(
    files: Sequence[FoundFile], known: Mapping[str, Revision], how: str, writer: "_Writer"
) -> list[FoundFile]:
    same = await asyncio.to_thread(lambda: [settled(file, known, how) for file in files])
    for file, unchanged in zip(files, same, strict=True):
        if unchanged:
            writer.tell(FileLoaded(file.source, "unchanged", bytes=file.size))
    return [file for file, unchanged in zip(files, same, strict=True) if not unchanged]


async def _read_and_write(outcomes: AsyncGenerator[list[Outcome]], writer: "_Writer") -> None:
    async with aclosing(outcomes) as groups:
        async for group in groups:
            for outcome in group:
                await writer.take(outcome)
    await writer.flush()


async def _ahead(
    groups: Iterator[list[FoundFile]], reader: GroupReader, run: Run
) -> AsyncGenerator[list[Outcome]]:
    """The groups' outcomes in order, some groups being read at once. Ends early when the run is cancelled."""
    reading: deque[asyncio.Task[list[Outcome]]] = deque()
    try:
        while not run.cancelled:
            while len(reading) < GROUPS_AT_ONCE and (group := next(groups, None)) is not None:
                reading.append(asyncio.create_task(reader(group)))
            if not reading:
                return
            yield await reading.popleft()
    finally:
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)


async def _known(store: Store, name: str, embedder: Embedder | None) -> dict[str, tuple[str, str]] | None:
    """What the collection holds, None when there is none; one of another embedding is refused here."""
    try:
        known = await store.fingerprints(name)
    except UnknownCollection:
        return None
    await store.create(described(name, embedder))
    return known


def _vanished(known: dict[str, tuple[str, str]], walked: Walked) -> dict[str, str]:
    there = {file.source for file in walked.files}
    return {key: source for key, (source, _) in known.items() if source not in there and walked.gone(source)}


@dataclass(slots=True)
class _Writer:
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
