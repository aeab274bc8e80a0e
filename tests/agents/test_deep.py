"""The loop: what is asked, in which order, who is told what, and which parts can be left out."""

import json
from dataclasses import asdict, replace

import pytest

from leadline.agents.answering import around, without_twins
from leadline.agents.fast import FastSearch
from leadline.agents.gathering import Gathering
from leadline.agents.options import LAYERS, AskOptions, Layer
from leadline.agents.state import SearchState
from leadline.events import Judged, Reflected, Searched
from leadline.reasoning.base import Draft, Reflection
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.base import Context
from leadline.run import Run
from leadline.testing.builders import chunk, chunks, document, evidence
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Answer, Citation, Claim, Heading, Section, StopReason, Support
from tests.agents.harbour import (
    BRANDT,
    HARBOUR,
    OSPREY,
    QUESTION,
    YARD,
    OddRetriever,
    ask,
    gap,
    harbour,
)


def without(layer: Layer) -> AskOptions:
    return AskOptions(layers=LAYERS - {layer})


def test_the_original_question_is_asked_first_and_sub_queries_with_it() -> None:
    retriever = harbour()
    answer = ask(ScriptedReasoner(plans=["Mirren Yard", "Velden"]), retriever).answer
    assert [(query.text, query.kind) for query in retriever.asked] == [
        (QUESTION, "original"),
        ("Mirren Yard", "sub"),
        ("Velden", "sub"),
    ]
    assert answer.queries == tuple(retriever.asked)


def test_events_come_in_the_order_of_the_steps() -> None:
    asked = ask(
        ScriptedReasoner(plans=["Mirren Yard"], reflections=[gap("granite")]), options=AskOptions(gain=0.0)
    )
    assert [type(event).__name__ for event in asked.events] == [
        *("Planned", "RoundStarted", "Searched", "Searched", "Judged", "Reflected"),
        *("RoundStarted", "Searched", "Judged", "Reflected", "Stopped", "Verified"),
    ]
    assert [event.round for event in asked.of(Judged)] == [1, 2]


def test_reflection_is_given_all_queries_and_all_evidence_so_far() -> None:
    reasoner = ScriptedReasoner(plans=["ferry"], reflections=[gap("granite"), Reflection(0.5, (), ())])
    ask(reasoner, options=AskOptions(gain=0.0))
    (first_asked, first_evidence), (second_asked, second_evidence) = reasoner.calls("reflect")
    assert [query.text for query in first_asked] == [QUESTION, "ferry"]
    assert [query.text for query in second_asked] == [QUESTION, "ferry", "granite"]
    assert {item.chunk.source for item in first_evidence} == {"osprey.md", "yard.md", "brandt.md"}
    assert {item.chunk.source for item in second_evidence} == {"osprey.md", "yard.md", "brandt.md", "quay.md"}
    written_asked, passages = reasoner.calls("write")[0]
    assert [query.text for query in written_asked] == [QUESTION, "ferry", "granite"]
    assert {piece.chunk.source for passage in passages for piece in passage.evidence} == {
        item.chunk.source for item in second_evidence
    }


def test_each_round_judges_only_what_is_new() -> None:
    reasoner = ScriptedReasoner(reflections=[gap("Ada Brandt Velden Osprey")])
    ask(reasoner, ListRetriever(chunks(OSPREY, BRANDT)), question="Who built the Osprey?")
    judged = [[hit.chunk.source for hit in hits] for hits in reasoner.calls("judge")]
    assert judged == [["osprey.md"], ["brandt.md"]]


def test_what_the_judge_drops_is_no_evidence() -> None:
    drops = {chunks(YARD)[0].id: False}
    answer = ask(ScriptedReasoner(verdicts=drops)).answer
    assert "yard.md" not in {item.chunk.source for item in answer.evidence}
    assert "osprey.md" in {item.chunk.source for item in answer.evidence}


def test_no_more_gap_queries_are_asked_than_allowed() -> None:
    retriever = harbour()
    options = AskOptions(gap_queries=2)
    ask(ScriptedReasoner(reflections=[gap("Velden", "granite", "quay")]), retriever, options=options)
    assert [query.text for query in retriever.asked] == [QUESTION, "Velden", "granite"]


def test_a_query_that_kept_nothing_is_asked_once_more_wider_and_then_given_up() -> None:
    retriever = OddRetriever(chunks(*HARBOUR))
    reflections = [gap("Velden"), gap("granite", round=3), gap("quay walls", round=4)]
    reasoner = ScriptedReasoner(plans=["violin makers"], reflections=reflections)
    asked = ask(reasoner, retriever, options=AskOptions(rounds=4, recall=5, gain=0.0))
    assert [(q.text, q.kind, q.round, k) for q, k in zip(retriever.asked, retriever.wanted, strict=True)] == [
        (QUESTION, "original", 1, 5),
        ("violin makers", "sub", 1, 5),
        ("Velden", "gap", 2, 5),
        ("violin makers", "widened", 2, 15),
        ("granite", "gap", 3, 5),
        ("quay walls", "gap", 4, 5),
    ]
    assert [q.kind for q in asked.of(Reflected)[0].queries] == ["gap", "widened"]
    assert [event.query.kind for event in asked.of(Searched)].count("widened") == 1


def test_a_query_whose_hits_were_all_dropped_is_widened_too() -> None:
    retriever = harbour()
    drops = {chunks(*HARBOUR)[3].id: False}
    ask(ScriptedReasoner(verdicts=drops, plans=["granite"], reflections=[Reflection(0.5, (), ())]), retriever)
    assert [query.kind for query in retriever.asked] == ["original", "sub", "widened"]


def test_without_rewriting_only_the_question_is_asked() -> None:
    reasoner = ScriptedReasoner(plans=["Velden"])
    answer = ask(reasoner, options=without("rewrite")).answer
    assert [query.text for query in answer.queries] == [QUESTION]
    assert reasoner.calls("plan") == []


def test_without_a_judge_everything_is_kept() -> None:
    reasoner = ScriptedReasoner(verdicts={one.id: False for one in chunks(*HARBOUR)}, plans=["granite"])
    answer = ask(reasoner, options=without("judge")).answer
    assert len(answer.evidence) == 4
    assert {item.verdict.reason for item in answer.evidence} == {"judging is off"}
    assert reasoner.calls("judge") == []


def test_without_reflection_one_round_is_all() -> None:
    reasoner = ScriptedReasoner(reflections=[gap("Velden")])
    answer = ask(reasoner, options=without("reflect")).answer
    assert (answer.rounds, answer.stop) == (1, StopReason.ANSWERED)
    assert reasoner.calls("reflect") == []


def test_without_reranking_evidence_is_in_order_of_score_and_not_of_what_it_adds() -> None:
    texts = ["osprey heron", "osprey", "petrel petrel petrel", "petrel 1", "petrel 2"]
    retriever = ListRetriever([chunk(text, f"{n}.md", title="Ferry") for n, text in enumerate(texts)])
    question = "osprey heron petrel"
    plain = ask(ScriptedReasoner(), retriever, question=question, options=without("rerank")).answer
    assert [item.chunk.text for item in plain.evidence][:2] == ["osprey heron", "osprey"]
    chosen = ask(ScriptedReasoner(), retriever, question=question).answer
    assert [item.chunk.text for item in chosen.evidence][:2] == ["osprey heron", "petrel petrel petrel"]


def test_a_quote_that_is_not_in_the_source_is_dropped_unless_checking_is_off() -> None:
    piece = chunks(OSPREY)[0]
    false = Citation(
        piece.document_id, piece.id, piece.source, piece.title, "It sank in 1999 off Velden.", 0, 27
    )
    draft = Draft((Claim("It sank in 1999 off Velden.", (false,), "quoted"),), True, 1.0)
    reasoner = ScriptedReasoner(drafts=lambda _: draft)
    checked = ask(reasoner).answer
    assert (checked.found, checked.claims) == (False, ())
    unchecked = ask(reasoner, options=without("verify")).answer
    assert unchecked.found
    assert [claim.support for claim in unchecked.claims] == [Support.UNSUPPORTED]


def test_the_state_of_a_search_is_plain_data() -> None:
    async def steps() -> SearchState:
        run = Run()
        reasoner = ScriptedReasoner(plans=["violin"], reflections=[gap("Velden")])
        work = Gathering(reasoner, harbour(), AskOptions())
        state = await work.plan(SearchState(QUESTION), run)
        state = await work.judge(await work.search(state, run), run)
        return replace(await work.reflect(state, run), stop=StopReason.BUDGET)

    state = go(steps())
    back = json.loads(json.dumps(asdict(state)))
    assert back["question"] == QUESTION
    assert back["round"] == 1
    assert [query["text"] for query in back["asked"]] == [QUESTION, "violin"]
    assert [query["text"] for query in back["queries"]] == ["Velden", "violin"]
    assert back["kept"] == list(state.kept) != []
    assert (back["barren"], back["stop"]) == (["violin"], "budget")


def fast(reasoner: ScriptedReasoner, retriever: ListRetriever) -> Answer:
    return go(FastSearch(reasoner, retriever)(QUESTION, Run()))


@pytest.mark.parametrize(
    ("reflection", "stop"),
    [
        (Reflection(1.0, (), ()), StopReason.NOTHING_FOUND),
        (Reflection(0.2, ("granite",), ()), StopReason.NOTHING_FOUND),
        (gap("granite quay"), StopReason.MAX_ROUNDS),
    ],
)
def test_a_search_with_nothing_left_to_ask_has_not_answered_what_it_did_not_find(
    reflection: Reflection, stop: StopReason
) -> None:
    reasoner = ScriptedReasoner(drafts=lambda _: Draft((), False, 0.0), reflections=[reflection])
    asked = ask(reasoner, options=AskOptions(rounds=2, gain=0.0))
    assert (asked.answer.found, asked.answer.stop) == (False, stop)


def test_a_fast_search_is_one_round_without_reflection() -> None:
    reasoner = ScriptedReasoner(plans=["granite"], reflections=[gap("Velden")])
    retriever = harbour()
    answer = fast(reasoner, retriever)
    assert (answer.agent, answer.rounds) == ("fast", 1)
    assert len(retriever.asked) == 2
    assert [step for step, _ in reasoner.asked] == ["plan", "judge", "write"]


def test_equal_texts_are_one_piece_of_evidence_that_remembers_every_source() -> None:
    twins = [chunk(OSPREY.text, f"copy{n}.md", title="Osprey") for n in range(3)]
    answer = ask(ScriptedReasoner(), ListRetriever(twins)).answer
    assert len(answer.evidence) == 1
    assert {answer.evidence[0].chunk.id, *answer.evidence[0].also} == {one.id for one in twins}


def test_texts_that_differ_in_a_number_are_two_pieces_of_evidence() -> None:
    both = [evidence(chunk(f"The toll of the ferry is {n} crowns.", f"{n}.md", title="Toll")) for n in (3, 4)]
    assert without_twins(both) == both


def test_hits_of_one_section_are_one_passage_in_document_order() -> None:
    whole = document("# Yard\n\nFounded in 1901. Closed in 1980.\n\nA tail.", "yard.md")
    second = chunk("Closed in 1980.", "yard.md", ordinal=1, start=whole.text.index("Closed"))
    first = chunk("Founded in 1901.", "yard.md", ordinal=0, start=whole.text.index("Founded"))
    section = Section("s", whole.id, 0, 0, whole.text.index("\n\nA tail"), ("Yard",))
    pieces = [evidence(replace(one, section_id="s"), score) for one, score in ((second, 0.9), (first, 0.4))]
    whole = replace(whole, headings=(Heading(1, "Yard", 0, 6),))
    (passage,) = around(pieces, Context({whole.id: whole}, {"s": section}))
    assert passage.text == "# Yard\n\nFounded in 1901. Closed in 1980."
    assert [piece.chunk.text for piece in passage.evidence] == ["Founded in 1901.", "Closed in 1980."]
    assert (passage.score, passage.headings) == (0.9, ((0, 6),))


def test_evidence_whose_document_has_vanished_is_read_no_more() -> None:
    assert around([evidence(chunk("Gone."))], Context()) == []


@pytest.mark.parametrize("reasoner", [OfflineReasoner(), ScriptedReasoner(reflections=[])])
def test_the_same_question_has_the_same_answer(reasoner: OfflineReasoner | ScriptedReasoner) -> None:
    one, two = (ask(reasoner).answer for _ in range(2))
    assert one == two
    assert one.claims
