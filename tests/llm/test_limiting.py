"""So many calls at once to one endpoint; what others spent during the wait counts."""

import asyncio

import pytest

from leadline.errors import BudgetSpent
from leadline.llm.base import Request
from leadline.llm.limiting import Limited
from leadline.llm.metering import Metered
from leadline.run import Budget, Run
from leadline.testing.model_server import ModelServer
from leadline.testing.running import go
from leadline.testing.said import turns
from tests.llm.calls import REQUEST, provider

WRITING = Request(REQUEST.messages, "write", purpose="write")


def test_two_models_at_one_endpoint_share_its_limit() -> None:
    with ModelServer(turns("yes"), latency=0.05) as server:

        async def many() -> None:
            gate = asyncio.Semaphore(3)
            chats = [Limited(provider(server), gate) for _ in range(2)]
            await asyncio.gather(*(chat.ask(REQUEST, Run()) for chat in chats for _ in range(6)))
            for chat in chats:
                await chat.close()

        go(many())
        assert (len(server.asked), server.most) == (12, 3)


@pytest.mark.parametrize("calls", [2, 5])
def test_a_budget_of_calls_is_overshot_by_no_more_than_those_in_flight(calls: int) -> None:
    with ModelServer(turns("yes"), latency=0.05) as server:
        run = Run(Budget(calls=calls))

        async def many() -> list[object]:
            chat = Metered(Limited(provider(server), asyncio.Semaphore(2)))
            found = await asyncio.gather(*(chat.ask(WRITING, run) for _ in range(20)), return_exceptions=True)
            await chat.close()
            return list(found)

        found = go(many())
        assert calls <= len(server.asked) <= calls + 1
        assert run.calls == len(server.asked)
        assert sum(isinstance(each, BudgetSpent) for each in found) == 20 - run.calls


def test_a_call_that_fails_gives_its_place_back() -> None:
    with ModelServer(turns("yes"), models=()) as server:

        async def twice() -> int:
            gate = asyncio.Semaphore(1)
            chat = Limited(provider(server), gate)
            await asyncio.gather(*(chat.ask(REQUEST, Run()) for _ in range(2)), return_exceptions=True)
            await chat.close()
            return int(gate.locked())

        assert go(twice()) == 0
