"""`leadline ask --web` and `leadline search --web`: pages are cited by title, address and day."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from leadline.testing.commands import Command
from leadline.testing.page_search import Listed, PageSearch
from leadline.testing.search_server import SearchServer
from leadline.testing.web_site import Served, WebSite

QUESTION = "When was the quay of Skerrow rebuilt?"
TEXT = "The quay of Skerrow was rebuilt in 1911. Its wall is of granite from Dorn."
PAGE = f"<html><head><title>The quay</title></head><body><main><h1>The quay</h1><p>{TEXT}</p></main></body></html>"


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebSite]:
    """A site with one page, which the search server finds; the settings name both."""
    with ExitStack() as stack:
        site = stack.enter_context(WebSite([Served("/quay", PAGE.encode())]))
        listed = Listed(f"{site.url}/quay", "The quay", TEXT, "2024-05-01")
        server = stack.enter_context(SearchServer(PageSearch([listed])))
        monkeypatch.setenv("LEADLINE_WEB_SEARCHES", "searxng")
        monkeypatch.setenv("LEADLINE_WEB_SEARXNG_URL", server.url("searxng"))
        monkeypatch.setenv("LEADLINE_WEB_ALLOW_HOSTS", site.host)
        yield site


def test_the_web_is_asked_without_any_collection(leadline: Command, web: WebSite) -> None:
    shown = leadline("ask", QUESTION, "--web", "--json")
    answer = json.loads(shown.out)
    assert shown.code == 0
    (source,) = answer["sources"][:1]
    assert source["source"] == f"{web.url}/quay"
    assert source["title"] == "The quay"
    assert source["accessed"]
    assert "1911" in answer["text"]


def test_files_and_pages_are_asked_together(loaded: Command, web: WebSite) -> None:
    question = "When was the quay of Skerrow rebuilt, and when was Mara Quill born in Skerrow?"
    shown = loaded("ask", question, "--web", "--collection", "default", "--explain")
    assert shown.code == 0
    assert f"The quay · {web.url}/quay" in shown.out
    assert "quill.md" in shown.out
    assert "web searxng" in shown.out
    assert "accessed 20" in shown.out


def test_pages_are_saved_and_found_without_the_web(leadline: Command, web: WebSite) -> None:
    shown = leadline("ask", QUESTION, "--web", "--save-pages", "kept")
    assert shown.code == 0
    assert "1 page was saved in collection `kept`." in shown.out
    web.pages.clear()
    again = json.loads(leadline("ask", QUESTION, "--collection", "kept", "--json").out)
    assert again["sources"][0]["source"] == f"{web.url}/quay"


def test_a_search_of_the_web_shows_how_each_passage_was_found(leadline: Command, web: WebSite) -> None:
    found = json.loads(leadline("search", "quay granite", "--web", "--json").out)
    assert found["hits"][0]["chunk"]["source"] == f"{web.url}/quay"
    refused = leadline("search", "quay", "--web", "--section")
    assert refused.code == 2
    assert "Leave it or --web out" in refused.err


def test_rounds_are_those_of_whichever_agent_answers(leadline: Command, web: WebSite) -> None:
    once = json.loads(
        leadline("ask", QUESTION, "--web", "--agent", "research", "--rounds", "1", "--json").out
    )
    more = json.loads(leadline("ask", QUESTION, "--web", "--agent", "research", "--json").out)
    assert (once["rounds"], once["stop"]) == (1, "max_rounds")
    assert more["stop"] != "max_rounds"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--since", "2020"], "--since is about the web: say --web too"),
        (["--save-pages", "kept"], "--save-pages is about the web"),
        (["--web", "--since", "lately"], "a day, month or year"),
        (["--web", "--site", "https://quay.example/a"], "names of hosts"),
        (["--web", "--save-pages", "a\nb"], "a collection cannot be called"),
        (["--web", "--save-pages", ""], "a collection cannot be called ''"),
        (["--web", "--save-pages", "web-cache"], "Save them in another collection"),
        (["--web", "--site", "127.0.0.1:80/x"], "--site cannot be"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_asked(
    leadline: Command, web: WebSite, options: list[str], words: str
) -> None:
    shown = leadline("ask", QUESTION, *options)
    assert shown.code == 2
    assert words in shown.err
    assert web.visits == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["ask", QUESTION, "--json"], "cannot be reached"),
        (["search", QUESTION], "cannot be reached"),
        (["research", QUESTION], "cannot be reached"),
        (["research", QUESTION, "-o", "report.md"], "no search provider answered"),
    ],
)
def test_a_web_that_nobody_could_search_is_a_failure_and_no_empty_report(
    leadline: Command,
    web: WebSite,
    monkeypatch: pytest.MonkeyPatch,
    here: Path,
    command: list[str],
    said: str,
) -> None:
    monkeypatch.setattr("leadline.web.searching.SHORT", 0.0)
    monkeypatch.setenv("LEADLINE_WEB_SEARXNG_URL", "http://127.0.0.1:9")
    shown = leadline(*command, "--web")
    assert shown.code == 1
    assert said in shown.err
    assert not (here / "report.md").exists()


def test_purging_alone_empties_the_kept_pages_without_any_collection(
    leadline: Command, web: WebSite, here: Path
) -> None:
    assert leadline("ask", QUESTION, "--web").code == 0
    assert leadline("ask", QUESTION, "--web").code == 0
    assert web.paths().count("/quay") == 1
    shown = leadline("remove", "--purge")
    assert (shown.code, shown.out.split(":")[0]) == (0, "emptied")
    leadline("ask", QUESTION, "--web")
    assert web.paths().count("/quay") == 2
    refused = leadline("remove")
    assert refused.code == 2
    assert "--purge alone" in refused.err


def test_days_and_sites_that_are_not_asked_for_are_not_read(leadline: Command, web: WebSite) -> None:
    for options in (["--since", "2025"], ["--until", "2023-12"], ["--site", "quay.example"]):
        shown = leadline("ask", QUESTION, "--web", *options)
        assert "No answer to this was found" in shown.out
    assert "/quay" not in web.paths()
