"""Who answers, and when a fast search goes on: in the same run, with its evidence, written again only if it gained."""

from dataclasses import dataclass, field, replace

import pytest

from leadline.agents.asking import AgentChoice, Asking, unsearched
from leadline.agents.options import AskOptions
from leadline.errors import BudgetSpent
from leadline.events import Defaulted, Event, Judged, Notice, Routed, Stopped
from leadline.reasoning.base import Draft, FollowUp, Known, Plan, Reflection
from leadline.reasoning.offline import OfflineReasoner
from leadline.run import Run
from leadline.testing.builders import chunk, chunks, document
from leadline.testing.reasoner import ScriptedReasoner, quote_all
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Answer, StopReason, Verdict
from tests.agents.harbour import HARBOUR, OSPREY, QUESTION, gap, harbour

SIMPLE = "Who built the Osprey?"


@dataclass(slots=True)
class Asked:
    """An answer and what was told."""

    answer: Answer
    events: list[Event] = field(default_factory=list[Event])

    @property
    def routes(self) -> list[tuple[str, str]]:
        return [(event.agent, event.by) for event in self.events if isinstance(event, Routed)]


def ask(
    reasoner: ScriptedReasoner | OfflineReasoner,
    question: str = SIMPLE,
    choice: AgentChoice = "auto",
    *,
    retriever: ListRetriever | None = None,
    modelled: bool = False,
    picks: bool = False,
    options: AskOptions | None = None,
) -> Asked:
    events: list[Event] = []
    asking = Asking(reasoner, retriever or harbour(), options or AskOptions(), modelled=modelled, picks=picks)
    return Asked(go(asking(question, Run(emit=events.append), choice)), events)


def of_round(number: int, draft: Draft) -> ScriptedReasoner:
    """Writes `draft` at first, and in the call `number` quotes all; asks for more once."""
    reasoner = ScriptedReasoner(reflections=[gap("granite quay")])
    reasoner.drafts = lambda passages: (
        quote_all(passages) if len(reasoner.calls("write")) >= number else draft
    )
    return reasoner


@pytest.mark.parametrize("choice", ["fast", "deep", "chain", "research"])
def test_the_caller_decides_and_no_model_is_asked(choice: AgentChoice) -> None:
    reasoner = ScriptedReasoner(choices=["deep"])
    asked = ask(reasoner, choice=choice, picks=True)
    assert (asked.routes, asked.answer.agent) == ([(choice, "caller")], choice)
    assert reasoner.calls("choose") == []


def test_the_rule_decides_without_a_model_and_takes_no_chain() -> None:
    asked = ask(OfflineReasoner(), QUESTION)
    assert (asked.routes, asked.answer.agent) == ([("deep", "rule")], "deep")


def test_with_a_model_the_rule_may_take_a_chain() -> None:
    asked = ask(ScriptedReasoner(), QUESTION, modelled=True)
    assert (asked.routes, asked.answer.agent) == ([("chain", "rule")], "chain")


def test_the_model_picks_when_it_is_asked_to() -> None:
    asked = ask(ScriptedReasoner(choices=["deep"]), picks=True)
    assert (asked.routes, asked.answer.agent) == ([("deep", "model")], "deep")


def test_a_simple_question_that_is_answered_stays_fast() -> None:
    reasoner = ScriptedReasoner(reflections=[gap("granite")])
    asked = ask(reasoner)
    assert (asked.answer.agent, asked.answer.rounds, asked.answer.found) == ("fast", 1, True)
    assert [step for step, _ in reasoner.asked] == ["plan", "judge", "write"]


def test_a_first_round_without_an_answer_goes_on_as_deep_with_its_evidence() -> None:
    reasoner = of_round(2, Draft((), False, 0.0))
    retriever = harbour()
    asked = ask(reasoner, retriever=retriever)
    assert asked.routes == [("fast", "rule"), ("deep", "rule")]
    assert (asked.answer.agent, asked.answer.rounds, asked.answer.found) == ("deep", 2, True)
    assert [query.text for query in retriever.asked] == [SIMPLE, "granite quay"]
    assert {item.chunk.source for item in asked.answer.evidence} >= {"osprey.md", "quay.md"}
    judged = [event for event in asked.events if isinstance(event, Judged)]
    ids = [key for event in judged for key, *_ in event.verdicts]
    assert len(ids) == len(set(ids))


def test_an_unsure_answer_goes_on_and_is_kept_when_more_rounds_find_none() -> None:
    unsure = replace(quote_all([]), found=True, confidence=0.2)
    reasoner = ScriptedReasoner(reflections=[gap("granite quay")])

    def drafts(passages: object) -> Draft:
        first = quote_all(reasoner.calls("write")[-1][1])
        return (
            replace(first, confidence=unsure.confidence)
            if len(reasoner.calls("write")) == 1
            else Draft((), False, 0.0)
        )

    reasoner.drafts = drafts
    asked = ask(reasoner)
    assert len(reasoner.calls("write")) == 2
    assert (asked.answer.found, asked.answer.agent, asked.answer.rounds) == (True, "deep", 2)


def test_rounds_that_add_nothing_are_not_written_again() -> None:
    reasoner = ScriptedReasoner(
        drafts=lambda _: Draft((), False, 0.0), reflections=[Reflection(0.2, ("granite",), ())]
    )
    asked = ask(reasoner)
    assert len(reasoner.calls("write")) == 1
    assert (asked.answer.found, asked.answer.agent) == (False, "deep")
    assert asked.answer.stop is StopReason.NOTHING_FOUND


def test_a_first_round_that_kept_nothing_goes_on_without_writing() -> None:
    reasoner = ScriptedReasoner(
        verdicts={one.id: False for one in chunks(OSPREY)}, reflections=[gap("granite quay")]
    )
    asked = ask(reasoner, retriever=ListRetriever(chunks(OSPREY, HARBOUR[3]), HARBOUR))
    assert len(reasoner.calls("write")) == 1
    assert [item.chunk.source for item in asked.answer.evidence] == ["quay.md"]


def test_one_round_allowed_is_one_round() -> None:
    reasoner = ScriptedReasoner(drafts=lambda _: Draft((), False, 0.0), reflections=[gap("granite")])
    asked = ask(reasoner, options=AskOptions(rounds=1))
    assert (asked.answer.agent, asked.answer.rounds, len(asked.routes)) == ("fast", 1, 1)


def test_a_report_has_a_second_round_however_much_the_first_covered() -> None:
    full = Reflection(1.0, (), gap("granite quay").queries)
    one = ask(ScriptedReasoner(reflections=[full]), "Who built the Osprey and who the quay?", "deep")
    assert one.answer.rounds == 1
    report = ask(ScriptedReasoner(reflections=[full]), "An overview of the Osprey and the quay")
    assert (report.answer.agent, report.answer.rounds) == ("deep", 2)


def test_where_nothing_is_loaded_the_answer_says_so() -> None:
    events: list[Event] = []
    answer = unsearched(SIMPLE, "There is no collection.", Run(emit=events.append))
    assert (answer.found, answer.stop, answer.notices) == (
        False,
        StopReason.NOTHING_FOUND,
        ("There is no collection.",),
    )
    assert [type(event) for event in events] == [Notice, Stopped]


def test_an_answer_says_which_year_it_took_where_the_question_names_none() -> None:
    reports = [
        document(
            f"The revenue of Marlow Yard in {year} was {amount} million.", f"{year}.md", f"Report {year}"
        )
        for year, amount in ((2023, 41), (2022, 39))
    ]
    retriever = ListRetriever(chunks(*reports), reports)
    keep = {chunks(reports[1])[0].id: False}
    answer = ask(
        ScriptedReasoner(verdicts=keep), "What was the revenue of Marlow Yard?", retriever=retriever
    ).answer
    assert len(answer.claims) == 1
    assert "Assumed: the question does not name a period; this is for 2023." in " ".join(answer.notices)
    assert "2022" in " ".join(answer.notices)


def test_copies_of_what_was_read_are_nothing_new_to_write_from() -> None:
    twins = [chunk(OSPREY.text, f"copy{n}.md", title="Osprey") for n in range(3)]
    reasoner = ScriptedReasoner(
        drafts=lambda _: Draft((), False, 0.0), reflections=[Reflection(0.2, ("granite",), ())]
    )
    asked = ask(reasoner, retriever=ListRetriever(twins))
    assert len(reasoner.calls("write")) == 1
    assert len(asked.answer.evidence) == 1


@pytest.mark.parametrize("choice", ["fast", "deep", "chain"])
def test_what_is_asked_for_is_searched_for_when_no_call_is_left_to_plan_with(choice: AgentChoice) -> None:
    class Spent(ScriptedReasoner):
        async def plan(self, *given: object, **more: object) -> Plan:
            raise BudgetSpent("calls: 1 of 1 used", "calls")

        async def judge(self, *given: object, **more: object) -> list[Verdict]:
            raise BudgetSpent("calls: 1 of 1 used", "calls")

        async def follow_up(self, *given: object, **more: object) -> FollowUp:
            raise BudgetSpent("calls: 1 of 1 used", "calls")

        async def note(self, *given: object, **more: object) -> Known:
            raise BudgetSpent("calls: 1 of 1 used", "calls")

    asked = ask(Spent(), choice=choice)
    assert [query.text for query in asked.answer.queries] == [SIMPLE]
    assert asked.answer.stop is StopReason.BUDGET
    assert "osprey.md" in {item.chunk.source for item in asked.answer.evidence}
    assert any(isinstance(event, Defaulted) for event in asked.events)
