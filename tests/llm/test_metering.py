"""Before a call the budget is looked at, after it what was spent is counted; time that is up cuts a call off."""

import asyncio
import time
from dataclasses import replace

import pytest

from leadline.errors import BudgetSpent, Cancelled, ModelFailed
from leadline.events import Called, Notice
from leadline.llm.base import Message, Request
from leadline.llm.metering import Metered
from leadline.run import Budget, Run
from leadline.testing.model_server import ModelServer
from leadline.testing.running import go
from leadline.testing.said import endless, refusal, reset, silence, turns
from tests.llm.calls import REQUEST, called, provider

WRITING = Request(REQUEST.messages, "write", purpose="write")


def test_a_call_is_counted_and_told() -> None:
    with ModelServer(turns("yes")) as server:
        found = called(Metered(provider(server)))
    (event,) = [event for event in found.events if isinstance(event, Called)]
    assert (event.step, event.model, event.usd, event.cached) == ("judge", "openai:scripted", 0.0, False)
    assert event.milliseconds > 0
    assert (found.run.calls, found.run.tokens) == (1, event.input_tokens + event.output_tokens)


@pytest.mark.parametrize("limit", [Budget(calls=1), Budget(tokens=1), Budget(usd=0.01)])
def test_a_budget_that_is_spent_forbids_the_call(limit: Budget) -> None:
    run = Run(limit)
    run.call_spent(1, 0.01)
    with ModelServer(turns("yes")) as server:
        found = called(Metered(provider(server)), run=run)
        assert isinstance(found.error, BudgetSpent)
        assert server.asked == []


def test_writing_may_use_what_is_kept_from_gathering() -> None:
    run = Run(Budget(calls=10))
    run.calls = 9
    with ModelServer(turns("yes")) as server:
        assert isinstance(called(Metered(provider(server)), run=run).error, BudgetSpent)
        assert called(Metered(provider(server)), WRITING, run).reply.text == "yes"


def test_a_call_that_gathers_does_not_take_what_is_kept_for_the_answer() -> None:
    long = Request((Message("user", "word " * 400),), "judge")
    run = Run(Budget(tokens=400))
    run.call_spent(200)
    with ModelServer(turns("yes")) as server:
        found = called(Metered(provider(server)), long, run)
        assert isinstance(found.error, BudgetSpent)
        assert found.error.limit == "tokens"
        assert server.asked == []
        assert called(Metered(provider(server)), replace(long, purpose="write"), run).reply.text == "yes"


def test_a_call_that_failed_costs_nothing() -> None:
    with ModelServer(turns(refusal(500))) as server:
        found = called(Metered(provider(server)))
    assert isinstance(found.error, ModelFailed)
    assert (found.run.calls, found.run.tokens, found.events) == (0, 0, [])


def test_gathering_is_cut_off_when_its_share_of_the_time_is_up() -> None:
    with ModelServer(turns(silence())) as server:
        run = Run(Budget(seconds=0.4))
        found = called(Metered(provider(server)), run=run)
    assert isinstance(found.error, BudgetSpent)
    assert found.error.limit == "deadline"
    left = run.seconds_left()
    assert left is not None
    assert left > 0


def test_of_an_answer_whose_time_is_up_what_was_written_is_kept_and_paid_for() -> None:
    with ModelServer(turns(endless("one more word "))) as server:
        found = called(Metered(provider(server, seconds=10)), WRITING, Run(Budget(seconds=1.0)), stream=True)
    assert found.error is None
    assert found.reply.text == "".join(found.told) != ""
    assert (found.reply.whole, found.reply.broken) == (False, True)
    assert found.run.calls == 1
    assert found.run.tokens > found.reply.output_tokens > 0


def test_a_run_that_is_asked_to_stop_does_not_wait_for_gathering() -> None:
    with ModelServer(turns(silence())) as server:
        run = Run()
        chat = Metered(provider(server, seconds=20))

        async def stopped() -> float:
            asyncio.get_running_loop().call_later(0.1, run.cancel)
            began = time.monotonic()
            with pytest.raises(Cancelled):
                await chat.ask(REQUEST, run)
            await chat.close()
            return time.monotonic() - began

        assert go(stopped()) < 20


def test_a_stream_that_its_caller_drops_is_paid_for() -> None:
    with ModelServer(turns(endless("one more word "))) as server:
        run = Run()
        chat = Metered(provider(server, seconds=20))

        async def dropped() -> None:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.5):
                    await chat.ask(REQUEST, run, lambda _: None)
            await chat.close()

        go(dropped())
    assert run.calls == 1
    assert run.tokens > 0


def test_a_limit_in_dollars_that_cannot_hold_is_told_once() -> None:
    with ModelServer(turns(reset("half a reply", 4))) as server:
        run = Run(Budget(usd=1.0))
        outcomes = [called(Metered(provider(server)), run=run, stream=True) for _ in range(2)]
        events = [event for outcome in outcomes for event in outcome.events]
    notices = [event.text for event in events if isinstance(event, Notice)]
    assert len(notices) == 1
    assert "dollars" in notices[0]
