"""Evidence in a model's context: the best of it, never more than fits, and what is left out is counted."""

from hypothesis import given
from hypothesis import strategies as st

from leadline.llm.packing import CUT, FENCE, LEAST, beginning, pack
from leadline.llm.tokens import estimated_tokens

LONG = "The keeper wrote the log in ink. " * 40


def test_all_that_fits_is_shown_in_its_order() -> None:
    packing = pack(["one", "two", "three"], 1_000)
    assert (packing.shown, packing.left_out) == (((0, "one"), (1, "two"), (2, "three")), 0)


def test_the_best_go_first_and_what_does_not_fit_is_counted() -> None:
    packing = pack(["high " * 20, "mid " * 20, "low " * 20], 100)
    assert [place for place, _ in packing.shown] == [0, 1]
    assert packing.left_out == 1


def test_a_long_piece_keeps_no_shorter_one_out() -> None:
    packing = pack(["short", LONG, "also short"], 100)
    assert [place for place, _ in packing.shown] == [0, 2]


def test_the_best_is_shown_even_where_it_must_be_cut() -> None:
    packing = pack([LONG, "short"], 100)
    text = packing.shown[0][1]
    assert text.endswith(CUT)
    assert LONG.startswith(text.removesuffix(CUT))
    assert packing.left_out == 1


def test_characters_are_a_limit_of_their_own() -> None:
    packing = pack(["a" * 50, "b" * 60, "c" * 40], 10_000, characters=100)
    assert [place for place, _ in packing.shown] == [0, 2]


def test_nothing_is_packed_of_nothing() -> None:
    assert pack([], 100).shown == ()


def test_a_context_that_is_too_small_still_gets_a_beginning() -> None:
    packing = pack([LONG], -500)
    assert 0 < estimated_tokens(packing.shown[0][1]) <= LEAST


@given(
    st.lists(st.text(min_size=1, max_size=400), min_size=1, max_size=8),
    st.integers(LEAST + FENCE, 600),
    st.integers(10, 2_000),
)
def test_what_is_shown_never_exceeds_what_fits(pieces: list[str], tokens: int, characters: int) -> None:
    packing = pack(pieces, tokens, characters)
    shown = [text for _, text in packing.shown]
    assert sum(map(estimated_tokens, shown)) + FENCE * len(shown) <= tokens + 1
    assert sum(map(len, shown)) <= characters
    assert len(shown) + packing.left_out == len(pieces)


@given(st.text(max_size=300), st.integers(1, 60), st.integers(2, 200))
def test_a_beginning_is_one(text: str, tokens: int, characters: int) -> None:
    kept = beginning(text, tokens, characters)
    assert kept == text or text.startswith(kept.removesuffix(CUT))
    assert len(kept) <= max(characters, len(CUT))
