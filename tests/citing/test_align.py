"""Quotes are found where they really stand, or not at all."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.citing.align import locate_all
from leadline.citing.edges import Span

TOWER = (
    "Marlow Light was first lit on 31 March 1889. It was painted red and white in 1902. "
    "The keeper, Ada Brandt, wrote that the lamp could be seen from twelve miles away. "
    "After the storm of 1953 the gallery was rebuilt in cast iron."
)


def locate(text: str, quote: str, around: Span | None = None) -> Span | None:
    """The one span, or None."""
    spans = locate_all(text, quote, around)
    return spans[0] if len(spans) == 1 else None


def found(text: str, quote: str, around: tuple[int, int] | None = None) -> str | None:
    span = locate(text, quote, around)
    return None if span is None else text[span[0] : span[1]]


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        (TOWER, "painted red and white in 1902", "painted red and white in 1902"),
        (TOWER, "PAINTED  red\nand white", "painted red and white"),
        ("“It’s done,” she said.", '"It\'s done," she said', "“It’s done,” she said"),
        ("from 1914–1918 — the war", "1914-1918 - the war", "1914–1918 — the war"),
        ("a co\u00adoper\u00adation of yards", "cooperation of yards", "co\u00adoper\u00adation of yards"),
        ("the \u202bname\u202c of it", "the name of it", "the \u202bname\u202c of it"),
        ("an eﬃcient ﬁnish", "efficient finish", "eﬃcient ﬁnish"),
        ("Ｆｕｌｌ ｗｉｄｔｈ １２３", "full width 123", "Ｆｕｌｌ ｗｉｄｔｈ １２３"),
        ("灯塔建于 1889\n年，高四十米。", "灯塔建于１８８９年", "灯塔建于 1889\n年"),
        ("كَتَبَ الوَلَدُ الدَّرْسَ.", "كتب الولد الدرس", "كَتَبَ الوَلَدُ الدَّرْسَ"),
        ("بُني عام ١٨٨٩ قرب الميناء", "بني عام 1889", "بُني عام ١٨٨٩"),
        ("ประภาคารสร้างขึ้นในปี 1889", "สร้างขึ้นในปี", "สร้างขึ้นในปี"),
        ("A caf\u0065\u0301 by the sea", "café by", "caf\u0065\u0301 by"),
        ("ok 👩‍🚒👍🏽 done", "👩‍🚒👍", "👩‍🚒👍🏽"),
    ],
)
def test_a_quote_is_found_in_spite_of_how_it_is_written(text: str, quote: str, expected: str) -> None:
    assert found(text, quote) == expected


@pytest.mark.parametrize("quote", ["", "  \n\t ", "...", "\u200b", "''", "“”", " … … "])
def test_a_quote_of_nothing_is_nowhere(quote: str) -> None:
    assert locate(TOWER, quote) is None


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("opened in 2012.", "12", "2012"),
        ("on 112 March", "12 March", "112 March"),
        ("it rose 3.5 per cent", "5 per cent", "3.5 per cent"),
        ("at -40 degrees", "40 degrees", "-40 degrees"),
        ("1,200 men", "200 men", "1,200 men"),
        ("a lighthouse", "a light", "a lighthouse"),
        ("2012年12月", "12月", "12月"),
    ],
)
def test_a_span_never_cuts_a_word_or_a_number(text: str, quote: str, expected: str) -> None:
    assert found(text, quote) == expected


def test_a_whole_word_is_preferred_to_an_earlier_part_of_one() -> None:
    text = "Redcarts passed. The red cart stopped. A cart came."
    assert locate(text, "cart") == (text.index("cart stopped"), text.index(" stopped"))


def test_a_slightly_wrong_quote_is_put_right() -> None:
    quote = "The keeper Ada Brant wrote the lamp could be seen from twelve miles away"
    expected = "The keeper, Ada Brandt, wrote that the lamp could be seen from twelve miles away."
    assert found(TOWER, quote) == expected


def test_a_hyphen_at_a_line_end_is_no_obstacle() -> None:
    text = "The gallery was com-\npletely rebuilt in cast iron after it."
    assert found(text, "gallery was completely rebuilt in cast iron") == text[:-10]


@pytest.mark.parametrize(
    "quote",
    [
        "The harbour office closed its doors in the autumn of 1931.",
        "Marlow Light was first lit, then the gallery was rebuilt in cast iron",
        "Ada Brant",
        "painted blue",
        "灯塔建于一八八九年",
    ],
)
def test_what_is_not_there_is_not_found(quote: str) -> None:
    assert locate(TOWER, quote) is None


def test_a_text_shorter_than_the_quote_does_not_hold_it() -> None:
    assert locate("Marlow Light", TOWER) is None
    assert locate("", "Marlow Light") is None


def test_the_place_named_is_searched_first() -> None:
    text = "It was closed. " * 40
    start = text.index("It was closed.", 450)
    assert locate(text, "it was closed", (start - 5, start + 20)) != locate(text, "it was closed")


@pytest.mark.parametrize("around", [(9999, 10010), (-5, 3), (7, 7), (20, 10)])
def test_a_wrong_place_costs_nothing(around: tuple[int, int]) -> None:
    assert found(TOWER, "painted red and white", around) == "painted red and white"


def test_pieces_that_stand_close_become_one_span() -> None:
    assert found(TOWER, "painted red ... in 1902") == "painted red and white in 1902"
    assert found(TOWER, "Marlow Light […] painted red") == TOWER[: TOWER.index(" and white")]


def test_pieces_far_apart_stay_apart() -> None:
    text = TOWER + " Nothing else happened." * 60 + " The light was sold in 1990."
    spans = locate_all(text, "painted red and white … The light was sold in 1990")
    assert [text[start:end] for start, end in spans] == [
        "painted red and white",
        "The light was sold in 1990",
    ]
    assert locate(text, "painted red and white … The light was sold in 1990") is None


def test_pieces_out_of_order_or_absent_are_not_a_quote() -> None:
    assert locate_all(TOWER, "in cast iron … first lit on 31 March") == ()
    assert locate_all(TOWER, "first lit on 31 March … sold to a brewery") == ()


def test_an_ellipsis_of_the_source_itself_is_kept() -> None:
    assert found("He paused... then left the room.", "He paused... then left") == "He paused... then left"


@pytest.mark.parametrize("letters", ["abcdefghijklmnopqrst", "灯塔建于港口城市海岸石墙船只货物年月"])
def test_five_megabytes_take_no_more_than_seconds(letters: str) -> None:
    draw = random.Random(7)
    words = ["".join(draw.choices(letters, k=draw.randint(3, 9))) for _ in range(3000)]
    text = " ".join(draw.choices(words, k=700_000))
    start = text.index(" ", len(text) * 4 // 5) + 1
    quote = text[start : text.index(" ", start + 150)]
    began = time.process_time()
    assert locate(text, quote.upper()) == (start, start + len(quote))
    wrong = quote[:40] + "x" + quote[41:90] + "yz" + quote[92:]
    span = locate(text, wrong)
    assert span is not None
    assert abs(span[0] - start) < 30
    assert locate(text, "that this was never said by anybody anywhere " * 4) is None
    assert time.process_time() - began < 15


@given(st.text(max_size=300), st.integers(0, 300), st.integers(1, 60))
def test_every_slice_is_found_in_its_text(text: str, start: int, length: int) -> None:
    quote = text[start : start + length]
    span = locate(text, quote)
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(text)
    elif any(character.isalnum() for character in quote) and "..." not in quote and "…" not in quote:
        assert "⋯" in quote or ". . ." in quote
