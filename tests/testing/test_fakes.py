"""The shipped fakes do what they promise, since tests elsewhere lean on them."""

import asyncio

import pytest

from leadline.errors import BudgetSpent, StoreError
from leadline.reasoning.base import Passage, Plan, Reasoner, Reflection
from leadline.retrieval.base import Retriever, TermWeights
from leadline.run import Budget, Run
from leadline.testing.builders import chunk, chunks, document, evidence, hit, hits
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Query, Verdict

LIGHTHOUSE = document("The Corin lighthouse was lit in 1871.", "corin.md")
MERROW = document("Ada Merrow designed the lighthouse at Corin and lived in Velden.", "merrow.md")
QUAY = document("The quay is made of granite.", "quay.md")
WEIGHTS = TermWeights()


def retriever() -> ListRetriever:
    return ListRetriever(chunks(LIGHTHOUSE, MERROW, QUAY))


def test_built_chunks_stand_at_their_span_in_the_document() -> None:
    whole = document("First part. Second part.", "notes/parts.md")
    second = chunk("Second part.", "notes/parts.md", ordinal=1, start=12)
    assert second.document_id == whole.id
    assert second.title == whole.title == "parts"
    assert whole.text[second.start : second.end] == second.text
    assert "second" in second.terms.split()


def test_built_hits_fall_in_score_and_know_their_rank() -> None:
    built = hits(chunks(LIGHTHOUSE, QUAY), "lighthouse")
    assert [one.score for one in built] == [1, 0.5]
    assert [(one.found[0].rank, one.found[0].query) for one in built] == [
        (1, "lighthouse"),
        (2, "lighthouse"),
    ]
    assert evidence(built[0].chunk, 0.7).verdict.score == hit(built[0].chunk, 0.7).score


def test_the_list_retriever_ranks_by_shared_terms_and_leaves_out_the_rest() -> None:
    fake: Retriever = retriever()
    run = Run()
    results = go(fake.search(Query("Who designed the Corin lighthouse?", round=2), 5, run))
    assert [found.chunk.source for found in results.hits] == ["merrow.md", "corin.md"]
    assert [found.found[0].rank for found in results.hits] == [1, 2]
    assert results.hits[0].found[0].round == 2
    assert run.searches == 1
    assert len(go(fake.search(Query("Corin lighthouse"), 1, run)).hits) == 1


def test_the_list_retriever_keeps_to_the_budget_and_fails_when_told_to() -> None:
    fake = retriever()
    fake.failing["granite"] = StoreError("the disk is gone")
    with pytest.raises(StoreError, match="disk is gone"):
        go(fake.search(Query("granite"), 5, Run()))
    with pytest.raises(BudgetSpent):
        go(fake.search(Query("quay"), 5, Run(Budget(searches=0))))
    assert [query.text for query in fake.asked] == ["granite"]


def test_its_term_weights_tell_rare_from_common_and_unknown() -> None:
    weights = go(retriever().weights(["Corin granite", "zeppelin"]))
    assert weights.idf["granit"] > weights.idf["corin"] > 0
    assert weights.unknown == {"zeppelin"}
    assert weights.chunks == 3


def test_it_gives_documents_and_sections_in_which_every_chunk_stands_at_its_span() -> None:
    parts = [chunk("Two.", "x.md", ordinal=1, start=8), chunk("One.", "x.md", start=0)]
    context = go(ListRetriever(parts).context(parts))
    made = context.documents[parts[0].document_id]
    assert made.text == "One.    Two."
    assert all(made.text[part.start : part.end] == part.text for part in parts)
    section = context.sections[parts[0].section_id]
    assert made.text[section.start : section.end] == "Two."
    given = document("One. ... Two.", "x.md")
    assert go(ListRetriever(parts, [given]).context(parts)).documents == {given.id: given}
    assert not go(retriever().context(parts)).documents


def test_a_scripted_reasoner_says_its_lines_in_order_and_remembers_the_cues() -> None:
    more = Reflection(0.5, ("where",), (Query("Velden", "gap", 2),))
    fake = ScriptedReasoner(plans=["Ada Merrow"], reflections=[more, StoreError("tired")])
    reasoner: Reasoner = fake
    run = Run()
    plan = go(reasoner.plan("Where did she live?", WEIGHTS, run))
    assert plan == Plan((Query("Where did she live?"), Query("Ada Merrow", "sub")))
    assert go(reasoner.reflect("?", plan.queries, [], WEIGHTS, run)) is more
    with pytest.raises(StoreError, match="tired"):
        go(reasoner.reflect("?", plan.queries, [], WEIGHTS, run))
    assert go(reasoner.reflect("?", plan.queries, [], WEIGHTS, run)).queries == ()
    assert [step for step, _ in fake.asked] == ["plan", "reflect", "reflect", "reflect"]
    assert fake.calls("plan") == ["Where did she live?"]


def test_scripted_verdicts_are_a_mapping_or_a_function() -> None:
    found = hits(chunks(LIGHTHOUSE, QUAY))
    by_id = ScriptedReasoner(verdicts={found[1].chunk.id: False})
    kept = go(by_id.judge("?", [], found, WEIGHTS, Run()))
    assert [verdict.keep for verdict in kept] == [True, False]
    none = ScriptedReasoner(verdicts=lambda hits: [Verdict(False, 0, "no") for _ in hits])
    assert not any(verdict.keep for verdict in go(none.judge("?", [], found, WEIGHTS, Run())))


def test_an_unscripted_draft_quotes_each_piece_of_evidence_whole() -> None:
    piece = evidence(chunk(QUAY.text, QUAY.source))
    passage = Passage(QUAY.id, 0, QUAY.text, (piece,), 1.0)
    draft = go(ScriptedReasoner().write("?", [], [passage], WEIGHTS, Run()))
    citation = draft.claims[0].citations[0]
    assert draft.found
    assert QUAY.text[citation.start : citation.end] == citation.quote == QUAY.text
    assert not go(ScriptedReasoner().write("?", [], [], WEIGHTS, Run())).found


def test_no_coroutine_can_hang_a_test() -> None:
    assert go(asyncio.sleep(0, "done")) == "done"
    with pytest.raises(TimeoutError):
        go(asyncio.sleep(60), seconds=0.01)
