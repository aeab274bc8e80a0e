"""Which search providers the settings give: their order, their keys, their addresses."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline.config import settings
from leadline.errors import ConfigError
from leadline.run import Run
from leadline.searches import named, web_search
from leadline.settings import Settings
from leadline.testing.search_server import SearchServer
from leadline.web.base import WebQuery, WebResult

KEYS = ("TAVILY_API_KEY", "BRAVE_API_KEY", "SERPER_API_KEY")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with SearchServer(
        lambda _, limit: [WebResult("https://a.example/x", "A", "a")], keys={"brave": "k"}
    ) as one:
        yield one


def told(**web: object) -> Settings:
    return settings(flags={f"web.{name}": value for name, value in web.items()}, environ={})


def test_without_a_key_the_one_that_needs_none_is_asked() -> None:
    assert web_search(told()).names == ("duckduckgo",)


def test_those_with_a_key_or_an_address_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", "k")
    monkeypatch.setenv("TAVILY_API_KEY", "k")
    read = told(searxng_url="http://localhost:8888")
    assert named(read) == ("tavily", "serper", "searxng", "duckduckgo")
    assert web_search(read).names == ("tavily", "serper", "searxng", "duckduckgo")


def test_a_named_provider_without_its_key_is_left_out_with_a_notice(server: SearchServer) -> None:
    read = told(searches=("brave", "searxng"), searxng_url=server.url("searxng"))
    web = web_search(read)
    assert web.names == ("searxng",)
    found = asyncio.run(web(WebQuery("lamp"), Run()))
    assert found.notices == (
        "The search provider brave is left out: it needs a key. Set the environment variable BRAVE_API_KEY.",
    )
    assert [each.url for each in found.results] == ["https://a.example/x"]


def test_a_key_that_cannot_be_one_leaves_its_provider_out_with_a_notice(
    server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "b\xe4d-key")
    web = web_search(told(searches=("brave", "searxng"), searxng_url=server.url("searxng")))
    assert web.names == ("searxng",)
    found = asyncio.run(web(WebQuery("lamp"), Run()))
    assert found.notices == (
        "The search provider brave is left out: BRAVE_API_KEY holds a character that no key has. Copy the key again.",
    )
    assert found.results
    with pytest.raises(ConfigError, match="BRAVE_API_KEY holds a character"):
        web_search(told(searches=("brave",)))


def test_where_none_can_be_used_it_says_what_to_do() -> None:
    with pytest.raises(ConfigError) as caught:
        web_search(told(searches=("brave", "searxng")))
    assert "BRAVE_API_KEY" in str(caught.value)
    assert "web.searxng_url" in str(caught.value)
    assert "leadline[web]" in str(caught.value)


@pytest.mark.parametrize(("name", "library"), [("duckduckgo", "ddgs"), ("tavily", "tavily")])
def test_without_the_extra_it_says_what_to_install(
    server: SearchServer, monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    for loaded in [each for each in sys.modules if each.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.delitem(sys.modules, f"leadline.web.providers.{name}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setenv("TAVILY_API_KEY", "k")
    with pytest.raises(ConfigError, match=r"leadline\[web\]"):
        web_search(told(searches=(name,)))
    both = web_search(told(searches=(name, "searxng"), searxng_url=server.url("searxng")))
    assert both.names == ("searxng",)


def test_a_name_that_is_unknown_is_an_error_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="Did you mean `tavily`"):
        web_search(told(searches=("tavly",)))


def test_the_key_goes_to_the_address_that_is_set(
    server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "k")
    web = web_search(told(searches=("brave",), brave_url=server.url("brave")))
    assert asyncio.run(web(WebQuery("lamp"), Run())).results
    assert server.asked[0].call.headers["x-subscription-token"] == "k"


@pytest.mark.parametrize("name", ["tavily", "brave", "serper"])
def test_a_key_follows_no_file_that_nobody_named(
    alone: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(f"{name.upper()}_API_KEY", "k")
    file = alone / "leadline.toml"
    file.write_text(f'[web]\nsearches = ["{name}"]\n{name}_url = "https://thief.example"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="only such a file names"):
        web_search(settings(environ={}))
    assert web_search(settings(config=file, environ={})).names == (name,)


def test_a_key_is_refused_to_stand_in_a_file(alone: Path) -> None:
    (alone / "leadline.toml").write_text('[web]\nbrave_key = "k"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="is not a setting"):
        settings(environ={})


def test_a_broken_address_is_an_error_and_no_notice() -> None:
    with pytest.raises(ConfigError, match="must begin with http"):
        web_search(told(searches=("searxng",), searxng_url="localhost:8888"))
