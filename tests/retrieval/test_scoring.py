"""BM25 by hand, and where weights come from."""

import math

import pytest

from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import aboutness, phrase, rarity, titles, whole
from leadline.retrieval.scoring import bm25, idf, saturations, shares
from leadline.testing.builders import chunk
from leadline.types import Chunk


def held(terms: str) -> Chunk:
    return Chunk("c", "d", "s", 0, 0, 1, "x", "a.md", "", terms=terms)


def test_idf_is_lucenes_and_never_negative() -> None:
    assert idf(1, 3) == pytest.approx(math.log(8 / 3))
    assert idf(0, 3) == pytest.approx(math.log(8))
    assert idf(3, 3) == pytest.approx(math.log(8 / 7)) != 0


def test_saturation_grows_with_frequency_and_shrinks_with_length() -> None:
    three = held("ferri ferri bay")
    assert saturations(three, ["ferri", "yard"], 3.0) == {"ferri": pytest.approx(2 / 3.2)}
    assert saturations(three, ["ferri"], 1.5) == {"ferri": pytest.approx(2 / (2 + 1.2 * (0.6 + 0.4 * 2)))}
    assert saturations(held(""), ["ferri"], 3.0) == {}
    assert saturations(three, ["ferri", "ferri"], 3.0) == saturations(three, ["ferri"], 3.0)


def test_the_score_is_the_sum_of_idf_times_saturation() -> None:
    weights = TermWeights({"ferri": 2.0, "bay": 0.5}, frozenset({"yard"}), 3.0, 10)
    part = saturations(held("ferri ferri bay"), ["ferri", "bay", "yard"], weights.length)
    assert bm25(part, weights) == pytest.approx(2.0 * 2 / 3.2 + 0.5 * 1 / 2.2)


def test_shares_add_up_to_one_and_unknown_terms_count_as_the_rarest() -> None:
    weights = TermWeights({"ferri": math.log(8) / 2}, frozenset({"yard"}), 3.0, 3)
    assert shares(["ferri", "yard", "ferri"], weights) == {
        "ferri": pytest.approx(1 / 3),
        "yard": pytest.approx(2 / 3),
    }
    assert shares([], weights) == {}


def test_a_phrase_is_found_at_word_ends_only_and_not_across_title_and_text() -> None:
    piece = chunk("Star of the bay.", title="The Mirren")
    assert phrase("Mirren Star") not in whole(piece)
    assert phrase("star of the bay") in whole(piece)
    assert phrase("tar of the bay") not in whole(piece)


def test_a_title_counts_with_and_without_its_brackets() -> None:
    assert titles(chunk("x", title="Osprey (ferry)")) == {" osprey ferri ", " osprey "}


@pytest.mark.parametrize(
    ("text", "title", "value"),
    [
        ("A boat.", "Mirren Yard", 1.0),
        ("A boat.", "Mirren Yard (company)", 1.0),
        ("A boat.", "History of the Mirren Yard", 0.6),
        ("In the Mirren Yard it lay.", "Boats", 0.6),
        ("One two three four five Mirren Yard.", "Boats", 0.6),
        ("One two three four five six Mirren Yard.", "Boats", 0.4),
        ("A yard in Mirren.", "Boats", 0.0),
    ],
)
def test_a_chunk_is_about_a_name_by_where_it_stands(text: str, title: str, value: float) -> None:
    assert aboutness(phrase("Mirren Yard"), chunk(text, title=title)) == value


def test_rarity_is_that_of_the_rarest_word() -> None:
    weights = TermWeights({"mirren": math.log(8 / 3), "yard": 0.1}, chunks=3)
    assert rarity(phrase("Mirren Yard"), weights) == pytest.approx(math.log(8 / 3) / math.log(4))
    assert rarity(phrase("Velden"), weights) == 0.0
    assert rarity(phrase("Velden"), TermWeights(chunks=1)) == 1.0
