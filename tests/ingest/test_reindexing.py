"""Another encoder for a collection: what is searched meanwhile, and what a kill, a change or a purge leave."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from leadline.embeddings.base import Strength, Vectors, unit
from leadline.embeddings.static import StaticEmbedder
from leadline.errors import EmbeddingMismatch, StoreLocked
from leadline.events import Embedded, Event
from leadline.ingest import ReindexReport, reindexing, swap_encoder
from leadline.run import Run
from leadline.store.base import Scored
from leadline.store.lance import LanceStore, open_store
from leadline.testing.running import go
from tests.ingest.loads import loaded, note, notes, shown

FILES = 12


class Letters:
    """A slow encoder whose vectors are counts of letters, so that a test can say what is nearest."""

    name = "letters-1"
    dimension = 26
    strength = Strength({}, default=0.5)
    slow = True
    batch = 8

    def __init__(self, pause: float = 0.0) -> None:
        self.pause = pause
        self.asked: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = [[text.lower().count(chr(97 + place)) for place in range(26)] for text in texts]
        return unit(np.array(rows, np.float32).reshape(-1, 26))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        time.sleep(self.pause)
        self.asked += texts
        return self.embed_queries(texts)


async def swapped(
    data: Path, embedder: "Letters | StaticEmbedder | None", run: Run | None = None
) -> ReindexReport:
    store = await open_store(data)
    try:
        return await swap_encoder(await store.collection("default"), store, embedder, run or Run())
    finally:
        await store.close()


async def nearest(store: LanceStore, embedder: "Letters | StaticEmbedder", text: str) -> list[Scored]:
    return await store.dense("default", embedder.embed_queries([text])[0], 3)


def tables(data: Path) -> int:
    return len(list((data / "tables").iterdir()))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A collection of some notes, with the static embedding."""
    folder = notes(tmp_path / "notes", FILES)
    (folder / "zeppelin.md").write_text("# Zeppelin\n\nzzzz zzz zzzz\n", encoding="utf-8")
    go(loaded(folder, tmp_path / "data", embedder=StaticEmbedder()))
    return tmp_path / "data"


def test_every_chunk_gets_a_new_vector_and_nothing_else_changes(data: Path) -> None:
    before = go(shown(data))
    events: list[Event] = []
    report = go(swapped(data, Letters(), Run(emit=events.append)))

    async def look() -> None:
        store = await open_store(data, read_only=True)
        collection = await store.collection("default")
        assert (collection.embedding, collection.dimension) == ("letters-1", 26)
        assert (report.chunks, report.embedded, report.left) == (collection.chunks, collection.chunks, 0)
        assert (await nearest(store, Letters(), "zzz"))[0].chunk.title == "Zeppelin"
        assert (await store.keyword("default", ["harbour"], 5))[0].score > 0
        with pytest.raises(EmbeddingMismatch):
            await nearest(store, StaticEmbedder(), "zzz")
        await store.close()

    go(look())
    assert go(shown(data)) == before
    assert tables(data) == 1
    assert [event for event in events if isinstance(event, Embedded)][-1].done == report.chunks


def test_files_stay_known_after_it_and_new_ones_get_the_new_vectors(data: Path) -> None:
    go(swapped(data, Letters()))
    embedder = Letters()
    folder = data.parent / "notes"
    (folder / "extra.md").write_text("# Extra\n\nqqq qqqq\n", encoding="utf-8")
    report = go(loaded(folder, data, embedder=embedder))
    assert (report.loaded, report.unchanged) == (1, FILES + 1)
    assert len(embedder.asked) == 1


def test_none_takes_the_vectors_out_and_they_can_come_back(data: Path) -> None:
    go(swapped(data, None))

    async def vectorless() -> None:
        store = await open_store(data, read_only=True)
        collection = await store.collection("default")
        assert (collection.embedding, collection.dimension) == ("none", 0)
        assert await store.keyword("default", ["harbour"], 5)
        await store.close()

    go(vectorless())
    assert go(swapped(data, StaticEmbedder())).left == 0
    assert go(swapped(data, StaticEmbedder())).embedded == 0


def test_the_old_index_is_searched_until_the_new_one_is_whole(data: Path) -> None:
    async def work() -> None:
        reader = await open_store(data, read_only=True)
        run = Run()
        seen: list[str] = []

        class Watching(Letters):
            def embed_documents(self, texts: Sequence[str]) -> Vectors:
                deadline = time.monotonic() + 20
                while len(seen) < 3 and time.monotonic() < deadline:
                    time.sleep(0.01)
                return super().embed_documents(texts)

        async def search() -> None:
            while not seen or seen[-1] != "letters-1":
                await asyncio.sleep(0.01)
                collection = await reader.collection("default")
                embedder = Letters() if collection.embedding == "letters-1" else StaticEmbedder()
                try:
                    assert len(await nearest(reader, embedder, "harbour")) == 3
                except EmbeddingMismatch:
                    continue  # swapped between the two lines above
                seen.append(collection.embedding)

        writer = await open_store(data)
        async with asyncio.TaskGroup() as group:
            group.create_task(search())
            await swap_encoder(await writer.collection("default"), writer, Watching(), run)
        await writer.close()
        await reader.close()
        assert all(name.startswith("wordllama") for name in seen[:3])
        assert seen[-1] == "letters-1"

    go(work())


def test_a_stopped_one_goes_on_where_it_was(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH_SLOW", 8)
    run = Run()
    run.emit = lambda event: run.cancel()
    first = Letters()
    report = go(swapped(data, first, run))
    assert (report.embedded, report.left) == (8, report.chunks - 8)
    go(loaded(data.parent / "notes", data, embedder=StaticEmbedder()))
    assert tables(data) == 2
    second = Letters()
    assert go(swapped(data, second)).embedded == report.chunks - 8
    assert not set(first.asked) & set(second.asked)
    assert tables(data) == 1


def test_what_changed_meanwhile_is_embedded_again_and_what_is_gone_is_left_out(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reindexing, "BATCH_SLOW", 24)
    run = Run()
    run.emit = lambda event: run.cancel()
    go(swapped(data, Letters(), run))
    folder = data.parent / "notes"
    for number in (0, 5, 11):
        (folder / f"note-{number:04}.md").write_text(note(number, version=2), encoding="utf-8")
    (folder / "note-0001.md").unlink()
    (folder / "new.md").write_text("# New\n\nxxx xxxx\n", encoding="utf-8")
    go(loaded(folder, data, embedder=StaticEmbedder(), prune=True, metadata={"year": 2024}))
    (folder / "note-0002.md").unlink()
    go(loaded(folder, data, embedder=StaticEmbedder(), prune=True, metadata={"year": 2024}))
    before = go(shown(data))
    assert go(swapped(data, Letters())).left == 0
    assert go(shown(data)) == before

    async def look() -> None:
        store = await open_store(data, read_only=True)
        assert (await nearest(store, Letters(), "xxx"))[0].chunk.title == "New"
        collection = await store.collection("default")
        hits = await store.dense("default", Letters().embed_queries(["harbour"])[0], 10_000)
        assert len({hit.chunk.id for hit in hits}) == len(hits) == collection.chunks
        assert {hit.chunk.metadata["year"] for hit in hits} == {2024}
        await store.close()

    go(look())


def test_another_encoder_starts_over(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindexing, "BATCH_SLOW", 8)
    run = Run()
    run.emit = lambda event: run.cancel()
    go(swapped(data, Letters(), run))
    other = Letters()
    other.name = "letters-2"
    report = go(swapped(data, other))
    assert report.embedded == report.chunks
    assert tables(data) == 1


@pytest.mark.parametrize("end", ["drop", "purge"])
def test_dropping_or_purging_ends_one_that_is_under_way(data: Path, end: str) -> None:
    async def work() -> None:
        store = await open_store(data)
        swap = await store.swap("default", "letters-1", 26)
        await swap.add(Letters().embed_documents([chunk.text for chunk in await swap.next(1_000)]))
        if end == "drop":
            await store.drop("default")
        else:
            await store.remove("default", list(await store.fingerprints("default")), purge=True)
        await store.close()

    go(work())
    kept = b"".join(file.read_bytes() for file in data.rglob("*") if file.is_file())
    assert b"zzzz zzz zzzz" not in kept
    assert tables(data) == (0 if end == "drop" else 1)


CHILD = """
import asyncio, sys
from pathlib import Path
from leadline.ingest import reindexing
from tests.ingest.test_reindexing import Letters, swapped

reindexing.BATCH_SLOW = 4
print("ready", flush=True)
asyncio.run(swapped(Path(sys.argv[1]), Letters(pause=float(sys.argv[2]))))
print("done", flush=True)
"""


def child(data: Path, pause: float) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", CHILD, str(data), str(pause)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    return started


def test_a_killed_one_loses_nothing_serves_the_old_index_and_is_completed(data: Path) -> None:
    before = go(shown(data))
    working = child(data, 0.1)
    until = time.monotonic() + 30
    while tables(data) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.6)
    with pytest.raises(StoreLocked):
        go(loaded(data.parent / "notes", data, embedder=StaticEmbedder()))
    os.kill(working.pid, signal.SIGKILL)
    assert working.wait() == -signal.SIGKILL
    assert working.stdout is not None
    working.stdout.close()
    assert go(shown(data)) == before

    async def served() -> str:
        store = await open_store(data, read_only=True)
        hits = await nearest(store, StaticEmbedder(), "harbour")
        await store.close()
        return hits[0].chunk.id

    assert go(served())
    rest = Letters()
    report = go(swapped(data, rest))
    assert 0 < report.embedded < report.chunks
    assert len(rest.asked) == report.embedded
    assert go(shown(data)) == before
    assert tables(data) == 1


@pytest.mark.slow
def test_ten_kills_at_any_moment_leave_one_whole_index(data: Path) -> None:
    before = go(shown(data))
    moments = np.random.default_rng(3)
    for _ in range(10):
        working = child(data, 0.02)
        time.sleep(float(moments.uniform(0, 1.5)))
        os.kill(working.pid, signal.SIGKILL)
        working.wait()
        assert working.stdout is not None
        working.stdout.close()
        assert go(shown(data)) == before
    go(swapped(data, Letters()))
    assert go(shown(data)) == before
    assert tables(data) == 1
