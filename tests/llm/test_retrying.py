"""A call is made again where that may help, so often, and after the wait that was asked for."""

from collections.abc import Awaitable, Callable

import pytest

from leadline.errors import ModelFailed, ModelUnusable
from leadline.events import CallFailed
from leadline.llm.retrying import Retried
from leadline.run import Budget, Run
from leadline.testing.model_server import ModelServer
from leadline.testing.said import Answering, Said, not_json, null, refusal, reset, turns
from tests.llm.calls import Outcome, called, provider


def sleeping(slept: list[float]) -> Callable[[float], Awaitable[None]]:
    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    return sleep


def outcome(script: Answering, run: Run | None = None, **how: float) -> tuple[Outcome, list[float], int]:
    """The end of it, the waits, and how often the server was asked."""
    slept: list[float] = []
    with ModelServer(script) as server:
        chat = Retried(provider(server), sleep=sleeping(slept), chance=lambda: 0.0, **how)  # type: ignore[arg-type]
        found = called(chat, run=run)
        return found, slept, len(server.asked)


@pytest.mark.parametrize(
    "said",
    [refusal(429), refusal(500), refusal(503), not_json(), reset("half", 2)],
    ids=lambda said: said.status,
)
def test_what_may_pass_is_tried_again(said: Said) -> None:
    found, slept, asked = outcome(turns(said, "yes"))
    assert (found.reply.text, len(slept), asked) == ("yes", 1, 2)
    assert [event.again for event in found.events if isinstance(event, CallFailed)] == slept


@pytest.mark.parametrize(
    ("said", "kind"),
    [(refusal(400), ModelFailed), (refusal(401), ModelUnusable), (refusal(404), ModelUnusable)],
)
def test_what_will_not_pass_is_not(said: Said, kind: type[ModelFailed]) -> None:
    found, slept, _ = outcome(turns(said, said, "yes"))
    assert (type(found.error), slept) == (kind, [])
    assert [event.again for event in found.events if isinstance(event, CallFailed)] == [None]


def test_a_reply_that_cannot_be_used_is_still_a_reply() -> None:
    found, slept, asked = outcome(turns(null(), "yes"))
    assert (found.error, found.reply.text, slept, asked) == (None, "", [], 1)


def test_three_failures_are_enough() -> None:
    found, slept, asked = outcome(turns(refusal(500), refusal(500), refusal(500), "yes"))
    assert isinstance(found.error, ModelFailed)
    assert (slept, asked) == ([0.5, 1.0], 3)


def test_the_wait_that_the_server_asks_for_is_kept_within_bounds() -> None:
    busy = refusal(429, retry_after="7")
    assert outcome(turns(busy, "yes"))[1] == [7.0]
    assert outcome(turns(refusal(429, retry_after="9000"), "yes"), longest=12.0)[1] == [12.0]


def test_a_wait_that_the_run_has_no_time_for_is_not_begun() -> None:
    found, slept, asked = outcome(turns(refusal(429, retry_after="20"), "yes"), Run(Budget(seconds=10)))
    assert isinstance(found.error, ModelFailed)
    assert (slept, asked) == ([], 1)


def test_waits_are_spread_so_that_not_all_come_back_at_once() -> None:
    slept: list[float] = []
    with ModelServer(turns(refusal(429), "yes")) as server:
        called(Retried(provider(server), sleep=sleeping(slept), chance=lambda: 1.0))
    assert slept == [0.625]
