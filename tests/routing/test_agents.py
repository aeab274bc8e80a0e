"""Who answers: the model's choice where it can be read, else the shape of the question."""

import pytest

from leadline.errors import BudgetSpent, Cancelled
from leadline.events import Event, Routed
from leadline.reasoning.base import Option, Reasoner
from leadline.reasoning.offline import OfflineReasoner
from leadline.routing.agents import AGENTS, RESEARCH, routed
from leadline.routing.complexity import Route
from leadline.run import Run
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.running import go

SIMPLE = "What is the refund period?"
RELATIONS = "Where was the builder of the tide mill at Oxley born?"


def pick(question: str, reasoner: Reasoner | None) -> tuple[Route, list[Event]]:
    events: list[Event] = []
    return go(routed(question, reasoner, Run(emit=events.append), chains=reasoner is not None)), events


def test_the_model_picks_among_described_agents() -> None:
    reasoner = ScriptedReasoner(choices=["chain"])
    taken, events = pick(SIMPLE, reasoner)
    assert taken.agent == "chain"
    assert reasoner.calls("choose") == [AGENTS]
    assert all(isinstance(option, Option) and len(option.description) > 20 for option in AGENTS)
    assert events == [Routed("chain", taken.reason, "model")]


@pytest.mark.parametrize("reasoner", [ScriptedReasoner(choices=["elsewhere"]), OfflineReasoner(), None])
def test_no_choice_leaves_it_to_the_shape_of_the_question(reasoner: Reasoner | None) -> None:
    taken, events = pick(SIMPLE, reasoner)
    assert (taken.agent, events) == ("fast", [Routed("fast", "one plain question", "rule")])


@pytest.mark.parametrize("error", [BudgetSpent("calls: 1 of 1 used", "calls"), Cancelled("cancelled")])
def test_a_model_that_may_not_be_asked_any_more_does_not_end_the_run(error: Exception) -> None:
    class Spent(ScriptedReasoner):
        async def choose(self, *given: object, **more: object) -> tuple[str, ...]:
            raise error

    taken, events = pick(RELATIONS, Spent())
    assert taken.agent == "chain"
    assert [event.by for event in events if isinstance(event, Routed)] == ["rule"]


def test_a_model_is_told_of_research_only_where_the_web_can_be_searched() -> None:
    for web, offered, taken in ((True, (*AGENTS, RESEARCH), "research"), (False, AGENTS, "fast")):
        reasoner = ScriptedReasoner(choices=["research"])
        route = go(routed(SIMPLE, reasoner, Run(), chains=True, web=web))
        assert reasoner.calls("choose") == [offered]
        assert route.agent == taken
