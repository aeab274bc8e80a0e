"""What the tests of the write path share: folders of notes, a load over them, and all that a store shows."""

import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from leadline.cluster.base import ClusterOptions
from leadline.documents.pool import ReaderPool
from leadline.documents.splitting import split
from leadline.embeddings.base import Embedder
from leadline.ingest import LoadOptions, LoadReport, load
from leadline.run import Run
from leadline.store.lance import open_store
from leadline.testing.cluster import HereCluster

WORDS = ("harbour", "lantern", "river", "committee", "engine", "vessel", "survey", "depth", "sound", "rope")
Shown = dict[str, tuple[str, tuple[str, ...]]]
"""Source -> its text and the ids of its chunks."""


def note(number: int, version: int = 1) -> str:
    """The text of one note, the same for the same number and version."""
    words = random.Random(number * 1_000 + version)
    parts = [f"# Note {number}, version {version}"]
    for part in range(3):
        sentences = [" ".join(words.choices(WORDS, k=8)).capitalize() + "." for _ in range(4)]
        parts += [f"## Part {part}", " ".join(sentences)]
    return "\n\n".join(parts) + "\n"


def notes(folder: Path, count: int, version: int = 1) -> Path:
    """A folder of `count` notes."""
    folder.mkdir(exist_ok=True)
    for number in range(count):
        (folder / f"note-{number:04}.md").write_text(note(number, version), encoding="utf-8")
    return folder


async def loaded(
    paths: Path | Sequence[Path],
    data: Path,
    *,
    embedder: Embedder | None = None,
    run: Run | None = None,
    workers: int = 1,
    **options: Any,
) -> LoadReport:
    """Load into collection `default` of the store at `data`."""
    store = await open_store(data)
    named = [paths] if isinstance(paths, Path) else paths
    try:
        async with ReaderPool(workers, 30.0) as pool:
            return await load(named, LoadOptions(**options), store, embedder, pool, run or Run())
    finally:
        await store.close()


async def shown(data: Path) -> Shown:
    """Every visible document, after checking that exactly its own chunks are visible, each once."""
    store = await open_store(data, read_only=True)
    try:
        found: Shown = {}
        for key, (source, _) in (await store.fingerprints("default")).items():
            document = await store.document("default", key)
            assert document is not None
            assert document.source == source
            expected = tuple(chunk.id for chunk in split(document)[1])
            kept = await store.chunks("default", expected)
            assert [(chunk.id, document.text[chunk.start : chunk.end]) for chunk in kept] == [
                (key, chunk.text) for key, chunk in zip(expected, kept, strict=True)
            ]
            found[source] = (document.text, expected)
        total = sum(len(ids) for _, ids in found.values())
        hits = await store.keyword("default", ["note", "part", "version", "harbour", "vessel"], total + 100)
        assert len({hit.chunk.id for hit in hits}) == len(hits)
        assert {hit.chunk.id for hit in hits} <= {key for _, ids in found.values() for key in ids}
        assert (await store.statistics("default", [])).chunks == total
        assert (await store.collection("default")).chunks == total
        return found
    finally:
        await store.close()


@asynccontextmanager
async def losing_cluster(options: ClusterOptions) -> AsyncGenerator[HereCluster]:
    """A cluster whose workers die of the second group of files."""
    yield HereCluster(frozenset({1}))
