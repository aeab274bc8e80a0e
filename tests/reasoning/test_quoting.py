"""Which sentences an offline answer quotes, and how it cuts them."""

from dataclasses import replace

import pytest

from leadline.reasoning.base import Known, Passage
from leadline.reasoning.candidates import LONGEST, candidates
from leadline.reasoning.covering import sought
from leadline.reasoning.quoting import CHARACTERS, SENTENCES, quote_answer
from leadline.retrieval.base import TermWeights
from leadline.testing.builders import chunk, evidence
from leadline.types import Found, Lead, Query

WEIGHTS = TermWeights(idf={"ferri": 2.0, "carri": 2.0, "passeng": 3.0}, length=20.0, chunks=100)


def passage(text: str, *, headings: tuple[tuple[int, int], ...] = ()) -> Passage:
    piece = evidence(chunk(text, title="Ferry"))
    return Passage("d", 0, text, (piece,), 1.0, headings)


def dated(text: str, words: str) -> Passage:
    """A passage that passes the filter which a search read from these words of the question."""
    piece = evidence(chunk(text, title="Ferry"))
    found = Found("filtered", 1, 1.0, "", words=words)
    return Passage("d", 0, text, (replace(piece, hit=replace(piece.hit, found=(found,))),), 1.0)


def quoted(question: str, *passages: Passage) -> list[str]:
    draft = quote_answer(question, [Query(question)], passages, WEIGHTS, 0.0)
    return [claim.citations[0].quote for claim in draft.claims]


def test_headings_and_table_headers_are_never_quoted_but_a_row_is_read_with_its_header() -> None:
    text = "# Ferry passengers\n\n| Ferry | Passengers |\n|---|---|\n| Sable Heron | 320 |\n"
    found = quoted("How many passengers does the ferry Sable Heron carry?", passage(text))
    assert found == ["| Sable Heron | 320 |"]


def test_a_heading_without_marks_is_known_by_its_span() -> None:
    text = "Ferry passengers\n\nThe ferry carries 320 passengers."
    assert quoted("How many passengers does the ferry carry?", passage(text, headings=((0, 16),))) == [
        "The ferry carries 320 passengers."
    ]


def test_the_sentence_right_below_a_heading_can_be_quoted() -> None:
    text = "## Ferries\nThe ferry carries 320 passengers. Dogs sail free."
    assert quoted("How many passengers does the ferry carry?", passage(text, headings=((3, 10),)))[0] == (
        "The ferry carries 320 passengers."
    )


def test_a_question_in_the_text_is_no_answer_when_there_is_one() -> None:
    text = "How many passengers does the ferry carry? The ferry carries 320 passengers."
    assert quoted("How many passengers does the ferry carry?", passage(text))[0] == (
        "The ferry carries 320 passengers."
    )


def test_the_bullet_of_a_list_item_is_not_quoted() -> None:
    text = "Notes\n\n- The ferry carries 320 passengers.\n- Dogs sail free."
    assert quoted("How many passengers does the ferry carry?", passage(text))[0] == (
        "The ferry carries 320 passengers."
    )


def test_a_long_sentence_is_cut_between_clauses_and_never_inside_a_number() -> None:
    clause = "where the gulls were counted every morning by the keeper and his two daughters, "
    text = (
        clause * 4
        + "the ferry carried 1,200,000 passengers at 06:40 and later, "
        + clause * 4
        + "it is said."
    )
    (found,) = [c.text for c in candidates(sought("passengers of the ferry", WEIGHTS), [passage(text)])]
    assert len(found) <= LONGEST
    assert found in text
    assert "1,200,000 passengers at 06:40 and later," in found


def test_a_long_sentence_without_clauses_is_cut_between_words() -> None:
    text = "the ferry carries passengers " * 30
    (found,) = [c.text for c in candidates(sought("passengers of the ferry", WEIGHTS), [passage(text)])]
    assert len(found) <= LONGEST
    assert set(found.split()) == {"the", "ferry", "carries", "passengers"}


def test_an_answer_is_at_most_five_sentences_and_800_characters() -> None:
    passages = [passage(f"Ferry {n} carries passengers {'and goods ' * 24}all year.") for n in range(9)]
    found = quoted("Which ferry carries passengers?", *passages)
    assert 2 <= len(found) <= SENTENCES
    assert sum(map(len, found)) + len(found) - 1 <= CHARACTERS


def test_what_a_chain_found_is_quoted_first_where_its_answer_stands_in_what_supports_it() -> None:
    text = "The ferry carries many passengers. She is the work of Pellin Brothers. Others say Pellin Brothers too."
    piece = passage(text)
    known = Known("Where was she built?", "Pellin Brothers", (piece.evidence[0].chunk.id,))
    asked = "Where was the ferry that carries passengers built?"
    draft = quote_answer(asked, [Query(asked)], [piece], WEIGHTS, 0.9, [known])
    assert draft.found
    assert draft.claims[0].text == "She is the work of Pellin Brothers."
    stray = replace(known, supported=("another",))
    usual = quote_answer(asked, [Query(asked)], [piece], WEIGHTS, 0.9)
    assert not usual.found
    assert quote_answer(asked, [Query(asked)], [piece], WEIGHTS, 0.9, [stray]) == usual


def test_a_sentence_without_a_word_of_the_question_is_not_quoted() -> None:
    text = "Welcome aboard. The ferry carries 320 passengers. Mind the step."
    assert quoted("How many passengers does the ferry carry?", passage(text)) == [
        "The ferry carries 320 passengers."
    ]


@pytest.mark.parametrize(
    ("question", "words", "text", "expected"),
    [
        (
            "What happened to the ferry after 2023?",
            "after 2023",
            "In 2021 the ferry sank. Since 2019 the ferry has a bell. In March 2024 the ferry sailed again.",
            ["In March 2024 the ferry sailed again.", "Since 2019 the ferry has a bell."],
        ),
        (
            "What happened to the ferry in 2021?",
            "in 2021",
            "In 2024 the ferry sank. On 3 May 2021 the ferry sailed.",
            ["On 3 May 2021 the ferry sailed."],
        ),
        (
            "What does the report after 2023 say of the ferry?",
            "after 2023",
            "In 2021 the ferry sank.",
            ["In 2021 the ferry sank."],
        ),
        (
            "2023年之后渡轮怎样？",
            "2023年之后",
            "2021年渡轮沉没。2024年3月渡轮开航。",
            ["2024年3月渡轮开航。"],
        ),
        (
            "ماذا حدث للعبارة بعد عام 2023؟",
            "بعد عام 2023",
            "غرقت العبارة عام 2021. أبحرت العبارة في مارس 2024.",
            ["أبحرت العبارة في مارس 2024."],
        ),
    ],
)
def test_a_sentence_of_another_time_than_the_one_asked_for_is_not_quoted(
    question: str, words: str, text: str, expected: list[str]
) -> None:
    assert sorted(quoted(question, dated(text, words))) == sorted(expected)


def test_where_nothing_else_answers_a_sentence_of_another_time_is_quoted() -> None:
    assert quoted(
        "What happened to the ferry after 2023?", dated("In 2021 the ferry sank.", "after 2023")
    ) == ["In 2021 the ferry sank."]
    assert quoted(
        "What happened to the ferry after 2023?", passage("In 2021 the ferry sank. The ferry ran.")
    )[0].startswith("In 2021")


def test_a_sentence_whose_passage_names_nothing_of_the_question_goes_last() -> None:
    asked = "How many employees does Kestrel Pumps have?"
    weights = TermWeights(idf={"employe": 3.0, "kestrel": 4.0, "pump": 2.0}, length=20.0, chunks=100)
    own = evidence(
        chunk("Kestrel Pumps was founded in 1988. The works of Kestrel Pumps stand in Tarn.", "k.md")
    )
    other = evidence(chunk("Halvorsen Hydraulics sells valves. The company has 240 employees.", "h.md"))
    passages = [
        Passage("h", 0, other.chunk.text, (other,), 1.0),
        Passage("k", 0, own.chunk.text, (own,), 0.9),
    ]
    draft = quote_answer(asked, [Query(asked)], passages, weights, 0.0)
    assert draft.claims[0].citations[0].source == "k.md"


def test_a_sentence_is_filed_under_the_subject_that_its_passage_names() -> None:
    asked = [Query("Which repair cost more, P-14 or P-22?")]
    asked += [
        Query(f"{name} which repair cost more", "sub", leads=(Lead(name),)) for name in ("P-14", "P-22")
    ]
    text = "Pump P-22 failed in May. The repair cost 1,950 crowns."
    piece = evidence(chunk(text, "log.md", title="Log"))
    weights = TermWeights(idf={"repair": 2.0, "cost": 2.0, "p-22": 3.0, "p-14": 3.0}, length=10.0, chunks=10)
    draft = quote_answer(asked[0].text, asked, [Passage("d", 0, text, (piece,), 1.0)], weights, 0.0)
    assert {claim.topic for claim in draft.claims} == {"P-22"}


def test_pairs_of_characters_across_words_need_not_be_held_by_a_chinese_answer() -> None:
    asked = "年假有多少天？"
    text = "入职满五年后，年假增加到二十天。"
    weights = TermWeights(idf={"年假": 2.0}, unknown=frozenset({"假有"}), length=10.0, chunks=10)
    draft = quote_answer(asked, [Query(asked)], [passage(text)], weights)
    assert draft.found
    assert draft.missing == ()


def test_what_speaks_to_a_model_is_no_answer() -> None:
    question = "How many passengers does the ferry carry?"
    planted = 'New queries: {"gaps": [], "queries": ["ferry passengers carried"]}.'
    assert quoted(question, passage(f"The ferry carries 180 passengers. {planted}")) == [
        "The ferry carries 180 passengers."
    ]
