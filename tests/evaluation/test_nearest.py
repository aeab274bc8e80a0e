"""Recall of the vector index is against the cosines of all chunks."""

from collections.abc import AsyncIterator

import numpy as np
import pytest

from leadline.errors import UsageError
from leadline.evaluation.nearest import Nearness, index_table, least_of_best
from leadline.ingest import entry
from leadline.store.base import Entry
from leadline.testing.builders import document
from leadline.testing.running import go

RANDOM = np.random.default_rng(3)
VECTORS = RANDOM.standard_normal((30, 8)).astype(np.float32)


async def entries(*, bare: bool = False) -> AsyncIterator[Entry]:
    for number in range(0, 30, 3):
        made = entry(document(f"Text {number}.", f"{number}.md"), None)
        yield (
            made
            if bare
            else Entry(made.document, made.sections, made.chunks, VECTORS[number : number + 3], "")
        )


def test_the_bound_is_the_cosine_of_the_tenth_nearest() -> None:
    questions = RANDOM.standard_normal((4, 8)).astype(np.float32)
    units = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)
    cosines = (questions / np.linalg.norm(questions, axis=1, keepdims=True)) @ units.T
    assert go(least_of_best(entries(), questions, 10)) == pytest.approx(
        np.sort(cosines, axis=1)[:, -10], abs=1e-6
    )


def test_a_collection_without_vectors_or_too_small_is_refused() -> None:
    with pytest.raises(UsageError, match="no vectors"):
        go(least_of_best(entries(bare=True), VECTORS[:1], 10))
    with pytest.raises(UsageError, match="30 chunks"):
        go(least_of_best(entries(), VECTORS[:1], 31))


def test_the_table_names_the_collections_own_breadth() -> None:
    assert "| as configured | 0.981 | 1.3 |" in index_table([Nearness(None, 0.9812, 1.26)]).replace(
        "--:", "---"
    )
