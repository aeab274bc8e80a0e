"""Hybrid search over the real store: both paths, their scores, and what fusion makes of them."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from leadline.embeddings.base import Embedder
from leadline.embeddings.static import build
from leadline.errors import Cancelled, UnknownCollection, UsageError
from leadline.ingest import add
from leadline.retrieval.base import Results
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.run import Run
from leadline.store.filters import parse_filter
from leadline.store.lance import LanceStore, open_store
from leadline.testing.builders import document
from leadline.testing.running import go
from leadline.types import Collection, Document, Hit, Query

STATIC = build()
USUAL = RetrievalOptions(paths=frozenset({"dense", "keyword"}), titles=False, coverage=False)
ALPHA = document("ferry bay", "alpha.md", "Alpha")
BETA = document("ferry ferry bay bay bay bay", "beta.md", "Beta")
GAMMA = document("A violin concerto in three movements.", "gamma.md", "Gamma")

Steps = Callable[[HybridRetriever], Awaitable[object]]


def over(
    path: Path,
    steps: Steps,
    stored: Mapping[str, Sequence[Document]],
    *,
    embedder: Embedder | None = None,
    options: RetrievalOptions = USUAL,
    collections: Sequence[str] = ("main",),
    wider: Sequence[str] = (),
) -> object:
    """What `steps` returns, given a retriever over a new store that holds `stored`."""

    async def work() -> object:
        store = await open_store(path)
        for name, documents in stored.items():
            kind = Collection(name)
            if embedder is not None:
                kind = replace(kind, embedding=embedder.name, dimension=embedder.dimension)
            await store.create(kind)
            await add(documents, name, store, embedder, Run())
        found = await steps(HybridRetriever(store, tuple(collections), embedder, options, tuple(wider)))
        await store.close()
        return found

    return go(work())


def search(
    path: Path,
    question: str | Query,
    documents: Sequence[Document] = (),
    *,
    stored: Mapping[str, Sequence[Document]] | None = None,
    k: int = 10,
    embedder: Embedder | None = None,
    options: RetrievalOptions = USUAL,
    collections: Sequence[str] = ("main",),
    wider: Sequence[str] = (),
) -> Results:
    query = Query(question) if isinstance(question, str) else question

    async def steps(retriever: HybridRetriever) -> Results:
        return await retriever.search(query, k, Run())

    found = over(
        path,
        steps,
        stored or {"main": documents},
        embedder=embedder,
        options=options,
        collections=collections,
        wider=wider,
    )
    assert isinstance(found, Results)
    return found


def sources(results: Results) -> list[str]:
    return [hit.chunk.source for hit in results.hits]


def ways(hit: Hit) -> dict[str, int]:
    return {found.path: found.rank for found in hit.found}


def test_keyword_scores_are_bm25_by_hand_and_say_how_they_came_about(tmp_path: Path) -> None:
    # Terms: alpha x3 + 2 = 5 and beta x3 + 6 = 9, so a chunk has 7 on average; "ferry" is in both.
    weight = math.log(1 + 0.5 / 2.5)
    beta = weight * 2 / (2 + 1.2 * (0.6 + 0.4 * 9 / 7))
    alpha = weight * 1 / (1 + 1.2 * (0.6 + 0.4 * 5 / 7))
    results = search(tmp_path, Query("ferry", round=2), [ALPHA, BETA])
    assert sources(results) == ["beta.md", "alpha.md"]
    assert [hit.score for hit in results.hits] == pytest.approx([1.0, alpha / beta])
    found = [hit.found[0] for hit in results.hits]
    assert [(one.path, one.rank, one.query, one.round) for one in found] == [
        ("keyword", 1, "ferry", 2),
        ("keyword", 2, "ferry", 2),
    ]
    assert [one.score for one in found] == pytest.approx([beta, alpha])
    assert results.paths == (("dense", 0), ("keyword", 2))


def test_with_an_embedder_each_path_has_its_rank_and_the_fused_score_follows_its_weight(
    tmp_path: Path,
) -> None:
    results = search(tmp_path, "ferry", [ALPHA, BETA, GAMMA], embedder=STATIC)
    assert results.paths == (("dense", 3), ("keyword", 2))
    by_source = {hit.chunk.source: hit for hit in results.hits}
    assert ways(by_source["beta.md"])["keyword"] == 1
    assert ways(by_source["alpha.md"])["keyword"] == 2
    assert ways(by_source["gamma.md"]) == {"dense": 3}
    cosines = {s: hit.found[-1].score for s, hit in by_source.items()}
    words = {s: hit.found[0].score for s, hit in by_source.items() if s != "gamma.md"}
    background, top = min(cosines.values()), max(cosines.values())
    expected = {
        source: 0.85 * words.get(source, 0.0) / words["beta.md"]
        + 0.15 * (cosine - background) / (top - background)
        for source, cosine in cosines.items()
    }
    best = max(expected.values())
    for source, hit in by_source.items():
        assert hit.score == pytest.approx(expected[source] / best)


def test_a_word_that_no_text_holds_is_still_found_by_meaning(tmp_path: Path) -> None:
    results = search(
        tmp_path, "harbor", [document("The harbour wall.", "wall.md", "Wall"), GAMMA], embedder=STATIC
    )
    assert sources(results)[0] == "wall.md"
    assert ways(results.hits[0]) == {"dense": 1}


@pytest.mark.parametrize(
    ("question", "text"),
    [("灯塔有多高？", "灯塔高41米。"), ("كم ارتفاع الفنار؟", "ارتفاع الفنار 41 متر.")],
)
def test_scripts_the_embedder_is_noise_on_are_searched_by_keyword_alone(
    question: str, text: str, tmp_path: Path
) -> None:
    results = search(tmp_path, question, [document(text, "light.md", "41"), GAMMA], embedder=STATIC)
    assert results.paths == (("dense", 0), ("keyword", 1))
    assert sources(results) == ["light.md"]


def test_a_weight_given_by_the_options_goes_before_the_embedders(tmp_path: Path) -> None:
    results = search(
        tmp_path,
        "灯塔",
        [document("灯塔", "a.md")],
        embedder=STATIC,
        options=replace(USUAL, dense_weight=0.5),
    )
    assert ways(results.hits[0]) == {"keyword": 1, "dense": 1}


@pytest.mark.parametrize("only", ["dense", "keyword"])
def test_a_path_that_is_off_finds_nothing(only: str, tmp_path: Path) -> None:
    paths = RetrievalOptions(paths=frozenset({"dense"} if only == "dense" else {"keyword"}))
    results = search(tmp_path, "ferry", [ALPHA, BETA, GAMMA], embedder=STATIC, options=paths)
    assert {path for hit in results.hits for path in ways(hit)} == {only}
    assert len(results.hits) == (3 if only == "dense" else 2)


def test_reciprocal_rank_fusion_adds_up_weighted_ranks(tmp_path: Path) -> None:
    how = replace(USUAL, fusion="rrf", dense_weight=0.25)
    results = search(tmp_path, "ferry", [ALPHA, BETA, GAMMA], embedder=STATIC, options=how)
    best = 0.75 / 61 + 0.25 / (60 + ways(results.hits[0])["dense"])
    for hit in results.hits:
        rank = ways(hit)
        parts = [0.75 / (60 + rank["keyword"]) if "keyword" in rank else 0.0, 0.25 / (60 + rank["dense"])]
        assert hit.score == pytest.approx(sum(parts) / best)
    assert results.hits[-1].score == pytest.approx(0.25 / 63 / best)


def test_a_filter_holds_for_both_paths(tmp_path: Path) -> None:
    dated = [
        replace(one, metadata={"year": year}) for one, year in ((ALPHA, 2020), (BETA, 2023), (GAMMA, 2024))
    ]
    how = replace(USUAL, where=parse_filter("year >= 2023"))
    results = search(tmp_path, "ferry", dated, embedder=STATIC, options=how)
    assert sorted(sources(results)) == ["beta.md", "gamma.md"]
    assert results.paths == (("dense", 2), ("keyword", 1))


def test_an_empty_collection_gives_nothing(tmp_path: Path) -> None:
    assert search(tmp_path, "ferry", [], embedder=STATIC).hits == ()


def test_an_unknown_collection_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownCollection, match="nowhere"):
        search(tmp_path, "ferry", [ALPHA], collections=["nowhere"])


def test_a_question_of_stop_words_alone_is_searched_by_meaning_if_at_all(tmp_path: Path) -> None:
    assert search(tmp_path / "without", "What is it?", [ALPHA]).hits == ()
    results = search(tmp_path / "with", "What is it?", [ALPHA], embedder=STATIC)
    assert [ways(hit) for hit in results.hits] == [{"dense": 1}]


@pytest.mark.parametrize("question", ["?!", "…", "'; drop table", '" OR 1=1 --', "a" * 5_000, "(((*:*~^"])
def test_no_question_breaks_the_search(question: str, tmp_path: Path) -> None:
    results = search(tmp_path, question, [ALPHA, BETA], embedder=STATIC)
    assert set(sources(results)) <= {"alpha.md", "beta.md"}


def test_the_best_k_are_returned_without_near_duplicates(tmp_path: Path) -> None:
    twin = replace(document("ferry  bay!", "twin.md", "Alpha"))
    assert len(search(tmp_path / "twins", "ferry", [ALPHA, twin]).hits) == 1
    assert sources(search(tmp_path / "k", "ferry", [ALPHA, BETA], k=1)) == ["beta.md"]


def test_a_query_draws_on_its_pool_a_gap_query_on_half_of_it_and_each_on_k_at_least(tmp_path: Path) -> None:
    documents = [document(f"ferry {'bay ' * n}{n}", f"{n}.md", f"Pier {n}") for n in range(9)]
    for kind, k, found in (("original", 4, 6), ("original", 9, 9), ("gap", 1, 3), ("gap", 4, 4)):
        query = Query("ferry", "gap" if kind == "gap" else "original")
        results = search(tmp_path / f"{kind}{k}", query, documents, k=k, options=replace(USUAL, pool=6))
        assert results.paths == (("dense", 0), ("keyword", found))


def test_two_collections_score_as_if_they_were_one(tmp_path: Path) -> None:
    one = search(tmp_path / "one", "ferry bay", stored={"main": [ALPHA, BETA, GAMMA]})
    parts = {"main": [ALPHA], "more": [BETA, GAMMA]}
    two = search(tmp_path / "two", "ferry bay", stored=parts, collections=["main", "more"])
    assert [(hit.chunk.id, hit.score) for hit in two.hits] == [(hit.chunk.id, hit.score) for hit in one.hits]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("original", ["alpha.md"]), ("sub", ["alpha.md"]), ("widened", ["beta.md", "alpha.md"])],
)
def test_only_a_widened_query_looks_into_the_wider_collections(
    kind: str, expected: list[str], tmp_path: Path
) -> None:
    query = Query("ferry", "widened" if kind == "widened" else "sub" if kind == "sub" else "original")
    stored = {"main": [ALPHA], "archive": [BETA]}
    assert sources(search(tmp_path, query, stored=stored, wider=["archive"])) == expected


def test_the_context_of_a_chunk_is_its_whole_document_wherever_it_lies(tmp_path: Path) -> None:
    async def steps(retriever: HybridRetriever) -> None:
        results = await retriever.search(Query("ferry", "widened"), 10, Run())
        found = [hit.chunk for hit in results.hits]
        context = await retriever.context(found)
        assert {d.source: d.text for d in context.documents.values()} == {
            "alpha.md": ALPHA.text,
            "beta.md": BETA.text,
        }
        assert set(context.sections) == {chunk.section_id for chunk in found}
        gone = await retriever.context([replace(found[0], document_id="gone", section_id="gone")])
        assert (dict(gone.documents), dict(gone.sections)) == ({}, {})

    over(tmp_path, steps, {"main": [ALPHA], "archive": [BETA]}, wider=["archive"])


def test_weights_cover_the_terms_of_texts_and_chunks_and_name_the_unknown(tmp_path: Path) -> None:
    async def steps(retriever: HybridRetriever) -> None:
        hits = (await retriever.search(Query("violin"), 1, Run())).hits
        weights = await retriever.weights(["the ferry to Velden"], [hits[0].chunk])
        assert weights.idf["ferri"] == pytest.approx(math.log(1 + 1.5 / 2.5))
        assert weights.idf["concerto"] == pytest.approx(math.log(1 + 2.5 / 1.5))
        assert weights.unknown == {"velden"}
        assert weights.chunks == 3

    over(tmp_path, steps, {"main": [ALPHA, BETA, GAMMA]})


def test_each_search_counts_and_a_cancelled_run_searches_no_more(tmp_path: Path) -> None:
    async def steps(retriever: HybridRetriever) -> None:
        run = Run()
        first = await retriever.search(Query("ferry"), 10, run)
        assert await retriever.search(Query("ferry"), 10, run) == first
        assert run.searches == 2
        run.cancel()
        with pytest.raises(Cancelled):
            await retriever.search(Query("ferry"), 10, run)
        assert run.searches == 2

    over(tmp_path, steps, {"main": [ALPHA, BETA]})


def test_one_han_character_finds_the_chunks_that_hold_it(tmp_path: Path) -> None:
    tower = document("灯塔建于一八八九年。", "tower.md", "海港")
    ferry = document("渡轮每天开往对岸。", "ferry.md", "海港")
    for number, (asked, expected) in enumerate((("塔", "tower.md"), ("轮？", "ferry.md"))):
        found = search(tmp_path / str(number), asked, [tower, ferry, ALPHA])
        assert [hit.chunk.source for hit in found.hits] == [expected]
    assert search(tmp_path / "none", "鱼", [tower, ferry]).hits == ()


BRIDGES = [
    document("A railway bridge across the river Kelda, finished in 1904.", "bridge.md", "Dunmarrow Bridge"),
    document("It stands in a wood of oak and ash, and was built for grinding corn.", "mill.md", "Mill"),
    *(
        document(
            f"By the bridge across the Kelda at Dunmarrow, finished, part {n}.", f"s{n}.md", f"Station {n}"
        )
        for n in range(6)
    ),
    *(document(f"A tale of harbour life, part {n}.", f"o{n}.md", f"Tale {n}") for n in range(12)),
]
NAMING = RetrievalOptions(paths=frozenset({"keyword", "linked"}), coverage=False)


def test_of_two_titles_in_a_question_neither_is_left_behind_for_having_fewer_words_of_it(
    tmp_path: Path,
) -> None:
    question = "Which was finished first, Dunmarrow Bridge across the river Kelda or Mill?"
    found = search(tmp_path, question, BRIDGES, options=NAMING)
    assert set(sources(found)[:2]) == {"bridge.md", "mill.md"}
    assert found.hits[1].score > 0.85


@pytest.mark.parametrize(("title", "first"), [("Otter Mill", True), ("Introduction", False)])
def test_a_title_in_the_question_lifts_its_chunk_unless_any_document_may_have_it(
    title: str, first: bool, tmp_path: Path
) -> None:
    pages = [
        document("Of wood and water.", "named.md", title),
        document(
            "Millers kept otters by the weir: an otter at the mill, an introduction.", "words.md", "Weir"
        ),
        *(document(f"A tale of harbour life, part {n}.", f"o{n}.md", f"Tale {n}") for n in range(12)),
    ]
    found = search(tmp_path, f"{title} by the weir: who kept it, and why?", pages, options=NAMING)
    ours = next(hit for hit in found.hits if hit.chunk.source == "named.md")
    assert (ours.score > 0.8) == first


@pytest.mark.parametrize("later", ["dense", "keyword"])
def test_whichever_search_is_slower_the_results_are_the_same(
    tmp_path: Path, later: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = [document(f"The ferry sails to the bay, trip {n}.", f"{n}.md", f"Trip {n}") for n in range(9)]
    stored = {"main": notes, "copy": [replace(one, title="Another title") for one in notes]}
    search_as = getattr(LanceStore, later)

    async def slow(self: LanceStore, *given: object, **more: object) -> object:
        await asyncio.sleep(0.05)
        return await search_as(self, *given, **more)

    def found(folder: str) -> Results:
        return search(
            tmp_path / folder,
            "Where does the ferry of trip 3 sail?",
            stored=stored,
            embedder=STATIC,
            options=RetrievalOptions(),
            collections=("main", "copy"),
        )

    plain = found("plain")
    assert {hit.chunk.title for hit in plain.hits} != {"Another title"}
    monkeypatch.setattr(LanceStore, later, slow)
    assert found("slow") == plain


def test_the_vector_of_a_query_may_be_given_and_is_not_computed_again(tmp_path: Path) -> None:
    text = "ship in the harbour"
    other = STATIC.embed_queries(["violin music"])[0].tolist()

    async def steps(retriever: HybridRetriever) -> tuple[Results, Results, Results]:
        own = STATIC.embed_queries([text])[0].tolist()
        return (
            await retriever.search(Query(text), 3, Run()),
            await retriever.knowing(text, own).search(Query(text), 3, Run()),
            await retriever.knowing(text, other).search(Query(text), 3, Run()),
        )

    options = RetrievalOptions(paths=frozenset({"dense"}), titles=False, coverage=False)
    found = over(tmp_path, steps, {"main": [ALPHA, GAMMA]}, embedder=STATIC, options=options)
    usual, told, misled = cast(tuple[Results, Results, Results], found)
    assert told == usual
    assert sources(usual)[0] == "alpha.md"
    assert sources(misled)[0] == "gamma.md"


def test_a_vector_of_another_encoder_is_refused(tmp_path: Path) -> None:
    async def steps(retriever: HybridRetriever) -> None:
        retriever.knowing("ferry", [0.5, 0.5])

    with pytest.raises(UsageError, match="has 2 numbers, those of .* have 256"):
        over(tmp_path, steps, {"main": [ALPHA]}, embedder=STATIC)


def test_a_vector_changes_nothing_where_none_are_searched(tmp_path: Path) -> None:
    async def steps(retriever: HybridRetriever) -> bool:
        return retriever.knowing("ferry", [0.5, 0.5]) is retriever

    assert over(tmp_path, steps, {"main": [ALPHA]})
