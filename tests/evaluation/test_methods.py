"""Recall is measured before and after reranking, where there is a reranker."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.analysis.terms import analyse
from leadline.errors import UsageError
from leadline.evaluation.ablation import variations
from leadline.evaluation.experiment import EvalOptions, evaluate_retrieval
from leadline.evaluation.figures import Figures
from leadline.evaluation.methods import available
from leadline.evaluation.setup import Setup
from leadline.run import Run
from leadline.testing.running import go

Opening = Callable[[], AbstractAsyncContextManager[Setup]]


class FewestSharedWords:
    """Puts what shares the fewest words with the question first: a reranker that can only make things worse."""

    name = "fewest"
    scripts = None

    async def rerank(self, question: str, passages: Sequence[str], run: Run) -> list[float]:
        asked = set(analyse(question))
        return [1 / (1 + len(asked & set(analyse(passage)))) for passage in passages]


def test_the_reranker_decides_the_order_after_and_not_before(
    opening: Opening, harbour: Path, tmp_path: Path
) -> None:
    async def work() -> list[Figures]:
        async with opening() as bare:
            setup = replace(bare, reranker=FewestSharedWords())
            assert available(setup) == ["dense", "keyword", "hybrid", "linked", "reranked", "deep"]
            assert "without reranker" in variations(setup, "linked")
            how = EvalOptions(tmp_path / "data" / "evaluation")
            return await evaluate_retrieval([harbour], ["linked", "reranked"], how, setup)

    before, after = go(work())
    assert before.mrr_at_10 > 0.8
    assert after.mrr_at_10 < before.mrr_at_10
    assert after.recall[10] <= before.recall[10]


def test_without_a_reranker_there_is_nothing_to_measure_after(
    opening: Opening, harbour: Path, tmp_path: Path
) -> None:
    async def work() -> None:
        async with opening() as setup:
            assert "reranked" not in available(setup)
            how = EvalOptions(tmp_path / "data" / "evaluation")
            await evaluate_retrieval([harbour], ["reranked"], how, setup)

    with pytest.raises(UsageError, match="needs a reranker"):
        go(work())
