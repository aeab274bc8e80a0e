"""Every reason to stop, each by the path that leads there."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from leadline.agents.deep import DeepSearch
from leadline.agents.options import AskOptions
from leadline.agents.stopping import alike, fresh
from leadline.errors import BudgetSpent, LeadlineError
from leadline.events import Reflected, RoundStarted, SearchFailed, Stopped
from leadline.reasoning.base import Plan, Reflection
from leadline.retrieval.base import TermWeights
from leadline.run import Budget, Run
from leadline.testing.builders import chunks
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Lead, Query, QueryKind, StopReason
from tests.agents.harbour import BRANDT, OSPREY, QUESTION, YARD, Asked, Clock, OddRetriever, ask, gap, harbour


def stopped(asked: Asked) -> tuple[StopReason, int, str]:
    """Why, after how many rounds, and the figure that decided; the event and the answer must agree."""
    (event,) = asked.of(Stopped)
    assert asked.answer.stop is event.reason
    assert asked.answer.rounds == event.round
    return event.reason, event.round, event.detail


def sources(asked: Asked) -> set[str]:
    return {item.chunk.source for item in asked.answer.evidence}


def test_nothing_left_to_ask_is_answered() -> None:
    reason, rounds, detail = stopped(ask(ScriptedReasoner(reflections=[Reflection(0.5, ("x",), ())])))
    assert (reason, rounds, detail) == (StopReason.ANSWERED, 1, "no further query was proposed")


def test_enough_coverage_is_answered_whatever_is_still_proposed() -> None:
    asked = ask(ScriptedReasoner(reflections=[gap("Velden", coverage=0.95)]))
    reason, rounds, detail = stopped(asked)
    assert (reason, rounds) == (StopReason.ANSWERED, 1)
    assert "0.95" in detail
    assert asked.of(Reflected)[0].queries == ()
    assert [query.text for query in asked.answer.queries] == [QUESTION]


def test_coverage_below_the_threshold_goes_on() -> None:
    assert ask(ScriptedReasoner(reflections=[gap("Velden", coverage=0.94)])).answer.rounds == 2
    options = AskOptions(confidence=0.9)
    assert (
        ask(ScriptedReasoner(reflections=[gap("Velden", coverage=0.94)]), options=options).answer.rounds == 1
    )


def test_the_last_round_does_not_reflect() -> None:
    reasoner = ScriptedReasoner(reflections=[gap("Ada Brandt"), gap("Velden"), gap("granite")])
    reason, rounds, detail = stopped(ask(reasoner, options=AskOptions(rounds=3, gain=0.0)))
    assert (reason, rounds, detail) == (StopReason.MAX_ROUNDS, 3, "3 of 3 rounds used")
    assert len(reasoner.calls("reflect")) == 2
    assert reasoner.asked[-1][0] == "write"


def test_a_round_that_brings_nothing_new_is_the_last() -> None:
    everything = ListRetriever(chunks(OSPREY, YARD))
    reasoner = ScriptedReasoner(reflections=[gap("Ada Brandt of the Mirren Yard"), gap("Osprey")])
    reason, rounds, detail = stopped(ask(reasoner, everything))
    assert (reason, rounds) == (StopReason.NO_NEW_EVIDENCE, 2)
    assert "0.000" in detail
    assert len(reasoner.calls("reflect")) == 1


def test_a_round_that_gains_enough_is_not_the_last() -> None:
    follow = Query("Mirren Yard", "gap", 2, (Lead("Mirren Yard", chunks(OSPREY)[0].id),))
    reasoner = ScriptedReasoner(reflections=[Reflection(0.5, (), (follow,)), Reflection(0.5, (), ())])
    asked = ask(reasoner, question="What is the Osprey?")
    assert stopped(asked)[:2] == (StopReason.ANSWERED, 2)
    assert sources(asked) == {"osprey.md", "yard.md"}


def test_asking_the_same_again_is_repeating() -> None:
    asked = ask(ScriptedReasoner(reflections=[gap(f"{QUESTION} ", "born founder built yard: Osprey, ferry")]))
    reason, rounds, detail = stopped(asked)
    assert (reason, rounds) == (StopReason.REPEATED_QUERIES, 1)
    assert detail.startswith("all 2 further queries")
    assert [text for text, _ in asked.of(Reflected)[0].dropped] == [
        f"{QUESTION} ",
        "born founder built yard: Osprey, ferry",
    ]


def test_one_new_query_among_repeated_ones_is_asked() -> None:
    asked = ask(ScriptedReasoner(reflections=[gap(QUESTION, "granite quay")]))
    assert [query.text for query in asked.answer.queries] == [QUESTION, "granite quay"]


def test_the_search_budget_ends_the_search_and_not_the_answer() -> None:
    reasoner = ScriptedReasoner(plans=["Mirren Yard", "granite quay"])
    asked = ask(reasoner, budget=Budget(searches=2))
    reason, rounds, detail = stopped(asked)
    assert (reason, rounds, detail) == (StopReason.BUDGET, 1, "searches: 2 of 2 used")
    assert asked.answer.usage.searches == 2
    assert [event.query.text for event in asked.of(SearchFailed)] == ["granite quay"]
    assert asked.answer.found


@pytest.mark.parametrize("budget", [Budget(calls=0), Budget(tokens=0), Budget(usd=0)])
def test_what_is_planned_is_searched_for_when_the_limits_of_models_are_spent(budget: Budget) -> None:
    asked = ask(ScriptedReasoner(plans=["Mirren Yard"]), budget=budget)
    assert stopped(asked)[0] is StopReason.ANSWERED
    assert asked.answer.usage.searches == 2


def test_a_reasoner_that_meets_its_limit_ends_the_search_and_not_the_answer() -> None:
    spent = BudgetSpent("calls: 4 of 4 used", "calls")
    asked = ask(ScriptedReasoner(reflections=[spent]))
    assert stopped(asked) == (StopReason.BUDGET, 1, "calls: 4 of 4 used")
    assert asked.answer.found


def test_past_the_deadline_no_further_round_begins() -> None:
    clock = Clock()
    retriever = OddRetriever(chunks(OSPREY, YARD, BRANDT), at=QUESTION, does="take time", clock=clock)
    reasoner = ScriptedReasoner(reflections=[gap("Velden")])
    asked = ask(reasoner, retriever, budget=Budget(seconds=100), clock=clock)
    reason, rounds, detail = stopped(asked)
    assert (reason, rounds) == (StopReason.DEADLINE, 2)
    assert "1000 of 100" in detail
    assert asked.answer.found
    assert [query.text for query in retriever.asked] == [QUESTION]


@dataclass(slots=True)
class SlowPlanner(ScriptedReasoner):
    """Its model takes all the time there is for gathering before it has a plan."""

    clock: Clock = field(default_factory=Clock)

    async def plan(self, question: str, weights: TermWeights, run: Run, *, simple: bool = False) -> Plan:
        self.clock.now += 90.0
        raise BudgetSpent("deadline: a call of the model was cut off", "deadline")


def test_a_plan_that_takes_all_the_time_leaves_the_question_to_be_searched_for() -> None:
    clock = Clock()
    reasoner = SlowPlanner(clock=clock, reflections=[gap("Velden")])
    asked = ask(reasoner, budget=Budget(seconds=100), clock=clock)
    assert stopped(asked)[0] is StopReason.DEADLINE
    assert asked.answer.found
    assert asked.answer.usage.searches == 1


def test_a_search_that_hangs_is_left_at_the_deadline_and_the_others_count() -> None:
    retriever = OddRetriever(chunks(OSPREY, YARD, BRANDT), at="Velden", does="hang")
    asked = ask(ScriptedReasoner(plans=["Velden", "Ada Brandt"]), retriever, budget=Budget(seconds=0.05))
    reason, rounds, detail = stopped(asked)
    assert (reason, rounds, detail) == (StopReason.DEADLINE, 1, "deadline: 0.05 seconds are over")
    assert [event.query.text for event in asked.of(SearchFailed)] == ["Velden"]
    assert sources(asked) == {"osprey.md", "yard.md", "brandt.md"}


def test_cancelling_within_a_round_answers_with_what_is_there() -> None:
    retriever = OddRetriever(chunks(OSPREY, YARD, BRANDT), at=QUESTION, does="cancel")
    asked = ask(ScriptedReasoner(plans=["Velden"]), retriever)
    assert stopped(asked)[:2] == (StopReason.CANCELLED, 1)
    assert asked.answer.found
    assert [query.text for query in retriever.asked] == [QUESTION]


def test_cancelling_in_a_later_round_keeps_the_rounds_before() -> None:
    retriever = OddRetriever(chunks(OSPREY, YARD), at="Mirren Yard", does="cancel")
    reasoner = ScriptedReasoner(reflections=[gap("Mirren Yard", "Ada Brandt")])
    asked = ask(reasoner, retriever, options=AskOptions(parallel=1))
    assert stopped(asked)[:2] == (StopReason.CANCELLED, 2)
    assert sources(asked) == {"osprey.md", "yard.md"}


def test_cancelled_before_the_first_search_is_still_an_answer() -> None:
    run, retriever = Run(), harbour()
    run.cancel()
    answer = go(DeepSearch(ScriptedReasoner(), retriever)(QUESTION, run))
    assert (answer.stop, answer.found, answer.evidence) == (StopReason.CANCELLED, False, ())
    assert not any("failed" in notice for notice in answer.notices)
    assert retriever.asked == []


def test_without_a_single_search_nothing_is_written() -> None:
    reasoner = ScriptedReasoner()
    asked = ask(reasoner, budget=Budget(searches=0))
    assert stopped(asked)[0] is StopReason.BUDGET
    assert (asked.answer.found, asked.answer.claims, asked.answer.evidence) == (False, (), ())
    assert reasoner.calls("write") == []


def test_when_no_passage_is_kept_nothing_was_found() -> None:
    asked = ask(ScriptedReasoner(), question="Who painted the violin?")
    assert stopped(asked) == (
        StopReason.NOTHING_FOUND,
        2,
        "no passage was kept, and no further query was proposed",
    )
    assert not asked.answer.found


def test_when_no_passage_is_kept_by_the_last_round_nothing_was_found() -> None:
    asked = ask(ScriptedReasoner(), question="Who painted the violin?", options=AskOptions(rounds=1))
    assert stopped(asked) == (StopReason.NOTHING_FOUND, 1, "no passage was kept in 1 rounds")


def test_when_every_search_fails_the_answer_says_so() -> None:
    retriever = harbour()
    retriever.failing[QUESTION] = LeadlineError("it took too long")
    asked = ask(ScriptedReasoner(), retriever)
    assert stopped(asked)[0] is StopReason.NOTHING_FOUND
    assert "A search failed: it took too long" in asked.answer.notices


def test_a_failed_query_loses_nothing_of_the_others() -> None:
    retriever = harbour()
    retriever.failing["Velden"] = LeadlineError("it took too long")
    asked = ask(ScriptedReasoner(plans=["Velden", "granite"]), retriever)
    assert [(event.query.text, event.reason) for event in asked.of(SearchFailed)] == [
        ("Velden", "it took too long")
    ]
    assert sources(asked) >= {"osprey.md", "quay.md"}
    assert stopped(asked)[0] is StopReason.ANSWERED
    assert len(asked.of(RoundStarted)[0].queries) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("price of XR-2000", "price of XR-2100"),
        ("the storm of 1953", "the storm of 1962"),
        ("ferry on 12 March 1980", "ferry on 13 March 1980"),
        ("toll of 3.5 crowns at the bridge by the quay", "toll of 4.5 crowns at the bridge by the quay"),
        ("where was Ada Brandt born and raised", "where was Ivo Hale born and raised"),
        ("2003年的风暴造成的损失", "2004年的风暴造成的损失"),
        ("who founded the yard", "who founded the quay"),
        ("灯塔高度", "码头高度"),
        ("harbour toll ferry crown", "harbour toll ferry"),
        ("", "the"),
    ],
)
def test_queries_that_differ_in_what_tells_them_apart_are_not_alike(one: str, other: str) -> None:
    assert not alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("who founded the yard", "The yard was founded by whom?"),
        ("price of XR-2000", "the XR-2000's price"),
        ("Ada Brandt; Ivo Hale", "Ivo Hale; Ada Brandt"),
        ("the storm of 12 March 1953", "storm, 12 March 1953"),
        ("1,200 crowns", "1200 crowns"),
        ("harbour toll ferry crown winter", "harbour toll ferry crown"),
        ("报销流程", "报销流程？"),
        ("What is it?", "what is it?"),
    ],
)
def test_queries_that_say_the_same_are_alike(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


def kinds(*pairs: tuple[str, QueryKind]) -> list[Query]:
    return [Query(text, kind) for text, kind in pairs]


def test_a_proposal_like_another_proposal_is_asked_once() -> None:
    kept, dropped = fresh(
        kinds(("Mirren Yard", "gap"), ("the Mirren Yard", "gap")), kinds((QUESTION, "original"))
    )
    assert [query.text for query in kept] == ["Mirren Yard"]
    assert dropped == [("the Mirren Yard", "like “Mirren Yard”")]


def test_widening_is_let_through_once() -> None:
    kept, _ = fresh(kinds((QUESTION, "widened")), kinds((QUESTION, "original")))
    assert [query.kind for query in kept] == ["widened"]
    kept, dropped = fresh(kinds((QUESTION, "widened")), kinds((QUESTION, "original"), (QUESTION, "widened")))
    assert (kept, len(dropped)) == ([], 1)


def _spent(*_: object) -> Any:
    raise BudgetSpent("calls: 3 of 3 used", "calls")


@dataclass(slots=True)
class Unplanned(ScriptedReasoner):
    """Its budget is gone before it has planned."""

    async def plan(self, question: str, weights: TermWeights, run: Run, *, simple: bool = False) -> Plan:
        return _spent()


def test_a_budget_that_ends_while_judging_keeps_the_best_by_score() -> None:
    asked = ask(ScriptedReasoner(verdicts=_spent), harbour())
    assert asked.answer.stop is StopReason.BUDGET
    assert asked.answer.evidence
    assert {item.verdict.reason for item in asked.answer.evidence} == {"not judged, by score"}
    assert asked.answer.claims


def test_a_budget_that_ends_while_reflecting_answers_from_what_is_there() -> None:
    asked = ask(ScriptedReasoner(reflections=[BudgetSpent("calls: 3 of 3 used", "calls")]), harbour())
    assert (asked.answer.stop, asked.answer.rounds) == (StopReason.BUDGET, 1)
    assert asked.answer.claims


def test_a_budget_that_ends_while_planning_still_has_the_question_searched_for() -> None:
    asked = ask(Unplanned(), harbour())
    assert [query.text for query in asked.answer.queries] == [QUESTION]
    assert asked.answer.claims


def test_a_budget_that_ends_while_writing_shows_the_passages_and_says_so() -> None:
    asked = ask(ScriptedReasoner(drafts=_spent), harbour())
    assert (asked.answer.found, asked.answer.claims) == (False, ())
    assert asked.answer.evidence
    assert any("could not be written" in notice for notice in asked.answer.notices)
