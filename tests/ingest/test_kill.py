"""A load that is killed: the store shows whole versions only, and the next load completes it."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leadline.errors import UnknownCollection
from leadline.testing.running import go
from tests.ingest.loads import Shown, loaded, note, notes, shown

FILES = 60
CHILD = """
import asyncio, sys
from pathlib import Path
from leadline.documents.pool import ReaderPool
from leadline.ingest import LoadOptions, load, reading, writing
from leadline.run import Run
from leadline.store.lance import open_store

writing.BATCH_DOCUMENTS = reading.GROUP_FILES = 4

async def main():
    store = await open_store(Path(sys.argv[2]))
    async with ReaderPool(1) as pool:
        await load([Path(sys.argv[1])], LoadOptions(prune=True), store, None, pool, Run())
    await store.close()

print("ready", flush=True)
asyncio.run(main())
print("done", flush=True)
"""


def start(folder: Path, data: Path) -> "subprocess.Popen[str]":
    """A child process that has done its imports and begins to load."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", CHILD, str(folder), str(data)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def kill_after(child: "subprocess.Popen[str]", seconds: float) -> bool:
    """Kill the child when so much time has passed; whether it was still at work."""
    assert child.stdout is not None
    time.sleep(seconds)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    return child.returncode == -signal.SIGKILL


def undisturbed(folder: Path, data: Path) -> tuple[Shown, float]:
    """What a load shows that nobody disturbs, and about how long one takes."""
    begun = time.monotonic()
    go(loaded(folder, data))
    return go(shown(data)), time.monotonic() - begun


def change(folder: Path) -> None:
    """Half of the notes get another text, some vanish, one is new."""
    for number in range(0, FILES, 2):
        (folder / f"note-{number:04}.md").write_text(note(number, version=2), encoding="utf-8")
    for number in (1, 3, 5):
        (folder / f"note-{number:04}.md").unlink()
    (folder / "new.md").write_text(note(999), encoding="utf-8")


def visible(data: Path) -> Shown:
    """What a store shows that may have been killed before it held anything."""
    try:
        return go(shown(data))
    except UnknownCollection:
        return {}


def kill_at_work(folder: Path, data: Path, seconds: float, moments: random.Random) -> None:
    """Kill a load at a random moment of it. One that was done before starts over, with less time."""
    spare = data.with_name(f"{data.name}-spare")
    if data.exists():
        shutil.copytree(data, spare)
    while not kill_after(start(folder, data), moments.uniform(0, seconds)):
        seconds *= 0.7
        shutil.rmtree(data)
        if spare.exists():
            shutil.copytree(spare, data)
    shutil.rmtree(spare, ignore_errors=True)


def kill_and_load_again(tmp_path: Path, first: int, changed: int, seed: int) -> None:
    """Kill `first` first loads, and loads of changes over `changed` of them, each at a random moment."""
    moments = random.Random(seed)
    folder = notes(tmp_path / "notes", FILES)
    before, seconds = undisturbed(folder, tmp_path / "before")
    stores = [tmp_path / f"killed-{number}" for number in range(first)]
    for data in stores:
        kill_at_work(folder, data, seconds, moments)
        assert visible(data).items() <= before.items()
        go(loaded(folder, data))
        assert go(shown(data)) == before
    change(folder)
    after, _ = undisturbed(folder, tmp_path / "after")
    for data in stores[:changed]:
        kill_at_work(folder, data, seconds, moments)
        assert set(visible(data).items()) <= {*before.items(), *after.items()}
        go(loaded(folder, data, prune=True))
        assert go(shown(data)) == after


def test_a_killed_load_leaves_whole_versions_and_the_next_load_completes_it(tmp_path: Path) -> None:
    kill_and_load_again(tmp_path, first=1, changed=1, seed=1)


@pytest.mark.slow
def test_twenty_killed_loads_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    kill_and_load_again(tmp_path, first=12, changed=8, seed=2)
