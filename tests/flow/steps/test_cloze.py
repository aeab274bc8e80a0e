"""Questions made of sentences: each answer is what the sentence lacks."""

import pytest

from leadline.errors import RowFailed
from leadline.flow.base import Row
from leadline.flow.running.running import collected
from leadline.flow.steps.cloze import GAP, Cloze
from leadline.testing.running import go

TEXT = """# The tide mill

The tide mill was built in 1784 by the miller of the bay. It was drawn by Ada Brandt of the Mirren Yard, who came later.
Short one. It has no telling thing at all in its words. In 1911 they sold it, and in 1911 it burned.

| a | table 5 |
"""


def pairs(text: str, title: str = "The tide mill", most: int = 9) -> list[Row]:
    (row,) = go(collected(Cloze(most=most), [{"text": text, "title": title}]))
    return row["pairs"]


def test_a_number_or_else_a_name_is_left_out() -> None:
    found = pairs(TEXT)
    assert [pair["answer"] for pair in found] == ["1784", "Ada Brandt of the Mirren Yard"]
    assert found[0]["question"] == "The tide mill: The tide mill was built in ____ by the miller of the bay."


def test_what_was_left_out_put_back_gives_the_quote_and_the_quote_stands_in_the_text() -> None:
    for pair in pairs(TEXT):
        assert TEXT[pair["start"] : pair["end"]] == pair["quote"]
        question = pair["question"].removeprefix("The tide mill: ")
        assert question.replace(GAP, pair["answer"]) == pair["quote"]


def test_what_the_title_tells_is_not_asked() -> None:
    assert [
        pair["answer"] for pair in pairs("The works of 1784 were sold to Ada Brandt in spring.", "1784")
    ] == ["Ada Brandt"]


def test_other_scripts_have_questions_too() -> None:
    (pair,) = pairs("这座潮汐磨坊建于1784年，由当地人建造。", "磨坊")
    assert pair["answer"] == "1784"
    assert pair["question"] == "磨坊: 这座潮汐磨坊建于____年，由当地人建造。"


def test_there_are_no_more_than_wanted_and_none_of_what_is_no_text() -> None:
    assert len(pairs(TEXT, most=1)) == 1
    assert pairs("Nothing.") == []
    with pytest.raises(RowFailed, match="`text`"):
        go(collected(Cloze(), [{"text": 5}]))
