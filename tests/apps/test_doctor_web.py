"""`leadline doctor` on searching the web."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline.apps.doctor_web import web
from leadline.config import settings
from leadline.testing.commands import Command
from leadline.testing.running import go
from leadline.testing.search_server import Fault, SearchServer
from leadline.web.base import WebResult


@pytest.fixture(autouse=True)
def without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the person who runs the tests."""
    for name in ("TAVILY_API_KEY", "BRAVE_API_KEY", "SERPER_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[SearchServer]:
    with SearchServer(lambda _, limit: [WebResult("https://a.example/x", "A", "a")]) as started:
        yield started


def checked(**told: object) -> dict[str, tuple[str, str]]:
    flags = {f"web.{name}": value for name, value in told.items()}
    found = go(web(settings(flags=flags, environ={})))
    return {check.name: (check.state, f"{check.found} {check.remedy}".strip()) for check in found}


def test_without_any_setting_there_is_the_one_that_needs_no_key() -> None:
    assert checked() == {"web search duckduckgo": ("ok", "needs no key")}


def test_a_key_is_told_by_its_variable_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "k-secret")
    found = checked()
    assert found["web search brave"] == ("ok", "key from BRAVE_API_KEY")
    assert "k-secret" not in str(found)


def test_a_key_that_cannot_be_one_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "b\xe4d-key")
    state, said = checked()["web search brave"]
    assert state == "fail"
    assert "BRAVE_API_KEY holds a character" in said


def test_hosts_that_a_file_opens_which_nobody_named_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "leadline.toml").write_text('[web]\nallow_hosts = ["wiki.example"]\n', encoding="utf-8")
    state, said = checked()["web hosts"]
    assert state == "note"
    assert "name it with --config" in said


def test_a_named_provider_without_its_key_is_a_note_and_none_at_all_says_what_to_do() -> None:
    found = checked(searches=("serper",))
    state, said = found["web search serper"]
    assert state == "note"
    assert "SERPER_API_KEY" in said
    assert "leadline[web]" in found["web search"][1]


def test_a_searxng_that_answers_is_told(server: SearchServer) -> None:
    url = server.url("searxng")
    assert checked(searxng_url=url)["web search searxng"] == ("ok", f"{url} answers")


@pytest.mark.parametrize(
    ("fault", "state", "said"),
    [
        (Fault(status=403), "fail", "must list `json`"),
        (Fault(status=500), "fail", "a fault of its own (500)"),
        (Fault("invalid"), "fail", "no JSON"),
        (Fault("empty"), "note", "which engines"),
    ],
    ids=lambda each: str(getattr(each, "kind", "")),
)
def test_a_searxng_that_does_not_is_told_with_what_to_do(
    server: SearchServer, fault: Fault, state: str, said: str
) -> None:
    server.fail(fault)
    found = checked(searxng_url=server.url("searxng"))["web search searxng"]
    assert found[0] == state
    assert said in found[1]


def test_a_wrong_name_is_a_failure() -> None:
    state, said = checked(searches=("tavly",))["web search tavly"]
    assert state == "fail"
    assert "Did you mean `tavily`" in said


def test_the_command_shows_it(
    monkeypatch: pytest.MonkeyPatch, leadline: Command, server: SearchServer
) -> None:
    monkeypatch.setenv("LEADLINE_WEB_SEARXNG_URL", server.url("searxng"))
    assert "web search searxng" in leadline("doctor").out
