"""Finished rows outlive a kill at any moment."""

from pathlib import Path

import pytest

from leadline.errors import UsageError
from leadline.evaluation.finished import FinishedRows


def test_rows_are_there_again_after_opening(tmp_path: Path) -> None:
    file = tmp_path / "rows" / "set.jsonl"
    rows = FinishedRows.open(file)
    rows.append({"id": "q1", "ranking": ["a", "ü"]})
    rows.append({"id": "q2", "ranking": []})
    assert FinishedRows.open(file).rows == rows.rows
    assert list(rows.rows) == ["q1", "q2"]


@pytest.mark.parametrize("cut", range(1, 22))
def test_a_last_line_cut_anywhere_is_dropped_and_can_be_written_again(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "set.jsonl"
    rows = FinishedRows.open(file)
    rows.append({"id": "q1", "ms": 1})
    rows.append({"id": "q2", "ms": 2})
    assert file.stat().st_size == 2 * 22
    file.write_bytes(file.read_bytes()[:-cut])
    torn = FinishedRows.open(file)
    assert list(torn.rows) == ["q1"]
    torn.append({"id": "q2", "ms": 3})
    assert [row["ms"] for row in FinishedRows.open(file).rows.values()] == [1, 3]


def test_a_broken_line_that_no_kill_leaves_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text('{"id": "q1"}\nnonsense\n{"id": "q2"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"set\.jsonl:2 is not a row\. Start again with --fresh"):
        FinishedRows.open(file)


def test_fresh_forgets_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    FinishedRows.open(file).append({"id": "q1"})
    assert not FinishedRows.open(file, fresh=True).rows
    assert not file.exists()
