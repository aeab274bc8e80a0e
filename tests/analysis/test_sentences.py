"""Sentences end where a reader would end them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.analysis.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Dr. Ivo Hale built it.", "It cost 3.5 million!", "Why?"],
        ["See e.g. Fig. 3 for more.", "J. R. Brandt wrote it.", "She left the U.S. Navy in 1980."],
        ["Version 2.0 is out.", "No. 5 came first."],
        ["It began on Sept. 3 in St. Ives.", "Marlow vs. Velden was drawn."],
        ['"Yes."', "He left (quietly).", "Nobody saw him!?", "The end"],
        ["बंदरगाह बड़ा है।", "वह पुराना है।"],
        ["بُني الفنار عام 1889.", "هل هو عال؟", "نعم، جدا."],
        ["یہ بندرگاہ ہے۔", "بہت بڑی ہے۔"],
    ],
)
def test_sentences_apart_by_a_space_are_told_apart(parts: list[str]) -> None:
    assert cut(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["灯塔建于1889年3月12日。", "高3.5米！", "谁建的？", "李明"],
        ["「もう来たのか？」", "彼は聞いた。", "東京は大きい。"],
    ],
)
def test_sentences_of_unspaced_scripts_are_told_apart(parts: list[str]) -> None:
    assert cut("".join(parts)) == parts


def test_a_full_stop_before_a_small_letter_ends_nothing() -> None:
    assert cut("The yard (est. circa 1900) closed. iron was dear.") == [
        "The yard (est. circa 1900) closed. iron was dear."
    ]


@pytest.mark.parametrize(
    "parts",
    [
        ["## Meals", "The allowance is 28 euros."],
        ["Meals", "=====", "The allowance is 28 euros."],
        ["Meals and hotels", "----", "The allowance is 28 euros."],
        ["The allowance - since 2023 -\nis 28 euros."],
    ],
)
def test_a_heading_ends_with_its_line_also_without_a_blank_line(parts: list[str]) -> None:
    assert cut("\n".join(parts)) == parts


def test_list_items_headings_rows_and_blank_lines_end_a_sentence() -> None:
    text = (
        "# Ferries\n\nTwo lines of\none sentence\n- the Osprey\n- the Petrel\n1. first\n| a | b |\n| 1 | 2 |"
    )
    assert cut(text) == [
        "# Ferries",
        "Two lines of\none sentence",
        "- the Osprey",
        "- the Petrel",
        "1. first",
        "| a | b |",
        "| 1 | 2 |",
    ]


@pytest.mark.parametrize("text", ["", " ", "\n \n\t\n"])
def test_blank_text_has_no_sentences(text: str) -> None:
    assert sentences(text) == []


@given(st.text(st.sampled_from("aB1 \n.!?。…؟।\"'”」-#|()Dr"), max_size=60))
def test_spans_are_trimmed_in_order_and_cover_every_visible_character(text: str) -> None:
    end = 0
    for start, stop in sentences(text):
        assert end <= start < stop <= len(text)
        assert text[end:start].strip() == ""
        assert text[start:stop] == text[start:stop].strip()
        end = stop
    assert text[end:].strip() == ""


@pytest.mark.parametrize("unit", [". ", "A. ", "!?", '!"', "\n", "\n \n", "…", "e.g. "])
def test_long_runs_of_marks_are_cut(unit: str) -> None:
    text = unit * (100_000 // len(unit)) + "\n\nThe end."
    assert cut(text)[-1] == "The end."
