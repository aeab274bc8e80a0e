"""Branches of a fork and of a condition, in a flow whose rows take their time."""

from typing import Any

import pytest

from leadline.flow import Chain, Flow, FlowReport, Fork, If, Operator, Row, run_flow
from leadline.flow.operators.looping import While
from leadline.flow.operators.ordering import Limit
from leadline.testing.running import go
from tests.flow.made import Asked, Kept, Quick, counted


def same(row: Row) -> list[Row]:
    return [row]


def slow(turns: int = 20) -> Asked:
    return Asked(same, lambda row: turns + row["n"] % 4)


def ran(steps: Operator, rows: int = 60, **flow: Any) -> tuple[list[Any], FlowReport]:
    """The numbers of the rows that came out."""
    sink = Kept()
    report = go(run_flow(Flow("f", counted(rows), steps, (sink,), **flow)))
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
