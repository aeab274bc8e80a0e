"""The reasoner without a model: what it keeps, and what it quotes."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.reasoning.base import Draft, Passage
from leadline.reasoning.candidates import LONGEST
from leadline.reasoning.cues import wanted
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.testing.builders import chunk, document, evidence, hit
from leadline.testing.running import go
from leadline.types import Chunk, Hit, Lead, Query, Verdict

REASONER = OfflineReasoner()
WEIGHTS = TermWeights(
    {"ferri": 2.0, "toll": 2.0, "osprey": 3.0, "rais": 2.0, "crown": 1.0, "marlow": 1.0},
    length=10.0,
    chunks=50,
)
QUESTION = "What was the ferry toll of the Osprey?"


def judged(question: str, hits: Sequence[Hit], queries: Sequence[Query] = ()) -> list[Verdict]:
    return go(REASONER.judge(question, queries, hits, WEIGHTS, Run()))


def write(question: str, *pieces: Chunk, asked: Sequence[Query] = (), headings: Sequence[str] = ()) -> Draft:
    """Write from passages that hold one chunk each."""
    passages: list[Passage] = []
    for number, piece in enumerate(pieces):
        spans = [
            (piece.start + piece.text.index(words), piece.start + piece.text.index(words) + len(words))
            for words in headings
            if words in piece.text
        ]
        passages.append(
            Passage(
                piece.document_id, piece.start, piece.text, (evidence(piece),), 1 / (number + 1), tuple(spans)
            )
        )
    return go(REASONER.write(question, [Query(question), *asked], passages, WEIGHTS, Run()))


def quotes(draft: Draft) -> list[str]:
    return [claim.citations[0].quote for claim in draft.claims]


def test_plan_keeps_the_question_first() -> None:
    plan = go(REASONER.plan("Compare Osprey and Petrel in price", WEIGHTS, Run()))
    assert [(query.text, query.kind) for query in plan.queries] == [
        ("Compare Osprey and Petrel in price", "original"),
        ("Osprey price", "sub"),
        ("Petrel price", "sub"),
    ]


def test_the_judge_keeps_by_coverage_or_by_score_and_says_why() -> None:
    # Shares of "ferry toll osprey": 2/7, 2/7 and 3/7.
    both = chunk("The ferry toll.", "a.md", title="T")
    none = chunk("A granite quay.", "b.md", title="T")
    verdicts = judged("ferry toll osprey", [hit(both, 1.0), hit(none, 0.9)])
    assert [verdict.keep for verdict in verdicts] == [True, False]
    assert verdicts[0].score == pytest.approx(4 / 7)
    assert verdicts[0].reason == "covers 57% of the question: ferri, toll"
    assert verdicts[1] == Verdict(False, 0.0, "covers only 0% of the question")


def test_a_weak_hit_is_kept_for_its_coverage_and_a_strong_one_for_its_score() -> None:
    question = "ferry toll osprey crown"
    strong, weak, little = (
        hit(chunk("The crown.", "a.md", title="T"), 1.0),
        hit(chunk("The osprey.", "b.md", title="T"), 0.01),
        hit(chunk("The crown too.", "c.md", title="T"), 0.2),
    )
    assert [verdict.keep for verdict in judged(question, [strong, weak, little])] == [True, True, False]


def test_a_chunk_about_a_followed_name_is_kept_whatever_it_covers() -> None:
    page = hit(chunk("She was a painter.", "a.md", title="Ada Brandt"), 0.01)
    query = Query("Ada Brandt", "gap", 2, (Lead("Ada Brandt", "x"),))
    (verdict,) = judged(QUESTION, [page], [query])
    assert verdict == Verdict(True, 0.5, "is about Ada Brandt")
    assert not judged(QUESTION, [page])[0].keep
    assert judged(QUESTION, [], [query]) == []


def test_reflection_names_what_is_missing_and_what_to_follow() -> None:
    piece = evidence(chunk("The ferry went to Ada Brandt.", "a.md", title="T"))
    weights = TermWeights({**WEIGHTS.idf, "ada": 2.0, "brandt": 2.0}, length=10.0, chunks=50)
    thought = go(REASONER.reflect(QUESTION, [Query(QUESTION, round=2)], [piece], weights, Run()))
    assert thought.missing == ("Osprey", "toll")
    assert thought.queries == (Query("Ada Brandt", "gap", 3, (Lead("Ada Brandt", piece.chunk.id),)),)
    assert thought.coverage == 0.0


def test_the_answer_is_a_sentence_of_the_source_with_its_place() -> None:
    text = "It rained. The ferry toll of the Osprey was four crowns. Nobody paid."
    whole = document("Front matter. " + text, "a.md", "T")
    draft = write(QUESTION, chunk(text, "a.md", title="T", start=14, page=3))
    claim = draft.claims[0]
    assert draft.found
    assert claim.text == "The ferry toll of the Osprey was four crowns."
    assert (claim.kind, claim.citations[0].page) == ("quoted", 3)
    citation = claim.citations[0]
    assert whole.text[citation.start : citation.end] == citation.quote == claim.text


def test_headings_and_table_headers_are_never_quoted() -> None:
    table = "Ferry toll of the Osprey\n\n| Osprey ferry | toll |\n| --- | --- |\n| Osprey | 4 crowns |\n\n# Osprey ferry toll"
    draft = write(QUESTION, chunk(table, title="T"), headings=["Ferry toll of the Osprey"])
    assert quotes(draft) == ["| Osprey | 4 crowns |"]


def test_a_line_that_only_looks_like_a_heading_elsewhere_is_quoted() -> None:
    draft = write(QUESTION, chunk("Ferry toll of the Osprey: four crowns", title="T"))
    assert quotes(draft) == ["Ferry toll of the Osprey: four crowns"]


def test_a_long_sentence_is_cut_at_clauses_to_the_part_that_answers() -> None:
    before = "the council sat for many days, " * 20
    after = ", and later the members went home to their gardens" * 12
    text = f"In that year {before}the ferry toll of the Osprey was raised to four crowns{after}."
    (quote,) = quotes(write(QUESTION, chunk(text, title="T")))
    assert len(quote) <= LONGEST
    assert "the ferry toll of the Osprey was raised to four crowns" in quote
    assert quote in text


def test_an_answer_is_at_most_five_sentences() -> None:
    pieces = [chunk(f"The ferry toll of the Osprey was {n} crowns.", f"{n}.md", title="T") for n in range(9)]
    assert len(quotes(write(QUESTION, *pieces))) == 5


def test_an_answer_is_at_most_800_characters_and_a_shorter_sentence_may_still_fit() -> None:
    long = (
        "The ferry toll of the Osprey was {} crowns " + "and so it stayed for the whole of the war " * 5 + "."
    )
    pieces = [chunk(long.format(n), f"{n}.md", title="T") for n in range(4)]
    found = quotes(write(QUESTION, *pieces, chunk("The Osprey toll rose.", "z.md", title="T")))
    assert sorted(map(len, found)) == [21, len(long) - 1, len(long) - 1, len(long) - 1]


def test_claims_are_grouped_by_the_sub_query_they_answer() -> None:
    asked = [Query("Osprey toll", "sub"), Query("Marlow ferry", "sub")]
    pieces = [
        chunk("The Osprey toll was four crowns.", "a.md", title="T"),
        chunk("The Marlow ferry was raised.", "b.md", title="T"),
        chunk("An Osprey toll of five crowns was asked.", "c.md", title="T"),
    ]
    draft = write("What was the Osprey toll and the Marlow ferry?", *pieces, asked=asked)
    topics = [claim.topic for claim in draft.claims]
    assert sorted(topics) == ["Marlow ferry", "Osprey toll", "Osprey toll"]
    assert sum(one != other for one, other in zip(topics, topics[1:], strict=False)) == 1
    assert {claim.topic for claim in write(QUESTION, *pieces).claims} == {""}


def test_too_little_coverage_is_no_answer_and_says_what_is_missing() -> None:
    draft = write(
        "Who from Zanzibar insured the Osprey?", chunk("The Osprey toll was four crowns.", title="T")
    )
    assert (draft.found, draft.claims) == (False, ())
    assert set(draft.missing or ()) == {"Zanzibar", "insured"}
    assert draft.confidence < REASONER.answered


def test_the_threshold_of_an_answer_can_be_set() -> None:
    piece = chunk("The ferry was late.", title="T")
    question = "ferry toll"
    (passage,) = [Passage(piece.document_id, 0, piece.text, (evidence(piece),), 1.0)]
    for threshold, found in ((0.5, True), (0.51, False)):
        reasoner = OfflineReasoner(answered=threshold)
        draft = go(reasoner.write(question, [Query(question)], [passage], WEIGHTS, Run()))
        assert (draft.found, draft.confidence) == (found, 0.5)


def test_nothing_to_read_is_no_answer() -> None:
    assert write(QUESTION) == Draft((), False, 0.0, ("Osprey", "ferry", "toll"))


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("When was it built?", {"date"}),
        ("How many boats are there?", {"number"}),
        ("Who owns it?", {"person"}),
        ("Where is it?", {"place"}),
        ("灯塔是哪一年建的？", {"date"}),
        ("灯塔在哪里？", {"place"}),
        ("متى بني الفنار؟", {"date"}),
        ("Whenever it rains, describe it", set[str]()),
    ],
)
def test_the_kind_of_value_asked_for_is_read_off_the_question(question: str, kinds: set[str]) -> None:
    assert wanted(question).kinds == kinds


def test_the_focus_is_what_follows_the_question_word() -> None:
    assert wanted("Which lifeboat station of Marlow went out?").focus == {"lifeboat", "station"}
    assert wanted("Tell me of Marlow").focus == frozenset()


PIECES = st.sampled_from(
    [
        "ferry toll",
        "Osprey",
        "|",
        "# ",
        "---",
        "\n\n",
        "\n",
        ".",
        "<script>",
        "ignore the question",
        "\x00",
        "，",
        "。",
    ]
    + ["four crowns", "“", "”", "1.", "- ", "A" * 320, "\u202e", "خ", "灯塔", ",", " "]
)


@settings(max_examples=60)
@given(st.lists(PIECES, min_size=1, max_size=40).map("".join))
def test_hostile_text_is_quoted_as_it_stands_or_not_at_all(text: str) -> None:
    draft = write(QUESTION, replace(chunk(text, title="Osprey ferry toll"), start=7, end=7 + len(text)))
    assert len(draft.claims) <= 5
    assert sum(len(claim.text) + 1 for claim in draft.claims) <= 801
    for claim in draft.claims:
        (citation,) = claim.citations
        assert text[citation.start - 7 : citation.end - 7] == citation.quote == citation.quote.strip()
        assert not citation.quote.startswith("# ")
        assert len(citation.quote) <= LONGEST
