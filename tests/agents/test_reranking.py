"""Two stages: the reranker narrows, the judge decides and may order; without one everything stays as it was."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from leadline.agents.deep import DeepSearch
from leadline.agents.fast import FastSearch
from leadline.agents.options import LAYERS, AskOptions
from leadline.agents.reranking import as_judged, searched, wording
from leadline.events import Event, Judged, Notice, Reranked
from leadline.reasoning.base import Reasoner
from leadline.reasoning.offline import OfflineReasoner
from leadline.reranking.base import Reranker, RerankerOptions
from leadline.reranking.endpoint import build as build_endpoint
from leadline.reranking.onnx import build as build_onnx
from leadline.reranking.stage import shown
from leadline.run import Budget, Run
from leadline.testing.builders import chunk, evidence
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Answer, Evidence, Hit, Lead, Query, Verdict
from tests.agents.harbour import QUESTION, gap, harbour
from tests.reranking.server import HANG, always, ending, serving
from tests.reranking.tiny import tiny_cross_encoder

SHIPS = [chunk(f"ship number {place} of the harbour", f"ship{place}.md", title="ship") for place in range(6)]
SHIP_QUESTION = "Which ship of the harbour?"
TWO = AskOptions(rerank_candidates=4, rerank_keep=2)


@dataclass
class Backwards:
    """Likes best what came last, and remembers what it was asked."""

    name: str = "backwards"
    scripts: frozenset[str] | None = None
    asked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    async def rerank(self, question: str, passages: Sequence[str], run: Run) -> list[float]:
        self.asked.append((question, len(passages)))
        return [(place + 1) / len(passages) for place in range(len(passages))]


@dataclass
class Asked:
    """An answer and the events before it."""

    answer: Answer
    events: list[Event]

    @property
    def sources(self) -> list[str]:
        return [item.chunk.source for item in self.answer.evidence]

    @property
    def reranked(self) -> list[Reranked]:
        return [event for event in self.events if isinstance(event, Reranked)]


def ask(
    reasoner: Reasoner,
    reranker: Reranker | None,
    *,
    over: ListRetriever | None = None,
    question: str = SHIP_QUESTION,
    options: AskOptions = TWO,
    agent: type[DeepSearch] | type[FastSearch] = DeepSearch,
    budget: Budget | None = None,
) -> Asked:
    events: list[Event] = []
    search = agent(reasoner, over or ListRetriever(SHIPS), options, reranker)
    return Asked(go(search(question, Run(budget or Budget(), events.append))), events)


def ranking(order: Sequence[str]) -> Callable[[Sequence[Hit]], list[Verdict]]:
    """A judge that keeps everything, and ranks the sources of `order` in that order."""

    def judge(hits: Sequence[Hit]) -> list[Verdict]:
        places = {source: rank for rank, source in enumerate(order, start=1)}
        return [Verdict(True, 0.5, "kept", places.get(hit.chunk.source)) for hit in hits]

    return judge


@pytest.mark.parametrize("agent", [DeepSearch, FastSearch])
def test_only_what_the_reranker_likes_best_of_the_candidates_goes_to_the_judge_and_in_its_order(
    agent: type[DeepSearch] | type[FastSearch],
) -> None:
    reasoner = ScriptedReasoner()
    asked = ask(reasoner, Backwards(), agent=agent)
    [judged] = reasoner.calls("judge")
    assert [hit.chunk.source for hit in judged] == ["ship3.md", "ship2.md"]
    narrowing = asked.reranked[0]
    assert [one for one, _ in narrowing.after][::-1] == list(narrowing.before)
    assert narrowing.before == tuple(each.id for each in SHIPS[:4])
    assert (narrowing.kept, narrowing.question) == (2, SHIP_QUESTION)


def test_without_a_reranker_nothing_is_narrowed() -> None:
    reasoner = ScriptedReasoner()
    asked = ask(reasoner, None)
    assert len(reasoner.calls("judge")[0]) == len(SHIPS)
    assert sorted(asked.sources) == [each.source for each in SHIPS]
    assert asked.reranked == []


def test_with_the_layer_off_the_reranker_is_not_asked() -> None:
    reranker = Backwards()
    asked = ask(ScriptedReasoner(), reranker, options=replace(TWO, layers=LAYERS - {"rerank"}))
    assert reranker.asked == []
    assert len(asked.sources) == len(SHIPS)


def test_few_hits_are_not_narrowed_but_the_evidence_is_ranked_before_writing() -> None:
    reranker = Backwards()
    asked = ask(ScriptedReasoner(), reranker, options=AskOptions())
    assert reranker.asked == [(SHIP_QUESTION, 6)]
    assert asked.sources == ask(ScriptedReasoner(), None).sources[::-1]
    assert asked.reranked[0].kept == 6
    scores = [item.hit.score for item in asked.answer.evidence]
    assert scores == sorted(scores, reverse=True)


def test_each_query_is_narrowed_for_itself_and_a_list_of_names_is_scored_with_the_question() -> None:
    reranker = Backwards()
    follows = Query("number", "gap", 2, (Lead("number", SHIPS[0].id),))
    reflection = replace(gap(), queries=(follows,))
    reasoner = ScriptedReasoner(plans=["ship number"], reflections=[reflection])
    ask(reasoner, reranker, options=replace(TWO, gain=0.0))
    assert [question for question, _ in reranker.asked] == [
        SHIP_QUESTION,
        "ship number",
        f"{SHIP_QUESTION} (number)",
        SHIP_QUESTION,
    ]
    assert wording(follows, SHIP_QUESTION) == f"{SHIP_QUESTION} (number)"


def test_what_was_left_behind_has_another_chance_in_a_later_round() -> None:
    reasoner = ScriptedReasoner(reflections=[gap("ship harbour number 0 1")])
    ask(reasoner, Backwards(), options=replace(TWO, gain=0.0))
    judged = [[hit.chunk.source for hit in hits] for hits in reasoner.calls("judge")]
    assert judged[0] == ["ship3.md", "ship2.md"]
    assert len(judged) == 2
    assert not {*judged[0]} & {*judged[1]}
    assert {*judged[1]} < {each.source for each in SHIPS}


def test_in_deep_search_the_evidence_of_all_rounds_is_reranked_once_more(tmp_path: Path) -> None:
    reranker = build_onnx(RerankerOptions(model=str(tiny_cross_encoder(tmp_path))))
    reasoner = ScriptedReasoner(reflections=[gap("granite quay")])
    asked = ask(reasoner, reranker, over=harbour(), question=QUESTION, options=AskOptions(gain=0.0))
    [last] = asked.reranked
    assert last.question == QUESTION
    assert set(last.before) == {each.chunk.id for each in asked.answer.evidence}
    assert [one for one, _ in last.after] == [each.chunk.id for each in asked.answer.evidence]
    texts = [shown(item.chunk) for item in asked.answer.evidence]
    assert len(texts) == 4
    scores = go(reranker.rerank(QUESTION, texts, Run()))
    assert scores == sorted(scores, reverse=True)
    assert [item.hit.score for item in asked.answer.evidence] == [score for _, score in last.after]


def test_the_judges_order_is_the_last_word() -> None:
    order = ["ship2.md", "ship3.md"]
    asked = ask(ScriptedReasoner(verdicts=ranking(order)), Backwards())
    assert asked.sources == order
    assert [one for one, _ in asked.reranked[-1].after] == [SHIPS[3].id, SHIPS[2].id]


def test_the_judges_order_holds_without_a_reranker_too_and_what_it_does_not_rank_follows() -> None:
    plain = ask(ScriptedReasoner(), None).sources
    asked = ask(ScriptedReasoner(verdicts=ranking(["ship4.md", "ship1.md"])), None)
    assert asked.sources == ["ship4.md", "ship1.md", *(each for each in plain if each[4] not in "41")]
    scores = [item.hit.score for item in asked.answer.evidence]
    assert scores == sorted(scores, reverse=True)


def test_ranks_of_two_rounds_do_not_mix() -> None:
    def piece(source: str, score: float, rank: int | None) -> Evidence:
        return replace(evidence(chunk(source, source), score), verdict=Verdict(True, 1.0, "", rank))

    first = [piece("a", 0.9, 2), piece("b", 0.7, 1)]
    second = [piece("c", 0.8, 2), piece("d", 0.6, 1)]
    pooled = [first[0], second[0], first[1], second[1]]
    rounds = {item.chunk.id: 1 for item in first} | {item.chunk.id: 2 for item in second}
    judged = as_judged(pooled, rounds)
    assert [item.chunk.source for item in judged] == ["b", "d", "a", "c"]
    assert [item.hit.score for item in judged] == [0.9, 0.8, 0.7, 0.6]


def test_a_judge_without_an_order_leaves_it_as_it_is() -> None:
    pooled = [evidence(each, 1 / place) for place, each in enumerate(SHIPS, start=1)]
    assert as_judged(pooled, {}) == pooled


def test_a_reranker_that_fails_loses_nothing_and_is_said_once_in_the_answer() -> None:
    with serving(always(200, b"<html>busy</html>")) as server:
        reranker = build_endpoint(RerankerOptions(model="m", url=server.url))
        asked = ask(OfflineReasoner(), reranker)
        plain = ask(OfflineReasoner(), None)
        assert len(server.requests) == 1
    assert asked.sources == plain.sources
    assert asked.answer.claims == plain.answer.claims
    notices = [event for event in asked.events if isinstance(event, Notice)]
    assert len(notices) == 1
    assert sum("reranker" in text for text in asked.answer.notices) == 1


def test_a_server_that_never_answers_costs_its_seconds_and_the_run_ends_in_an_answer() -> None:
    with serving(ending(HANG)) as server:
        reranker = build_endpoint(RerankerOptions(model="m", url=server.url))
        asked = ask(OfflineReasoner(), reranker, options=replace(TWO, rerank_seconds=0.2))
    assert asked.answer.found
    assert "no reply in 0.2 s" in " ".join(asked.answer.notices)


def test_the_deadline_of_a_run_holds_for_the_reranker_too() -> None:
    with serving(ending(HANG)) as server:
        reranker = build_endpoint(RerankerOptions(model="m", url=server.url))
        asked = ask(ScriptedReasoner(), reranker, budget=Budget(seconds=0.5))
        assert len(server.requests) == 1
    assert len(asked.sources) == len(SHIPS)
    assert asked.answer.usage.seconds < TWO.rerank_seconds


def test_a_question_in_another_script_is_answered_in_the_order_of_the_search(tmp_path: Path) -> None:
    reranker = build_onnx(RerankerOptions(model=str(tiny_cross_encoder(tmp_path))))
    texts = [chunk(f"港口的第{place}艘船", f"{place}.md") for place in range(6)]
    asked = ask(ScriptedReasoner(), reranker, over=ListRetriever(texts), question="港口有哪艘船？")
    plain = ask(ScriptedReasoner(), None, over=ListRetriever(texts), question="港口有哪艘船？")
    assert asked.sources == plain.sources
    assert asked.reranked == []
    assert "not for questions in han (only latin)" in " ".join(asked.answer.notices)


def test_narrowing_comes_before_judging() -> None:
    kinds = [type(event) for event in ask(ScriptedReasoner(), Backwards()).events]
    assert kinds.index(Reranked) < kinds.index(Judged)
    assert kinds.count(Reranked) == 2


def test_a_plain_search_is_reranked_too_and_shows_both_ways_a_hit_was_found() -> None:
    retriever = ListRetriever(SHIPS)
    query = Query(SHIP_QUESTION)
    results = go(searched(retriever, query, 5, Backwards(), TWO, Run()))
    assert [hit.chunk.source for hit in results.hits] == [f"ship{place}.md" for place in (3, 2, 1, 0, 4)]
    assert [(found.path, found.rank) for found in results.hits[0].found] == [("keyword", 4), ("rerank", 1)]
    scores = [hit.score for hit in results.hits]
    assert scores == sorted(scores, reverse=True)
    assert (
        go(searched(retriever, query, 3, None, TWO, Run())).hits == go(retriever.search(query, 3, Run())).hits
    )


def test_a_plain_search_says_that_its_reranker_failed() -> None:
    with serving(always(403)) as server:
        reranker = build_endpoint(RerankerOptions(model="m", url=server.url))
        results = go(searched(ListRetriever(SHIPS), Query(SHIP_QUESTION), 2, reranker, TWO, Run()))
    assert [hit.chunk.source for hit in results.hits] == ["ship0.md", "ship1.md"]
    assert "LEADLINE_RERANKER_KEY" in results.notices[0]


def test_the_harbour_is_answered_with_a_real_cross_encoder(tmp_path: Path) -> None:
    reranker = build_onnx(RerankerOptions(model=str(tiny_cross_encoder(tmp_path))))
    asked = ask(
        OfflineReasoner(), reranker, over=harbour(), question=QUESTION, options=AskOptions(rerank_keep=2)
    )
    assert asked.answer.found
    assert {"osprey.md", "yard.md"} <= set(asked.sources)
