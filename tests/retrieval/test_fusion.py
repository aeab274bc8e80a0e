"""Ranked lists put into one, by exact fractions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.retrieval.fusion import normalised, reciprocal_rank

SCORES = st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 20.0), max_size=6)
COSINES = st.dictionaries(st.sampled_from("defghi"), st.floats(-1.0, 1.0), max_size=6)


def test_reciprocal_ranks_add_up_over_the_lists() -> None:
    assert reciprocal_rank([["a", "b"], ["b", "c"]]) == {
        "a": pytest.approx(float(Fraction(1, 61))),
        "b": pytest.approx(float(Fraction(1, 62) + Fraction(1, 61))),
        "c": pytest.approx(float(Fraction(1, 62))),
    }


def test_weights_scale_each_list() -> None:
    found = reciprocal_rank([["a"], ["b", "a"]], [0.75, 0.25], k=1)
    assert found == {"a": pytest.approx(0.75 / 2 + 0.25 / 3), "b": pytest.approx(0.25 / 2)}


def test_one_weight_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        reciprocal_rank([["a"], ["b"]], [1.0])


def test_normalised_scores_are_shares_of_the_best() -> None:
    found = normalised({"a": 4.0, "b": 1.0}, {"b": 0.9, "c": 0.5, "d": 0.1}, 0.25)
    assert found == {"a": 0.75, "b": 0.75 / 4 + 0.25, "c": 0.125, "d": 0.0}


def test_between_background_and_best_the_cosine_counts_in_part() -> None:
    found = normalised({"z": 1.0}, {"a": 0.9, "b": 0.7, "c": 0.5, "d": 0.3, "e": 0.1}, 0.5)
    assert found["b"] == pytest.approx(0.5 * (0.7 - 0.1) / (0.9 - 0.1))
    assert found["e"] == 0.0


@pytest.mark.parametrize("more", [0, 1, 50, 150])
def test_candidates_beyond_the_fiftieth_change_nothing(more: int) -> None:
    cosines = {f"d{rank}": 0.9 - 0.004 * rank for rank in range(1, 51 + more)}
    found = normalised({"a": 1.0}, cosines, 0.5)
    assert found["d1"] == pytest.approx(0.5)
    assert found["d26"] == pytest.approx(0.5 * 24 / 49)
    assert {rank for rank in range(1, 51 + more) if found[f"d{rank}"] <= 0} == set(range(50, 51 + more))


@pytest.mark.parametrize(
    ("keyword", "dense", "fused"),
    [
        ({"a": 2.0, "b": 1.0}, {}, {"a": 1.0, "b": 0.5}),
        ({}, {"a": 0.9, "b": 0.1}, {"a": 1.0, "b": 0.0}),
        ({}, {"a": 0.4}, {"a": 1.0}),
        ({}, {}, {}),
    ],
)
def test_when_one_path_is_empty_the_other_stands_alone(
    keyword: dict[str, float], dense: dict[str, float], fused: dict[str, float]
) -> None:
    assert normalised(keyword, dense, 0.25) == pytest.approx(fused)


@given(SCORES, COSINES, st.floats(0.0, 1.0))
def test_every_item_has_a_score_from_0_to_1(
    keyword: dict[str, float], dense: dict[str, float], weight: float
) -> None:
    found = normalised(keyword, dense, weight)
    assert keyword.keys() <= found.keys() <= keyword.keys() | dense.keys()
    assert all(0 <= score <= 1 + 1e-9 for score in found.values())


@given(SCORES, COSINES, st.floats(0.0, 0.9))
def test_what_only_keywords_found_keeps_their_order(
    keyword: dict[str, float], dense: dict[str, float], weight: float
) -> None:
    found = normalised(keyword, dense, weight)
    alone = sorted(keyword.keys() - dense.keys(), key=lambda key: keyword[key])
    assert [found[key] for key in alone] == sorted(found[key] for key in alone)
