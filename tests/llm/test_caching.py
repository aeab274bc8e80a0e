"""A reply is paid for once; what differs is asked; a file of replies replays a run."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from leadline.errors import NotRecorded
from leadline.events import Called
from leadline.llm.base import Message, Request, Schema
from leadline.llm.caching import Cached, key_of
from leadline.llm.metering import Metered
from leadline.llm.replies import Replies
from leadline.run import Budget, Run
from leadline.testing.model_server import ModelServer
from leadline.testing.said import Asked, cut, refusal, reset, turns
from tests.llm.calls import REQUEST, Outcome, called, provider


def cached(
    server: ModelServer, file: Path, on_miss: Literal["call", "raise"] = "call"
) -> tuple[Cached, Replies]:
    replies = Replies(file)
    return Cached(Metered(provider(server)), replies, on_miss), replies


def asked_once(
    server: ModelServer,
    file: Path,
    request: Request = REQUEST,
    on_miss: Literal["call", "raise"] = "call",
    *,
    stream: bool = False,
) -> Outcome:
    chat, replies = cached(server, file, on_miss)
    found = called(chat, request, stream=stream)
    replies.close()
    return found


def test_the_second_time_nobody_is_asked_and_nothing_is_paid(tmp_path: Path) -> None:
    with ModelServer(turns("yes", "no")) as server:
        first = asked_once(server, tmp_path / "replies.sqlite")
        second = asked_once(server, tmp_path / "replies.sqlite", stream=True)
        assert len(server.asked) == 1
    assert (first.reply.text, second.reply.text, second.told) == ("yes", "yes", ["yes"])
    assert (first.run.calls, second.run.calls, second.run.tokens) == (1, 0, 0)
    (event,) = [event for event in second.events if isinstance(event, Called)]
    assert (event.cached, event.usd, event.input_tokens) == (True, 0.0, first.reply.input_tokens)


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, messages=(Message("user", "Is it not?"),)),
        replace(REQUEST, messages=(*REQUEST.messages, Message("assistant", "x"), Message("user", "y"))),
        replace(REQUEST, schema=None),
        replace(REQUEST, schema=Schema("verdict", {"type": "object"})),
        replace(REQUEST, max_tokens=7),
        replace(REQUEST, temperature=0.5),
    ],
)
def test_whatever_is_sent_differently_is_another_call(other: Request) -> None:
    assert key_of("openai:m", other) != key_of("openai:m", REQUEST)


def test_another_model_is_another_call_and_another_step_or_purpose_is_not() -> None:
    assert key_of("openai:m", REQUEST) != key_of("openai:n", REQUEST)
    assert key_of("openai:m", replace(REQUEST, step="plan", purpose="write")) == key_of("openai:m", REQUEST)


def test_the_random_marker_of_a_call_makes_no_difference(tmp_path: Path) -> None:
    def fenced(marker: str) -> Request:
        return replace(REQUEST, messages=(Message("user", f"<{marker}>text</{marker}>"),), marker=marker)

    def echo(asked: Asked) -> str:
        return f"between {asked.prompt[1:6]}"

    with ModelServer(echo) as server:
        first = asked_once(server, tmp_path / "r.sqlite", fenced("aaaaa"))
        second = asked_once(server, tmp_path / "r.sqlite", fenced("bbbbb"))
        assert len(server.asked) == 1
    assert (first.reply.text, second.reply.text) == ("between aaaaa", "between bbbbb")


def test_a_failure_or_half_a_reply_is_not_kept_but_one_cut_at_its_limit_is(tmp_path: Path) -> None:
    script = turns(refusal(500), reset("half a reply", 4), cut('{"ok": '), "yes")
    with ModelServer(script) as server:
        texts = [asked_once(server, tmp_path / "r.sqlite", stream=True).reply for _ in range(5)]
        assert len(server.asked) == 3
    assert [(each.text, each.whole) for each in texts] == [
        ("", True),
        ("half", False),
        ('{"ok": ', False),
        ('{"ok": ', False),
        ('{"ok": ', False),
    ]


def test_a_replay_calls_nobody(tmp_path: Path) -> None:
    file = tmp_path / "r.sqlite"
    with ModelServer(turns("yes")) as server:
        asked_once(server, file)
        server.forget()
        assert asked_once(server, file, on_miss="raise").reply.text == "yes"
        missing = asked_once(server, file, replace(REQUEST, max_tokens=7), "raise")
        nowhere = asked_once(server, tmp_path / "none.sqlite", on_miss="raise")
        assert server.asked == []
    assert isinstance(missing.error, NotRecorded)
    assert "r.sqlite" in str(missing.error)
    assert isinstance(nowhere.error, NotRecorded)
    assert not (tmp_path / "none.sqlite").exists()


def test_a_kept_reply_needs_no_budget(tmp_path: Path) -> None:
    with ModelServer(turns("yes")) as server:
        asked_once(server, tmp_path / "r.sqlite")
        chat, replies = cached(server, tmp_path / "r.sqlite")
        run = Run(Budget(calls=1))
        run.call_spent(10)
        assert called(chat, run=run).reply.text == "yes"
        replies.close()
