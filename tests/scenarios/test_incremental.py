"""Adding, changing and removing a little of a collection leaves what a rebuild would, and nothing of what is gone."""

import json
import random
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from leadline.config import Settings
from leadline.embeddings.static import StaticEmbedder
from leadline.ingest import entry
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.run import Budget, Run
from leadline.store.base import Store
from leadline.store.lance import LanceStore
from leadline.testing.running import go
from leadline.types import Collection, Document, Hit, Query
from leadline.workspace import Workspace

WORDS = ("harbour", "lantern", "river", "committee", "engine", "vessel", "survey", "depth", "sound", "rope")
NEW = "# Quorra Vint\n\nQuorra Vint tuned the heliograph of Saltmarsh in 1931.\n"
LEADS = "# Tide office\n\nThe tide office was founded by Quorra Vint.\n"


def many_notes(folder: Path, count: int) -> Path:
    """A folder of `count` small notes in folders of a thousand, and one that names who the new file is about."""
    draw = random.Random(3)
    for number in range(count):
        place = folder / f"part-{number // 1000:02}"
        if number % 1000 == 0:
            place.mkdir(parents=True)
        text = f"# Note {number}\n\nStation {number} reports: {' '.join(draw.choices(WORDS, k=12))}.\n"
        (place / f"note-{number:05}.md").write_text(text, encoding="utf-8")
    (folder / "office.md").write_text(LEADS, encoding="utf-8")
    return folder


async def found_by(workspace: Workspace, question: str) -> dict[str, set[str]]:
    """For each of the ten best hits' file names, the paths that found it."""
    hits = (await workspace.search(question)).hits
    return {Path(hit.chunk.source).name: {one.path for one in hit.found} for hit in hits}


async def linked_chunks(data: Path) -> set[str]:
    """The ids of all chunks in the phrase index."""
    store = LanceStore(data, read_only=True)
    try:
        return {chunk for chunk, _, _ in (await store.phrases("default")).logical()}
    finally:
        await store.close()


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=pytest.mark.slow)])
def test_one_file_more_is_found_at_once_by_every_path_and_one_less_by_none(
    tmp_path: Path, count: int
) -> None:
    folder = many_notes(tmp_path / "notes", count)
    added = folder / "quorra.md"

    async def steps() -> None:
        async with Workspace(Settings(data=tmp_path / "data")) as workspace:
            assert (await workspace.load([folder])).loaded == count + 1
            added.write_text(NEW, encoding="utf-8")
            report = await workspace.load([added])
            assert (report.loaded, report.unchanged) == (1, 0)
            found = await found_by(workspace, "Who tuned the heliograph of Saltmarsh?")
            assert {"dense", "keyword"} <= found["quorra.md"]
            linked = await found_by(workspace, "What did the founder of the tide office tune?")
            assert {"office.md", "quorra.md"} <= linked.keys()
            assert "linked" in linked["quorra.md"]
            with_it = await linked_chunks(tmp_path / "data")
            await workspace.remove([added])
            assert "quorra.md" not in await found_by(workspace, "Who tuned the heliograph of Saltmarsh?")
            without = await linked_chunks(tmp_path / "data")
            assert (len(without), len(with_it)) == (count + 1, count + 2)

    go(steps(), seconds=900)


NAMES = [
    f"{first} {last}"
    for first in ("Ada", "Bram", "Cleo", "Dov", "Edda")
    for last in ("Orrin", "Vint", "Holm")
]
OPTIONS = RetrievalOptions(dense_weight=0.15)
PATHS = {
    "exact": RetrievalOptions(paths=frozenset({"dense"}), titles=False, coverage=False),
    "keyword": RetrievalOptions(paths=frozenset({"keyword"}), titles=False, coverage=False),
    "linked": OPTIONS,
}


def made(number: int, version: int) -> Document:
    """A document about one name that names others; the same for the same number and version."""
    draw = random.Random(number * 1000 + version)
    parts = [
        f"{draw.choice(NAMES)} {' '.join(draw.choices(WORDS, k=14))}." for _ in range(draw.randrange(1, 4))
    ]
    return Document(
        f"d{number}",
        f"{number}.md",
        "\n\n".join(parts),
        draw.choice(NAMES),
        f"{number} {version}",
        {"n": number},
    )


async def apply(store: Store, embedder: StaticEmbedder, operations: int, seed: int) -> list[Document]:
    """Random adding, replacing and removing; the documents that are left."""
    draw = random.Random(seed)
    there: dict[int, Document] = {}
    for step in range(operations):
        number = draw.randrange(40)
        if number in there and draw.random() < 0.4:
            await store.remove("c", [there.pop(number).id])
        else:
            there[number] = made(number, step)
            await store.replace("c", [entry(there[number], embedder)])
        if draw.random() < 0.02:
            await store.optimise("c")
    return list(there.values())


async def logical(store: Store, documents: Sequence[Document], embedder: StaticEmbedder) -> dict[str, object]:
    """All that a store shows of a collection, in an order of its own."""
    entries = [entry(document, embedder) for document in documents]
    chunks = [chunk for one in entries for chunk in one.chunks]
    terms = sorted({term for chunk in chunks for term in chunk.terms.split()})
    collection = await store.collection("c")
    return {
        "counts": (collection.documents, collection.chunks),
        "fingerprints": sorted((await store.fingerprints("c")).items()),
        "documents": [await store.document("c", document.id) for document in documents],
        "sections": await store.sections("c", sorted({chunk.section_id for chunk in chunks})),
        "chunks": await store.chunks("c", sorted(chunk.id for chunk in chunks)),
        "terms": await store.statistics("c", [*terms, "unheard"]),
        "phrases": sorted((await store.phrases("c")).logical()),
    }


async def ranked(store: Store, embedder: StaticEmbedder, options: RetrievalOptions) -> list[list[str]]:
    """The ids of the best twenty for some questions."""
    retriever = HybridRetriever(store, ("c",), embedder, options)
    questions = [
        f"Which {word} did {name} {other}?"
        for word, other, name in zip(WORDS, WORDS[3:], NAMES, strict=False)
    ]
    found: list[tuple[Hit, ...]] = [
        (await retriever.search(Query(question), 20, Run(Budget(searches=None)))).hits
        for question in questions
    ]
    return [[hit.chunk.id for hit in hits] for hits in found]


@pytest.mark.parametrize("operations", [100, pytest.param(1_000, marks=pytest.mark.slow)])
def test_random_changes_leave_what_a_rebuild_leaves(tmp_path: Path, operations: int) -> None:
    embedder = StaticEmbedder()
    collection = Collection("c", embedding=embedder.name, dimension=embedder.dimension)

    async def steps() -> None:
        grown, rebuilt = LanceStore(tmp_path / "grown"), LanceStore(tmp_path / "rebuilt")
        for store in (grown, rebuilt):
            await store.create(collection)
        left = await apply(grown, embedder, operations, seed=operations)
        assert len(left) > 10
        await rebuilt.replace("c", [entry(document, embedder) for document in left])
        assert await logical(grown, left, embedder) == await logical(rebuilt, left, embedder)
        for name, options in PATHS.items():
            assert await ranked(grown, embedder, options) == await ranked(rebuilt, embedder, options), name
        await grown.close()
        await rebuilt.close()

    go(steps())


SECRET = "Qzxsecret"
ABROAD = "机密鲸鱼"
MARKED = f"# {SECRET} {ABROAD}\n\n## Part {SECRET}\n\nThe {SECRET} Plan of {ABROAD} is known to nobody. See 「{ABROAD}」.\n"


def everything_on_disk(folder: Path) -> Iterator[bytes]:
    """Every file's bytes, and every value of every SQLite table, what is compressed also decompressed."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield file.read_bytes()
        if file.suffix == ".sqlite":
            connection = sqlite3.connect(file)
            tables = [
                row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            ]
            for value in (
                value
                for table in tables
                for row in connection.execute(f"SELECT * FROM {table}")
                for value in row
            ):
                if isinstance(value, bytes):
                    yield value
                    try:
                        yield zlib.decompress(value)
                    except zlib.error:
                        continue
            connection.close()


def traces(folder: Path) -> int:
    """How many values hold a marker, as it is, folded, or as JSON writes it."""
    marks = [
        text for word in (SECRET, ABROAD) for text in (word, word.casefold(), json.dumps(word).strip('"'))
    ]
    wanted = [*(mark.encode() for mark in marks), *(mark.encode("utf-16-le") for mark in marks)]
    return sum(any(mark in value for mark in wanted) for value in everything_on_disk(folder))


@pytest.mark.parametrize("beforehand", ["nothing", "changed", "removed"])
def test_purged_text_is_nowhere_on_disk(tmp_path: Path, beforehand: str) -> None:
    folder = many_notes(tmp_path / "notes", 40)
    marked = folder / "plan.md"
    marked.write_text(MARKED, encoding="utf-8")

    async def steps() -> None:
        async with Workspace(Settings(data=tmp_path / "data")) as workspace:
            await workspace.load(
                [folder], metadata={"label": f"of {SECRET}"} if beforehand == "nothing" else {}
            )
            assert traces(tmp_path / "data") > 1
            if beforehand == "changed":
                marked.write_text("# Plan\n\nNothing to see.\n", encoding="utf-8")
                await workspace.load([marked])
            if beforehand == "removed":
                await workspace.remove([marked])
                await workspace.remove([folder / "office.md"], purge=True)
            elif beforehand == "nothing":
                await workspace.remove([folder], purge=True)
            else:
                await workspace.remove([marked], purge=True)
            assert traces(tmp_path / "data") == 0
            assert (await workspace.collection("default")).documents == (
                0 if beforehand == "nothing" else 40 + (beforehand == "changed")
            )

    go(steps())
