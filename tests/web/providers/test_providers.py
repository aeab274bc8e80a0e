"""Every search provider through its real client: Tavily's and DuckDuckGo's libraries, HTTP for the others."""

import asyncio

import pytest

from leadline.errors import ConfigError, ProviderFailed
from leadline.testing.model_server import unused_port
from leadline.testing.search_server import Fault, SearchServer, Trouble
from leadline.web.base import Listing, SearchOptions, WebQuery
from leadline.web.providers.brave import Brave
from leadline.web.providers.duckduckgo import DuckDuckGo
from leadline.web.providers.searxng import SearXNG
from leadline.web.providers.serper import Serper
from leadline.web.providers.tavily import Tavily
from tests.web.search_wishes import KEYS, NAMES, PAGES, played

FOUND = WebQuery("who lit the lamp", 4)
HTTPS = "https:"
OTHER: list[object] = [
    [],
    "results",
    None,
    {"results": 7, "organic": 7, "web": 7},
    {"results": {"a": 1}, "organic": "x", "web": {"results": {}}},
    {"results": [1, "x", None], "organic": [[]], "web": {"results": [None]}},
    {"results": [{"url": 7}], "organic": [{"link": None}], "web": {"results": [{"url": ["x"]}]}},
    {
        "results": [{"url": "javascript:alert(1)"}],
        "organic": [{"link": "file:///etc/passwd"}],
        "web": {"results": [{"url": f"{HTTPS}//name:pass@a.example/"}]},
    },
]
"""Replies of other types than agreed."""


def search(server: SearchServer, name: str, query: WebQuery = FOUND, seconds: float = 60.0) -> Listing:
    return asyncio.run(played(server, name).search(query, seconds))


def failure(server: SearchServer, name: str, seconds: float = 60.0) -> ProviderFailed:
    with pytest.raises(ProviderFailed) as caught:
        search(server, name, seconds=seconds)
    assert caught.value.provider == name
    assert "IGNORE" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("name", NAMES)
def test_what_is_found_comes_back_in_order(server: SearchServer, name: str) -> None:
    found = search(server, name).results
    assert [each.url for each in found] == [page.url for page in PAGES]
    assert [each.snippet for each in found][1:] == [page.snippet for page in PAGES][1:]
    assert {each.provider for each in found} == {name}
    assert found[0].title == PAGES[0].title
    if name != "duckduckgo":
        assert [each.published for each in found] == [page.published for page in PAGES]


@pytest.mark.parametrize("name", NAMES)
def test_no_more_than_asked_for_comes_back(server: SearchServer, name: str) -> None:
    assert len(search(server, name, WebQuery("lamp", 2)).results) == 2


@pytest.mark.parametrize("name", NAMES)
def test_hosts_are_passed_on(server: SearchServer, name: str) -> None:
    query = WebQuery("who lit the lamp", 4, ("harbour.example", "news.example"), ("old.harbour.example",))
    found = search(server, name, query)
    wanted = server.asked[-1].wanted
    assert wanted.text == "who lit the lamp"
    assert (wanted.sites, wanted.without) == (query.sites, query.without)
    assert [each.url for each in found.results] == [PAGES[0].url, PAGES[1].url]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "searxng"])
@pytest.mark.parametrize(
    ("since", "until"), [("2023-01-01", "2023-12-31"), ("2024-01-01", ""), ("", "2002-01-01")]
)
def test_days_are_passed_on(server: SearchServer, name: str, since: str, until: str) -> None:
    search(server, name, WebQuery("lamp", 4, since=since, until=until))
    wanted = server.asked[-1].wanted
    assert (wanted.since or "1970-01-01", wanted.until or "2999-12-31") == (
        since or "1970-01-01",
        until or "2999-12-31",
    )


def test_searxng_says_that_it_knows_no_days(server: SearchServer) -> None:
    assert search(server, "searxng", WebQuery("lamp", 4, since="2023-01-01")).ignored == ("the days",)


def test_more_hosts_than_a_query_holds_are_said_to_be_left_out(server: SearchServer) -> None:
    sites = tuple(f"host-number-{n}.example" for n in range(30))
    assert search(server, "brave", WebQuery("lamp", 4, sites)).ignored == ("the hosts to search",)
    assert server.asked[-1].wanted.text == "lamp"


@pytest.mark.parametrize("name", ["tavily", "searxng", "serper"])
def test_a_direct_answer_is_a_hint_and_no_result(server: SearchServer, name: str) -> None:
    found = search(server, name)
    assert found.hint == "Ada Rook lit it."
    assert not [each for each in found.results if "Ada Rook lit it" in each.snippet]


@pytest.mark.parametrize("name", NAMES)
def test_a_search_without_results_is_no_failure(server: SearchServer, name: str) -> None:
    server.fail(Fault("empty"))
    assert search(server, name).results == ()


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_lasts_and_the_remedy_names_its_variable(
    server: SearchServer, name: str, status: int
) -> None:
    server.fail(Fault(status=status))
    failed = failure(server, name)
    assert failed.lasting and not failed.again
    assert f"({status})" in failed.reason
    assert f"{name.upper()}_API_KEY" in failed.reason


@pytest.mark.parametrize("name", KEYS)
def test_a_wrong_key_is_refused_and_shown_nowhere(server: SearchServer, name: str) -> None:
    with pytest.raises(ProviderFailed) as caught:
        asyncio.run(played(server, name, "secret-and-wrong").search(FOUND, 5))
    assert "secret-and-wrong" not in f"{caught.value}{caught.value.__cause__}{played(server, name)!r}"


@pytest.mark.parametrize("name", NAMES)
def test_too_many_searches_say_when_to_come_back(server: SearchServer, name: str) -> None:
    server.fail(Fault(status=429, headers={"Retry-After": "7"}))
    failed = failure(server, name)
    assert failed.again and not failed.lasting
    assert failed.wait == 7


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(status=500), "(500)"),
        (Fault(status=503), "(503)"),
        (Fault("truncated"), "breaks off"),
        (Fault("huge"), " MiB"),
    ],
    ids=str,
)
def test_what_may_pass_may_be_asked_again(server: SearchServer, name: str, fault: Fault, said: str) -> None:
    server.fail(fault)
    failed = failure(server, name)
    assert said in failed.reason
    assert failed.again


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["blank", "invalid", "nested"])
def test_a_reply_that_cannot_be_read_is_a_failure(server: SearchServer, name: str, kind: Trouble) -> None:
    server.fail(Fault(kind))
    assert "sent a" in failure(server, name).reason


@pytest.mark.parametrize("name", [name for name in NAMES if name != "duckduckgo"])
@pytest.mark.parametrize("value", OTHER, ids=repr)
def test_a_reply_of_other_types_is_a_failure(server: SearchServer, name: str, value: object) -> None:
    server.fail(Fault("wrong", value=value))
    assert "another form" in failure(server, name).reason


@pytest.mark.parametrize("name", NAMES)
def test_a_server_that_hangs_costs_the_seconds_it_was_given(server: SearchServer, name: str) -> None:
    server.fail(Fault("hang"))
    failed = failure(server, name, seconds=0.4)
    assert failed.reason == "gave no reply within 0.4 seconds"


@pytest.mark.parametrize("name", NAMES)
def test_a_redirect_is_not_followed(server: SearchServer, name: str) -> None:
    server.fail(Fault("redirect", headers={"Location": f"{server.url('searxng')}/search?q=elsewhere"}))
    failed = failure(server, name)
    assert failed.lasting
    assert "(302)" in failed.reason
    assert server.queries() == [FOUND.text]


@pytest.mark.parametrize("name", NAMES)
def test_a_server_that_is_not_there_cannot_be_reached(server: SearchServer, name: str) -> None:
    server.port = unused_port()
    failed = failure(server, name)
    assert "cannot be reached" in failed.reason
    assert failed.again


def test_engines_that_do_not_answer_are_no_empty_result(server: SearchServer) -> None:
    server.fail(Fault("wrong", value={"results": [], "unresponsive_engines": [["a", "timeout"], ["b", "x"]]}))
    assert failure(server, "searxng").reason == "found nothing, and 2 of its engines did not answer"


def test_a_riddle_for_robots_is_no_empty_result(server: SearchServer) -> None:
    server.fail(Fault(status=202))
    failed = failure(server, "duckduckgo")
    assert failed.reason == "takes this machine for a robot (202)"
    assert failed.wait > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_long_question_is_cut_between_words(server: SearchServer, name: str) -> None:
    search(server, name, WebQuery("lamp keeper " * 400, 2))
    sent = server.queries()[0]
    assert len(sent) <= 1_000
    assert set(sent.split()) == {"lamp", "keeper"}


@pytest.mark.parametrize("name", NAMES)
def test_no_question_is_too_odd_to_be_sent(server: SearchServer, name: str) -> None:
    for text in ("lamp \ud800 \x00\x1b[2J", "灯塔 & <b> ?q=1#x", "site:", "-", '"', "%00%", "\u202elamp"):
        assert search(server, name, WebQuery(text, 2)).results


def test_a_page_of_results_that_is_built_to_be_slow_ends(server: SearchServer) -> None:
    item = '<div class="body"><h2>x</h2><a href="https://a.example/">y</a>'
    page = "<html>" + item * 12_000
    read = DuckDuckGo(SearchOptions(server.url("duckduckgo")))
    server.fail(Fault("bytes", value=page))
    assert len(asyncio.run(read.search(FOUND, 20)).results) <= 4


@pytest.mark.parametrize("build", [Tavily, Brave, Serper])
def test_a_key_that_is_none_is_refused_before_it_is_sent(build: type[Tavily]) -> None:
    with pytest.raises(ConfigError, match="_API_KEY"):
        build(SearchOptions())
    with pytest.raises(ConfigError, match="Copy the key again"):
        build(SearchOptions(key="a\nb"))


@pytest.mark.parametrize("build", [Tavily, Brave, Serper, SearXNG, DuckDuckGo])
@pytest.mark.parametrize("url", ["ftp://a.example", "a.example", "https://", f"{HTTPS}//me:pw@a.example"])
def test_an_address_that_is_none_is_refused(build: type[Tavily], url: str) -> None:
    with pytest.raises(ConfigError, match="_url"):
        build(SearchOptions(url, "k"))


def test_tavily_is_told_how_thoroughly_to_search(server: SearchServer) -> None:
    options = SearchOptions(server.url("tavily"), KEYS["tavily"], "advanced")
    asyncio.run(Tavily(options).search(FOUND, 5))
    assert server.asked[0].body["search_depth"] == "advanced"
