"""Whole searches without a model: short, quoted, from several documents, and honest when there is nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.agents.options import AskOptions
from leadline.analysis.sentences import sentences
from leadline.events import Reflected
from leadline.reasoning.offline import OfflineReasoner
from leadline.testing.builders import chunks, document
from leadline.testing.retriever import ListRetriever
from leadline.types import Answer, Document, StopReason, Support
from tests.agents.harbour import HARBOUR, QUESTION, Asked, ask, harbour

SHIP = document(
    "The Sable Heron is a dredger. Its hull was laid down at the Dunmarrow Shipyard.",
    "ship.md",
    "Sable Heron",
)
DOCK = document(
    "Dunmarrow Shipyard opened in 1904 under Isolde Carrick, its first director.", "dock.md", "Dunmarrow"
)
WOMAN = document("Isolde Carrick came from the village of Tarn Hollow.", "woman.md", "Isolde Carrick")
NOISE = tuple(
    document(f"The {word} of pier {n} holds {n * 7} crates of salted herring.", f"noise{n}.md", f"Pier {n}")
    for n, word in enumerate(["shed", "crane", "vault", "ramp", "yard", "loft"], start=1)
)
CHAIN = (SHIP, DOCK, WOMAN, *NOISE)


def offline(question: str, documents: tuple[Document, ...], options: AskOptions | None = None) -> Asked:
    retriever = ListRetriever(chunks(*documents), documents)
    return ask(OfflineReasoner(), retriever, question=question, options=options or AskOptions())


def assert_short_and_quoted(answer: Answer, documents: tuple[Document, ...]) -> None:
    by_id = {one.id: one for one in documents}
    assert len(answer.claims) <= 5
    assert len(answer.text) <= 800
    for claim in answer.claims:
        (citation,) = claim.citations
        quote = by_id[citation.document_id].text[citation.start : citation.end]
        assert quote == citation.quote
        assert claim.text == " ".join(quote.split())
        assert (claim.kind, claim.support) == ("quoted", Support.SUPPORTED)


def test_a_question_over_three_documents_is_answered_from_all_three() -> None:
    answer = offline("Which village did the director of the yard of the Sable Heron come from?", CHAIN).answer
    assert answer.found
    assert {claim.citations[0].source for claim in answer.claims} >= {"ship.md", "dock.md", "woman.md"}
    assert answer.rounds > 1
    assert_short_and_quoted(answer, CHAIN)


def test_what_a_name_led_to_says_which_name() -> None:
    answer = offline("Where was the Sable Heron laid down and who opened that place?", CHAIN).answer
    names = {item.chunk.source: item.hit.name for item in answer.evidence}
    assert names["ship.md"] == ""
    assert names["woman.md"] == "Isolde Carrick"
    parents = {item.chunk.source: item.hit.parent for item in answer.evidence}
    assert parents["woman.md"] == chunks(DOCK)[0].id


def test_the_answer_says_that_it_only_quotes() -> None:
    assert "without a language model" in offline(QUESTION, HARBOUR).answer.notices[0]


def test_a_question_whose_name_no_document_holds_is_not_answered() -> None:
    answer = offline("Who founded the Zanzibar Violin Conservatory of granite?", HARBOUR).answer
    assert (answer.found, answer.claims) == (False, ())
    assert {item.chunk.source for item in answer.evidence} >= {"quay.md"}
    assert any("Zanzibar" in open_point for open_point in answer.missing)
    assert answer.confidence < 0.5


def test_a_question_that_shares_no_word_with_any_document_finds_nothing() -> None:
    answer = offline("Wann fährt morgen jemand?", HARBOUR).answer
    assert (answer.found, answer.stop, answer.evidence) == (False, StopReason.NOTHING_FOUND, ())


def test_a_question_that_one_chunk_answers_needs_one_round() -> None:
    asked = offline("What is the quay made of?", HARBOUR)
    assert (asked.answer.stop, asked.answer.rounds) == (StopReason.ANSWERED, 1)
    assert asked.answer.claims[0].text == "The quay is made of granite."
    assert asked.of(Reflected)[0].coverage == pytest.approx(1.0)


def test_a_search_ends_by_itself_when_no_name_is_left_to_follow() -> None:
    asked = offline(
        "Where was the founder of the yard born and what did she eat?", HARBOUR, AskOptions(rounds=9)
    )
    assert asked.answer.stop in {StopReason.ANSWERED, StopReason.NO_NEW_EVIDENCE}
    assert asked.answer.rounds < 9


@pytest.mark.parametrize(
    ("question", "text", "quote"),
    [
        (
            "灯塔是哪一年建成的？",
            "灯塔由李明于1889年建成。码头很长，用花岗岩砌成。",
            "灯塔由李明于1889年建成。",
        ),
        ("متى بني الفنار؟", "بني الفنار عام 1889. الرصيف طويل.", "بني الفنار عام 1889."),
    ],
)
def test_questions_in_other_scripts_are_answered_with_their_sentence(
    question: str, text: str, quote: str
) -> None:
    documents = (document(text, "light.md", "1"), *NOISE)
    answer = offline(question, documents).answer
    assert answer.found
    assert answer.claims[0].text == quote
    assert_short_and_quoted(answer, documents)


def test_the_longest_evidence_still_gives_a_short_answer() -> None:
    clause = (
        "the harbour board of Marlow raised the ferry toll for the {} time, which the skippers disliked, "
    )
    long = "In 1901 " + "".join(clause.format(n) for n in range(40)) + "and then it ended."
    documents = tuple(document(f"{long} {n}. " * 3, f"{n}.md", f"Toll {n}") for n in range(6))
    answer = offline("Who raised the ferry toll in Marlow?", documents).answer
    assert answer.found
    assert_short_and_quoted(answer, documents)


WORDS = st.sampled_from(
    [
        "ferry",
        "Osprey",
        "Mirren Yard",
        "toll",
        "1953",
        "XR-2000",
        "not",
        "灯塔",
        "الفنار",
        "|",
        "#",
        "<b>",
        "\n\n",
        "\x00",
    ]
    + [".", ", ", "!", "the", "was", "Ada Brandt", "“", "”", "\u202e", "||", "---", "&amp;", "*"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=60).map(" ".join)


@settings(max_examples=40)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=5))
def test_any_text_and_any_question_end_in_true_quotes(question: str, texts: list[str]) -> None:
    documents = tuple(document(text, f"{n}.md", f"Page {n}") for n, text in enumerate(texts))
    answer = offline(question, documents).answer
    assert_short_and_quoted(answer, documents)
    assert answer.queries[0].text == question.strip()
    assert answer.found == bool(answer.claims)
    for claim in answer.claims:
        assert len(sentences(claim.text)) >= 1


def test_no_query_is_asked_twice_unless_widened() -> None:
    retriever = harbour()
    ask(OfflineReasoner(), retriever, options=AskOptions(rounds=3, gap_queries=3))
    assert len({query.text for query in retriever.asked if query.kind != "widened"}) == len(
        [query for query in retriever.asked if query.kind != "widened"]
    )
