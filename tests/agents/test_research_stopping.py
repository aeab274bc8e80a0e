"""When a fact loop is over: each rule, their order, and the number that is shown."""

import pytest

from leadline.agents.options import ResearchOptions
from leadline.agents.research_stopping import after_facts, after_queries, last_round
from leadline.types import Query, StopReason

HOW = ResearchOptions()


@pytest.mark.parametrize(
    ("gaps", "facts", "new", "round", "reason", "detail"),
    [
        (1, 10, 3, 1, None, ""),
        (3, 49, 3, 3, None, ""),
        (0, 10, 1, 1, StopReason.ANSWERED, "no gap is left after round 1, with 10 facts"),
        (0, 10, 9, 1, StopReason.ANSWERED, "no gap is left after round 1, with 10 facts"),
        (1, 50, 20, 2, StopReason.FACT_BUDGET, "50 of 50 facts gathered"),
        (1, 57, 20, 2, StopReason.FACT_BUDGET, "57 of 50 facts gathered"),
        (1, 50, 0, 2, StopReason.FACT_BUDGET, "50 of 50 facts gathered"),
        (1, 10, 2, 2, StopReason.NO_NEW_EVIDENCE, "round 2 gave 2 new facts, fewer than 3"),
        (1, 10, 9, 4, StopReason.MAX_ROUNDS, "4 of 4 rounds used"),
        (0, 60, 0, 4, StopReason.MAX_ROUNDS, "4 of 4 rounds used"),
        (0, 60, 0, 3, StopReason.ANSWERED, "no gap is left after round 3, with 60 facts"),
        (1, 0, 0, 1, StopReason.NOTHING_FOUND, "no fact was found in 1 round"),
        (0, 0, 0, 1, StopReason.NOTHING_FOUND, "no fact was found in 1 round"),
        (0, 0, 0, 4, StopReason.NOTHING_FOUND, "no fact was found in 4 rounds"),
    ],
)
def test_the_first_rule_that_holds_decides_and_shows_its_number(
    gaps: int, facts: int, new: int, round: int, reason: StopReason | None, detail: str
) -> None:
    decision = after_facts(gaps, facts, new, round, HOW)
    assert decision == (None if reason is None else (reason, detail))


@pytest.mark.parametrize(("new", "goes_on"), [(2, False), (3, True), (4, True)])
def test_exactly_as_many_new_facts_as_asked_for_go_on(new: int, goes_on: bool) -> None:
    assert (after_facts(1, 10, new, 2, HOW) is None) is goes_on


@pytest.mark.parametrize(("facts", "goes_on"), [(49, True), (50, False), (51, False)])
def test_exactly_as_many_facts_as_are_enough_stop(facts: int, goes_on: bool) -> None:
    assert (after_facts(1, facts, 9, 2, HOW) is None) is goes_on


def test_the_figures_are_those_of_the_options() -> None:
    how = ResearchOptions(rounds=2, facts=5, new_facts=0)
    assert after_facts(1, 4, 0, 1, how) is None
    assert after_facts(1, 5, 0, 1, how) == (StopReason.FACT_BUDGET, "5 of 5 facts gathered")
    assert last_round(4, 2, how) == (StopReason.MAX_ROUNDS, "2 of 2 rounds used")
    assert last_round(4, 1, how) is None


def test_gaps_without_a_query_that_was_not_asked_end_the_search() -> None:
    assert after_queries([Query("x")], 2) is None
    repeated = (StopReason.REPEATED_QUERIES, "all 2 further queries are like ones already asked")
    assert after_queries([], 2) == repeated
    assert after_queries([], 0) == (StopReason.ANSWERED, "no further query was proposed")
