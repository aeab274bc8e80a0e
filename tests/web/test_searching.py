"""One search over several providers: in turn, all at once, at their pace, and what becomes of those that fail.

The providers are the real ones, and ask a server that plays them. Time passes where a test says so.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from leadline.errors import BudgetSpent, Cancelled
from leadline.events import Event
from leadline.run import Budget, Run, each
from leadline.testing.search_server import Fault, Finding, SearchServer
from leadline.web.base import Listing, WebQuery, WebResult
from leadline.web.limits import FAILURES, REST
from leadline.web.searching import SearchingOptions, WebFound, WebSearch
from leadline.web_events import WebSearched, WebSearchFailed
from tests.web.search_wishes import PAGES, played

LAMP = WebQuery("who lit the lamp", 3)


@dataclass
class Time:
    """A clock that goes on when somebody sleeps."""

    now: float = 1_000.0
    moves: bool = True
    slept: list[float] = field(default_factory=list[float])

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds if self.moves else 0
        await asyncio.sleep(0)


@dataclass
class Told:
    """A run whose events are kept."""

    events: list[Event] = field(default_factory=list[Event])

    def run(self, budget: Budget | None = None) -> Run:
        return Run(budget or Budget(), self.events.append)

    def failures(self) -> list[tuple[str, str]]:
        return [(e.provider, e.instead) for e in self.events if isinstance(e, WebSearchFailed)]

    def searches(self) -> list[tuple[str, int, int]]:
        return [(e.provider, e.results, e.new) for e in self.events if isinstance(e, WebSearched)]


def over(
    server: SearchServer, *names: str, time: Time | None = None, notices: Sequence[str] = (), **how: object
) -> WebSearch:
    time = time or Time()
    options = SearchingOptions(**{"per_second": 100.0, **how})  # pyright: ignore[reportArgumentType]
    providers = [played(server, name) for name in names]
    return WebSearch(providers, options, notices=notices, clock=time, sleep=time.sleep)


def finding(*results: WebResult) -> Finding:
    def find(query: str, limit: int) -> Sequence[WebResult]:
        return results

    return find


def search(web: WebSearch, query: WebQuery = LAMP, told: Told | None = None) -> WebFound:
    return asyncio.run(web(query, (told or Told()).run()))


def test_the_first_provider_that_finds_something_is_enough(server: SearchServer) -> None:
    told = Told()
    found = search(over(server, "tavily", "searxng"), told=told)
    assert [each.url for each in found.results] == [page.url for page in PAGES[:3]]
    assert told.searches() == [("tavily", 3, 3)]
    assert [event.hint for event in told.events if isinstance(event, WebSearched)] == ["Ada Rook lit it."]
    assert found.notices == ()
    assert server.queries("searxng") == []


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=429),
        Fault(status=401),
        Fault(status=500),
        Fault("invalid"),
        Fault("wrong", value={"results": 7}),
        Fault("truncated"),
        Fault("hang"),
        Fault("empty"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.status}",
)
def test_whatever_is_wrong_with_one_the_next_is_asked(server: SearchServer, fault: Fault) -> None:
    server.fail(fault, "tavily")
    told = Told()
    seconds = 1.0 if fault.kind == "hang" else 60.0
    found = search(over(server, "tavily", "searxng", seconds=seconds), told=told)
    assert [each.url for each in found.results] == [page.url for page in PAGES[:3]]
    assert {each.provider for each in found.results} == {"searxng"}
    if fault.kind == "empty":
        assert told.searches() == [("tavily", 0, 0), ("searxng", 3, 3)]
    else:
        assert told.failures() == [("tavily", "searxng is asked")]
        assert found.notices[0].startswith("The search provider tavily ")


def test_when_nobody_can_be_asked_the_notices_say_why(server: SearchServer) -> None:
    server.fail(Fault(status=401), "tavily", times=None)
    server.fail(Fault(status=500), "searxng", times=None)
    found = search(over(server, "tavily", "searxng"))
    assert (found.results, found.answered) == ((), False)
    assert any("refuses the search (401)" in said for said in found.notices)
    assert any("a fault of its own (500)" in said for said in found.notices)
    assert found.notices[-1] == "The web could not be searched for `who lit the lamp`."


def test_that_nothing_was_found_is_said(server: SearchServer) -> None:
    server.find = finding()
    assert search(over(server, "searxng")).notices == ("The web has nothing for `who lit the lamp`.",)


def test_all_are_asked_and_what_several_list_rises(server: SearchServer) -> None:
    server.find = finding(
        WebResult("https://a.example/1", "A"), WebResult("https://both.example/x?utm_source=t", "B")
    )
    other = finding(WebResult("http://www.both.example/x/", "B"), WebResult("https://c.example/3", "C"))
    told = Told()
    with SearchServer(other) as second:
        providers = [played(server, "tavily"), played(second, "searxng")]
        found = search(WebSearch(providers, SearchingOptions("all")), told=told)
    assert [(each.url, each.provider) for each in found.results] == [
        ("https://both.example/x?utm_source=t", "tavily, searxng"),
        ("https://a.example/1", "tavily"),
        ("https://c.example/3", "searxng"),
    ]
    assert sum(new for _, _, new in told.searches()) == 3


def test_of_all_that_are_asked_one_that_fails_loses_nothing_else(server: SearchServer) -> None:
    server.fail(Fault(status=500), "searxng")
    told = Told()
    found = search(over(server, "searxng", "brave", "serper", combine="all"), told=told)
    assert len(found.results) == 3
    assert told.failures() == [("searxng", "")]
    assert "The search provider searxng has a fault of its own (500)." in found.notices


def test_the_only_provider_is_asked_again_when_it_says(server: SearchServer) -> None:
    server.fail(Fault(status=429, headers={"Retry-After": "7"}))
    time, told = Time(), Told()
    found = search(over(server, "searxng", time=time), told=told)
    assert len(found.results) == 3
    assert time.slept == [7]
    assert told.failures() == [("searxng", "it is asked again in 7 seconds")]


def test_nobody_waits_for_an_hour(server: SearchServer) -> None:
    server.fail(Fault(status=429, headers={"Retry-After": "3600"}), times=None)
    time = Time()
    web = over(server, "searxng", time=time)
    assert search(web).results == ()
    assert time.slept == []
    time.now += REST + 1
    server.heal()
    assert len(search(web).results) == 3


def test_another_provider_is_not_kept_waiting_by_one_that_throttles(server: SearchServer) -> None:
    server.fail(Fault(status=429, headers={"Retry-After": "30"}), "tavily")
    time = Time()
    web = over(server, "tavily", "searxng", time=time)
    assert {each.provider for each in search(web).results} == {"searxng"}
    again = search(web)
    assert again.notices == (
        "The search provider tavily is left alone for a while, since it takes no more searches for now (429).",
    )
    assert max(time.slept, default=0) < 1
    time.now += 31
    assert {each.provider for each in search(web).results} == {"tavily"}


def test_a_key_that_is_refused_is_tried_once_and_told_once(server: SearchServer) -> None:
    server.fail(Fault(status=401), "tavily", times=None)
    web = over(server, "tavily", "searxng")
    first, second = search(web), search(web)
    assert len(server.queries("tavily")) == 1
    assert len(first.notices) == 1 and "refuses the search (401)" in first.notices[0]
    assert second.notices == ()
    server.fail(Fault(status=500), "searxng", times=None)
    assert any("refuses the search (401)" in said for said in search(web).notices)


def test_after_three_failures_in_a_row_a_provider_is_left_alone_for_a_while(server: SearchServer) -> None:
    server.fail(Fault(status=500), "tavily", times=None)
    time = Time()
    web = over(server, "tavily", "searxng", time=time)
    for _ in range(FAILURES + 2):
        assert len(search(web).results) == 3
    assert len(server.queries("tavily")) == FAILURES
    time.now += REST + 1
    search(web)
    search(web)
    assert len(server.queries("tavily")) == FAILURES + 1
    server.heal()
    time.now += REST + 1
    assert {each.provider for each in search(web).results} == {"tavily"}
    assert {each.provider for each in search(web).results} == {"tavily"}


def test_a_search_that_a_provider_does_not_take_says_nothing_of_the_next(server: SearchServer) -> None:
    server.fail(Fault(status=400), "tavily", times=FAILURES + 1)
    web = over(server, "tavily", "searxng")
    for _ in range(FAILURES + 1):
        assert {each.provider for each in search(web).results} == {"searxng"}
    assert {each.provider for each in search(web).results} == {"tavily"}


def test_searches_start_at_the_pace_that_is_set(server: SearchServer) -> None:
    time = Time(moves=False)
    web = over(server, "searxng", time=time, per_second=2.0)
    queries = [WebQuery(f"lamp {n}", 3) for n in range(4)]

    async def all_at_once() -> list[WebFound]:
        return await each(lambda query: web(query, Told().run()), queries)

    assert len(asyncio.run(all_at_once())) == 4
    assert sorted(time.slept) == [0.5, 1.0, 1.5]


def test_each_request_counts_as_a_search_of_the_run(server: SearchServer) -> None:
    server.fail(Fault(status=500), "tavily")
    run = Told().run()
    asyncio.run(over(server, "tavily", "searxng")(LAMP, run))
    assert run.searches == 2


def test_a_spent_budget_ends_the_search_and_says_so(server: SearchServer) -> None:
    server.fail(Fault(status=500), "tavily")
    web = over(server, "tavily", "searxng")
    found = asyncio.run(web(LAMP, Told().run(Budget(searches=1))))
    assert any("was not searched further: searches: 1 of 1 used" in said for said in found.notices)
    with pytest.raises(BudgetSpent):
        asyncio.run(web(LAMP, Told().run(Budget(searches=0))))
    assert len(server.asked) == 1


def test_a_cancelled_run_asks_nobody(server: SearchServer) -> None:
    run = Told().run()
    run.cancel()
    with pytest.raises(Cancelled):
        asyncio.run(over(server, "searxng")(LAMP, run))
    assert server.asked == []


def test_a_deadline_bounds_a_provider_that_hangs(server: SearchServer) -> None:
    server.fail(Fault("hang"), times=None)
    found = asyncio.run(over(server, "searxng", seconds=60.0)(LAMP, Told().run(Budget(seconds=0.6))))
    assert found.notices[0].startswith("The search provider searxng gave no reply within")


def test_what_is_not_of_the_hosts_or_days_asked_for_is_left_out(server: SearchServer) -> None:
    query = WebQuery("lamp", 4, ("harbour.example",), ("old.harbour.example",))
    provider = played(server, "searxng")
    server.find = finding(*PAGES)

    async def unfiltered() -> WebFound:
        return await WebSearch([provider])(query, Told().run())

    assert [each.url for each in asyncio.run(unfiltered()).results] == [PAGES[0].url]
    dated = search(over(server, "searxng"), WebQuery("lamp", 4, since="2024-01-01"))
    assert [each.url for each in dated.results] == [PAGES[0].url, PAGES[2].url]
    assert dated.notices == (
        "The search provider searxng cannot be told the days; its results are sorted out here, so that few may be left.",
    )


def test_two_pages_with_the_same_text_are_one_and_two_with_another_number_are_two(
    server: SearchServer,
) -> None:
    text = "The harbour office counted {} ships in the year, more than in any year since the mole was built."
    server.find = finding(
        WebResult("https://a.example/ships", "Ships", text.format(412)),
        WebResult("https://mirror.example/ships", "Ships", text.format(412)),
        WebResult("https://b.example/ships", "Ships", text.format(398)),
    )
    found = search(over(server, "searxng"))
    assert [each.url for each in found.results] == ["https://a.example/ships", "https://b.example/ships"]


def test_who_is_not_there_is_told_with_the_first_search(server: SearchServer) -> None:
    web = over(server, "searxng", notices=["brave is left out: it needs a key."])
    assert search(web).notices == ("brave is left out: it needs a key.",)
    assert search(web).notices == ()


@dataclass
class Plugin:
    """A provider of somebody else's, which trips over what it gets."""

    name: str = "plugin"
    closed: bool = False

    async def search(self, query: WebQuery, seconds: float) -> Listing:
        raise KeyError("secret of the reply")

    async def close(self) -> None:
        self.closed = True


def test_a_plugin_that_trips_costs_its_own_search(server: SearchServer) -> None:
    web = WebSearch([Plugin(), played(server, "searxng")], SearchingOptions())
    found = search(web)
    assert len(found.results) > 0
    assert found.notices == ("The search provider plugin failed (KeyError).",)


def test_closing_lets_go_of_every_provider() -> None:
    plugins = [Plugin("one"), Plugin("two")]
    web = WebSearch(plugins)
    assert web.names == ("one", "two")
    asyncio.run(web.close())
    assert [each.closed for each in plugins] == [True, True]


def test_who_failed_for_a_query_is_named_and_passed_over_when_it_is_asked_again(
    server: SearchServer,
) -> None:
    server.fail(Fault(status=500), "searxng", times=None)
    web = over(server, "searxng", "brave")
    first = search(web)
    assert first.failed == ("searxng",)
    assert first.results
    again = search(web, replace(LAMP, passing=first.failed))
    assert again.failed == ()
    assert again.results
    nobody = search(web, replace(LAMP, passing=("searxng", "brave")))
    assert nobody.notices == ("The web could not be searched for `who lit the lamp`.",)
    assert [each.provider for each in server.asked] == ["searxng", "brave", "brave"]
