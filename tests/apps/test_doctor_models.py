"""`leadline doctor` on language models, and `ask` with one: through the settings, as a person does."""

import json
from pathlib import Path

import pytest

from leadline.apps.doctor import same_embedding
from leadline.apps.doctor_models import models
from leadline.config import settings
from leadline.encoders import Encoders
from leadline.testing.commands import Command
from leadline.testing.model_server import ModelServer, unused_port
from leadline.testing.running import go
from leadline.testing.said import refusal, silence, turns
from leadline.types import Collection

KEY = "k-secret"
YES = '{"ok": true}'


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nothing of the person who runs the tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "LEADLINE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def checked(tmp_path: Path, **flags: object) -> dict[str, tuple[str, str]]:
    """Each check by name: its state, and what is said and advised."""
    said = {"model": "openai:scripted", "data": str(tmp_path), "llm.seconds": 60.0, **flags}
    found = go(models(settings(environ={"LEADLINE_API_KEY": KEY}, flags=said)))
    text = json.dumps([f"{check.found} {check.remedy}" for check in found])
    assert KEY not in text
    assert "refused by script" not in text
    return {check.name: (check.state, f"{check.found} {check.remedy}".strip()) for check in found}


def test_no_model_is_fine(tmp_path: Path) -> None:
    state, said = checked(tmp_path, model="")["model"]
    assert (state, said) == ("ok", "none: answers are quotes of the sources")


def test_a_model_that_works_is_told_with_address_key_name_and_context(tmp_path: Path) -> None:
    with ModelServer(turns(YES), key=KEY, context=8_192) as server:
        found = checked(tmp_path, base_url=server.url)
        assert found["model address"] == ("ok", f"{server.url} answers")
    assert [state for state, _ in found.values()] == ["ok"] * 5
    assert found["model key"][1] == "from LEADLINE_API_KEY"
    assert found["model name"][1] == "scripted"
    assert found["model"][1].startswith("openai:scripted: ")
    assert found["model context"][1] == "8192 tokens"


def test_both_roles_are_looked_at(tmp_path: Path) -> None:
    with ModelServer(turns(YES), models=("scripted", "small"), context=8_192) as server:
        found = checked(tmp_path, base_url=server.url, fast_model="openai:small")
        assert [each.body["model"] for each in server.asked] == ["scripted", "small"]
    assert found["fast model name"] == ("ok", "small")


def test_a_context_that_is_assumed_wrongly_is_worth_a_note(tmp_path: Path) -> None:
    with ModelServer(turns(YES), context=32_768) as server:
        assert checked(tmp_path, base_url=server.url)["model context"] == (
            "note",
            "8192 tokens are assumed, the server says 32768 Set `llm.context = 32768`.",
        )
        right = checked(tmp_path, base_url=server.url, **{"llm.context": 32_768})
    assert right["model context"][0] == "ok"


def test_a_context_that_nobody_says_is_worth_a_note(tmp_path: Path) -> None:
    with ModelServer(turns(YES)) as server:
        state, said = checked(tmp_path, base_url=server.url)["model context"]
    assert (state, "are assumed" in said) == ("note", True)


def test_nobody_at_the_address_is_told(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{unused_port()}/v1"
    state, said = checked(tmp_path, base_url=url)["model address"]
    assert (state, said) == ("fail", f"{url}: nobody answers there Start the server, or correct `base_url`.")


def test_a_wrong_key_is_told_without_showing_it(tmp_path: Path) -> None:
    with ModelServer(turns(YES), key="another") as server:
        state, said = checked(tmp_path, base_url=server.url)["model address"]
        assert server.asked == []
    assert state == "fail"
    assert "refuses the key (401) Set LEADLINE_API_KEY" in said


def test_a_name_that_the_server_does_not_have_is_told_with_those_it_has(tmp_path: Path) -> None:
    with ModelServer(turns(YES), models=("large", "small")) as server:
        assert checked(tmp_path, base_url=server.url)["model name"] == (
            "fail",
            "the server has no `scripted` It has: large, small.",
        )


@pytest.mark.parametrize(
    ("script", "state", "words"),
    [
        (turns(refusal(400)), "fail", "rejects the request (400)"),
        (turns(refusal(429)), "fail", "is busy or fails (429)"),
        (turns(silence()), "fail", "gave no reply in 1 s"),
        (turns("Certainly! I am here."), "note", "not the JSON that was asked for"),
        (turns(""), "note", "not the JSON that was asked for"),
        (turns(f"Here you are: {YES}"), "ok", "tokens in"),
    ],
)
def test_the_call_itself_is_judged(tmp_path: Path, script: object, state: str, words: str) -> None:
    with ModelServer(script) as server:  # type: ignore[arg-type]
        seconds = 1.0 if "in 1 s" in words else 60.0
        found = checked(tmp_path, base_url=server.url, **{"llm.seconds": seconds})["model"]
    assert (found[0], words in found[1]) == (state, True)


def test_a_key_that_is_missing_is_told(tmp_path: Path, configured: pytest.MonkeyPatch) -> None:
    said = {"model": "anthropic:claude", "data": str(tmp_path)}
    (check,) = go(models(settings(environ={}, flags=said)))
    assert (check.state, "ANTHROPIC_API_KEY" in check.found) == ("fail", True)


def test_looking_keeps_no_reply_and_makes_no_folder(tmp_path: Path) -> None:
    with ModelServer(turns(YES)) as server:
        for _ in range(2):
            checked(tmp_path / "data", base_url=server.url)
        assert len(server.asked) == 2
    assert not (tmp_path / "data").exists()


def test_vectors_of_another_dimension_are_told(tmp_path: Path) -> None:
    encoders = Encoders(settings(environ={}, flags={"data": str(tmp_path)}))
    embedder = go(encoders.configured())
    assert embedder is not None
    right = Collection("c", embedding=embedder.name, dimension=embedder.dimension)
    wrong = Collection("c", embedding=embedder.name, dimension=7)
    assert go(same_embedding(right, encoders))[1].state == "ok"
    found, check = go(same_embedding(wrong, encoders))
    assert (found, check.state) == (None, "fail")
    assert "have 7 dimensions" in check.found


def test_doctor_ends_with_an_error_when_the_model_cannot_be_used(
    loaded: Command, configured: pytest.MonkeyPatch
) -> None:
    configured.setenv("LEADLINE_MODEL", "openai:scripted")
    configured.setenv("LEADLINE_API_KEY", KEY)
    with ModelServer(turns(YES), key="another") as server:
        configured.setenv("LEADLINE_BASE_URL", server.url)
        shown = loaded("doctor")
    assert shown.code != 0
    assert "refuses the key (401)" in " ".join(shown.out.split())
    assert KEY not in shown.out + shown.err


def test_limits_and_models_of_the_call_reach_the_run(loaded: Command, configured: pytest.MonkeyPatch) -> None:
    with ModelServer(turns("no idea"), models=("scripted", "small")) as server:
        configured.setenv("LEADLINE_BASE_URL", server.url)
        ask = ("ask", "Where was the builder of the tide mill at Oxley born?", "--deep", "--json")
        model = ("--model", "openai:scripted", "--fast-model", "openai:small")
        shown = loaded(*ask, *model, "--max-calls", "2", "--max-tokens", "100000", "--max-usd", "5")
        assert {each.body["model"] for each in server.asked} <= {"scripted", "small"}
        assert 1 <= len(server.asked) <= 3
    answer = json.loads(shown.out)
    assert answer["usage"]["calls"] == len(server.asked)
    assert answer["claims"] or not answer["found"]


def test_a_wrong_key_ends_ask_in_one_clear_error(loaded: Command, configured: pytest.MonkeyPatch) -> None:
    configured.setenv("LEADLINE_API_KEY", KEY)
    with ModelServer(turns("no idea"), key="another") as server:
        configured.setenv("LEADLINE_BASE_URL", server.url)
        shown = loaded(
            "ask", "Where was the builder of the tide mill at Oxley born?", "--model", "openai:scripted"
        )
    assert shown.code == 2
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1
    assert "refuses the key in LEADLINE_API_KEY (401)" in shown.err
    assert KEY not in shown.err


def test_a_model_that_fails_is_explained_and_the_answer_comes_all_the_same(
    loaded: Command, configured: pytest.MonkeyPatch
) -> None:
    with ModelServer(turns(refusal(500))) as server:
        configured.setenv("LEADLINE_BASE_URL", server.url)
        configured.setenv("LEADLINE_LLM_WAIT", "0")
        shown = loaded(
            "ask",
            "Where was the builder of the tide mill at Oxley born?",
            "--deep",
            "--explain",
            "--model",
            "openai:scripted",
        )
    assert shown.code == 0
    assert "is busy or fails (500)" in " ".join(shown.out.split())
    assert "[1]" in shown.out
