"""What a question leaves open, the answer says: which period, whom, which measure; and what else there is."""

import pytest

from leadline.citing.assuming import assumptions
from leadline.testing.builders import chunk
from leadline.types import Chunk, Citation, Claim


def quoted(of: Chunk) -> Claim:
    citation = Citation(of.document_id, of.id, of.source, of.title, of.text, of.start, of.end)
    return Claim(of.text, (citation,), "quoted")


def told(question: str, *texts: str, titles: tuple[str, ...] = (), claims: int = 1) -> tuple[str, ...]:
    """The assumptions of an answer that quotes the first `claims` texts, where all of them were found."""
    named = titles or ("Report",) * len(texts)
    pieces = [chunk(text, f"{n}.md", title=named[n]) for n, text in enumerate(texts)]
    return assumptions(question, [quoted(piece) for piece in pieces[:claims]], pieces)


def test_a_year_that_the_question_does_not_name_is_said_with_the_others() -> None:
    (said,) = told(
        "What was the revenue of Marlow Yard?",
        "The revenue of Marlow Yard in 2023 was 4.1 million.",
        "The revenue of Marlow Yard in 2022 was 3.9 million.",
        "The revenue of Velden Yard in 2019 was 2 million.",
        "In 1901 Marlow Yard was founded.",
    )
    assert (
        said == "Assumed: the question does not name a period; this is for 2023. The sources also have 2022."
    )


def test_a_year_over_the_text_counts_too() -> None:
    titles = ("Annual report 2023", "Annual report 2022")
    (said,) = told(
        "How high was the revenue?", "Revenue was 4.1 million.", "Revenue was 3.9 million.", titles=titles
    )
    assert "for 2023" in said
    assert "also have 2022" in said


def test_a_company_that_the_question_does_not_name_is_said_with_the_others() -> None:
    (said,) = told(
        "What was the revenue in 2023?",
        "The revenue of Marlow Yard in 2023 was 4.1 million.",
        "The revenue of Velden Yard in 2023 was 2 million.",
    )
    assert "about Marlow Yard" in said
    assert "also have Velden Yard" in said


def test_a_measure_of_several_kinds_is_said_with_the_others() -> None:
    (said,) = told(
        "What was the profit of Marlow Yard in 2023?",
        "Marlow Yard had a net profit of 4 million in 2023.",
        "Marlow Yard had a gross profit of 9 million in 2023.",
    )
    assert said == (
        "Assumed: the question does not say which profit is meant; this is the net profit. "
        "The sources also have gross profit."
    )


def test_chinese_measures_and_years_are_read() -> None:
    said = told(
        "马洛船厂的利润是多少？",
        "2023年马洛船厂净利润为400万元。",
        "2022年马洛船厂净利润为300万元。",
        "2023年马洛船厂毛利润为900万元。",
    )
    assert len(said) == 2
    assert "2022年" in said[0]
    assert "毛利润" in said[1]


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue of Marlow Yard in 2023?",
        "What is the latest revenue of Marlow Yard?",
        "When was the revenue of Marlow Yard highest?",
        "How did the revenue of Marlow Yard develop over the years?",
    ],
)
def test_a_question_that_says_of_what_time_it_is_leaves_no_period_open(question: str) -> None:
    texts = (
        "The revenue of Marlow Yard in 2023 was 4 million.",
        "The revenue of Marlow Yard in 2022 was 3 million.",
    )
    assert told(question, *texts) == ()


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (
            "Which yard had the highest revenue?",
            ("Marlow Yard had a revenue of 4.", "Velden Yard had a revenue of 2."),
        ),
        (
            "Who built the Osprey?",
            ("The Osprey was built in 1901 by Ada Brandt.", "Ada Brandt died in 1950."),
        ),
        ("What is the toll?", ("The toll is 4 crowns.",)),
        ("What is the quay made of?", ("The quay is made of granite.", "The wall is made of brick.")),
    ],
)
def test_what_is_not_open_or_has_no_alternative_is_not_said(question: str, texts: tuple[str, ...]) -> None:
    assert told(question, *texts) == ()


def test_an_answer_that_gives_all_periods_assumes_none() -> None:
    texts = (
        "The revenue of Marlow Yard in 2023 was 4 million.",
        "The revenue of Marlow Yard in 2022 was 3 million.",
    )
    assert told("What was the revenue of Marlow Yard?", *texts, claims=2) == ()
    assert told("What was the revenue of Marlow Yard?", *texts, claims=0) == ()
