"""Names are capitalised spans and what stands in quotes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.analysis.names import name_spans, names, parts, subjects


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The hull was drawn by Ada Brandt of the Mirren Yard.", ["Ada Brandt of the Mirren Yard"]),
        ("When did Ada Brandt die?", ["Ada Brandt"]),
        ("A yard of Ivo Hale's was sold.", ["Ivo Hale"]),
        ("J. R. Hale came with O'Neill and Jean-Luc.", ["J. R. Hale", "O'Neill and Jean-Luc"]),
        ("the Boeing 747 flew", ["Boeing 747"]),
        ("the Expo 1967 was near Lot 19670", ["Expo 1967", "Lot"]),
        ("the XR-2000 engine by Marlow", ["XR-2000", "Marlow"]),
        ("She met Ludwig van der Berg.", ["Ludwig van der Berg"]),
        ("After 1980 she left 《海港志》和「灯塔」.", ["海港志", "灯塔"]),
        ('he read "Notes on Tides" and “the long way”', ["Notes on Tides", "the long way"]),
        ("it met Ada.\n\nBrandt Yard closed", ["Ada", "Brandt Yard"]),
        ("Ada Brandt wrote it, and Ada Brandt sold it.", ["Ada Brandt"]),
        ("nothing here", []),
        ("", []),
    ],
)
def test_names_are_found_in_order_and_once(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize("text", ["Ferries run daily.", "However, it sank.", "In May it sank."])
def test_a_single_capital_that_opens_a_sentence_or_names_a_month_is_no_name(text: str) -> None:
    assert names(text) == []


def test_names_joined_by_and_are_two_subjects() -> None:
    assert subjects("Are Ada Brandt and Ivo Hale of the Mirren Yard related?") == [
        "Ada Brandt",
        "Ivo Hale",
        "Mirren Yard",
    ]


def test_a_name_has_parts_only_when_a_connector_joins_several() -> None:
    assert parts("Ada Brandt of the Mirren Yard") == ["Ada Brandt", "Mirren Yard"]
    assert parts("Ada Brandt") == []


def test_a_run_too_long_for_one_name_is_cut_at_its_connectors() -> None:
    assert names("in the Battle of the Old Bay Bridge of the Great North Sea of Long Names") == [
        "Battle",
        "Old Bay Bridge",
        "Great North Sea",
        "Long Names",
    ]


@given(st.text(st.sampled_from("abAB .,'’\"“”《》\n0-of &"), max_size=50))
def test_spans_are_ordered_do_not_overlap_and_are_not_blank(text: str) -> None:
    end = 0
    for start, stop in name_spans(text):
        assert end <= start < stop <= len(text)
        assert text[start:stop].strip()
        end = stop


@pytest.mark.parametrize("unit", ["Abc of ", "Abc ", "A-", "A's ", "《a", "“", '"A', "Ab.c. "])
def test_long_runs_of_one_pattern_are_read(unit: str) -> None:
    text = unit * (100_000 // len(unit)) + "\n\nIt met Ada Brandt."
    assert "Ada Brandt" in names(text)
