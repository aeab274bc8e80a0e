"""What each part earns is measured by leaving it out, and told from chance."""

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from pathlib import Path

import pytest

from leadline.errors import UsageError
from leadline.evaluation.ablation import WHOLE, Ablated, ablate, ablation_table, variations
from leadline.evaluation.bootstrap import interval
from leadline.evaluation.experiment import EvalOptions
from leadline.evaluation.setup import Setup
from leadline.testing.running import go

Opening = Callable[[], AbstractAsyncContextManager[Setup]]


def measure(opening: Opening, harbour: Path, tmp_path: Path, method: str) -> list[Ablated]:
    async def work() -> list[Ablated]:
        async with opening() as setup:
            return await ablate([harbour], method, EvalOptions(tmp_path / "data" / "evaluation"), setup)

    return go(work())


def test_every_path_and_switch_is_left_out_once(opening: Opening, harbour: Path, tmp_path: Path) -> None:
    found = measure(opening, harbour, tmp_path, "linked")
    names = [one.variation for one in found]
    assert names[0] == WHOLE
    assert {
        "without dense",
        "without keyword",
        "without linked",
        "without titles",
        "without coverage",
    } <= set(names)
    assert len(set(names)) == len(names)
    assert (found[0].difference.mean, found[0].difference.low, found[0].difference.high) == (0, 0, 0)
    assert {one.sets["harbour"].questions for one in found} == {7}
    table = ablation_table(found)
    assert table.count("\n") == 2 + len(found)
    assert table.startswith("| variation | harbour | R@5 |")
    assert json.loads(json.dumps([asdict(one) for one in found]))[0]["variation"] == WHOLE


def test_deep_search_is_measured_without_its_layers_too(opening: Opening) -> None:
    async def names() -> set[str]:
        async with opening() as setup:
            return set(variations(setup, "deep")) - set(variations(setup, "linked"))

    assert go(names()) == {f"without layer {name}" for name in ("judge", "reflect", "rerank", "rewrite")}


def test_a_method_without_parts_is_refused(opening: Opening, harbour: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Ablate `linked` or `deep`"):
        measure(opening, harbour, tmp_path, "keyword")


def test_a_steady_difference_is_a_gain_and_a_mixed_one_is_not() -> None:
    assert interval([[1.0] * 30]).is_gain
    mixed = interval([[1.0, -1.0] * 15 + [1.0]])
    assert mixed.mean > 0
    assert mixed.low < 0 < mixed.high
    assert not mixed.is_gain


def test_a_large_set_counts_as_one_set() -> None:
    assert interval([[1.0] * 1000, [-1.0] * 10]).mean == 0
