"""Which names of the evidence are followed."""

import math

import pytest

from leadline.reasoning.bridging import gap_queries, leads
from leadline.retrieval.base import TermWeights
from leadline.testing.builders import chunk, evidence
from leadline.types import Lead, Query

WORDS = "ada brandt velden hall tarn hollow mirren yard osprey"
EVEN = TermWeights(dict.fromkeys(WORDS.split(), math.log(100)), chunks=99)
QUESTION = "Who owns the Osprey?"


def names(
    text: str, *, title: str = "Page", asked: tuple[Query, ...] = (), question: str = QUESTION
) -> list[str]:
    found = leads(question, asked, [evidence(chunk(text, "a.md", title=title))], EVEN, 24)
    return sorted(lead.name for lead in found)


def test_a_name_is_followed_with_the_chunk_that_names_it() -> None:
    piece = chunk("It went to Ada Brandt.", "a.md", title="Page")
    assert leads(QUESTION, (), [evidence(piece)], EVEN, 24) == [Lead("Ada Brandt", piece.id)]


def test_names_of_the_question_and_the_chunks_own_title_are_not_followed() -> None:
    assert names("The Osprey left the Mirren Yard. It was seen off Velden.", title="Mirren Yard") == [
        "Velden"
    ]


def test_a_name_is_followed_once() -> None:
    asked = (Query("Velden", "gap", 2, (Lead("Velden", "x"),)),)
    assert names("It lay in Velden. It lay in Tarn Hollow.", asked=asked) == ["Tarn Hollow"]


@pytest.mark.parametrize(
    "text",
    [
        "It was built in March 1953.",
        "It has the XR-2000.",
        "They met on 12 May 1980.",
        "See gross_Tonnage here.",
        "It is U5.",
    ],
)
def test_dates_and_codes_are_not_followed(text: str) -> None:
    assert names(text) == []


def test_a_joined_name_is_followed_whole_and_in_its_parts() -> None:
    found = names("It was sold by Ada Brandt of the Mirren Yard.")
    assert found == ["Ada Brandt", "Ada Brandt of the Mirren Yard", "Mirren Yard"]


def test_rarer_names_of_better_evidence_come_first() -> None:
    weights = TermWeights({"velden": math.log(100), "hollow": math.log(100) / 2}, chunks=99)
    both = evidence(chunk("It lay in Velden. It lay in Hollow.", "a.md", title="Page"), 0.5)
    found = leads(QUESTION, (), [both], weights, 24)
    assert [lead.name for lead in found] == ["Velden", "Hollow"]
    better = evidence(chunk("It lay in Hollow.", "b.md", title="Page"), 3.0)
    found = leads(QUESTION, (), [both, better], weights, 24)
    assert found == [Lead("Hollow", better.chunk.id), Lead("Velden", both.chunk.id)]
    assert leads(QUESTION, (), [both, better], weights, 1) == found[:1]


def test_only_the_best_twenty_pieces_of_evidence_are_read_for_names() -> None:
    dull = [evidence(chunk("Nothing.", f"{n}.md", title="Page")) for n in range(19)]
    telling = evidence(chunk("It lay in Velden.", "a.md", title="Page"))
    assert [lead.name for lead in leads(QUESTION, (), [*dull, telling], EVEN, 24)] == ["Velden"]
    assert leads(QUESTION, (), [*dull, dull[0], telling], EVEN, 24) == []


def test_gap_queries_hold_eight_names_each_and_are_limited() -> None:
    many = [Lead(f"Name {number}", "c") for number in range(20)]
    found = gap_queries(many, 2, 3)
    assert [len(query.leads) for query in found] == [8, 8, 4]
    assert found[2].text == "Name 16; Name 17; Name 18; Name 19"
    assert {(query.kind, query.round) for query in found} == {("gap", 2)}
    assert len(gap_queries(many, 2, 2)) == 2
    assert gap_queries([], 2, 3) == []
