"""Planning and reflecting with a model: the question stays, placeholders go, and what cannot be read stops nothing."""

import pytest

from leadline.events import Defaulted, Repaired
from leadline.reasoning.base import Plan, Reasoner, Reflection
from leadline.reasoning.model_reflecting import Thought, read
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.testing.builders import chunk, evidence
from leadline.testing.said import Said, turns
from leadline.types import Query
from tests.reasoning.modelled import modelled

QUESTION = "Where was the founder of the Mirren Yard born?"
EVIDENCE = [evidence(chunk("The Mirren Yard was founded by Ada Brandt.", "yard.md"))]
WEIGHTS = TermWeights()


async def plan(reasoner: Reasoner, run: Run) -> Plan:
    return await reasoner.plan(QUESTION, WEIGHTS, run)


async def reflect(reasoner: Reasoner, run: Run) -> Reflection:
    asked = (Query(QUESTION), Query("who founded the Mirren Yard", "sub"))
    return await reasoner.reflect(QUESTION, asked, EVIDENCE, WEIGHTS, run)


def test_the_question_stays_the_first_query_and_at_most_four_go_with_it() -> None:
    queries = [f"part {word}" for word in "one two three four five six".split()]
    done = modelled(lambda _: str({"queries": [QUESTION.upper(), *queries, "Part one?"]}), plan)
    assert [query.text for query in done.value.queries] == [QUESTION, *queries[:4]]
    assert [query.kind for query in done.value.queries] == ["original", *["sub"] * 4]


@pytest.mark.parametrize("reply", ['{"queries": []}', "[]", "None", '{"queries": null}'])
def test_a_simple_question_stays_whole(reply: str) -> None:
    done = modelled(lambda _: reply, plan)
    assert done.value == Plan((Query(QUESTION),))
    assert not done.of(Defaulted)


def test_nobody_is_asked_how_to_split_a_question_that_is_known_to_be_simple() -> None:
    async def simple(reasoner: Reasoner, run: Run) -> Plan:
        return await reasoner.plan("Hi, who owns the ferry?", WEIGHTS, run, simple=True)

    done = modelled(lambda _: '["a", "b"]', simple)
    assert [query.text for query in done.value.queries] == ["Hi, who owns the ferry?", "who owns the ferry?"]
    assert done.asked == []


def test_a_query_with_a_hole_in_it_is_not_searched_for() -> None:
    done = modelled(lambda _: '["Who founded the yard?", "Where was [ANSWER1] born?", "Age of #1"]', plan)
    assert [query.text for query in done.value.queries[1:]] == ["Who founded the yard?"]


def test_without_a_usable_plan_the_question_alone_is_searched_for() -> None:
    done = modelled(lambda _: "I'm sorry, I can't help with that.", plan)
    assert done.value == Plan((Query(QUESTION),))
    assert [event.step for event in done.of(Defaulted)] == ["plan"]
    assert len(done.asked) == 2


def test_a_reply_that_its_repair_puts_right_counts() -> None:
    done = modelled(
        turns("{}", '{"sufficient": false, "missing": ["the town"], "queries": ["Ada Brandt"]}'), reflect
    )
    assert done.value.missing == ("the town",)
    assert [event.usable for event in done.of(Repaired)] == [True]
    assert done.asked[1].repairs


def test_what_is_missing_is_asked_for_in_the_next_round_and_nothing_twice() -> None:
    queries = ["WHO founded the Mirren Yard?", "Ada Brandt birthplace", "b", "c", "d"]
    done = modelled(lambda _: str({"sufficient": False, "missing": ["where"], "queries": queries}), reflect)
    assert [query.text for query in done.value.queries] == ["Ada Brandt birthplace", "b"]
    assert {query.round for query in done.value.queries} == {2}
    assert done.value.coverage < 0.95


def test_evidence_that_suffices_ends_the_search() -> None:
    done = modelled(lambda _: '{"sufficient": true, "missing": [], "queries": ["more"]}', reflect)
    assert done.value == Reflection(1.0, (), ())


def test_without_a_usable_reflection_nothing_more_is_searched_for() -> None:
    done = modelled(lambda _: Said(None), reflect)
    assert done.value.queries == ()
    assert done.value.coverage < 0.95
    assert [event.instead for event in done.of(Defaulted)] == ["nothing more is searched for"]


def test_a_report_is_told_to_be_one() -> None:
    async def report(reasoner: Reasoner, run: Run) -> Reflection:
        return await reasoner.reflect("Write an overview of the yard", (), EVIDENCE, WEIGHTS, run)

    plain, told = modelled(lambda _: "[]", reflect), modelled(lambda _: "[]", report)
    assert "report" not in plain.asked[0].prompt
    assert "report" in told.asked[0].prompt


@pytest.mark.parametrize(
    ("reply", "thought"),
    [
        ("NO", Thought(False)),
        ("Yes, that is enough.", Thought(True)),
        ("None", Thought(True)),
        ('["a b", "c d"]', Thought(False, (), ("a b", "c d"))),
        ("- when it opened\n- who pays", Thought(False, (), ("when it opened", "who pays"))),
        ('{"enough": "no", "missing": ["x"]}', Thought(False, ("x",))),
        ('{"queries": []}', Thought(True)),
        ('{"sufficient": false, "queries": ["cut o', Thought(False, (), ("cut o",))),
    ],
)
def test_a_reflection_is_read_however_it_is_written(reply: str, thought: Thought) -> None:
    assert read(reply, 3) == thought


def test_no_evidence_is_never_enough() -> None:
    async def nothing(reasoner: Reasoner, run: Run) -> Reflection:
        return await reasoner.reflect(QUESTION, (Query(QUESTION),), [], WEIGHTS, run)

    done = modelled(lambda _: '{"sufficient": true, "missing": [], "queries": []}', nothing)
    assert done.value == Reflection(0.0, (), ())
