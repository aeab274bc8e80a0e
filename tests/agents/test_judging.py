"""Which hits go before the judge."""

from collections.abc import Sequence

from leadline.agents.judging import to_judge
from leadline.agents.options import AskOptions
from leadline.reasoning.unjudged import NOT_JUDGED
from leadline.run import Budget
from leadline.testing.builders import chunk, chunks, hits
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.types import Hit, Query, StopReason, Verdict
from tests.agents.harbour import BRANDT, OSPREY, ask, gap

PIECES = [chunk(f"Text {n}.", f"{n}.md") for n in range(6)]
IDS = [piece.id for piece in PIECES]
YES, NO = Verdict(True, 1.0, ""), Verdict(False, 0.0, "")


def test_of_each_query_so_many_of_the_best_are_judged() -> None:
    found = [(Query("a"), hits(PIECES[:4])), (Query("b", "sub"), hits(PIECES[2:]))]
    assert to_judge(IDS, found, {}, AskOptions(judge_hits=2), reranked=False) == [*IDS[:2], *IDS[2:4]]
    assert to_judge(IDS, found, {}, AskOptions(), reranked=False) == IDS
    assert to_judge(IDS[:1], found, {}, AskOptions(judge_hits=2), reranked=True) == IDS[:1]


def test_what_was_left_unjudged_has_its_chance_with_another_query() -> None:
    found = [(Query("c", "gap", 2), hits([PIECES[5], PIECES[0]]))]
    judged = dict.fromkeys(IDS[:2], YES)
    assert to_judge([], found, judged, AskOptions(judge_hits=2), reranked=False) == [IDS[5]]


def test_a_rejected_hit_is_judged_again_for_a_new_query_and_not_for_the_same_one_asked_wider() -> None:
    verdicts = {IDS[0]: NO, IDS[1]: YES}
    new, wider = Query("c", "gap", 2), Query("a", "widened", 2)
    again = [
        to_judge([], [(query, hits(PIECES[:2]))], verdicts, AskOptions(), reranked=False)
        for query in (new, wider)
    ]
    assert again == [[IDS[0]], []]


def test_a_chunk_rejected_in_one_round_can_be_evidence_of_the_next() -> None:
    brandt = chunks(BRANDT)[0].id
    rounds = iter([False, True])

    def verdicts(hits: Sequence[Hit]) -> list[Verdict]:
        keep = next(rounds)
        return [Verdict(keep or hit.chunk.id != brandt, 1.0, "by round") for hit in hits]

    reasoner = ScriptedReasoner(verdicts=verdicts, reflections=[gap("Ada Brandt Velden")])
    asked = ask(reasoner, ListRetriever(chunks(OSPREY, BRANDT)), question="Who built the Osprey in Velden?")
    assert [[hit.chunk.source for hit in hits] for hits in reasoner.calls("judge")][1] == ["brandt.md"]
    assert "brandt.md" in {item.chunk.source for item in asked.answer.evidence}


def test_judging_cut_short_by_the_budget_ends_gathering_for_that_reason() -> None:
    """A judge that gives some verdicts by score, since the budget did not cover all of its calls."""

    def verdicts(hits: Sequence[Hit]) -> list[Verdict]:
        return [Verdict(True, 1.0, NOT_JUDGED) for _ in hits]

    reasoner = ScriptedReasoner(verdicts=verdicts, reflections=[gap("Velden")])
    answer = ask(reasoner, budget=Budget(searches=1)).answer
    assert answer.stop is StopReason.BUDGET
    assert answer.found
