"""Two runs are compared question by question, and a difference that chance explains is not called one."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from leadline.errors import UsageError
from leadline.evaluation.paired import compare, compared_table


def written(file: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def rows(right: int, *, ms: float, of: int = 60) -> Sequence[Mapping[str, object]]:
    return [{"set": "harbour", "id": f"q{n}", "contains": n < right, "ms": ms + n} for n in range(of)]


def test_a_clear_gain_and_a_cost_are_named_and_chance_is_not(tmp_path: Path) -> None:
    first = written(tmp_path / "a.jsonl", rows(20, ms=10))
    found = {one.metric: one for one in compare(first, written(tmp_path / "b.jsonl", rows(40, ms=15)))}
    assert set(found) == {"contains", "ms"}
    assert (found["contains"].verdict, found["ms"].verdict) == ("better", "worse")
    assert found["contains"].difference.mean == pytest.approx(1 / 3)
    assert found["contains"].difference.low > 0
    close = {one.metric: one.verdict for one in compare(first, written(tmp_path / "c.jsonl", rows(21, ms=9)))}
    assert close == {"contains": "no difference shown", "ms": "better"}


def test_only_questions_of_both_are_compared_and_support_only_where_it_is_known(tmp_path: Path) -> None:
    one = [
        {"set": "s", "id": "1", "recall": 1.0, "supported": True, "answered": True},
        {"set": "s", "id": "2", "recall": 0.0, "supported": False, "answered": False},
        {"set": "s", "id": "only here", "recall": 0.0, "answered": False},
    ]
    other = [{**row, "answered": True} for row in one[:2]]
    found = {
        each.metric: each
        for each in compare(written(tmp_path / "a.jsonl", one), written(tmp_path / "b.jsonl", other))
    }
    assert (found["recall"].questions, found["recall"].first) == (1, 1.0)
    assert (found["answered"].questions, found["answered"].first, found["answered"].second) == (2, 0.5, 1.0)
    assert "| answered | 50.0 | 100.0 | 50.0 |" in compared_table(list(found.values()))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not json\n", "a.jsonl:1 is not the row of an answer"),
        ('{"id": "1"}\n', "a.jsonl:1 is not the row"),
        ("[1]\n", "is not the row"),
        ('{"id": "1", "contains": "yes"}\n', "is not the row"),
        ('{"id": "other", "contains": true}\n', "no question in common"),
        ("", "no question in common"),
    ],
)
def test_what_is_no_run_is_refused(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "a.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        compare(tmp_path / "a.jsonl", written(tmp_path / "b.jsonl", rows(1, ms=1)))
    with pytest.raises(UsageError, match="cannot be read"):
        compare(tmp_path / "nowhere.jsonl", tmp_path / "b.jsonl")
