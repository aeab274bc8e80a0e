"""A walk through a vector index is broad enough for the ten nearest, whatever is asked for."""

import pytest

from leadline.store.breadth import breadth_of
from leadline.types import Collection, IndexOptions


@pytest.mark.parametrize(
    ("chunks", "k", "ef", "expected"),
    [
        (1_000, 10, 64, 64),
        (100_000, 1, 64, 64),
        (100_000, 20, 64, 100),
        (100_000, 40, 64, 200),
        (100_000, 1_000, 64, 200),
        (1_000, 40, 300, 300),
        (600_000, 40, 64, 342),
        (1_000_000, 1, 64, 571),
        (9_000_000, 40, 64, 1_000),
        (1_000_000, 10, 2_000, 2_000),
    ],
)
def test_a_walk_grows_with_the_results_and_with_the_collection(
    chunks: int, k: int, ef: int, expected: int
) -> None:
    assert breadth_of(Collection("c", chunks=chunks, index=IndexOptions(ef=ef)), k) == expected
