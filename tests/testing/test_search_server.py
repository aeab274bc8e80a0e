"""The server that plays search providers, as a client sees it that knows nothing of Leadline."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import httpx2
import pytest

from leadline.testing.search_server import Fault, SearchServer
from leadline.web.base import WebResult

PAGES = [
    WebResult("https://harbour.example/lamp", "The lamp", "Lit in 1889 & <kept>", "2024-05-15"),
    WebResult("https://news.example/mole?a=1&b=2", "The mole", "Rebuilt."),
]


def find(query: str, limit: int) -> Sequence[WebResult]:
    return [page for page in PAGES if page.title.split()[1] in query][:limit]


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with SearchServer(find, keys={"tavily": "k"}, hint="1889") as started:
        yield started


def ask(server: SearchServer, provider: str, query: str, **headers: str) -> Any:
    with httpx2.Client(trust_env=False, headers=headers) as client:
        if provider == "tavily":
            sent = {"query": query, "max_results": 3}
            return client.post(f"{server.url('tavily')}/search", json=sent)
        return client.get(f"{server.url('searxng')}/search", params={"q": query, "format": "json"})


def test_it_finds_what_the_function_finds(server: SearchServer) -> None:
    found = ask(server, "searxng", "lamp or mole").json()["results"]
    assert [each["url"] for each in found] == [page.url for page in PAGES]
    assert server.queries("searxng") == ["lamp or mole"]


def test_operators_for_sites_are_no_words_of_the_query(server: SearchServer) -> None:
    found = ask(server, "searxng", "lamp mole (site:news.example OR site:b.example) -site:c.example").json()
    assert [each["url"] for each in found["results"]] == [PAGES[1].url]
    wanted = server.asked[-1].wanted
    assert wanted.text == "lamp mole"
    assert (wanted.sites, wanted.without) == (("news.example", "b.example"), ("c.example",))


def test_a_key_is_asked_for(server: SearchServer) -> None:
    assert ask(server, "tavily", "lamp").status_code == 401
    reply = ask(server, "tavily", "lamp", Authorization="Bearer k").json()
    assert reply["answer"] == "1889"
    assert reply["results"][0]["published_date"] == "2024-05-15"


def test_what_goes_wrong_is_told(server: SearchServer) -> None:
    server.fail(Fault(status=429, headers={"Retry-After": "2"}), "searxng")
    server.fail(Fault("wrong", value={"results": 7}), query="mole")
    first, second = ask(server, "searxng", "mole"), ask(server, "searxng", "mole")
    assert (first.status_code, first.headers["retry-after"]) == (429, "2")
    assert json.loads(second.content) == {"results": 7}
    assert ask(server, "searxng", "mole").json()["results"][0]["url"] == PAGES[1].url


def test_an_unknown_address_is_not_found(server: SearchServer) -> None:
    with httpx2.Client(trust_env=False) as client:
        assert client.get(f"http://127.0.0.1:{server.port}/bing/search").status_code == 404
