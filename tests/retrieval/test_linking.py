"""Linked recall over the real store: what a good passage names is found, and says through what."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from leadline.ingest import add
from leadline.retrieval.base import Link, Results
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.retrieval.linking import PhraseGraph
from leadline.run import Run
from leadline.store.filters import parse_filter
from leadline.store.lance import open_store
from leadline.store.phrase_segments import segment_of
from leadline.store.phrases import PhraseIndex
from leadline.testing.builders import chunk, document
from leadline.testing.running import go
from leadline.types import Collection, Document, Query

HERON = document(
    "The ferry was ordered in the spring and was launched by the people of Dunmarrow Shipyard.",
    "heron.md",
    "Sable Heron",
)
YARD = document("It stands on the north bank and employs ninety people.", "yard.md", "Dunmarrow Shipyard")
TIMES = document(
    "Nobody who waited for it knew that Dunmarrow Shipyard had closed.", "times.md", "Evening paper"
)
OTHERS = [document(f"A tale of harbour life, part {n}.", f"o{n}.md", f"Tale {n}") for n in range(12)]
QUESTION = "Where does the builder of the ferry Sable Heron stand?"


def search(
    path: Path,
    question: str = QUESTION,
    stored: Mapping[str, Sequence[Document]] | None = None,
    options: RetrievalOptions | None = None,
) -> Results:
    async def work() -> Results:
        store = await open_store(path)
        kept = stored or {"main": [HERON, YARD, TIMES, *OTHERS]}
        for name, documents in kept.items():
            await store.create(Collection(name))
            await add(documents, name, store, None, Run())
        retriever = HybridRetriever(store, tuple(kept), None, options or RetrievalOptions())
        found = await retriever.search(Query(question), 10, Run())
        await store.close()
        return found

    return go(work())


def sources(results: Results) -> list[str]:
    return [hit.chunk.source for hit in results.hits]


def test_what_a_hit_names_is_found_below_it_and_says_through_what(tmp_path: Path) -> None:
    results = search(tmp_path)
    first, second = results.hits[:2]
    assert (first.chunk.source, second.chunk.source) == ("heron.md", "yard.md")
    assert (second.parent, second.name) == (first.chunk.id, "Dunmarrow Shipyard")
    assert second.score < first.score == 1.0
    assert "linked" in {found.path for found in second.found}
    assert dict(results.paths)["linked"] >= 1


def test_what_is_about_the_name_goes_before_what_mentions_it(tmp_path: Path) -> None:
    linked = [hit.chunk.source for hit in search(tmp_path).hits if hit.parent]
    assert linked.index("yard.md") < linked.index("times.md")


def test_with_linked_recall_off_it_is_not_found(tmp_path: Path) -> None:
    off = replace(RetrievalOptions(), paths=frozenset({"dense", "keyword"}))
    results = search(tmp_path, options=off)
    assert "times.md" not in sources(results)
    assert "linked" not in dict(results.paths) and results.links == ()


def test_a_filter_holds_for_what_is_linked_too(tmp_path: Path) -> None:
    for where, there in (('source != "yard.md"', False), ('source != "times.md"', True)):
        folder = tmp_path / str(there)
        results = search(folder, options=RetrievalOptions(where=parse_filter(where)))
        assert ("yard.md" in sources(results)) is there
        assert ("times.md" in sources(results)) is not there


def test_a_link_leads_from_one_collection_to_another(tmp_path: Path) -> None:
    results = search(tmp_path, stored={"ships": [HERON, *OTHERS], "yards": [YARD]})
    assert sources(results)[:2] == ["heron.md", "yard.md"]
    assert results.hits[1].parent == results.hits[0].chunk.id


def test_a_name_of_the_question_is_no_bridge(tmp_path: Path) -> None:
    results = search(tmp_path, "What does the evening paper say of Dunmarrow Shipyard and the Sable Heron?")
    assert all(hit.name != "Dunmarrow Shipyard" for hit in results.hits)


def test_quoted_titles_link_chinese_documents(tmp_path: Path) -> None:
    report = document("本年度的报销按照《差旅费用管理办法》执行。", "report.md", "年度报告")
    rules = document("每天的上限是三百元。", "rules.md", "差旅费用管理办法")
    others = [document(f"港口故事第{n}章", f"{n}.md", f"故事{n}") for n in range(9)]
    results = search(tmp_path, "年度报告中的报销规定是什么？", {"main": [report, rules, *others]})
    assert sources(results)[:2] == ["report.md", "rules.md"]
    assert results.hits[1].name == "差旅费用管理办法"


def test_a_title_in_small_letters_is_followed_unless_it_is_one_plain_word() -> None:
    seed = chunk("It pays for slow rust, for comedy and for the times.", "seed.md", title="A Fund")
    titled = [chunk("Others.", f"{name}.md", title=name) for name in ("Slow Rust", "Comedy", "The Times")]
    others = [chunk(f"On day {n} nobody came at all.", f"o{n}.md") for n in range(50)]
    segment = segment_of([seed, *titled, *others])
    graph = PhraseGraph((PhraseIndex((segment,), (np.zeros(segment.size, np.bool_),)),))
    links = graph.links(np.zeros(0, np.uint64), {seed.id: 1.0}, [seed.text])
    assert {link.child for link in links} == {titled[0].id}


@pytest.mark.parametrize(
    "heading", ["Picture", "Introduction", "References", "图", "目录", "المقدمة", "Введение"]
)
def test_a_heading_of_any_document_leads_nowhere(heading: str) -> None:
    def links(name: str) -> list[Link]:
        texts = [chunk(f"Part {n} of it.", f"{n}.md", title=name) for n in range(3)]
        others = [chunk(f"On day {n} nobody came at all.", f"o{n}.md") for n in range(50)]
        segment = segment_of([*texts, *others])
        graph = PhraseGraph((PhraseIndex((segment,), (np.zeros(segment.size, np.bool_),)),))
        return graph.links(np.zeros(0, np.uint64), {texts[0].id: 1.0}, [f"See {name}."])

    assert links(heading) == []
    assert {link.child for link in links(f"Kelda {heading}")} == {chunk("", f"{n}.md").id for n in (1, 2)}


def test_a_phrase_in_every_chunk_leads_nowhere() -> None:
    texts = [chunk(f"On day {n} they all met at the old Harbour Office.", f"{n}.md") for n in range(200)]
    segment = segment_of(texts)
    graph = PhraseGraph((PhraseIndex((segment,), (np.zeros(segment.size, np.bool_),)),))
    assert graph.links(np.zeros(0, np.uint64), {texts[0].id: 1.0}) == []


def test_in_a_small_collection_a_name_of_some_twenty_chunks_still_leads_to_what_it_names() -> None:
    naming = [chunk(f"On day {n} they came from Kelda Works, all of them.", f"{n}.md") for n in range(20)]
    others = [chunk(f"On day {n} nobody came at all.", f"o{n}.md") for n in range(280)]
    works = chunk("It stands by the water.", "works.md", title="Kelda Works")
    segment = segment_of([*naming, *others, works])
    graph = PhraseGraph((PhraseIndex((segment,), (np.zeros(segment.size, np.bool_),)),))
    found = graph.links(np.zeros(0, np.uint64), {naming[0].id: 1.0})
    assert max(found, key=lambda link: link.strength).child == works.id


def test_an_empty_graph_links_nothing() -> None:
    assert PhraseGraph(()).links(np.zeros(0, np.uint64), {}) == []
    assert PhraseGraph((PhraseIndex(),)).named(np.zeros(3, np.uint64)) == {}
