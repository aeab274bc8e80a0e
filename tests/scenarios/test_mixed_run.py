"""A question that needs private documents and pages of the web: every round looks into both, both are cited."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchmarks.model_world import DOCUMENTS
from leadline.citing.render.markdown import render_markdown
from leadline.errors import UsageError
from leadline.events import PageRead, RoundStarted, Searched, WebSearched
from leadline.testing.running import go
from leadline.testing.web_site import Served
from leadline.types import Citation, Support
from tests.scenarios.model_product import Outcome
from tests.scenarios.web_product import PRIVATE, Mixed, mixed, page_of

DRAWN = "By whom was the Tarn 40 drawn?"


def name_of(source: str) -> str:
    return Path(urlsplit(source).path).stem


def cited(outcome: Outcome) -> list[Citation]:
    return [citation for claim in outcome.answer.claims for citation in claim.citations]


def borne_out(outcome: Outcome) -> None:
    """Every quote stands in the document or page that it is said to stand in."""
    assert outcome.answer.claims
    for claim in outcome.answer.claims:
        assert claim.support is not Support.UNSUPPORTED
        for citation in claim.citations:
            assert " ".join(citation.quote.split()) in DOCUMENTS[name_of(citation.source)]
            assert bool(citation.accessed) == ("://" in citation.source)


def both(citations: Sequence[Citation]) -> tuple[set[str], set[str]]:
    """What is cited of the collection, and of the web."""
    pages = {name_of(each.source) for each in citations if "://" in each.source}
    files = {name_of(each.source) for each in citations if "://" not in each.source}
    return files, pages


@pytest.mark.parametrize("agent", ["deep", "chain", "research"])
def test_a_model_gets_its_answer_from_documents_and_pages_together(tmp_path: Path, agent: str) -> None:
    async def work() -> Outcome:
        async with mixed(tmp_path) as there:
            return await there.ask(web=True, collections=["default"], agent=agent)  # pyright: ignore[reportArgumentType] - one of them

    outcome = go(work())
    borne_out(outcome)
    files, pages = both(cited(outcome))
    assert files
    assert files <= set(PRIVATE)
    assert pages
    assert not pages & set(PRIVATE)


def test_every_round_searches_the_web_and_the_collection(tmp_path: Path) -> None:
    async def work() -> Outcome:
        async with mixed(tmp_path) as there:
            return await there.ask(web=True, collections=["default"], agent="deep")

    outcome = go(work())
    assert outcome.answer.rounds == 3
    kinds = (RoundStarted, WebSearched, PageRead, Searched)
    told = [type(each).__name__ for each in outcome.events if isinstance(each, kinds)]
    rounds = " ".join(told).split("RoundStarted")[1:]
    assert len(rounds) == 3
    for each in rounds:
        # Pages are there before anything of the round is searched for in them.
        assert each.index("WebSearched") < each.index("Searched")
        assert "PageRead" not in each[each.rindex(" Searched") :]
    found = {name_of(hit.chunk.source) for each in outcome.told(Searched) for hit in each.hits}
    assert found & set(PRIVATE)
    assert found - set(PRIVATE)
    assert outcome.answer.usage.searches == len(outcome.told(WebSearched))


def test_without_a_model_both_are_quoted(tmp_path: Path) -> None:
    question = "How many cars does the ferry Sable Heron carry, and in which winter was the Tarn 40 drawn?"

    async def work() -> list[Outcome]:
        async with mixed(tmp_path, model=False) as there:
            chosen = [{"web": True, "collections": ["default"]}, {"web": True}, {}]
            return [await there.ask(question, **each) for each in chosen]  # pyright: ignore[reportArgumentType] - as a caller would

    together, web, files = go(work())
    borne_out(together)
    held, read = both(cited(together))
    assert "sable_heron" in held
    assert "tarn_40" in read
    assert both(cited(web))[0] == set()
    assert both(cited(files))[1] == set()
    shown = render_markdown(together.answer).replace("\\", "")
    assert "sable_heron.md" in shown
    assert "/tarn_40** (accessed 20" in shown


def test_the_web_alone_needs_no_collection_and_leaves_only_the_kept_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))

    async def work() -> Outcome:
        async with mixed(tmp_path / "here", private=(), model=False) as there:
            outcome = await there.ask(DRAWN, web=True)
            assert await there.workspace.collections() == []
            return outcome

    borne_out(go(work()))
    assert list((tmp_path / "temporary").iterdir()) == []
    assert [path.name for path in (tmp_path / "here" / "data").iterdir()] == ["pages.sqlite"]


def test_pages_are_saved_as_documents_and_take_the_place_of_what_was_read_before(tmp_path: Path) -> None:
    async def read(there: Mixed) -> str:
        await there.ask(DRAWN, web=True, save_pages="kept")
        stored = await there.workspace.sources("kept")
        url = f"{there.site.url}/tarn_40"
        reading = await there.workspace.reading()
        document = await reading.document("kept", stored[url])
        assert document is not None
        assert document.metadata["url"] == url
        return document.text

    async def work() -> None:
        async with mixed(tmp_path, model=False, web={"cache_hours": 0}) as there:
            first = await read(there)
            assert "Ines Calloway in the winter of 1961" in first
            known = set(await there.workspace.sources("kept"))
            there.site.put(
                page_of("tarn_40", "The Tarn 40 was drawn by Ines Calloway in the spring of 1962.")
            )
            again = await read(there)
            assert "spring of 1962" in again
            assert "1961" not in again
            assert known <= set(await there.workspace.sources("kept"))
            offline = await there.ask(DRAWN, collections=["kept"])
            assert {each.source for each in cited(offline)} == {f"{there.site.url}/tarn_40"}
            assert all(each.accessed for each in cited(offline))

    go(work())


def test_a_page_that_cannot_be_read_is_cited_by_its_snippet_and_marked(tmp_path: Path) -> None:
    broken = {"tarn_40": Served("/tarn_40", behaviour="error")}

    async def work() -> Outcome:
        async with mixed(tmp_path, pages=broken, model=False) as there:
            return await there.ask(DRAWN, web=True)

    outcome = go(work())
    snippets = [each for each in cited(outcome) if each.snippet]
    assert [name_of(each.source) for each in snippets] == ["tarn_40"]
    assert "search snippet; the page could not be read" in render_markdown(outcome.answer)
    assert any("could not be read" in notice for notice in outcome.answer.notices)


def test_what_says_something_of_the_web_alone_is_refused_without_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with mixed(tmp_path, model=False) as there:
            for choices, words in (
                ({"save_pages": "kept"}, "`save_pages` is about the web"),
                ({"sites": ["quay.example"]}, "`sites` is about the web"),
                ({"web": True, "since": "last year"}, "a day, month or year"),
                ({"web": True, "sites": ["https://quay.example/a"]}, "names of hosts"),
                ({"web": True, "since": "2024", "until": "2023"}, "`since` 2024 is after `until` 2023"),
                ({"web": True, "collections": ["web-cache"]}, "what the pages of a run are called"),
            ):
                with pytest.raises(UsageError, match=words):
                    await there.ask(DRAWN, **choices)  # pyright: ignore[reportArgumentType] - refused

    go(work())
