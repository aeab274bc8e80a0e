"""Loading: incremental, whole or not at all, and never stopped by one bad file."""

import asyncio
import os
from pathlib import Path

import pytest

from leadline.documents.pool import ReaderPool
from leadline.embeddings.static import build
from leadline.errors import EmbeddingMismatch, StoreLocked, StoreUnwritable, UsageError
from leadline.events import Event, FileLoaded, LoadStarted
from leadline.ingest import LoadOptions, LoadReport, add, entry, load, writing
from leadline.run import Run
from leadline.store.base import Entry
from leadline.store.lance import open_store
from leadline.testing.builders import document
from leadline.testing.running import go
from leadline.types import Collection, Document
from tests.ingest.loads import Shown, loaded, note, notes, shown


def statuses(report: LoadReport) -> dict[str, str]:
    return {Path(file.source).name: file.status for file in report.files}


def stored(data: Path, path: Path) -> Document:
    return go(document_of(data, str(path.resolve())))


async def document_of(data: Path, wanted: str) -> Document:
    store = await open_store(data, read_only=True)
    try:
        known = await store.fingerprints("default")
        [key] = [key for key, (source, _) in known.items() if source == wanted]
        found = await store.document("default", key)
        assert found is not None
        return found
    finally:
        await store.close()


def test_a_second_load_changes_nothing(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 40)

    async def twice() -> tuple[LoadReport, Shown, LoadReport, Shown]:
        first = await loaded(folder, tmp_path / "data")
        before = await shown(tmp_path / "data")
        return first, before, await loaded(folder, tmp_path / "data"), await shown(tmp_path / "data")

    first, before, second, after = go(twice())
    assert (first.loaded, first.unchanged, first.chunks) == (40, 0, 40 * 3)
    assert (second.loaded, second.unchanged, second.chunks) == (0, 40, 0)
    assert before == after
    assert before[str((folder / "note-0003.md").resolve())][0].strip() == note(3).strip()


def test_only_what_changed_is_loaded_again(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 5)
    go(loaded(folder, tmp_path / "data"))
    (folder / "note-0001.md").write_text(note(1, version=2), encoding="utf-8")
    (folder / "new.md").write_text(note(9), encoding="utf-8")
    (folder / "note-0002.md").touch()
    report = go(loaded(folder, tmp_path / "data"))
    assert statuses(report) == {
        "new.md": "loaded",
        "note-0001.md": "loaded",
        **dict.fromkeys(("note-0000.md", "note-0002.md", "note-0003.md", "note-0004.md"), "unchanged"),
    }
    found = go(shown(tmp_path / "data"))
    assert found[str((folder / "note-0001.md").resolve())][0].strip() == note(1, version=2).strip()
    assert len(found) == 6


def test_a_change_that_keeps_size_and_time_is_seen_while_the_file_is_young(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 1)
    path = folder / "note-0000.md"
    before = path.stat()
    go(loaded(folder, tmp_path / "data"))
    path.write_text(note(0).replace("version 1", "version 7"), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert go(loaded(folder, tmp_path / "data")).loaded == 1


def test_an_old_file_is_known_by_size_and_time_alone(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 1)
    path = folder / "note-0000.md"
    os.utime(path, (1_600_000_000, 1_600_000_000))
    go(loaded(folder, tmp_path / "data"))
    path.chmod(0)
    assert go(loaded(folder, tmp_path / "data")).unchanged == 1


def test_other_metadata_or_sizes_load_a_file_again(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 1)
    data = tmp_path / "data"
    assert go(loaded(folder, data)).loaded == 1
    assert go(loaded(folder, data, metadata={"team": "sea"})).loaded == 1
    assert go(loaded(folder, data, metadata={"team": "sea"})).unchanged == 1
    assert stored(data, folder / "note-0000.md").metadata["team"] == "sea"


def test_prune_removes_what_vanished_from_the_named_folders_only(tmp_path: Path) -> None:
    here, there = notes(tmp_path / "here", 3), notes(tmp_path / "there", 2)
    go(loaded([here, there], tmp_path / "data"))
    (here / "note-0001.md").unlink()
    (there / "note-0001.md").unlink()
    assert go(loaded(here, tmp_path / "data")).removed == 0
    report = go(loaded(here, tmp_path / "data", prune=True))
    assert [file.source for file in report.files if file.status == "removed"] == [
        str((here / "note-0001.md").resolve())
    ]
    assert len(go(shown(tmp_path / "data"))) == 4
    (here / "note-0000.md").unlink()
    assert go(loaded(here, tmp_path / "data", prune=True, exclude=("note-0002.md",))).removed == 1
    assert len(go(shown(tmp_path / "data"))) == 3


def test_bad_files_end_in_a_line_each_and_the_others_are_loaded(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 3)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing of the kind")
    (folder / "lying.docx").write_bytes(b"\x00\x01\x02 not a zip")
    (folder / "empty.md").write_text("", encoding="utf-8")
    (folder / "blank.txt").write_text(" \n\n ", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    report = go(loaded(folder, tmp_path / "data"))
    assert (report.loaded, report.failed, report.skipped, report.ignored) == (3, 2, 2, 1)
    told = {Path(file.source).name: file for file in report.files}
    assert told["broken.pdf"].status == "failed"
    assert told["broken.pdf"].reason and told["broken.pdf"].remedy
    assert told["blank.txt"].status == "skipped"
    assert told["blank.txt"].reason
    assert len(go(shown(tmp_path / "data"))) == 3


def test_a_file_that_breaks_keeps_its_last_good_version(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    path = folder / "a.html"
    path.write_text("<html><body><p>Good text of the harbour.</p></body></html>", encoding="utf-8")
    go(loaded(folder, tmp_path / "data"))
    path.write_bytes(b"%PDF-1.4 no")
    assert go(loaded(folder, tmp_path / "data")).failed == 1
    assert "Good text" in stored(tmp_path / "data", path).text


def test_metadata_is_derived_then_front_matter_then_what_the_caller_gives(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    written = "---\nauthor: Mara\ndate: 2021-05-06\nstatus: draft\n---\n# The lead line\n\nIt measures the depth of water.\n"
    (folder / "lead.md").write_text(written, encoding="utf-8")
    (folder / "port_plan-b.txt").write_text(
        "The plan for the port is to dredge it in spring.", encoding="utf-8"
    )
    os.utime(folder / "port_plan-b.txt", (1_600_000_000, 1_600_000_000))
    go(loaded(folder, tmp_path / "data", metadata={"status": "final", "team": "sea"}))
    first = stored(tmp_path / "data", folder / "lead.md")
    assert first.title == "The lead line"
    expected = {"author": "Mara", "year": 2021, "status": "final", "team": "sea", "type": "markdown"}
    assert {key: first.metadata[key] for key in expected} == expected
    assert first.metadata["language"] == "en"
    second = stored(tmp_path / "data", folder / "port_plan-b.txt")
    assert second.title == "port plan b"
    assert second.metadata["modified"] == "2020-09-13"
    assert "year" not in second.metadata
    assert second.metadata["source"] == str((folder / "port_plan-b.txt").resolve())


def test_the_same_content_at_two_paths_is_two_documents(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a.md", "b.md"):
        (folder / name).write_text(note(1), encoding="utf-8")
    assert go(loaded(folder, tmp_path / "data")).loaded == 2
    assert len(go(shown(tmp_path / "data"))) == 2


def test_another_embedding_than_the_collections_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 2)
    go(loaded(folder, tmp_path / "data"))
    events: list[Event] = []
    with pytest.raises(EmbeddingMismatch):
        go(loaded(folder, tmp_path / "data", embedder=build(), run=Run(emit=events.append)))
    assert not [event for event in events if isinstance(event, FileLoaded)]


def test_chunks_are_embedded_with_their_title_and_found_by_meaning(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 3)
    (folder / "boats.md").write_text("# Boats\n\nA small boat crossed the lake.\n", encoding="utf-8")
    embedder = build()

    async def nearest() -> str:
        await loaded(folder, tmp_path / "data", embedder=embedder)
        store = await open_store(tmp_path / "data", read_only=True)
        try:
            hits = await store.dense("default", embedder.embed_queries(["little boats on lakes"])[0], 1)
            return hits[0].chunk.title
        finally:
            await store.close()

    assert go(nearest()) == "Boats"


def test_a_cancelled_load_keeps_what_it_committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "BATCH_DOCUMENTS", 32)
    folder = notes(tmp_path / "notes", 400)
    run = Run()

    def stop(event: Event) -> None:
        if isinstance(event, FileLoaded):
            run.cancel()

    run.emit = stop
    report = go(loaded(folder, tmp_path / "data", run=run))
    assert report.cancelled
    assert 0 < report.loaded < 400
    assert len(go(shown(tmp_path / "data"))) == report.loaded
    again = go(loaded(folder, tmp_path / "data"))
    assert (again.loaded, again.unchanged) == (400 - report.loaded, report.loaded)


def test_a_load_whose_task_is_cancelled_leaves_no_task_and_no_half_batch(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 200)

    async def stopped() -> None:
        started = asyncio.Event()
        run = Run(emit=lambda event: started.set() if isinstance(event, LoadStarted) else None)
        task = asyncio.create_task(loaded(folder, tmp_path / "data", run=run))
        await started.wait()
        await asyncio.sleep(0.3)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    go(stopped())
    go(loaded(folder, tmp_path / "data"))
    assert len(go(shown(tmp_path / "data"))) == 200


def test_a_store_that_cannot_be_written_to_ends_the_load_and_nothing_stays_behind(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 300)
    go(loaded(notes(tmp_path / "first", 2), tmp_path / "data"))
    events: list[Event] = []

    async def refused() -> None:
        store = await open_store(tmp_path / "data", read_only=True)
        async with ReaderPool(1) as pool:
            options = LoadOptions(collection="other")
            with pytest.raises(StoreUnwritable):
                await load([folder], options, store, None, pool, Run(emit=events.append))
        await store.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    go(refused())
    assert not [event for event in events if isinstance(event, FileLoaded)]
    assert len(go(shown(tmp_path / "data"))) == 2


def test_a_store_that_another_is_writing_to_is_left_alone(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 3)

    async def refused() -> None:
        other = await open_store(tmp_path / "data")
        await other.create(Collection("default"))
        with pytest.raises(StoreLocked):
            await loaded(folder, tmp_path / "data")
        await other.close()

    go(refused())
    assert go(loaded(folder, tmp_path / "data")).loaded == 3


def test_events_say_what_begins_and_what_became_of_each_file(tmp_path: Path) -> None:
    folder = notes(tmp_path / "notes", 3)
    events: list[Event] = []
    report = go(loaded(folder, tmp_path / "data", run=Run(emit=events.append)))
    assert events[0] == LoadStarted(3, sum(path.stat().st_size for path in folder.iterdir()))
    assert tuple(events[1:]) == report.files
    assert report.bytes == sum(file.bytes for file in report.files)


def test_a_path_that_is_not_there_stops_the_load_before_the_store_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        go(loaded([notes(tmp_path / "notes", 1), tmp_path / "nothing"], tmp_path / "data"))
    assert not (tmp_path / "data").exists()


def test_an_empty_folder_makes_no_collection(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    assert go(loaded(tmp_path / "notes", tmp_path / "data")).files == ()
    assert not (tmp_path / "data").exists()


def test_a_report_takes_over_the_lines_of_a_second_try() -> None:
    first = LoadReport((FileLoaded("a", "loaded", 2), FileLoaded("b", "failed", reason="locked")), seconds=1)
    second = LoadReport((FileLoaded("b", "loaded", 3), FileLoaded("c", "skipped")), seconds=2)
    both = first.with_again(second)
    assert [(file.source, file.status) for file in both.files] == [
        ("a", "loaded"),
        ("b", "loaded"),
        ("c", "skipped"),
    ]
    assert (both.loaded, both.failed, both.chunks, both.seconds) == (2, 0, 5, 3)


def test_documents_that_are_no_files_are_added_in_commits_of_512(tmp_path: Path) -> None:
    documents = [document(note(number), source=f"set/{number}") for number in range(600)]

    async def added() -> tuple[int, int, int]:
        store = await open_store(tmp_path / "data")
        try:
            await store.create(Collection("set"))
            chunks = await add(documents, "set", store, None, Run())
            collection = await store.collection("set")
            return chunks, collection.chunks, collection.documents
        finally:
            await store.close()

    assert go(added()) == (600, 600, 600)


def test_an_entry_has_one_vector_for_each_chunk() -> None:
    made: Entry = entry(document(note(1) * 5), build())
    assert made.vectors is not None
    assert made.vectors.shape == (len(made.chunks), 256)
    assert made.fingerprint == made.document.content_hash
    assert entry(document("Text."), None).vectors is None
    assert LoadOptions().collection == "default"
