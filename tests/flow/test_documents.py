"""Documents as rows: from files and collections, split, embedded, and into a collection that is searched."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from leadline.config import Settings
from leadline.errors import EmbeddingMismatch, RowFailed, UsageError
from leadline.flow.base import DeadLetter, Operator, Row, Scope
from leadline.flow.ends import Sink, Source
from leadline.flow.running.running import collected
from leadline.flow.sinks.collection import Collection as CollectionSink
from leadline.flow.sources.collection import Collection
from leadline.flow.sources.folder import Folder
from leadline.flow.sources.search import Search
from leadline.flow.steps.embedding import Embed
from leadline.flow.steps.loading import Load, Split
from leadline.testing.running import go
from leadline.workspace import Workspace

R = TypeVar("R")

MILL = "# The tide mill\n\nThe mill was built in 1784.\n\n## Wheels\n\nIt has two wheels of oak.\n"
SALT = "# The salt works\n\nSalt was boiled here until 1911.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    (folder / "sub").mkdir(parents=True)
    (folder / "mill.md").write_text(MILL)
    (folder / "sub" / "salt.md").write_text(SALT)
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_validate({"data": tmp_path / "data"})


class Bench:
    """A workspace, and rows through parts of a flow in it."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.lost: list[DeadLetter] = []
        self.scope = Scope(workspace=workspace, lose=self.lost.append)

    async def read(self, source: Source) -> list[Row]:
        return [row async for row in source.rows(self.scope)]

    async def write(self, sink: Sink, rows: Sequence[Row]) -> None:
        async with sink.opened(self.scope) as put:
            for row in rows:
                await put(row)


def on(settings: Settings, work: Callable[[Bench], Awaitable[R]]) -> R:
    async def done() -> R:
        async with await Workspace.open(settings) as workspace:
            bench = Bench(workspace)
            try:
                return await work(bench)
            finally:
                await bench.scope.kept.close()

    return go(done())


def test_a_folder_gives_documents_with_their_structure_in_order(folder: Path, settings: Settings) -> None:
    (folder / ".hidden.md").write_text("no")
    (folder / "empty.txt").write_text(" ")
    (folder / "broken.pdf").write_text("no pdf at all")

    async def work(bench: Bench) -> tuple[list[Row], int | None, list[DeadLetter]]:
        source = Folder(folder)
        return await bench.read(source), await source.total(bench.scope), bench.lost

    rows, total, lost = on(settings, work)
    assert [Path(row["source"]).name for row in rows] == ["mill.md", "salt.md"]
    assert rows[0]["title"] == "The tide mill"
    heading = rows[0]["headings"][1]
    assert rows[0]["text"][heading["start"] : heading["end"]] == "Wheels"
    assert rows[0]["metadata"]["type"] == "markdown"
    assert total == 4
    assert sorted(Path(letter.row["source"]).name for letter in lost) == ["broken.pdf", "empty.txt"]
    with pytest.raises(UsageError, match="cannot be read"):
        on(settings, lambda bench: bench.read(Folder(folder / "nix")))


def test_pages_of_a_pdf_come_with_it(settings: Settings) -> None:
    corpus = Path(__file__).parents[2] / "examples" / "corpus"
    (pdf, *_) = sorted(corpus.rglob("*.pdf"))
    (row,) = on(settings, lambda bench: bench.read(Folder(pdf)))
    assert row["metadata"]["type"] == "pdf"
    assert row["pages"][0]["number"] == 1
    assert len(row["text"]) > 100


def test_what_a_row_names_is_loaded_and_split(folder: Path, settings: Settings) -> None:
    steps = Load("file", folder) >> Split(chunk_size=30, section_size=200)

    async def work(bench: Bench) -> list[Row]:
        return await collected(steps, [{"file": "mill.md", "n": 1}], bench.scope)

    (row,) = on(settings, work)
    assert row["n"] == 1
    assert len(row["chunks"]) > 1
    for chunk in row["chunks"]:
        assert row["text"][chunk["start"] : chunk["end"]] == chunk["text"]
    assert row["chunks"][-1]["heading_path"] == ["The tide mill", "Wheels"]


@pytest.mark.parametrize(
    "named", ["../outside.md", "/etc/hostname", "link.md", "nix.md", "sub", ".", ".env", "a\x00b"]
)
def test_nothing_outside_the_folder_is_loaded(folder: Path, settings: Settings, named: str) -> None:
    (folder.parent / "outside.md").write_text("hidden words")
    (folder / ".env").write_text("KEY=hidden words")
    (folder / "link.md").symlink_to(folder.parent / "outside.md")

    async def work(bench: Bench) -> list[Row]:
        return await collected(Load("file", folder), [{"file": named}], bench.scope)

    with pytest.raises(RowFailed) as raised:
        on(settings, work)
    assert "hidden words" not in str(raised.value)


def test_a_text_alone_is_split_and_what_is_none_is_refused() -> None:
    def split(step: Operator, row: Row) -> Row:
        return go(collected(step, [row]))[0]

    row = split(
        Split("body", chunk_size=20, section_size=40), {"body": "One sentence here. Another one there."}
    )
    assert [chunk["text"] for chunk in row["chunks"]] == ["One sentence here.", "Another one there."]
    for given in ({"body": 5}, {}, {"body": {"text": "x"}}, {"body": ""}):
        with pytest.raises(RowFailed):
            split(Split("body"), given)
    moved = {"source": "a", "text": "abc", "headings": [{"level": 1, "text": "b", "start": 0, "end": 1}]}
    with pytest.raises(RowFailed, match="Take `pages`, `headings` and `blocks` out"):
        split(Split(), moved)


def test_texts_become_vectors_of_the_encoder(settings: Settings) -> None:
    async def work(bench: Bench) -> tuple[list[Row], list[list[float]]]:
        rows: list[Row] = [{"q": "tide mill"}, {"q": ["salt", {"text": "tide mill"}]}, {"q": []}]
        made = await collected(Embed("q", side="query"), rows, bench.scope)
        encoder = await bench.workspace.embedder()
        assert encoder is not None
        return made, (await asyncio.to_thread(encoder.embed_queries, ["tide mill"])).tolist()

    rows, expected = on(settings, work)
    assert np.allclose(rows[0]["q_vector"], expected[0])
    assert [len(row["q_vector"]) for row in rows[1:]] == [2, 0]
    assert np.allclose(rows[1]["q_vector"][1], expected[0])

    async def failing(bench: Bench) -> list[Row]:
        return await collected(Embed("q"), [{"q": 5}], bench.scope)

    with pytest.raises(RowFailed, match="is no text"):
        on(settings, failing)
    with pytest.raises(RowFailed, match="`embedding` is `none`"):
        on(
            settings.model_copy(update={"embedding": "none"}),
            lambda bench: collected(Embed("q"), [{"q": "a"}], bench.scope),
        )


def test_rows_become_documents_that_are_found(folder: Path, settings: Settings) -> None:
    sink = CollectionSink("made", metadata=["year"])

    async def work(bench: Bench) -> list[Row]:
        rows = await bench.read(Folder(folder))
        rows[0] = {**rows[0], "year": 1784}
        await bench.write(sink, [*rows, {"text": "no source"}, {"source": "x", "text": "a", "metadata": 5}])
        await bench.write(sink, [{"source": "hand", "text": "A note on herring."}])
        found = await bench.read(Search(["tide mill wheels", "herring"], limit=1, collections=["made"]))
        assert [row["title"] for row in found] == ["The tide mill", "hand"]
        assert [(row["query"], row["rank"]) for row in found] == [("tide mill wheels", 1), ("herring", 1)]
        filtered = Search(["salt"], collections=["made"], where="year == 1784")
        assert {row["title"] for row in await bench.read(filtered)} == {"The tide mill"}
        assert len(bench.lost) == 2
        return await bench.read(Collection("made"))

    rows = on(settings, work)
    assert sorted(row["title"] for row in rows) == ["The salt works", "The tide mill", "hand"]
    assert {row["text"].strip() for row in rows} >= {MILL.strip(), SALT.strip()}


def test_the_same_rows_again_change_nothing_and_a_changed_one_takes_the_place_of_the_old(
    folder: Path, settings: Settings
) -> None:
    sink = CollectionSink("made")

    async def work(bench: Bench) -> None:
        async def chunks() -> list[Row]:
            return await bench.read(Collection("made", of="chunks", vectors=True))

        rows = await bench.read(Folder(folder))
        await bench.write(sink, rows)
        store = await bench.workspace.reading()
        before, first = await store.fingerprints("made"), await chunks()
        assert all(len(chunk["vector"]) > 10 for chunk in first)
        await bench.write(sink, rows)
        assert await store.fingerprints("made") == before
        (folder / "mill.md").write_text("# The tide mill\n\nIt burned down.\n")
        (folder / "sub" / "salt.md").unlink()
        again = await bench.read(Folder(folder))
        await bench.write(
            CollectionSink("made", prune=folder), [*again, {"source": "hand", "text": "A note."}]
        )
        kept = await bench.read(Collection("made"))
        assert sorted(row["title"] for row in kept) == ["The tide mill", "hand"]
        assert "burned" in next(row["text"] for row in kept if row["title"] == "The tide mill")
        assert await Collection("made").total(bench.scope) == 2

    on(settings, work)


def test_the_last_of_two_rows_with_one_source_is_kept_and_a_failure_writes_nothing(
    settings: Settings,
) -> None:
    async def work(bench: Bench) -> None:
        rows: list[Row] = [
            {"source": "a", "text": "old"},
            {"source": "b", "text": "b"},
            {"source": "a", "text": "new"},
        ]
        await bench.write(CollectionSink("made"), rows)
        found = {row["source"]: row["text"] for row in await bench.read(Collection("made"))}
        assert found == {"a": "new", "b": "b"}
        with pytest.raises(KeyError):
            async with CollectionSink("made").opened(bench.scope) as put:
                await put({"source": "c", "text": "c"})
                raise KeyError
        assert await Collection("made").total(bench.scope) == 2

    on(settings, work)


def test_a_collection_of_another_encoder_is_refused_before_the_first_row(settings: Settings) -> None:
    on(settings, lambda bench: bench.write(CollectionSink("made"), [{"source": "a", "text": "a"}]))

    async def enter(bench: Bench) -> None:
        store = await bench.workspace.reading()
        known = await store.collection("made")
        async with bench.workspace.writing() as writer:
            await writer.create(replace(known, name="other", embedding="another-1", documents=0, chunks=0))
        async with CollectionSink("other").opened(bench.scope):
            raise AssertionError

    with pytest.raises(EmbeddingMismatch, match="another-1"):
        on(settings, enter)


def test_a_collection_moves_to_another_through_a_flow(folder: Path, settings: Settings) -> None:
    async def work(bench: Bench) -> None:
        await bench.workspace.load([folder], collection="one")
        await bench.write(CollectionSink("two"), await bench.read(Collection("one")))
        one, two = [
            [(row["text"], row["heading_path"]) for row in await bench.read(Collection(name, of="chunks"))]
            for name in ("one", "two")
        ]
        assert one == two

    on(settings, work)
