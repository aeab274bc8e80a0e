"""A chain: what it asks next, what counts as evidence, when it ends, and what it never claims."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from leadline.agents.chain import NOTED, UNSURE, ChainOfRAG
from leadline.agents.options import LAYERS, AskOptions
from leadline.errors import BudgetSpent, StoreError
from leadline.events import ChainStep, Event, Judged, Planned, RoundStarted, SearchFailed
from leadline.reasoning.base import FollowUp, Known, Reasoner
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.base import TermWeights
from leadline.run import Budget, Run
from leadline.testing.builders import chunk, chunks
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Answer, Evidence, Hit, Query, StopReason
from tests.agents.harbour import BRANDT, HARBOUR, OSPREY, QUESTION, YARD, Clock, OddRetriever, harbour

STEPS = ("Who built the Osprey?", "Who founded the Mirren Yard?", "Where was Ada Brandt born?")
NOTES = {STEPS[0]: "the Mirren Yard", STEPS[1]: "Ada Brandt", STEPS[2]: "Velden"}
USUAL = AskOptions()


@dataclass(slots=True)
class Chained:
    """An answer, and what happened on the way."""

    answer: Answer
    events: list[Event] = field(default_factory=list[Event])

    @property
    def steps(self) -> list[ChainStep]:
        return [event for event in self.events if isinstance(event, ChainStep)]


def chain(
    reasoner: Reasoner,
    retriever: ListRetriever | None = None,
    *,
    question: str = QUESTION,
    options: AskOptions = USUAL,
    budget: Budget | None = None,
    clock: Clock | None = None,
) -> Chained:
    events: list[Event] = []
    run = Run(budget or Budget(), events.append, clock or Clock())
    return Chained(go(ChainOfRAG(reasoner, retriever or harbour(), options)(question, run)), events)


def scripted(*follow_ups: str, notes: dict[str, str] | None = None) -> ScriptedReasoner:
    return ScriptedReasoner(follow_ups=follow_ups or STEPS, notes=NOTES if notes is None else notes)


def test_each_question_is_asked_with_what_is_known_and_the_question_itself_beside_the_first() -> None:
    reasoner, retriever = scripted(), harbour()
    done = chain(reasoner, retriever)
    assert [(query.text, query.kind, query.round) for query in retriever.asked] == [
        (QUESTION, "original", 1),
        (STEPS[0], "follow", 1),
        (STEPS[1], "follow", 2),
        (STEPS[2], "follow", 3),
    ]
    assert [len(known) for known in reasoner.calls("follow_up")] == [0, 1, 2, 3]
    assert [(step.question, step.answer) for step in done.steps] == list(NOTES.items())
    assert (done.answer.agent, done.answer.stop, done.answer.rounds) == ("chain", StopReason.ANSWERED, 3)


def test_the_answer_is_written_from_what_was_supported_alone_with_the_short_answers() -> None:
    reasoner = scripted()
    done = chain(reasoner)
    first = {step.supported[0] for step in done.steps}
    assert {item.chunk.id for item in done.answer.evidence} == first
    assert {claim.citations[0].chunk_id for claim in done.answer.claims} == first
    assert [(step.question, step.answer) for step in reasoner.calls("known")[0]] == list(NOTES.items())


def test_a_follow_up_remembers_through_which_passage_its_name_was_found() -> None:
    retriever = harbour()
    chain(scripted(), retriever)
    leads = {query.text: [(lead.name, lead.parent) for lead in query.leads] for query in retriever.asked}
    assert leads[STEPS[1]] == [("Mirren Yard", chunks(OSPREY)[0].id)]
    assert leads[STEPS[2]] == [("Ada Brandt", chunks(YARD)[0].id)]


def test_a_question_that_was_asked_before_is_not_asked_again() -> None:
    retriever = harbour()
    done = chain(scripted(STEPS[0], "Who built the Osprey"), retriever)
    assert [query.text for query in retriever.asked] == [QUESTION, STEPS[0]]
    assert done.answer.stop is StopReason.REPEATED_QUERIES
    assert len(done.steps) == 1


def test_the_question_itself_is_searched_once_when_it_is_the_first_follow_up() -> None:
    retriever = harbour()
    chain(scripted(QUESTION, notes={QUESTION: "Velden"}), retriever)
    assert [(query.text, query.kind) for query in retriever.asked] == [(QUESTION, "original")]


@pytest.mark.parametrize("early_stop", [True, False])
def test_a_chain_ends_early_only_when_it_may(early_stop: bool) -> None:
    class Sure(ScriptedReasoner):
        async def follow_up(
            self,
            question: str,
            known: Sequence[Known],
            evidence: Sequence[Evidence],
            weights: TermWeights,
            run: Run,
        ) -> FollowUp:
            told = await ScriptedReasoner.follow_up(self, question, known, evidence, weights, run)
            return replace(told, enough=True)

    done = chain(Sure(follow_ups=STEPS, notes=NOTES), options=AskOptions(early_stop=early_stop))
    assert len(done.steps) == (1 if early_stop else 3)
    assert done.answer.stop is StopReason.ANSWERED


def test_enough_before_anything_is_supported_is_not_believed() -> None:
    retriever = harbour()
    done = chain(ScriptedReasoner(notes={QUESTION: "Velden"}), retriever)
    assert [query.text for query in retriever.asked] == [QUESTION]
    assert [step.question for step in done.steps] == [QUESTION]


def test_no_more_questions_are_asked_than_allowed() -> None:
    done = chain(scripted(), options=AskOptions(steps=2))
    assert (len(done.steps), done.answer.stop) == (2, StopReason.MAX_ROUNDS)


def test_a_step_that_found_nothing_keeps_nothing_and_the_chain_goes_on() -> None:
    done = chain(scripted(notes={STEPS[1]: "Ada Brandt"}))
    assert [bool(step.supported) for step in done.steps] == [False, True, False]
    assert {item.chunk.id for item in done.answer.evidence} == set(done.steps[1].supported)


def test_what_supported_one_step_is_still_evidence_when_the_next_has_no_use_for_it() -> None:
    twice = ("Who built the Osprey?", "Was the Osprey a ferry?")
    done = chain(scripted(*twice, notes={twice[0]: "the Mirren Yard"}))
    assert [item.chunk.source for item in done.answer.evidence] == ["osprey.md"]


def test_without_support_there_is_no_answer_and_the_nearest_passages_are_shown() -> None:
    done = chain(scripted(notes={}))
    assert (done.answer.found, done.answer.claims, done.answer.confidence) == (False, (), 0.0)
    assert done.answer.stop is StopReason.NOTHING_FOUND
    assert {item.chunk.source for item in done.answer.evidence} >= {"osprey.md", "yard.md"}
    assert not any(item.verdict.keep for item in done.answer.evidence)


def test_a_search_that_fails_loses_one_step() -> None:
    retriever = harbour()
    retriever.failing = {STEPS[0]: StoreError("the store is away")}
    done = chain(scripted(), retriever)
    assert [bool(step.supported) for step in done.steps] == [True, True, True]
    assert any(isinstance(event, SearchFailed) for event in done.events)
    assert any("the store is away" in notice for notice in done.answer.notices)


def test_a_short_answer_is_read_from_a_bounded_number_of_passages() -> None:
    many = [chunk(f"The ferry {n} was built in Velden.", f"{n}.md") for n in range(40)]
    reasoner = scripted("Which ferry was built in Velden?", notes={})
    chain(reasoner, ListRetriever(many), question="Which ferry has the most seats?")
    (_, hits) = reasoner.calls("note")[0]
    assert len(hits) == NOTED


def test_without_a_judge_all_that_was_read_is_evidence() -> None:
    options = AskOptions(layers=LAYERS - {"judge"})
    done = chain(scripted(STEPS[0]), options=options)
    assert {item.chunk.source for item in done.answer.evidence} == {"osprey.md", "yard.md", "brandt.md"}


def test_a_chain_that_is_cut_off_answers_from_what_scored_best_and_is_not_sure() -> None:
    @dataclass(slots=True)
    class Spent(ScriptedReasoner):
        async def note(self, question: str, hits: Sequence[Hit], weights: TermWeights, run: Run) -> Known:
            raise BudgetSpent("calls: 1 of 1 used", "calls")

    done = chain(Spent(follow_ups=STEPS))
    assert done.answer.stop is StopReason.BUDGET
    assert done.answer.found
    assert done.answer.confidence <= UNSURE
    assert any("No step found" in notice for notice in done.answer.notices)


def test_what_was_supported_before_the_end_of_the_budget_is_not_lost() -> None:
    done = chain(scripted(), budget=Budget(searches=3))
    assert done.answer.stop is StopReason.BUDGET
    assert [step.answer for step in done.steps] == ["the Mirren Yard", "Ada Brandt"]
    assert done.answer.confidence == 1.0


def test_a_cancelled_chain_answers_with_what_it_has() -> None:
    retriever = OddRetriever(chunks(*HARBOUR), HARBOUR, at=STEPS[1], does="cancel")
    done = chain(scripted(), retriever)
    assert done.answer.stop is StopReason.CANCELLED
    assert "osprey.md" in {item.chunk.source for item in done.answer.evidence}


def test_a_deadline_ends_a_chain_in_an_answer() -> None:
    clock = Clock()
    retriever = OddRetriever(chunks(*HARBOUR), HARBOUR, at=STEPS[1], does="wait", clock=clock)
    done = chain(scripted(), retriever, budget=Budget(seconds=100), clock=clock)
    assert done.answer.stop is StopReason.DEADLINE
    assert done.answer.found


def test_a_chain_works_without_a_model() -> None:
    done = chain(OfflineReasoner(), harbour())
    assert done.answer.found
    assert {claim.citations[0].source for claim in done.answer.claims} >= {"osprey.md", "brandt.md"}
    assert 1 < len(done.steps) <= USUAL.steps
    assert len({step.question for step in done.steps}) == len(done.steps)


def test_without_a_model_a_question_about_nothing_here_is_not_answered() -> None:
    answer = chain(OfflineReasoner(), question="Who founded the Zanzibar Violin Conservatory?").answer
    assert (answer.found, answer.claims) == (False, ())
    assert (
        chain(OfflineReasoner(), question="Wann fährt morgen jemand?").answer.stop is StopReason.NOTHING_FOUND
    )


def test_rounds_and_verdicts_are_told_as_in_other_searches() -> None:
    done = chain(scripted())
    assert type(done.events[0]) is Planned
    assert [event.number for event in done.events if isinstance(event, RoundStarted)] == [1, 2, 3]
    judged = [event for event in done.events if isinstance(event, Judged)]
    assert [event.round for event in judged] == [1, 2, 3]
    assert {key for event in judged for key, keep, _, _ in event.verdicts if keep} == {
        key for step in done.steps for key in step.supported
    }


def test_the_same_question_has_the_same_answer() -> None:
    assert chain(OfflineReasoner()).answer == chain(OfflineReasoner()).answer


def test_the_founder_is_found_through_three_documents() -> None:
    assert {BRANDT.source, YARD.source, OSPREY.source} == {
        item.chunk.source for item in chain(scripted()).answer.evidence
    }
    assert Query(STEPS[0], "follow", 1) in chain(scripted()).answer.queries
