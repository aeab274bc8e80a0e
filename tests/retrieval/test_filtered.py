"""Filtered recall over the real store: what the question names opens a way to find, and shuts none."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from leadline.embeddings.static import build
from leadline.ingest import add
from leadline.retrieval.base import Results
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.run import Run
from leadline.store.filters import parse_filter
from leadline.store.lance import open_store
from leadline.testing.builders import document
from leadline.testing.running import go
from leadline.types import Collection, Document, Metadata, Query

QUESTION = "How many tonnes did the harbour handle in March 2024?"
OPTIONS = RetrievalOptions(pool=4, today=date(2024, 5, 15))


def note(number: int, metadata: Metadata, text: str = "") -> Document:
    said = text or f"The harbour did handle {number * 37} tonnes of cargo."
    made = document(said, f"n{number}.md", "Notes")
    return replace(made, metadata={"title": made.title, "source": made.source, **metadata})


NOTES = [note(n, {"date": f"202{3 + n // 13}-{n % 12 + 1:02}-10"}) for n in range(24)]
RIGHT = next(one.source for one in NOTES if one.metadata["date"] == "2024-03-10")
KEEPER = document("In March 2024 the lighthouse keeper was Tomas Reed.", "keeper.md", "Lighthouse keeper")


def search(
    path: Path,
    question: str = QUESTION,
    options: RetrievalOptions = OPTIONS,
    stored: Mapping[str, Sequence[Document]] | None = None,
    *,
    dense: bool = False,
) -> Results:
    async def work() -> Results:
        store = await open_store(path)
        embedder = build() if dense else None
        kept = stored or {"main": [*NOTES, KEEPER]}
        for name, documents in kept.items():
            made = Collection(name)
            if embedder:
                made = replace(made, embedding=embedder.name, dimension=embedder.dimension)
            await store.create(made)
            await add(documents, name, store, embedder, Run())
        found = await HybridRetriever(store, tuple(kept), embedder, options).search(
            Query(question), 10, Run()
        )
        await store.close()
        return found

    return go(work())


def sources(results: Results) -> list[str]:
    return [hit.chunk.source for hit in results.hits]


def test_of_equal_passages_that_of_the_date_asked_for_comes_first_and_says_why(tmp_path: Path) -> None:
    for dense in (False, True):
        results = search(tmp_path / str(dense), stored={"main": NOTES}, dense=dense)
        assert sources(results)[0] == RIGHT
        (found,) = [one for one in results.hits[0].found if one.path == "filtered"]
        assert (found.rank, found.score, found.words) == (1, 1.0, "in March 2024")
        assert dict(results.paths)["filtered"] == 1
        assert results.asked == ('(date >= "2024-03" and date < "2024-04") (“in March 2024”)',)


def test_without_the_path_it_is_one_of_many(tmp_path: Path) -> None:
    off = replace(OPTIONS, paths=OPTIONS.paths - {"filtered"})
    results = search(tmp_path, options=off)
    assert sources(results)[0] != RIGHT
    assert results.asked == () and "filtered" not in dict(results.paths)


def test_the_best_plain_hit_is_not_buried_by_what_passes(tmp_path: Path) -> None:
    assert sources(search(tmp_path, "Who was the lighthouse keeper in March 2024?"))[0] == "keeper.md"


def test_an_explicit_filter_holds_inside_too(tmp_path: Path) -> None:
    results = search(tmp_path, options=replace(OPTIONS, where=parse_filter(f'source != "{RIGHT}"')))
    assert RIGHT not in sources(results)
    assert results.asked == ()


def test_parts_that_nothing_passes_together_are_tried_one_by_one(tmp_path: Path) -> None:
    stored = {"main": [note(1, {"date": "2024-03-10"}), note(2, {"date": "2020-01-01", "team": "Tug"})]}
    results = search(tmp_path, "How many tonnes did Tug handle in March 2024?", stored=stored)
    assert results.asked == (
        '(date >= "2024-03" and date < "2024-04") (“in March 2024”)',
        'team == "Tug" (“Tug”)',
    )
    words = {hit.chunk.source: one.words for hit in results.hits for one in hit.found if one.words}
    assert words == {"n1.md": "in March 2024", "n2.md": "Tug"}


def test_each_collection_is_asked_by_its_own_fields(tmp_path: Path) -> None:
    stored = {
        "by_date": [note(1, {"date": "2024-03-10"}), note(2, {"date": "2020-01-01"})],
        "by_year": [note(3, {"year": 2024}), note(4, {"year": 2020})],
    }
    results = search(tmp_path, stored=stored)
    assert set(sources(results)[:2]) == {"n1.md", "n3.md"}
    assert len(results.asked) == 2


def test_today_decides_what_last_month_is(tmp_path: Path) -> None:
    question = "How many tonnes did the harbour handle last month?"
    for today, month in ((date(2024, 4, 2), "2024-03"), (date(2023, 12, 31), "2023-11")):
        results = search(tmp_path / month, question, replace(OPTIONS, today=today))
        right = [one.source for one in NOTES if str(one.metadata["date"]).startswith(month)]
        assert sources(results)[0] in right
