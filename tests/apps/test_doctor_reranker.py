"""`leadline doctor` on the reranker, and `search` and `ask` with one: through the settings, as a person does."""

from pathlib import Path

import pytest

from leadline.apps.doctor import reranker
from leadline.config import settings
from leadline.testing.commands import Command
from leadline.testing.running import go
from tests.reranking.server import HANG, Server, always, ending, serving


def configured(monkeypatch: pytest.MonkeyPatch, server: Server, key: str = "k-secret") -> None:
    monkeypatch.setenv("LEADLINE_RERANKER", "endpoint")
    monkeypatch.setenv("LEADLINE_RERANKER_MODEL", "tiny")
    monkeypatch.setenv("LEADLINE_RERANKER_URL", server.url)
    monkeypatch.setenv("LEADLINE_RERANKER_KEY", key)


def checked(**flags: object) -> tuple[str, str]:
    check = go(reranker(settings(environ={}, flags={"reranker": "endpoint", "reranker_model": "m", **flags})))
    return check.state, f"{check.found} {check.remedy}"


def test_no_reranker_is_fine() -> None:
    assert go(reranker(settings(environ={}))).state == "ok"


def test_a_reranker_that_works_is_told_with_its_scripts() -> None:
    with serving() as server:
        assert checked(reranker_url=server.url) == ("ok", "endpoint-m, for all scripts ")
        found = checked(reranker_url=server.url, reranker_scripts=("latin", "han"))
    assert found == ("ok", "endpoint-m, for han, latin ")


def test_one_that_ranks_the_wrong_way_round_is_worth_a_note() -> None:
    rows = [{"index": 0, "relevance_score": 0.1}, {"index": 1, "relevance_score": 0.9}]
    with serving(always(200, {"results": rows})) as server:
        state, said = checked(reranker_url=server.url)
    assert state == "note"
    assert "Compare `leadline search` with and without it" in said


def test_one_that_cannot_be_had_fails_with_what_to_do() -> None:
    state, said = checked()
    assert state == "fail"
    assert "needs `reranker_url`" in said
    with serving(always(401)) as server:
        state, said = checked(reranker_url=server.url)
    assert state == "fail"
    assert "LEADLINE_RERANKER_KEY" in said
    with serving(ending(HANG)) as server:
        state, said = checked(reranker_url=server.url, reranker_seconds=0.2)
    assert (state, said.partition(".")[0]) == ("fail", "no reply in 0")


def test_a_provider_that_is_not_there_is_refused_by_its_name(loaded: Command) -> None:
    shown = loaded("search", "harbour")
    assert shown.code == 0
    Path("leadline.toml").write_text('reranker = "onxx"\n', encoding="utf-8")
    shown = loaded("ask", "Who built the tide mill?")
    assert shown.code == 2
    assert "Did you mean `onnx`?" in shown.err


def test_a_key_in_the_file_is_refused(loaded: Command) -> None:
    Path("leadline.toml").write_text('reranker_key = "k"\n', encoding="utf-8")
    shown = loaded("search", "harbour")
    assert shown.code == 2
    assert "LEADLINE_RERANKER_KEY" in shown.err


def test_search_and_explain_show_what_the_reranker_did(
    loaded: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as server:
        configured(monkeypatch, server)
        monkeypatch.setenv("LEADLINE_SEARCH_RERANK_KEEP", "1")
        found = loaded("search", "Who built the tide mill at Oxley?")
        explained = loaded("ask", "Who built the tide mill at Oxley?", "--fast", "--explain")
        doctor = loaded("doctor")
    assert found.code == explained.code == 0
    assert "rerank" in found.out
    assert "#1 1.000" in found.out
    assert "endpoint-tiny: 3 -> 1" in explained.out
    assert "endpoint-tiny, for all scripts" in doctor.out
    assert {headers["Authorization"] for headers in server.headers} == {"Bearer k-secret"}
    assert "k-secret" not in found.out + explained.out + doctor.out + found.err + explained.err


def test_an_answer_does_not_need_its_reranker(loaded: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(always(400, b"no such model")) as server:
        configured(monkeypatch, server)
        shown = loaded("ask", "Who built the tide mill at Oxley?", "--fast")
    assert shown.code == 0
    assert "Mara Quill" in shown.out
    assert "answered 400: no such model" in shown.out + shown.err
