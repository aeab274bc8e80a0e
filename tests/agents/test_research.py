"""The fact loop: what each round reads, keeps and asks; why it ends; what its report says."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from leadline.agents.facts import Facts, best_of
from leadline.agents.options import AskOptions, ResearchOptions
from leadline.agents.research import Research
from leadline.errors import BudgetSpent, Cancelled, StoreError
from leadline.events import FactsFound, GapsFound, Judged, RoundStarted, Stopped, Verified
from leadline.reasoning.base import Draft, Gaps, Passage, Reasoner
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.base import TermWeights
from leadline.run import Budget, Run
from leadline.testing.builders import chunks, document
from leadline.testing.reasoner import ScriptedReasoner, quote_all
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Answer, Citation, Claim, Document, Fact, Query, StopReason, Support
from tests.agents.harbour import Asked, Clock, OddRetriever, harbour
from tests.reasoning.modelled import passages

GUIDE = document(
    "The north pier of Velden is 412 metres long. The lighthouse of Velden was lit in 1889. I think Velden is lovely.",
    "guide.md",
    "Velden guide",
)
NEWS = document(
    "The north pier of Velden is 420 metres long. The fish market of Velden opens at 6 every morning.",
    "news.md",
    "Velden news",
)
COPY = document(
    "The lighthouse of Velden was lit in 1889. The tide mill of Velden grinds corn.", "mill.md", "Mill"
)
TOWN = (GUIDE, NEWS, COPY)
TOPIC = "Velden"
MORE = Gaps(("the ferry",), (Query("ferry of Velden"),))


def town() -> ListRetriever:
    return ListRetriever(chunks(*TOWN), TOWN)


def research(
    reasoner: Reasoner,
    retriever: ListRetriever | None = None,
    *,
    topic: str = TOPIC,
    how: ResearchOptions | None = None,
    budget: Budget | None = None,
    clock: Clock | None = None,
) -> Asked:
    events: list[object] = []
    run = Run(budget or Budget(), events.append, clock or Clock())
    options = AskOptions(research=how or ResearchOptions(new_facts=0))
    answer = go(Research(reasoner, retriever or town(), options)(topic, run), seconds=20)
    return Asked(answer, events, run)  # pyright: ignore[reportArgumentType]


def ending(asked: Asked) -> tuple[StopReason, int, str]:
    """Why, after how many rounds, with which number; event and answer agree."""
    (event,) = asked.of(Stopped)
    assert asked.answer.stop is event.reason
    assert asked.answer.rounds == event.round
    return event.reason, event.round, event.detail


def said(answer: Answer) -> list[str]:
    return [fact.statement for fact in answer.facts]


def borne_out(answer: Answer, documents: Sequence[Document] = TOWN) -> None:
    """Every quote of every fact and claim stands where it says."""
    by_id = {each.id: each for each in documents}
    for citations in (*(f.citations for f in answer.facts), *(c.citations for c in answer.claims)):
        assert citations
        for each in citations:
            assert by_id[each.document_id].text[each.start : each.end] == each.quote


def test_without_a_model_facts_are_quoted_sentences_that_can_be_verified() -> None:
    asked = research(OfflineReasoner())
    borne_out(asked.answer)
    assert "I think Velden is lovely." not in said(asked.answer)
    assert "The fish market of Velden opens at 6 every morning." in said(asked.answer)
    assert asked.answer.found
    assert asked.answer.agent == "research"
    assert all(claim.support is Support.SUPPORTED for claim in asked.answer.claims)


def test_what_two_documents_say_is_one_fact_with_both_as_its_sources() -> None:
    asked = research(OfflineReasoner())
    (lit,) = [fact for fact in asked.answer.facts if "1889" in fact.statement]
    assert {each.source for each in lit.citations} == {"guide.md", "mill.md"}
    first = asked.of(FactsFound)[0]
    assert (first.extracted, first.merged, first.unverified) == (first.new + first.merged, 1, 0)
    assert first.total == first.new == len(asked.answer.facts)


def test_what_two_documents_deny_each_other_is_shown_side_by_side() -> None:
    answer = research(OfflineReasoner()).answer
    pier = [place for place, fact in enumerate(answer.facts, start=1) if "pier" in fact.statement]
    assert pier == [pier[0], pier[0] + 1]
    assert [answer.facts[place - 1].against for place in pier] == [(pier[1],), (pier[0],)]
    claims = [claim for claim in answer.claims if "pier" in claim.text]
    assert [claim.disputed for claim in claims] == [True, True]
    assert "420 metres long" in claims[0].note
    assert claims[0].topic == claims[1].topic


def test_a_report_that_tells_one_side_gets_the_other_behind_it() -> None:
    def one_side(facts: Sequence[Fact]) -> Draft:
        told = next(fact for fact in facts if "412" in fact.statement)
        return Draft((Claim(told.statement, told.citations, "quoted", topic="Piers"),), True, 1.0, ())

    answer = research(ScriptedReasoner(facts=sentences, reports=one_side)).answer
    assert [("412" in claim.text, "420" in claim.text, claim.topic) for claim in answer.claims] == [
        (True, False, "Piers"),
        (False, True, "Piers"),
    ]
    assert all(claim.disputed for claim in answer.claims)


def sentences(passages: Sequence[Passage]) -> list[Claim]:
    """Each sentence of each passage as a fact."""
    found: list[Claim] = []
    for claim in quote_all(passages).claims:
        (whole,) = claim.citations
        at = 0
        for part in whole.quote.split(". "):
            start = whole.quote.index(part, at)
            at = start + len(part)
            cited = replace(whole, quote=part, start=whole.start + start, end=whole.start + at)
            found.append(Claim(part, (cited,), "quoted"))
    return found


def test_a_fact_whose_quote_is_nowhere_is_dropped_and_counted() -> None:
    def invented(passages: Sequence[Passage]) -> list[Claim]:
        (real, *_) = sentences(passages)
        (cited,) = real.citations
        return [real, Claim("Velden has an airport.", (replace(cited, quote="Velden has an airport."),))]

    asked = research(ScriptedReasoner(facts=invented))
    (found,) = asked.of(FactsFound)
    assert (found.extracted, found.unverified, found.new) == (2, 1, 1)
    assert not any("airport" in text for text in said(asked.answer))


def test_a_fact_that_says_more_than_its_quote_becomes_what_the_source_says() -> None:
    def inflated(passages: Sequence[Passage]) -> list[Claim]:
        real = next(claim for claim in sentences(passages) if "412" in claim.text)
        return [replace(real, text="The north pier of Velden is 500 metres long.", kind="stated")]

    answer = research(ScriptedReasoner(facts=inflated)).answer
    assert said(answer) == ["The north pier of Velden is 412 metres long."]
    borne_out(answer)


def test_a_claim_that_its_facts_do_not_bear_out_gives_way_to_them() -> None:
    def wrong(facts: Sequence[Fact]) -> Draft:
        lit = next(fact for fact in facts if "1889" in fact.statement)
        claims = (
            Claim("The lighthouse of Velden was lit in 1998.", lit.citations, topic="Lights"),
            Claim("Velden has an airport with 7 runways."),
        )
        return Draft(claims, True, 1.0, ())

    asked = research(ScriptedReasoner(facts=sentences, reports=wrong))
    assert [(claim.text, claim.topic) for claim in asked.answer.claims] == [
        ("The lighthouse of Velden was lit in 1889", "Lights")
    ]
    assert [event.supported for event in asked.of(Verified)] == [1]


def test_gaps_lead_to_further_rounds_and_what_is_open_is_told() -> None:
    reasoner = ScriptedReasoner(open=[MORE, Gaps(("the ferry",), (Query("timetable"),))])
    asked = research(reasoner, how=ResearchOptions(rounds=3, new_facts=0))
    assert ending(asked)[0] is StopReason.MAX_ROUNDS
    assert [[query.text for query in event.queries] for event in asked.of(RoundStarted)] == [
        [TOPIC],
        ["ferry of Velden"],
        ["timetable"],
    ]
    assert [query.round for query in asked.answer.queries] == [1, 2, 3]
    assert [event.gaps for event in asked.of(GapsFound)] == [("the ferry",), ("the ferry",)]
    assert asked.answer.missing == ("the ferry",)
    assert len(reasoner.calls("gaps")) == 2
    (((_, open_points, rounds),)) = reasoner.calls("compose")
    assert (open_points, rounds) == (("the ferry",), 3)
    assert any("3 rounds of searching" in text for text in asked.answer.notices)


@pytest.mark.parametrize(("rounds", "missing"), [(4, ("the ferry",)), (1, ())])
def test_gaps_that_a_report_forgets_are_told_where_all_facts_left_them_open(
    rounds: int, missing: tuple[str, ...]
) -> None:
    def forgetful(facts: Sequence[Fact]) -> Draft:
        return Draft(tuple(Claim(one.statement, one.citations, "quoted") for one in facts), True, 1.0, ())

    reasoner = ScriptedReasoner(open=[MORE], reports=forgetful)
    asked = research(reasoner, how=ResearchOptions(rounds=rounds, new_facts=4))
    assert asked.answer.missing == missing


@dataclass(frozen=True, slots=True)
class Case:
    """A fact loop that ends for one reason."""

    open: Sequence[Gaps | Exception]
    how: ResearchOptions
    reason: StopReason
    detail: str
    budget: Budget | None = None


CASES = {
    "max rounds": Case(
        [MORE], ResearchOptions(rounds=2, new_facts=0), StopReason.MAX_ROUNDS, "2 of 2 rounds"
    ),
    "no gaps": Case([Gaps()], ResearchOptions(), StopReason.ANSWERED, "no gap is left after round 1"),
    "enough facts": Case([MORE], ResearchOptions(facts=3), StopReason.FACT_BUDGET, "3 of 3 facts"),
    "little new": Case(
        [MORE], ResearchOptions(new_facts=4), StopReason.NO_NEW_EVIDENCE, "3 new facts, fewer than 4"
    ),
    "repeated": Case(
        [Gaps(("x",), (Query("VELDEN?"), Query("Velden.")))],
        ResearchOptions(),
        StopReason.REPEATED_QUERIES,
        "all 2 further queries",
    ),
    "nothing to ask": Case([Gaps(("x",), ())], ResearchOptions(), StopReason.ANSWERED, "no further query"),
    "budget": Case(
        [BudgetSpent("calls: 3 of 3 used", "calls")], ResearchOptions(), StopReason.BUDGET, "calls: 3 of 3"
    ),
    "deadline": Case(
        [BudgetSpent("deadline: 9 of 9 used", "deadline")], ResearchOptions(), StopReason.DEADLINE, "deadline"
    ),
    "searches": Case(
        [MORE], ResearchOptions(new_facts=0), StopReason.BUDGET, "searches: 1 of 1", Budget(searches=1)
    ),
    "cancelled": Case([Cancelled("stop")], ResearchOptions(), StopReason.CANCELLED, "asked to stop"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_reason_to_stop_has_its_number_and_ends_in_an_answer(case: Case) -> None:
    asked = research(ScriptedReasoner(open=case.open), how=case.how, budget=case.budget)
    reason, _, detail = ending(asked)
    assert reason is case.reason
    assert case.detail in detail
    assert asked.answer.found
    assert len(asked.answer.claims) == len(asked.answer.facts) == 3


def test_only_queries_unlike_those_asked_go_on_and_no_more_than_allowed() -> None:
    proposed = Gaps(("a",), tuple(map(Query, ("velden", "piers", "mills", "ferries", "lamps"))))
    asked = research(ScriptedReasoner(open=[proposed]), how=ResearchOptions(rounds=2, queries=2, new_facts=0))
    told = asked.of(GapsFound)[0]
    assert told.queries == ("piers", "mills")
    assert [text for text, _ in told.dropped] == ["velden"]


def test_nothing_found_is_an_answer_that_says_so() -> None:
    asked = research(OfflineReasoner(), topic="zeppelins")
    assert ending(asked)[0] is StopReason.NOTHING_FOUND
    assert (asked.answer.found, asked.answer.facts, asked.answer.claims) == (False, (), ())


def test_one_failing_query_loses_nothing_of_the_others() -> None:
    retriever = town()
    retriever.failing["ferry"] = StoreError("down")
    asked = research(ScriptedReasoner(plans=["ferry", "mill"]), retriever)
    assert len(asked.answer.facts) == 3
    assert any("down" in text for text in asked.answer.notices)


@dataclass(slots=True)
class Tired(ScriptedReasoner):
    """Has no budget for one step."""

    at: str = ""
    error: Exception = field(default_factory=lambda: BudgetSpent("calls: 1 of 1 used", "calls"))

    async def extract(
        self, question: str, passages: Sequence[Passage], weights: TermWeights, run: Run
    ) -> list[Claim]:
        if self.at == "extract":
            raise self.error
        return await ScriptedReasoner.extract(self, question, passages, weights, run)

    async def compose(
        self,
        question: str,
        facts: Sequence[Fact],
        open: Sequence[str],
        rounds: int,
        weights: TermWeights,
        run: Run,
    ) -> Draft:
        if self.at == "compose":
            raise self.error
        return await ScriptedReasoner.compose(self, question, facts, open, rounds, weights, run)


def test_a_budget_spent_before_any_fact_still_gives_quoted_ones() -> None:
    asked = research(Tired(at="extract"))
    assert ending(asked)[0] is StopReason.BUDGET
    assert asked.answer.found
    assert "The lighthouse of Velden was lit in 1889." in said(asked.answer)
    assert any("quoted as they stand" in text for text in asked.answer.notices)


def test_a_budget_spent_before_the_report_lists_the_facts() -> None:
    asked = research(Tired(facts=sentences, at="compose"))
    assert [claim.text for claim in asked.answer.claims] == said(asked.answer)
    assert any("listed as they stand" in text for text in asked.answer.notices)


def test_a_cancel_midway_keeps_what_was_found() -> None:
    retriever = OddRetriever(chunks(*TOWN), TOWN, at=TOPIC, does="cancel")
    asked = research(OfflineReasoner(), retriever)
    assert asked.answer.facts
    assert asked.answer.stop is StopReason.CANCELLED


def test_a_search_past_the_deadline_ends_the_loop_with_what_is_there() -> None:
    retriever = OddRetriever(chunks(*TOWN), TOWN, at="ferry of Velden", does="late")
    asked = research(
        ScriptedReasoner(open=[MORE, MORE]),
        retriever,
        how=ResearchOptions(new_facts=0),
        budget=Budget(seconds=100),
        clock=retriever.clock,
    )
    assert asked.answer.found
    assert asked.answer.rounds == 2
    assert ending(asked)[0] is StopReason.DEADLINE


def test_what_was_read_is_the_evidence() -> None:
    asked = research(ScriptedReasoner())
    read = {key for event in asked.of(Judged) for key, kept, _, _ in event.verdicts if kept}
    assert {item.chunk.id for item in asked.answer.evidence} == read
    assert len(read) == 3


def test_a_chain_is_followed_from_fact_to_fact() -> None:
    question = "Where was the founder of the yard that built the ferry Osprey born?"
    answer = research(OfflineReasoner(), harbour(), topic=question).answer
    assert {each.citations[0].source for each in answer.facts} >= {"osprey.md", "yard.md", "brandt.md"}
    assert answer.found


def test_facts_beyond_those_that_are_enough_are_left_out_and_counted() -> None:
    asked = research(
        ScriptedReasoner(facts=sentences, open=[MORE]), how=ResearchOptions(facts=2, new_facts=0)
    )
    assert ending(asked)[0] is StopReason.FACT_BUDGET
    assert len(asked.answer.facts) == 2
    (taken,) = asked.of(FactsFound)
    assert (taken.total, taken.over > 0) == (2, True)
    assert taken.extracted == taken.unverified + taken.merged + taken.new + taken.over


def test_where_not_all_facts_fit_each_document_has_its_turn_and_keeps_those_with_figures() -> None:
    said = [
        ("a", "The pier is old."),
        ("a", "It is 412 metres long."),
        ("a", "It has 9 lamps."),
        ("b", "Corn."),
    ]
    facts = [Fact(text, (Citation(name, name, name, name, text, 0, len(text)),)) for name, text in said]
    assert [fact.statement for fact in best_of(facts, 2)] == ["It is 412 metres long.", "Corn."]
    assert best_of(facts, 4) == facts


def test_a_round_of_ranked_facts_leaves_room_and_what_waited_fills_it_at_the_end() -> None:
    guide, claims = GUIDE, sentences(passages(*chunks(GUIDE)))[:2]
    events: list[object] = []
    run = Run(Budget(), events.append, Clock())
    facts = Facts(most=2)
    assert go(facts.take(claims, {guide.id: guide}, 1, run, rounds=1)) == 2
    (first,), (second,) = facts.kept, facts.waiting
    assert facts.known == (first, second)
    # What waits is known: said again, it is not new.
    assert go(facts.take(claims, {guide.id: guide}, 2, run, rounds=0)) == 0
    facts.fill(2, run)
    assert (facts.kept, facts.waiting) == ([first, second], [])
    told = [each for each in events if isinstance(each, FactsFound)]
    assert [(each.new, each.total, each.over) for each in told] == [(1, 1, 1), (0, 1, 0), (1, 2, 0)]


@dataclass(slots=True)
class Silent(ScriptedReasoner):
    """Composes nothing of its facts."""

    async def compose(
        self,
        question: str,
        facts: Sequence[Fact],
        open: Sequence[str],
        rounds: int,
        weights: TermWeights,
        run: Run,
    ) -> Draft:
        return Draft((), False, 0.0, ("the ferry",))


def test_facts_that_no_report_tells_are_told_as_they_stand_with_the_gap_beside_them() -> None:
    answer = research(Silent(facts=sentences)).answer
    assert answer.facts
    assert {claim.text for claim in answer.claims} == set(said(answer))
    assert answer.missing == ("the ferry",)


def test_a_question_that_the_facts_answer_in_part_has_them_told() -> None:
    question = "How long is the north pier of Velden, and who owns the cable railway of Oxley?"
    answer = research(OfflineReasoner(), topic=question).answer
    assert any("412 metres" in claim.text for claim in answer.claims)


def test_the_sources_of_the_facts_are_the_documents_that_the_claims_cite() -> None:
    answer = research(OfflineReasoner()).answer
    cited = {each.source for claim in answer.claims for each in claim.citations}
    counted = f"{len(answer.facts)} facts from {len(cited)} sources"
    assert any(text.startswith(counted) for text in answer.notices)
