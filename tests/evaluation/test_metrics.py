"""Ranking metrics, against values worked out by hand."""

import math
from fractions import Fraction

import pytest

from leadline.evaluation.metrics import (
    all_gold_at,
    distinct,
    hit_at,
    mean,
    ndcg_at,
    places_of,
    recall_at,
    reciprocal_rank_at,
)

RANKING = ["x", "a", "a", "y", "b", "z", "c"]
PLACES = places_of(RANKING, {"a", "b", "c"})


def test_an_id_counts_at_its_first_place_only() -> None:
    assert distinct(RANKING) == ("x", "a", "y", "b", "z", "c")
    assert PLACES == [2, 4, 6]


@pytest.mark.parametrize(
    ("k", "recall", "whole"),
    [(1, Fraction(0), 0), (2, Fraction(1, 3), 0), (4, Fraction(2, 3), 0), (5, Fraction(2, 3), 0), (6, Fraction(1), 1),
     (10, Fraction(1), 1)],
)  # fmt: skip
def test_recall_and_all_gold_grow_with_the_depth(k: int, recall: Fraction, whole: int) -> None:
    assert recall_at(PLACES, k) == float(recall)
    assert all_gold_at(PLACES, k) == whole


def test_hit_and_reciprocal_rank_look_at_the_first_gold_id() -> None:
    assert (hit_at(PLACES, 1), hit_at(PLACES, 2)) == (0, 1)
    assert reciprocal_rank_at(PLACES, 10) == float(Fraction(1, 2))
    assert reciprocal_rank_at(PLACES, 1) == 0
    assert reciprocal_rank_at(places_of([], {"a"}), 10) == 0


def test_ndcg_discounts_by_the_logarithm_of_the_place() -> None:
    gain = 1 / math.log2(3) + 1 / math.log2(5) + 1 / math.log2(7)
    best = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg_at(PLACES, 10) == pytest.approx(gain / best)
    assert ndcg_at([1, 2, 3], 10) == 1
    assert ndcg_at(places_of(["a", "x"], {"a", "b", "c", "d"}), 1) == 1


def test_one_result_that_holds_two_gold_things_is_no_better_than_perfect() -> None:
    assert ndcg_at([1, 1], 10) == 1
    assert recall_at([1, 1], 1) == 1


def test_the_mean_of_nothing_is_zero() -> None:
    assert mean([]) == 0
    assert mean([1, 0, 0]) == float(Fraction(1, 3))
