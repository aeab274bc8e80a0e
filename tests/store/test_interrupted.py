"""Kills, full disks and busy readers: the store holds the previous state or the next, never half."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import StoreUnwritable
from leadline.store import lance_writer
from leadline.store.base import Entry
from leadline.store.lance import LanceStore
from leadline.store.lance_connection import connect, table_names
from leadline.store.lance_table import LanceTable
from leadline.store.rows import table_of
from leadline.testing.entries import PLAIN, VECTORS, entry
from leadline.testing.running import go
from tests.store.interrupted_load import BATCH, DOCUMENTS, load

LOAD = """
import sys
from pathlib import Path
from leadline.store import lance_writer
from leadline.testing.running import go
from tests.store.interrupted_load import load

lance_writer.FEW_ROWS = -1
go(load(Path(sys.argv[1]), int(sys.argv[2])))
"""

READ = """
import asyncio, json, sys, threading
from pathlib import Path
from leadline.store.lance import LanceStore
from leadline.testing.entries import axis
from leadline.testing.running import go

async def read():
    store = LanceStore(Path(sys.argv[1]), read_only=True)
    written, seen = threading.Event(), []
    threading.Thread(target=lambda: (sys.stdin.read(), written.set()), daemon=True).start()
    while not written.is_set() or len(seen) < 6:
        words = [one.chunk.text for one in await store.keyword("vectors", ["word"], 999)]
        near = [one.chunk.id for one in await store.dense("vectors", axis(7), 999)]
        seen.append((len(words), len(set(words)), len({text.split()[2] for text in words}), len(near), len(set(near))))
        if len(seen) == 1:
            print("begun", flush=True)
        await asyncio.sleep(0.01)
    await store.close()
    print(json.dumps(seen))

go(read())
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def contents(path: Path) -> dict[str, Any]:
    """Everything that can be seen of the store, in a form to compare."""

    async def read() -> dict[str, Any]:
        store = LanceStore(path)
        found = await store.keyword("vectors", ["word", "more"], 9999)
        names = ["word", "more", *(f"w{number}" for number in range(DOCUMENTS))]
        statistics = await store.statistics("vectors", names)
        held = await store.collection("vectors")
        seen = {
            "chunks": sorted((one.chunk.id, one.chunk.text) for one in found),
            "dense": sorted(one.chunk.id for one in await store.dense("vectors", entry_axis(), 9999)),
            "statistics": (dict(statistics.frequency), statistics.chunks, statistics.length),
            "counts": (held.documents, held.chunks),
            "prints": sorted((await store.fingerprints("vectors")).items()),
        }
        await store.close()
        return seen

    return go(read())


def entry_axis() -> Any:
    vectors = entry("x", "x", vectors=[7]).vectors
    assert vectors is not None
    return vectors[0]


@pytest.fixture
def always_indexed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here as in the children: few rows have indexes too."""
    monkeypatch.setattr(lance_writer, "FEW_ROWS", -1)


def killed_and_loaded_again(folder: Path, kills: int, seed: int) -> None:
    """Kill so many loads at random moments; each leaves whole batches, and the last one makes it all."""
    calm, killed = folder / "calm", folder / "killed"
    took = 0.0
    for version in (1, 2):
        began = time.monotonic()
        go(load(calm, version))
        took = time.monotonic() - began
    moments = random.Random(seed)
    for _ in range(kills):
        with start(LOAD, killed, moments.choice([1, 2])) as victim:
            assert victim.stdout is not None
            assert victim.stdout.readline() == "begun\n"
            time.sleep(moments.uniform(0, took))
            victim.send_signal(signal.SIGKILL)
        seen = contents(killed)
        assert len(set(seen["chunks"])) == len(seen["chunks"]) == seen["counts"][1] == 2 * seen["counts"][0]
        assert seen["counts"][0] % BATCH == 0
    go(load(killed, 2))
    assert contents(killed) == contents(calm)


@pytest.mark.usefixtures("always_indexed")
def test_a_load_killed_at_random_moments_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    killed_and_loaded_again(tmp_path, kills=2, seed=7)


@pytest.mark.slow
@pytest.mark.usefixtures("always_indexed")
def test_six_killed_loads_end_like_an_undisturbed_one(tmp_path: Path) -> None:
    killed_and_loaded_again(tmp_path, kills=6, seed=8)


def test_rows_of_a_write_that_never_committed_are_unseen_and_swept(tmp_path: Path) -> None:
    def stored(*entries: Entry) -> Any:
        return table_of(entries, 8, ())

    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(VECTORS)
        await store.replace("vectors", [entry("a", "word", vectors=[0])])
        await store.close()
        database = await connect(tmp_path / "tables")
        (name,) = await table_names(database)
        table = await LanceTable.open(database, name, 8)
        await table.delete_documents(["a"])
        await table.add(stored(entry("half", "word", vectors=[1])))
        await LanceTable.create(database, "t0", 8)
        database.close()
        store = LanceStore(tmp_path)
        assert [one.chunk.id for one in await store.keyword("vectors", ["word"], 9)] == ["a-0"]
        assert [one.chunk.id for one in await store.dense("vectors", entry_axis(), 9)] == ["a-0"]
        await store.describe("vectors", "any write sweeps")
        await store.close()
        database = await connect(tmp_path / "tables")
        assert await table_names(database) == [name]
        assert await (await LanceTable.open(database, name, 8)).count() == 1

    go(steps())


@pytest.mark.usefixtures("always_indexed")
def test_two_processes_read_whole_batches_while_one_writes(tmp_path: Path) -> None:
    go(load(tmp_path, 1))
    with start(READ, tmp_path) as one, start(READ, tmp_path) as other:
        for reader in (one, other):
            assert reader.stdout is not None
            assert reader.stdout.readline() == "begun\n"
        go(load(tmp_path, 2))
        for reader in (one, other):
            out, error = reader.communicate()  # its input ends: it has read enough
            assert reader.returncode == 0, error
            seen = json.loads(out)
            assert len(seen) > 5
            # Every state has all documents once; a batch changes version whole, so both versions may be seen.
            assert {tuple(each[:2] + each[3:]) for each in seen} == {
                (DOCUMENTS, DOCUMENTS, 2 * DOCUMENTS, 2 * DOCUMENTS)
            }
            assert {each[2] for each in seen} <= {1, 2}


def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    for path in (tmp_path / "file" / "store", Path("/proc/leadline-store")):
        store = LanceStore(path)
        with pytest.raises(StoreUnwritable, match="Nothing was changed"):
            go(store.create(PLAIN))
        assert go(store.collections()) == []
        go(store.close())


def test_a_full_disk_is_said_and_changes_nothing(tmp_path: Path) -> None:
    big = [entry("a", "word fresh"), *(entry(f"b{number}", "word " * 20_000) for number in range(40))]

    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", "word old")])
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
        try:
            with pytest.raises(StoreUnwritable, match="free some space"):
                await store.replace("plain", big)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert [one.chunk.text for one in await store.keyword("plain", ["word"], 99)] == ["word old"]
        assert (await store.collection("plain")).documents == 1
        await store.replace("plain", [entry("a", "word fresh")])
        assert [one.chunk.text for one in await store.keyword("plain", ["word"], 99)] == ["word fresh"]
        await store.close()

    go(steps())
