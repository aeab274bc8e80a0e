"""A question on the web while search providers fail in every way they can: the next is asked, the run ends, the answer
says what failed. Tavily and SearXNG are asked by their real clients."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from leadline.config import Settings
from leadline.events import Event
from leadline.run import Budget, Run
from leadline.testing.page_search import Listed, PageSearch
from leadline.testing.running import go
from leadline.testing.search_server import Fault, SearchServer
from leadline.testing.web_site import Served, WebSite
from leadline.types import Answer
from leadline.web_events import WebSearched, WebSearchFailed
from leadline.workspace import Workspace

QUESTION = "When was the lamp of Orrin Point first lit?"
TEXTS = {
    "/lamp": "The lamp of Orrin Point was first lit on 3 November 1889. Its keeper was Ada Rook, who stayed for thirty years.",
    "/mole": "The mole of Orrin Point was built of granite from Skerrow, and took nine winters to finish.",
}
FAULTS = {
    "429": (Fault(status=429, headers={"Retry-After": "40"}), "takes no more searches for now (429)"),
    "401": (Fault(status=401), "refuses the search (401)"),
    "timeout": (Fault("hang"), "gave no reply within"),
    "no JSON": (Fault("invalid"), "sent a reply"),
    "cut short": (Fault("truncated"), "breaks off"),
    "other types": (Fault("wrong", value={"results": "none"}), "another form"),
    "500": (Fault(status=500), "has a fault of its own (500)"),
    "endless": (Fault("huge"), "more than 4 MiB"),
    "redirect": (
        Fault("redirect", headers={"Location": "http://127.0.0.1:9/"}),
        "is not at that address (302)",
    ),
}


@pytest.fixture(scope="module")
def site() -> Iterator[WebSite]:
    pages = [
        Served(
            path,
            f"<html><head><title>{path}</title></head><body><h1>{path[1:]}</h1><p>{text}</p></body></html>".encode(),
        )
        for path, text in TEXTS.items()
    ]
    with WebSite(pages) as served:
        yield served


@pytest.fixture
def server(site: WebSite) -> Iterator[SearchServer]:
    listed = [Listed(f"{site.url}{path}", path[1:], text) for path, text in TEXTS.items()]
    with ExitStack() as stack:
        yield stack.enter_context(SearchServer(PageSearch(listed), keys={"tavily": "tvly-k"}))


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-k")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only provider that is left is asked again at once."""
    monkeypatch.setattr("leadline.web.searching.SHORT", 0.0)


def ask(
    server: SearchServer, site: WebSite, data: Path, agent: Any = "deep", **web: Any
) -> tuple[Answer, list[Event]]:
    given = {
        "searches": ("tavily", "searxng"),
        "tavily_url": server.url("tavily"),
        "searxng_url": server.url("searxng"),
        "search_seconds": 20,
        "searches_per_second": 100,
        "allow_hosts": (site.host,),
        **web,
    }
    settings = Settings.model_validate({"data": data, "web": given})
    events: list[Event] = []

    async def work() -> Answer:
        async with await Workspace.open(settings) as workspace:
            return await workspace.ask(QUESTION, run=Run(Budget(), events.append), agent=agent, web=True)

    return go(work()), events


@pytest.mark.parametrize("name", FAULTS)
def test_whatever_the_first_provider_does_the_second_finds_it_and_the_answer_says_why(
    server: SearchServer, site: WebSite, tmp_path: Path, name: str
) -> None:
    fault, said = FAULTS[name]
    server.fail(fault, "tavily", times=None)
    answer, events = ask(server, site, tmp_path, search_seconds=2 if fault.kind == "hang" else 20)
    assert answer.found
    assert "1889" in answer.text
    assert any("tavily" in notice and said in notice for notice in answer.notices)
    failed = [event for event in events if isinstance(event, WebSearchFailed)]
    assert failed[0].provider == "tavily"
    assert failed[0].instead == "searxng is asked"
    assert "IGNORE ALL RULES" not in f"{answer}{events}"
    assert "tvly-k" not in f"{answer}{events}"


def test_a_provider_that_finds_nothing_is_no_failure_and_the_next_is_asked(
    server: SearchServer, site: WebSite, tmp_path: Path
) -> None:
    server.fail(Fault("empty"), "tavily", times=None)
    answer, events = ask(server, site, tmp_path)
    assert answer.found
    searched = [(event.provider, event.results) for event in events if isinstance(event, WebSearched)]
    assert searched[0] == ("tavily", 0)
    assert searched[1][0] == "searxng"
    assert searched[1][1] > 0


@pytest.mark.parametrize(
    ("name", "combine"), [*((name, "fallback") for name in FAULTS), ("401", "all"), ("timeout", "all")]
)
def test_where_all_fail_the_run_ends_without_an_answer_and_says_of_each_why(
    server: SearchServer, site: WebSite, tmp_path: Path, name: str, combine: str
) -> None:
    fault, said = FAULTS[name]
    server.fail(fault, times=None)
    seconds = 0.3 if fault.kind == "hang" else 20
    answer, _ = ask(server, site, tmp_path, combine=combine, search_seconds=seconds)
    assert not answer.found
    for provider in ("tavily", "searxng"):
        assert any(provider in notice and said in notice for notice in answer.notices), answer.notices
    assert any("could not be searched" in notice for notice in answer.notices)


@pytest.mark.parametrize("agent", ["fast", "chain", "research"])
def test_it_is_so_for_every_agent(server: SearchServer, site: WebSite, tmp_path: Path, agent: str) -> None:
    server.fail(Fault(status=401), "tavily", times=None)
    answer, _ = ask(server, site, tmp_path, agent)
    assert answer.found
    assert any("refuses the search (401)" in notice for notice in answer.notices)
    server.fail(Fault(status=500), times=None)
    nothing, _ = ask(server, site, tmp_path / "other", agent)
    assert not nothing.found
    assert any("searxng has a fault of its own (500)" in notice for notice in nothing.notices)
