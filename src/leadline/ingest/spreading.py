"""Groups of files read, split and embedded by the workers of a cluster; whoever loads commits what comes back.

group + what is known of its files -> [worker: hash -> read -> describe -> split -> embed] -> outcomes with vectors

Workers find the files where this process finds them: on one machine, or in folders that all machines share.
"""

import asyncio
import pickle
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from leadline import registry
from leadline.cluster.base import Cluster, Handler, Work
from leadline.documents.identity import document_id
from leadline.documents.walking import FoundFile
from leadline.embeddings.base import Embedder
from leadline.events import FileLoaded
from leadline.ingest.embedding import vectors_of
from leadline.ingest.entries import dense_texts, rows
from leadline.ingest.reading import GroupReader, Outcome
from leadline.ingest.report import LoadOptions
from leadline.ingest.revision import Revision
from leadline.run import Run

DIED = "was among files that a worker of the cluster died of, each time it was tried"
ALONE = "Load it without --engine, or give workers more memory."


@dataclass(frozen=True, slots=True)
class GroupSetup:
    """What every worker is told: how files are read, and with what their passages are embedded (None: with nothing)."""

    options: LoadOptions
    how: str
    seconds: float
    memory_mb: int
    embedder: Callable[[], Embedder] | None


@dataclass(frozen=True, slots=True)
class SpreadGroups:
    """A cluster to read groups of files on, each file with so many seconds and so much memory."""

    cluster: Cluster
    seconds: float
    memory_mb: int
    embedder: Callable[[], Embedder] | None

    async def outcomes(
        self,
        groups: Iterator[list[FoundFile]],
        options: LoadOptions,
        known: Mapping[str, Revision],
        how: str,
        run: Run,
    ) -> AsyncGenerator[list[Outcome]]:
        """The groups' outcomes, in order. No further group is given out when the run is cancelled."""
        setup = GroupSetup(options, how, self.seconds, self.memory_mb, self.embedder)
        work = Work("leadline.ingest.spreading:opened", setup)
        under_way: dict[int, list[FoundFile]] = {}

        async def items() -> AsyncIterator[bytes]:
            for number, group in enumerate(groups):
                if run.cancelled:
                    return
                under_way[number] = group
                ids = [document_id(file.source) for file in group]
                yield pickle.dumps((group, {key: known[key] for key in ids if key in known}))

        async with aclosing(self.cluster.spread(work, items())) as answers:
            async for answer in answers:
                group = under_way.pop(answer.number)
                if answer.data is None:
                    yield [Outcome(file, said=_died(file)) for file in group]
                else:
                    yield await asyncio.to_thread(pickle.loads, answer.data)


def _died(file: FoundFile) -> FileLoaded:
    return FileLoaded(file.source, "failed", 0, file.size, DIED, ALONE)


async def opened(setup: GroupSetup) -> Handler:
    """What a worker makes of a group. Files are read in a process of its own here too, which may hang or crash."""
    build = await asyncio.to_thread(registry.find, "reader", "pool")
    readers = build(1, setup.seconds, setup.memory_mb)
    embedder = await asyncio.to_thread(setup.embedder) if setup.embedder else None

    async def handle(item: bytes) -> bytes:
        group, known = pickle.loads(item)
        outcomes = await GroupReader(readers, setup.options, known, setup.how)(group)
        if embedder is not None:
            outcomes = await _embedded(outcomes, embedder)
        return await asyncio.to_thread(pickle.dumps, outcomes)

    return handle


async def _embedded(outcomes: Sequence[Outcome], embedder: Embedder) -> list[Outcome]:
    prepared = [outcome.prepared for outcome in outcomes if outcome.prepared is not None]
    vectors = await vectors_of(dense_texts(prepared), embedder, Run())
    found: list[Outcome] = []
    start = 0
    for outcome in outcomes:
        count = len(outcome.prepared.chunks) if outcome.prepared else 0
        given = rows(vectors, start, start + count) if outcome.prepared else None
        found.append(replace(outcome, vectors=given))
        start += count
    return found
