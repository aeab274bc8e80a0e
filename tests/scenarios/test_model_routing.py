"""Routing through the whole product: who answers, where each round looks, and how many calls that costs."""

from collections import Counter
from pathlib import Path

import pytest

from leadline.arguments import AgentChoice
from leadline.events import CollectionsChosen, Event, Routed
from leadline.run import Budget, Run
from leadline.testing.model_server import ModelServer
from leadline.testing.running import go
from leadline.testing.thinking import Thinker
from leadline.types import Answer
from leadline.workspace import Workspace
from tests.scenarios.model_product import QUESTION, THINKER, settings


def ask(
    world: Path,
    agent: AgentChoice,
    script: Thinker = THINKER,
    collections: tuple[str, ...] = (),
    calls: int | None = None,
    **how: str,
) -> tuple[Answer, list[Event], Counter[str]]:
    """An answer, what was told, and how often each step asked the model."""
    events: list[Event] = []

    async def work(server: ModelServer) -> Answer:
        async with await Workspace.open(settings(world, server, ask=how)) as workspace:
            run = Run(Budget(calls=calls), events.append)
            return await workspace.ask(QUESTION, agent=agent, collections=collections, run=run)

    with ModelServer(script) as server:
        answer = go(work(server))
        return answer, events, Counter(server.steps())


def chosen(events: list[Event]) -> list[tuple[int, tuple[str, ...]]]:
    return [(event.round, event.collections) for event in events if isinstance(event, CollectionsChosen)]


def routes(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.agent, event.by) for event in events if isinstance(event, Routed)]


def test_the_model_picks_an_agent_once_and_collections_once_a_round(world: Path) -> None:
    answer, events, steps = ask(world, "auto")
    assert routes(events) == [("deep", "model")]
    assert (answer.found, answer.agent, answer.rounds) == (True, "deep", 3)
    assert (steps["choose_agent"], steps["choose_collections"]) == (1, 3)
    assert chosen(events) == [(number, ("coast", "default")) for number in (1, 2, 3)]


@pytest.mark.parametrize("calls", [1, 2, 3, 4])
def test_few_calls_all_go_to_the_answer(world: Path, calls: int) -> None:
    answer, events, steps = ask(world, "auto", calls=calls)
    assert [by for _, by in routes(events)][:1] == ["rule"]
    assert {names for _, names in chosen(events)} == {("coast", "default", "north")}
    assert (steps["choose_agent"], steps["choose_collections"]) == (0, 0)
    assert steps["write"] >= (calls > 1)
    assert answer.usage.calls == steps.total() <= calls


def test_five_calls_leave_one_to_choose_with(world: Path) -> None:
    _, events, steps = ask(world, "auto", calls=5)
    assert routes(events)[0] == ("deep", "model")
    assert steps["choose_agent"] == 1


@pytest.mark.parametrize("agent", ["deep", "chain"])
def test_with_the_rule_no_router_is_asked(world: Path, agent: AgentChoice) -> None:
    answer, events, steps = ask(world, agent, router="rule")
    assert answer.found
    assert (steps["choose_agent"], steps["choose_collections"]) == (0, 0)
    assert (routes(events), chosen(events)) == ([(agent, "caller")], [])


def test_collections_that_the_caller_named_are_searched_as_they_are(world: Path) -> None:
    answer, events, steps = ask(world, "fast", collections=("north", "default"))
    assert answer.found
    assert (steps["choose_collections"], chosen(events)) == (0, [])


def test_a_choice_that_leaves_nothing_means_all(world: Path) -> None:
    nowhere = Thinker(THINKER.rounds, THINKER.facts, choices=("nowhere",))
    answer, events, _ = ask(world, "fast", nowhere)
    assert answer.found
    assert chosen(events) == [(1, ("coast", "default", "north"))]


def test_a_chain_puts_each_answer_into_the_next_question(world: Path) -> None:
    answer, _, steps = ask(world, "chain", router="rule")
    assert steps == Counter({"follow_up": 4, "note": 3, "write": 1})
    assert {claim.text for claim in answer.claims} == {
        "The ferry Sable Heron is driven by a Tarn 40 diesel.",
        "The Tarn 40 was drawn by Ines Calloway.",
        "Ines Calloway was bound to Osric Brandt.",
    }
    assert all(item.verdict.keep for item in answer.evidence)
