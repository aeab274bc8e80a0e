"""Loads over a cluster: what is stored is what a load in one process stores, whatever dies meanwhile."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from leadline.config import settings
from leadline.errors import ConfigError, UsageError
from leadline.events import Event, FileLoaded
from leadline.ingest import LoadReport, reading
from leadline.ingest.configured import reading as reading_places
from leadline.registry import BUILTIN
from leadline.run import Run
from leadline.store.base import Entry
from leadline.store.lance import open_store
from leadline.testing.running import go
from leadline.workspace import Workspace
from tests.ingest.loads import note, notes

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray", "ignore::ResourceWarning")
FILES = 60


@pytest.fixture(autouse=True)
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "GROUP_FILES", 4)


@pytest.fixture(params=["here", pytest.param("ray", marks=pytest.mark.ray)])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A cluster without processes, and a Ray cluster of two workers."""
    monkeypatch.setitem(
        cast("dict[str, str]", BUILTIN["cluster"]), "here", "leadline.testing.cluster:here_cluster"
    )
    if request.param == "ray":
        request.getfixturevalue("two_workers")
    return request.param


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Notes, and a file that cannot be read."""
    made = notes(tmp_path / "notes", FILES)
    (made / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    return made


def load(data: Path, folder: Path, engine: str, run: Run | None = None) -> LoadReport:
    async def work() -> LoadReport:
        async with await Workspace.open(settings(flags={"data": data})) as workspace:
            return await workspace.load([folder], engine=engine, run=run)

    return go(work())


def stored(data: Path) -> list[Entry]:
    """All that a store holds, document by document."""

    async def work() -> list[Entry]:
        store = await open_store(data, read_only=True)
        try:
            return [entry async for entry in store.scan("default")]
        finally:
            await store.close()

    return sorted(go(work()), key=lambda entry: entry.document.source)


def told(report: LoadReport) -> list[tuple[str, str, int, str]]:
    return [(file.source, file.status, file.chunks, file.reason) for file in report.files]


def same(one: Path, other: Path) -> bool:
    """Whether two stores hold the same documents, sections, chunks and vectors."""
    entries, others = stored(one), stored(other)
    return [(entry.document, entry.sections, entry.chunks) for entry in entries] == [
        (entry.document, entry.sections, entry.chunks) for entry in others
    ] and all(
        np.array_equal(entry.vectors, another.vectors)  # pyright: ignore[reportArgumentType]
        for entry, another in zip(entries, others, strict=True)
    )


def killing(title: str, after: int) -> Callable[[Event], None]:
    """Kill one process of that title when so many files are loaded."""
    loaded: list[FileLoaded] = []

    def see(event: Event) -> None:
        if isinstance(event, FileLoaded):
            loaded.append(event)
            if len(loaded) == after:
                listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True)
                pids = [int(line.split()[0]) for line in listed.stdout.splitlines() if title in line]
                os.kill(pids[0], signal.SIGKILL)

    return see


def test_it_stores_and_tells_what_a_load_in_one_process_does(
    tmp_path: Path, folder: Path, engine: str
) -> None:
    alone = load(tmp_path / "alone", folder, "local")
    spread = load(tmp_path / "spread", folder, engine)
    assert told(spread) == told(alone)
    assert (spread.loaded, spread.failed) == (FILES, 1)
    assert same(tmp_path / "spread", tmp_path / "alone")


def test_only_what_has_changed_is_read_again(tmp_path: Path, folder: Path, engine: str) -> None:
    load(tmp_path / "data", folder, engine)
    (folder / "note-0007.md").write_text(note(7, version=2), encoding="utf-8")
    again = load(tmp_path / "data", folder, engine)
    assert (again.loaded, again.unchanged) == (1, FILES - 1)


@pytest.mark.ray
@pytest.mark.usefixtures("two_workers")
def test_a_worker_killed_while_it_loads_loses_nothing(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leadline.ingest.writing.BATCH_DOCUMENTS", 4)
    load(tmp_path / "alone", folder, "local")
    report = load(tmp_path / "spread", folder, "ray", Run(emit=killing("ray::MapWorker", after=8)))
    assert report.loaded == FILES
    assert same(tmp_path / "spread", tmp_path / "alone")


def test_a_load_that_is_stopped_keeps_what_it_has_and_the_next_one_completes_it(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setattr("leadline.ingest.writing.BATCH_DOCUMENTS", 4)
    load(tmp_path / "alone", folder, "local")
    run = Run()
    run.emit = lambda event: run.cancel() if isinstance(event, FileLoaded) else None
    stopped = load(tmp_path / "spread", folder, engine, run)
    assert stopped.cancelled
    assert 0 < stopped.loaded < FILES
    load(tmp_path / "spread", folder, engine)
    assert same(tmp_path / "spread", tmp_path / "alone")


def test_files_that_a_worker_dies_of_are_told_and_the_others_are_stored(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        cast("dict[str, str]", BUILTIN["cluster"]), "losing", "tests.ingest.loads:losing_cluster"
    )
    report = load(tmp_path / "data", folder, "losing")
    died = [file for file in report.files if "died" in file.reason]
    assert [Path(file.source).name for file in died] == [f"note-{n:04}.md" for n in range(3, 7)]
    assert {file.status for file in died} == {"failed"}
    assert report.loaded == FILES - 4


def test_pictures_are_described_in_this_process_alone() -> None:
    async def work() -> None:
        async with reading_places(settings(flags={"load.describe_pictures": True}), "ray", None):
            pass

    with pytest.raises(ConfigError, match="describe_pictures"):
        go(work())


def test_an_engine_that_is_not_known_is_told(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(UsageError, match="`engine` cannot be `rya`. It is `local` or `ray`"):
        load(tmp_path / "data", folder, "rya")
