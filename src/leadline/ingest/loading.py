"""Load files and folders into a collection, incrementally; whatever stops it, what was committed stays whole.

walk -> unchanged by size and time? -> groups, a few at once (here or on a cluster): hash -> read -> describe -> split
     -> batches, one commit each, the next batch being read meanwhile -> prune -> optimise -> report
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path

from leadline.documents.base import Readers
from leadline.documents.walking import FoundFile, Walked, walk
from leadline.embeddings.base import Embedder
from leadline.events import FileLoaded, LoadStarted, Notice
from leadline.ingest.picturing import Describer
from leadline.ingest.reading import GroupReader, Outcome, grouped, settled
from leadline.ingest.report import LoadOptions, LoadReport
from leadline.ingest.revision import Revision, how_loaded
from leadline.ingest.spreading import SpreadGroups
from leadline.ingest.writing import Writer, known_in
from leadline.run import Run
from leadline.store.base import Store

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
    known = await known_in(store, options.collection, embedder)
    revisions = {key: Revision.parse(fingerprint) for key, (_, fingerprint) in (known or {}).items()}
    how = how_loaded(options.metadata, options.split, describer.name if describer else "")
    writer = Writer(options.collection, options.index, store, embedder, run, exists=known is not None)
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
    files: Sequence[FoundFile], known: Mapping[str, Revision], how: str, writer: Writer
) -> list[FoundFile]:
    same = await asyncio.to_thread(lambda: [settled(file, known, how) for file in files])
    for file, unchanged in zip(files, same, strict=True):
        if unchanged:
            writer.tell(FileLoaded(file.source, "unchanged", bytes=file.size))
    return [file for file, unchanged in zip(files, same, strict=True) if not unchanged]


async def _read_and_write(outcomes: AsyncGenerator[list[Outcome]], writer: Writer) -> None:
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


def _vanished(known: dict[str, tuple[str, str]], walked: Walked) -> dict[str, str]:
    there = {file.source for file in walked.files}
    return {key: source for key, (source, _) in known.items() if source not in there and walked.gone(source)}
