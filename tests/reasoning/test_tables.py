"""Rows of tables: quoted with their header, and answered from though no cell repeats the question's verb."""

from dataclasses import replace

import pytest

from leadline.reasoning.base import Draft, Passage
from leadline.reasoning.covering import sought, understood
from leadline.reasoning.offline import OfflineReasoner
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.testing.builders import chunk, evidence
from leadline.testing.running import go
from leadline.types import Chunk, Query

WEIGHTS = TermWeights({}, chunks=50)
HEADER = "| Port | Work | Year | Cost in euro |"
ROWS = "| Marlow | dredging | 2021 | 4200 |\n| Hale | dredging | 2021 | 1900 |\n| Hale | lighting | 2023 | 12000 |"
WHOLE = f"{HEADER}\n| --- | --- | --- | --- |\n{ROWS}"
SPENT = "How much did Marlow lose on dredging in 2021?"


def table(text: str, context: str = "") -> Chunk:
    piece = replace(chunk(text, "costs.csv", title="Costs"), kind="table", context=context)
    return replace(piece, terms=chunk(f"{context}\n{text}", title="Costs").terms)


def write(question: str, *pieces: Chunk) -> Draft:
    passages = [Passage(p.document_id, p.start, p.text, (evidence(p),), 1.0) for p in pieces]
    return go(OfflineReasoner().write(question, [Query(question)], passages, WEIGHTS, Run()))


@pytest.mark.parametrize("piece", [table(WHOLE), table(ROWS, HEADER)], ids=["with header", "later part"])
def test_a_row_is_quoted_as_it_stands_with_its_header_beside_it(piece: Chunk) -> None:
    draft = write("What was the cost of dredging at Marlow in 2021?", piece)
    [citation] = draft.claims[0].citations
    assert citation.quote == draft.claims[0].text == "| Marlow | dredging | 2021 | 4200 |"
    assert piece.text[citation.start - piece.start : citation.end - piece.start] == citation.quote
    assert (citation.context, citation.kind) == (HEADER, "table")


def test_lines_of_a_ragged_table_are_rows_too() -> None:
    piece = table("name;town;boat\nAda Brandt;Marlow;Heron\nBo Lindqvist;Hale")
    [citation] = write("Which boat has Ada Brandt in Marlow?", piece).claims[0].citations
    assert (citation.quote, citation.context) == ("Ada Brandt;Marlow;Heron", "name;town;boat")


def test_a_verb_that_no_cell_repeats_does_not_hide_the_row() -> None:
    draft = write(SPENT, table(WHOLE))
    assert draft.found
    assert draft.claims[0].text == "| Marlow | dredging | 2021 | 4200 |"
    assert draft.missing == ()


@pytest.mark.parametrize(
    ("question", "row", "answers"),
    [
        (SPENT, "| Marlow | dredging | 2021 | 4200 |", True),
        (SPENT, "| Hale | dredging | 2021 | 1900 |", False),  # another name
        (SPENT, "| Marlow | dredging | 2022 | 1900 |", False),  # another year
        ("How much did Hale lose on painting?", "| Hale | dredging | 2021 | 1900 |", False),  # other work
        ("Which work did Marlow order?", "| Marlow | dredging | 2021 | 4200 |", True),  # a column it has
        ("Which colour did Marlow order?", "| Marlow | dredging | 2021 | 4200 |", False),
        ("What did Marlow invent?", "| Marlow | dredging | 2021 | 4200 |", False),  # nothing to go by
        ("When was Marlow painted?", "| Marlow | 2021-05-03 |", True),
        ("Marlow invent dredging how much?", "| Marlow | dredging | 2021 | 4200 |", False),
    ],
)
def test_a_row_answers_when_it_holds_all_but_the_verb(question: str, row: str, answers: bool) -> None:
    assert bool(understood(sought(question, WEIGHTS), f"{HEADER}\n{row}")) == answers


def test_prose_still_has_to_say_what_was_done() -> None:
    piece = chunk("Marlow, dredging, 2021: 4200.", "a.md", title="T")
    assert write(SPENT, piece).missing == ("lose",)


def test_a_picture_is_quoted_by_its_words_and_not_by_its_markup() -> None:
    words = "Plan of the Marlow dredging works in 2021"
    piece = replace(chunk(f"![{words}](img/plan.png)", "a.md", title="Works"), kind="figure")
    [citation] = write("Where is the plan of the Marlow dredging works?", piece).claims[0].citations
    assert (citation.quote, citation.kind) == (words, "figure")
    assert piece.text[citation.start : citation.end] == words
