"""Branches of a fork and of a condition, in a flow whose rows take their time."""

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from leadline.flow import (
    Chain,
    Choices,
    Each,
    Flow,
    FlowReport,
    Fork,
    If,
    Operator,
    Row,
    Scope,
    Set,
    While,
    run_flow,
)
from leadline.flow.operators.joining import Join
from leadline.flow.operators.ordering import Limit
from leadline.testing.running import go
from tests.flow.made import Asked, Backwards, Given, Kept, Quick, counted


def same(row: Row) -> list[Row]:
    return [row]


def slow(turns: int = 20) -> Asked:
    return Asked(same, lambda row: turns + row["n"] % 4)


def ran(steps: Operator, rows: int = 60, **flow: Any) -> tuple[list[Any], FlowReport]:
    """The numbers of the rows that came out."""
    sink, choices = Kept(), flow.pop("choices", None)
    report = go(run_flow(Flow("f", counted(rows), steps, (sink,), **flow), choices=choices))
    return [row["n"] for row in sink.rows], report


@pytest.mark.parametrize("quick", [Asked(same), Quick(same)], ids=["costly", "cheap"])
@pytest.mark.parametrize("turns", [1, 20])
@pytest.mark.parametrize("count", [0, 1, 4, 60, 100])
def test_a_branch_that_stops_early_takes_no_row_from_the_next(
    quick: Operator, count: int, turns: int
) -> None:
    numbers, report = ran(slow(turns) >> Fork([quick >> Limit(count), Chain()]))
    assert numbers == [*range(min(count, 60)), *range(60)]
    assert (report.rows_in, report.rows_out, report.exit_code) == (60, min(count, 60) + 60, 0)


def test_branches_that_all_stop_early_are_each_given_the_first_rows() -> None:
    assert ran(slow() >> Fork([Asked(same) >> Limit(4), slow() >> Limit(9), Limit(2)]))[0] == [
        *range(4),
        *range(9),
        *range(2),
    ]


def test_a_condition_whose_branch_stops_early_passes_on_the_rows_of_the_other() -> None:
    looped = While(Asked(lambda row: [{**row, "left": 0}]), "left")
    steps = slow() >> If("n < 30", looped >> Limit(3))
    numbers, report = ran(steps)
    assert numbers == [0, 1, 2, *range(30, 60)]
    assert (report.failed, report.exit_code) == (0, 0)


def failing(row: Row) -> list[Row]:
    if row["n"] == 3:
        raise ValueError("no answer")
    return [row]


def test_costly_steps_in_a_branch_of_a_condition_are_row_safe_and_remembered(tmp_path: Path) -> None:
    asked: list[int] = []

    def ask(row: Row) -> list[Row]:
        asked.append(row["n"])
        return failing(row)

    steps = If("n < 6", Asked(ask) >> Backwards(), Asked(ask) >> Limit(2))
    numbers, report = ran(steps, 10, choices=Choices(folder=tmp_path))
    assert numbers == [5, 4, 2, 1, 0, 6, 7]
    assert (report.failed, report.exit_code) == (1, 3)
    (letter,) = [json.loads(line) for line in (tmp_path / "failed.jsonl").read_text().splitlines()]
    assert (letter["row"], letter["segment"], letter["ordinal"]) == ({"n": 3}, "0.0.0", 3)
    assert letter["step"].startswith("steps[0].if.then")
    asked.clear()
    numbers, report = ran(steps, 10, choices=Choices(resume=True, folder=tmp_path))
    assert numbers == [5, 4, 2, 1, 0, 6, 7]
    assert set(asked) <= {8, 9}
    assert report.resumed >= 8


def test_costly_steps_in_a_branch_of_a_condition_work_on_several_rows_at_a_time() -> None:
    at_work, most = 0, 0

    async def work(row: Row) -> Row:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0.01)
        at_work -= 1
        return row

    @dataclass(frozen=True, slots=True)
    class Slow(Asked):
        async def apply(self, row: Row, scope: Scope) -> list[Row]:
            return [await work(row)]

    assert len(ran(If("n < 6", Slow(same) >> Backwards()), 8, concurrency=4)[0]) == 8
    assert most == 4


def test_rows_may_lose_their_order_and_the_lists_in_them_do_not() -> None:
    uneven = Asked(same, lambda row: 20 - 5 * row["item"])
    looped = While(uneven >> Set({"on": {"value": 0}}), "on", report="")
    steps = Set({"on": {"value": 1}}) >> Each("list", looped) >> Asked(same)
    sink = Kept()
    rows = Given([{"n": n, "list": [1, 2, 3, 4]} for n in range(3)])
    go(run_flow(Flow("f", rows, steps, (sink,), ordered=False, concurrency=4)))
    assert [row["list"] for row in sink.rows] == [[1, 2, 3, 4]] * 3


def test_a_value_that_no_table_can_hold_fails_its_row_and_no_other() -> None:
    odd = Quick(lambda row: [{**row, "n": {1}} if row["n"] == 1 else row])
    numbers, report = ran(odd >> Join([{"n": 2, "word": "two"}], "n"), 4)
    assert numbers == [0, 2, 3]
    assert (report.failed, report.exit_code) == (1, 3)
