"""The web as a retriever: what is read for a round, what is left out, and what a reader is told."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.errors import BudgetSpent, Cancelled, DocumentError, ProviderFailed
from leadline.events import Event
from leadline.retrieval.web import WebOptions, WebRetriever
from leadline.run import Budget, Run
from leadline.testing.running import go
from leadline.types import Query
from leadline.web.base import WebResult
from leadline.web.wanted import Bounds
from leadline.web_events import PageRead
from tests.retrieval.pages import HARBOUR, SHELF, Web, page, results, retriever_over

QUAY = page(f"{HARBOUR}/quay", "The quay was rebuilt in 1911.\n\nIts wall is of granite.", "Quay")
LIGHT = page(f"{HARBOUR}/light", "The light was lit in 1873.\n\nIts keeper was Ada Brill.", "Light")
PAGES = {each.source: each for each in (QUAY, LIGHT)}

Steps = Callable[[WebRetriever], Awaitable[None]]


def over(web: Web, folder: Path, steps: Steps, options: WebOptions | None = None) -> None:
    async def work() -> None:
        async with retriever_over(web, folder, options) as retriever:
            await steps(retriever)

    go(work())


def test_the_pages_of_all_queries_are_there_in_one_commit_before_any_is_searched_for(tmp_path: Path) -> None:
    web = Web({"quay": results("quay", "light"), "light": results("light", "quay")}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        run = Run()
        assert await retriever.bring([Query("quay"), Query("light", "sub")], 1, run) == ()
        found = await retriever.search(Query("keeper of the light"), 5, run)
        assert found.hits[0].chunk.source == LIGHT.source
        assert [each.id for each in (await retriever.context([found.hits[0].chunk])).documents.values()] == [
            LIGHT.id
        ]
        assert run.searches == 2

    over(web, tmp_path, steps)
    assert sorted(web.read) == [LIGHT.source, QUAY.source]
    assert web.commits == [2]


def test_a_page_is_read_once_a_run_and_later_rounds_read_fewer(tmp_path: Path) -> None:
    web = Web({"quay": results("quay", "a", "b"), "wall": results("quay", "light", "c")}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        run = Run()
        await retriever.bring([Query("quay")], 1, run)
        await retriever.bring([Query("wall", "gap", 2)], 2, run)

    over(web, tmp_path, steps, WebOptions(results=3, more_results=2))
    assert [each.limit for each in web.asked] == [3, 2]
    assert web.read.count(QUAY.source) == 1
    assert f"{HARBOUR}/c" not in web.read


def test_a_question_asked_wider_asks_for_results_beyond_those_it_had(tmp_path: Path) -> None:
    web = Web({"quay": results("a", "quay", "light")}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        await retriever.bring([Query("quay")], 1, Run())
        await retriever.bring([Query("quay", "widened", 2)], 2, Run())

    over(web, tmp_path, steps, WebOptions(results=1, more_results=2))
    assert web.read == [f"{HARBOUR}/a", QUAY.source, LIGHT.source]


def test_a_passage_that_might_answer_is_not_sent_to_a_search_engine(tmp_path: Path) -> None:
    web = Web({"quay": results("quay")}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        await retriever.bring([Query("quay"), Query("The quay was built in 1890.", "hyde")], 1, Run())

    over(web, tmp_path, steps)
    assert [each.text for each in web.asked] == ["quay"]


def test_the_snippet_of_a_page_that_cannot_be_read_stands_for_it_and_says_so(tmp_path: Path) -> None:
    shown = WebResult(f"{HARBOUR}/gone", "Gone", "The mole is 340 metres long.", "2024-05-01")
    web = Web({"mole": [shown, *results("silent")]})
    events: list[Event] = []

    async def steps(retriever: WebRetriever) -> None:
        run = Run(emit=events.append)
        told = await retriever.bring([Query("mole")], 1, run)
        assert told == (
            "2 of 2 pages could not be read, each because it answered 500. For 1, what the search engine shows of it "
            "stands in.",
        )
        (hit,) = (await retriever.search(Query("mole"), 5, run)).hits
        assert hit.chunk.text == shown.snippet
        assert hit.chunk.metadata["snippet"] is True
        assert hit.chunk.metadata["published"] == "2024-05-01"

    over(web, tmp_path, steps)
    read = {each.url: each for each in events if isinstance(each, PageRead)}
    assert read[shown.url].status == "snippet"
    assert read[f"{HARBOUR}/silent"].status == "failed"
    assert "500" in read[f"{HARBOUR}/silent"].reason


def test_a_page_that_could_be_read_is_never_evidence_by_its_snippet(tmp_path: Path) -> None:
    web = Web({"quay": [WebResult(QUAY.source, "Quay", "The quay is made of marble.")]}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        run = Run()
        await retriever.bring([Query("quay")], 1, run)
        found = await retriever.search(Query("quay marble"), 9, run)
        assert all("marble" not in hit.chunk.text for hit in found.hits)

    over(web, tmp_path, steps)


def test_one_failing_query_loses_nothing_of_the_others_and_is_told(tmp_path: Path) -> None:
    web = Web({"quay": ProviderFailed("searxng", "it answered 500"), "light": results("light")}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        run = Run()
        told = await retriever.bring([Query("quay"), Query("light", "sub")], 1, run)
        assert told == ("A search of the web failed: searxng: it answered 500",)
        assert (await retriever.search(Query("light"), 5, run)).hits

    over(web, tmp_path, steps)


def test_who_failed_for_a_query_is_not_asked_it_again_and_others_are(tmp_path: Path) -> None:
    web = Web({}, failing={"quay": ("searxng",)})

    async def steps(retriever: WebRetriever) -> None:
        await retriever.bring([Query("quay"), Query("light", "sub")], 1, Run())
        await retriever.bring([Query("quay", "widened", 2), Query("light", "widened", 2)], 2, Run())

    over(web, tmp_path, steps)
    assert [(each.text, each.passing) for each in web.asked] == [
        ("quay", ()),
        ("light", ()),
        ("quay", ("searxng",)),
        ("light", ()),
    ]


def test_that_nothing_was_found_is_said(tmp_path: Path) -> None:
    async def steps(retriever: WebRetriever) -> None:
        run = Run()
        assert await retriever.bring([Query("quay")], 1, run) == ("The search of the web found nothing.",)
        assert (await retriever.search(Query("quay"), 5, run)).hits == ()

    over(Web({}), tmp_path, steps)


def test_what_came_before_the_deadline_is_searched(tmp_path: Path) -> None:
    slow = {QUAY.source: 60.0}
    web = Web({"quay": results("quay", "light")}, PAGES, slow)

    async def steps(retriever: WebRetriever) -> None:
        run = Run(Budget(seconds=2))
        told = await retriever.bring([Query("quay")], 1, run)
        assert told == ("There was no time left for all searches and pages of the web.",)
        assert isinstance(retriever.ending, BudgetSpent) and retriever.ending.limit == "deadline"
        assert [hit.chunk.source for hit in (await retriever.search(Query("light"), 5, run)).hits]
        await retriever.bring([Query("wall", "gap", 2)], 2, run)
        with pytest.raises(BudgetSpent, match="deadline"):
            await retriever.search(Query("wall", "gap", 2), 5, run)

    over(web, tmp_path, steps)
    assert [each.text for each in web.asked] == ["quay"]


def test_a_budget_that_runs_out_within_a_round_keeps_what_came_and_says_that_it_ends(tmp_path: Path) -> None:
    web = Web({"quay": results("quay"), "light": results("light")}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        run = Run(Budget(searches=1))
        told = await retriever.bring([Query("quay"), Query("light", "sub")], 1, run)
        assert told == ("1 of 2 searches of the web were not made (searches: 1 of 1 used).",)
        assert isinstance(retriever.ending, BudgetSpent) and retriever.ending.limit == "searches"
        assert [hit.chunk.source for hit in (await retriever.search(Query("quay"), 5, run)).hits] == [
            QUAY.source
        ]

    over(web, tmp_path, steps)


def test_a_budget_that_a_round_uses_up_ends_nothing_yet(tmp_path: Path) -> None:
    web = Web({"quay": results("quay"), "light": results("light")}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        await retriever.bring([Query("quay"), Query("light", "sub")], 1, Run(Budget(searches=2)))
        assert retriever.ending is None

    over(web, tmp_path, steps)


def test_a_long_page_costs_the_others_nothing(tmp_path: Path) -> None:
    long = page(f"{HARBOUR}/long", "A row of the ledger of the harbour.\n\n" * 4_000)
    web = Web(
        {"quay": results("long", "quay")},
        {**PAGES, long.source: long},
        {f"{SHELF} {long.source}": 60.0},
    )

    async def steps(retriever: WebRetriever) -> None:
        run = Run(Budget(seconds=3))
        told = await retriever.bring([Query("quay")], 1, run)
        assert told == ("There was no time left to make 1 of 2 of the pages that were read searchable.",)
        found = await retriever.search(Query("quay granite"), 5, run)
        assert {hit.chunk.source for hit in found.hits} == {QUAY.source}

    over(web, tmp_path, steps)
    assert web.commits == [1]


def test_what_is_beyond_a_million_characters_of_a_page_is_left_out_and_told(tmp_path: Path) -> None:
    rows = "A row of the ledger of the harbour, with the name of a ship and of her master.\n\n" * 13_000
    long = page(f"{HARBOUR}/long", f"It begins with Orrin.\n\n{rows}It ends with Skerrow.")
    web = Web({"ledger": results("long")}, {long.source: long})

    async def steps(retriever: WebRetriever) -> None:
        told = await retriever.bring([Query("ledger")], 1, Run())
        assert told == (f"Only the first 1,000,000 characters are searched of `{long.source}`.",)
        (kept,) = retriever.seen.pages.values()
        assert kept.document.text.endswith("Skerrow.")
        for word, hits in (("Orrin", 1), ("Skerrow", 0)):
            found = (await retriever.search(Query(word), 5, Run())).hits
            assert sum(word in hit.chunk.text for hit in found) == hits

    over(web, tmp_path, steps)


def test_the_commonest_reason_why_pages_could_not_be_read_is_told_with_what_to_do(tmp_path: Path) -> None:
    closed = DocumentError("`harbour.example` is an address of a closed network.", "Name it.")
    web = Web(
        {"quay": results("none", "a", "b", "quay")}, PAGES, errors={f"{HARBOUR}/{p}": closed for p in "ab"}
    )

    async def steps(retriever: WebRetriever) -> None:
        assert await retriever.bring([Query("quay")], 1, Run()) == (
            "3 of 4 pages could not be read, 2 of them because it is an address of a closed network. Name it.",
        )

    over(web, tmp_path, steps)


@pytest.mark.parametrize(
    ("bounds", "told"),
    [
        (
            Bounds(since="2020-01-01"),
            (
                "1 page names no day of publication and may not be of the days asked for (since 2020-01-01); kept all the "
                "same.",
            ),
        ),
        (Bounds(), ()),
    ],
)
def test_pages_that_name_no_day_are_kept_and_told_where_days_are_asked_for(
    tmp_path: Path, bounds: Bounds, told: tuple[str, ...]
) -> None:
    new = page(f"{HARBOUR}/new", "The quay has three cranes.", published="2021-01-01")
    web = Web({"quay": results("quay", "new")}, {**PAGES, new.source: new})

    async def steps(retriever: WebRetriever) -> None:
        assert await retriever.bring([Query("quay")], 1, Run()) == told
        assert len((await retriever.search(Query("quay"), 5, Run())).hits) == 2

    over(web, tmp_path, steps, WebOptions(bounds=bounds))


def test_a_cancel_ends_reading_and_keeps_what_came(tmp_path: Path) -> None:
    web = Web({"quay": results("light", "none", "quay")}, PAGES, {QUAY.source: 60.0, f"{HARBOUR}/none": 0.5})

    async def steps(retriever: WebRetriever) -> None:
        run = Run()
        cancelling = asyncio.get_running_loop().call_later(1, run.cancel)
        told = await retriever.bring([Query("quay")], 1, run)
        cancelling.cancel()
        assert told[-1] == "It was stopped before all searches and pages of the web had come."
        assert isinstance(retriever.ending, Cancelled)
        assert (await retriever.search(Query("light"), 5, run)).hits
        await retriever.bring([Query("light", "gap", 2)], 2, run)
        with pytest.raises(Cancelled):
            await retriever.search(Query("light", "gap", 2), 5, run)

    over(web, tmp_path, steps)


@pytest.mark.parametrize(
    ("bounds", "read"),
    [
        (Bounds(sites=("harbour.example",)), ["quay", "light"]),
        (Bounds(without=("HARBOUR.example",)), []),
        (Bounds(sites=("other.example",)), []),
        (Bounds(since="2020-01-01"), ["light"]),
        (Bounds(until="2019-12-31"), ["quay"]),
    ],
)
def test_sites_and_days_that_were_not_asked_for_are_left_out_whatever_a_provider_gives(
    tmp_path: Path, bounds: Bounds, read: Sequence[str]
) -> None:
    found = [
        WebResult(QUAY.source, published="2018-04-01"),
        WebResult(LIGHT.source, published="2021-06-30"),
    ]
    web = Web({"quay": found}, PAGES)

    async def steps(retriever: WebRetriever) -> None:
        await retriever.bring([Query("quay")], 1, Run())

    over(web, tmp_path, steps, WebOptions(bounds=bounds))
    assert sorted(web.read) == sorted(f"{HARBOUR}/{path}" for path in read)
    assert (web.asked[0].sites, web.asked[0].since) == (bounds.sites, bounds.since)


def test_a_redirect_out_of_the_sites_and_an_older_day_on_the_page_itself_leave_a_page_out(
    tmp_path: Path,
) -> None:
    old = page(f"{HARBOUR}/old", "The quay has three cranes.", published="1999-01-01")
    elsewhere = page("https://elsewhere.example/quay", "The quay has four cranes.")
    web = Web({"quay": results("old", "moved")}, {old.source: old, f"{HARBOUR}/moved": elsewhere})
    bounds = Bounds(sites=("harbour.example",), since="2020-01-01")

    async def steps(retriever: WebRetriever) -> None:
        notices = await retriever.bring([Query("quay")], 1, Run())
        assert notices == (
            "2 of 2 pages are not of the sites or days asked for (since 2020-01-01), as the page itself says; left out.",
        )
        assert (await retriever.search(Query("quay cranes"), 5, Run())).hits == ()

    over(web, tmp_path, steps, WebOptions(bounds=bounds))
    assert len(web.read) == 2


def test_a_page_that_names_no_day_has_the_one_that_the_search_names_and_no_other(tmp_path: Path) -> None:
    named = page(f"{HARBOUR}/named", "The lock has two gates.", published="2019-05-01")
    silent = page(f"{HARBOUR}/silent", "The lock has four gates.")
    made = page(f"{HARBOUR}/made.pdf", "The lock has six gates.")
    made = replace(made, metadata={**made.metadata, "created": "2023-11-30"})
    found = [WebResult(each.source, published="2024-02-03") for each in (named, silent)]
    found.append(WebResult(made.source))
    web = Web({"lock": found}, {each.source: each for each in (named, silent, made)})

    async def steps(retriever: WebRetriever) -> None:
        await retriever.bring([Query("lock")], 1, Run())
        hits = (await retriever.search(Query("lock gates"), 5, Run())).hits
        days = {hit.chunk.source: hit.chunk.metadata["published"] for hit in hits}
        # A file that nobody dates is of the day on which it says that it was made.
        assert days == {named.source: "2019-05-01", silent.source: "2024-02-03", made.source: "2023-11-30"}
        kept = retriever.seen.pages.values()
        assert {each.document.metadata["published"] for each in kept} == set(days.values())

    over(web, tmp_path, steps)


def test_two_addresses_that_lead_to_one_page_are_one_document(tmp_path: Path) -> None:
    web = Web({"quay": results("quay", "pier")}, {**PAGES, f"{HARBOUR}/pier": QUAY})

    async def steps(retriever: WebRetriever) -> None:
        await retriever.bring([Query("quay")], 1, Run())

    over(web, tmp_path, steps)
    assert web.commits == [1]
