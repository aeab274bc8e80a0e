"""A loop ends for every row that came into it, says why, and loses none. The reference engine's faults are named below."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import BudgetSpent, FlowError, RowFailed
from leadline.flow.base import Chain, Operator, Row, Rows, Scope
from leadline.flow.closing import Closing
from leadline.flow.ends import Flow
from leadline.flow.operators.aggregates import Count, Values
from leadline.flow.operators.control import Fork, If
from leadline.flow.operators.grouping import Batch, Collect, Group
from leadline.flow.operators.looping import While
from leadline.flow.operators.mapping import Filter, Flat, FlatMap, Map
from leadline.flow.operators.ordering import Sort
from leadline.flow.operators.streams import stream
from leadline.flow.running.opening import Choices
from leadline.flow.running.running import collected, run_flow
from leadline.run import Budget, Run
from leadline.testing.running import go
from tests.flow.made import Given, Kept


def looped(loop: Operator, *rows: Row, scope: Scope | None = None) -> list[Row]:
    return go(collected(loop, list(rows), scope))


def less(row: Row) -> Row:
    return {**row, "n": row["n"] - 1}


LESS = Map(less)


def exits(rows: list[Row]) -> list[tuple[Any, int, str]]:
    return [(row["n"], row["loop"]["rounds"], row["loop"]["exit"]) for row in rows]


# The While table of the reference engine, row by row.


def test_a_condition_that_is_false_on_entry_lets_the_row_pass_after_no_round() -> None:
    assert looped(While(LESS, "n > 5"), {"n": 3}) == [{"n": 3, "loop": {"rounds": 0, "exit": "condition"}}]


def test_no_rounds_pass_rows_through_and_a_loop_without_an_end_cannot_be_written() -> None:
    assert exits(looped(While(LESS, "true", max_rounds=0), {"n": 3}, {"n": 0})) == [
        (3, 0, "max_rounds"),
        (0, 0, "max_rounds"),
    ]
    with pytest.raises(FlowError, match="max_rounds"):
        While(LESS, "true", max_rounds=-1)


def test_a_cap_that_is_met_is_told_and_the_row_goes_on() -> None:
    assert exits(looped(While(LESS, "n", max_rounds=2), {"n": 5}, {"n": 1})) == [
        (3, 2, "max_rounds"),
        (0, 1, "condition"),
    ]


def test_all_rows_that_a_body_gives_are_in_the_next_round_each_tested_by_itself() -> None:
    halves = FlatMap(lambda row: [{**row, "n": row["n"] - 1}, {**row, "n": row["n"] - 2}])
    assert exits(looped(While(halves, "n > 0"), {"n": 2})) == [
        (0, 1, "condition"),
        (0, 2, "condition"),
        (-1, 2, "condition"),
    ]


def test_rows_that_are_done_leave_at_once_while_their_siblings_go_on() -> None:
    flat = If("sizes", Flat("sizes", as_="n") >> Map(lambda row: {"n": row["n"]}), LESS)
    assert exits(looped(While(flat, "sizes or n > 0"), {"sizes": [0, 3, 0, 1]})) == [
        (0, 1, "condition"),
        (0, 1, "condition"),
        (0, 2, "condition"),
        (0, 4, "condition"),
    ]


@pytest.mark.parametrize("policy", ["keep", "drop", "error"])
def test_a_body_that_gives_nothing_does_what_was_asked_for(policy: Any) -> None:
    loop = While(LESS >> Filter("n > 3"), "n", on_empty=policy)
    if policy == "error":
        with pytest.raises(RowFailed, match="gave no row"):
            looped(loop, {"n": 5})
        return
    kept = [(4, 2, "empty")] if policy == "keep" else []
    assert exits(looped(loop, {"n": 5})) == kept


def test_a_row_is_done_when_its_condition_says_so_however_empty_it_is() -> None:
    named = While(Map(lambda row: {"rounds": row.get("rounds", 0) + 1}), "not exists(rounds) or rounds < 2")
    assert looped(named, {}) == [{"rounds": 2, "loop": {"rounds": 2, "exit": "condition"}}]
    values: list[Any] = [0, "", [], {}, None, False]
    for value in values:
        assert looped(While(LESS, "v"), {"v": value})[0]["loop"]["exit"] == "condition"
    for value in (1, "0", [0], {"": 0}, -1.5, True):
        assert looped(While(Map(lambda row: {**row, "v": None}), "v"), {"v": value})[0]["loop"]["rounds"] == 1


@pytest.mark.parametrize(
    "holding",
    [
        Group(["id"], {"n": Count()}),
        Collect({"n": "n"}),
        Sort(["-n"]),
        Batch(2),
        Chain([Chain([Chain([Group(["id"], {"all": Values("n")})])])]),
        Fork([Group(["id"], {"n": Count()})]),
        If("true", Group(["id"], {"n": Count()})),
    ],
    ids=lambda step: type(step).__name__,
)
def test_what_a_body_groups_or_collects_are_the_rows_of_this_row_and_this_round(holding: Operator) -> None:
    twins = FlatMap(lambda row: [{"id": row["id"], "n": n} for n in (1, 2)])
    loop = While(twins >> holding, "id", max_rounds=1)
    rows = [{"id": name} for name in "abc"]
    alone = [each for row in rows for each in go(collected(holding, [{**row, "n": 1}, {**row, "n": 2}]))]
    together = looped(loop, *rows, scope=Scope(concurrency=3))
    assert [{name: row[name] for name in row if name != "loop"} for row in together] == alone


def test_the_end_of_the_rows_reaches_every_operator_wherever_it_stands() -> None:
    group = Group([], {"n": Count()})
    inside = Chain([Chain([If("true", Chain([Fork([Chain([group])])]))])])
    assert looped(inside, {"x": 1}, {"x": 2}) == [{"n": 2}]
    once = looped(While(Chain([Chain([group])]), "exists(x)"), {"x": 1}, {"x": 2})
    assert exits(once) == [(1, 1, "condition"), (1, 1, "condition")]


def test_null_is_a_value_and_no_signal() -> None:
    assert looped(While(LESS, "n"), {"n": None}) == [{"n": None, "loop": {"rounds": 0, "exit": "condition"}}]


@dataclass(frozen=True, slots=True)
class Counting(Operator):
    """Counts how often what it keeps for the run was made and ended."""

    told: list[str]

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        await scope.kept.get("it", self.made)
        async for row in rows:
            yield less(row)

    @asynccontextmanager
    async def made(self) -> AsyncGenerator[None]:
        self.told.append("made")
        yield
        self.told.append("ended")


def test_what_a_step_inside_needs_is_made_once_for_the_run_and_ended_with_it() -> None:
    told: list[str] = []
    nested = If("true", While(Fork([Counting(told)]), "n"))
    assert len(looped(nested, {"n": 3}, {"n": 2})) == 2
    assert told == ["made", "ended"]


def test_an_inner_loop_counts_for_each_of_its_own_rows() -> None:
    inner = While(LESS, lambda row: row["n"] % 3, report="inner")
    outer = While(LESS >> inner, "n > 0")
    found = looped(outer, {"n": 7}, {"n": 2})
    assert [(row["loop"]["rounds"], row["inner"]["rounds"]) for row in found] == [(3, 2), (1, 1)]


def test_a_body_sees_which_round_it_is() -> None:
    def noted(row: Row, scope: Scope) -> Row:
        return {**row, "n": row["n"] - 1, "seen": [*row.get("seen", []), scope.round]}

    inner = While(Map(noted), lambda row: row["n"] % 2, report="")
    found = looped(While(Map(noted) >> inner, "n > 0"), {"n": 4})
    assert found[0]["seen"] == [1, 1, 2, 1]


def test_an_error_in_a_body_costs_its_own_outer_row_and_nothing_else(tmp_path: Path) -> None:
    def failing(row: Row) -> Row:
        if row["n"] == 13:
            raise ValueError("thirteen")
        return {**row, "n": row["n"] // 2}

    kept = Kept()
    flow = Flow("loop", Given([{"n": n} for n in (8, 26, 5)]), While(Map(failing), "n"), (kept,))
    report = go(run_flow(flow, choices=Choices(folder=tmp_path)))
    assert exits(kept.rows) == [(0, 4, "condition"), (0, 3, "condition")]
    letter = json.loads((tmp_path / "failed.jsonl").read_text())
    assert report.failed == 1
    assert letter["row"] == {"n": 13}
    assert "thirteen" in letter["error"]


# What the reference engine has not at all.


def test_rows_that_come_again_as_they_were_end_the_loop_as_stalled() -> None:
    turned = Map(lambda row: {"n": 1 - row["n"], "on": True})
    found = looped(While(turned, "on", max_rounds=50), {"n": 0, "on": True})
    assert exits(found) == [(0, 2, "stalled")]


def test_an_order_that_changes_is_no_stall_and_a_report_is_no_change() -> None:
    rows: list[Row] = [{"of": [{"n": 1}, {"n": 2}]}]
    backwards = (
        Group([], {"of": Values()}) >> Map(lambda row: {"of": row["of"][::-1]}) >> Flat("of", inherit=False)
    )
    loop = While(If("of", Flat("of", inherit=False), backwards), "true", max_rounds=20)
    assert exits(looped(loop, *rows)) == [(1, 3, "stalled"), (2, 3, "stalled")]
    again = looped(While(Chain(), "true"), {"n": 1, "loop": {"rounds": 7, "exit": "empty"}})
    assert exits(again) == [(1, 1, "stalled")]


@pytest.mark.parametrize(("limit", "exit_"), [("calls", "budget"), ("deadline", "deadline")])
def test_a_spent_budget_ends_the_loop_with_the_rows_as_they_were_before_the_round(
    limit: str, exit_: str
) -> None:
    def spending(row: Row) -> Row:
        if row["n"] == 2:
            raise BudgetSpent("no more", limit)
        return less(row)

    assert exits(looped(While(Map(spending), "n"), {"n": 4})) == [(2, 2, exit_)]


def test_a_budget_that_is_spent_before_a_round_lets_none_begin() -> None:
    run = Run(Budget(calls=3, searches=None))

    def spending(row: Row, scope: Scope) -> Row:
        scope.run.call_spent(10)
        return less(row)

    found = looped(While(Map(spending), "n"), {"n": 9}, scope=Scope(run))
    assert exits(found) == [(7, 2, "budget")]
    run.cancel()
    assert exits(looped(While(LESS, "n"), {"n": 9}, scope=Scope(run))) == [(9, 0, "cancelled")]


def test_rows_are_looped_several_at_a_time_and_come_out_in_order() -> None:
    busy, most = 0, 0

    async def waiting(row: Row) -> Row:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        for _ in range(row["n"]):
            await asyncio.sleep(0)
        busy -= 1
        return less(row)

    found = looped(
        While(Map(waiting), "n"), *({"n": n, "id": n} for n in (9, 1, 5, 3)), scope=Scope(concurrency=3)
    )
    assert [row["id"] for row in found] == [9, 1, 5, 3]
    assert most == 3


def test_a_loop_that_nobody_listens_to_any_more_stops_what_is_at_work() -> None:
    begun: list[Any] = []
    ended: list[Any] = []
    all_begun, never = asyncio.Event(), asyncio.Event()

    async def waiting(row: Row) -> Row:
        begun.append(row["n"])
        if len(begun) == 3:
            all_begun.set()
        try:
            await (never if row["n"] > 1 else all_begun).wait()
        except asyncio.CancelledError:
            ended.append(row["n"])
            raise
        return less(row)

    async def first() -> Row:
        rows = While(Map(waiting), "n")(stream({"n": n} for n in (1, 2, 3)), Scope(concurrency=3))
        async with Closing(rows):
            return await anext(rows)

    assert exits([go(first())]) == [(0, 1, "condition")]
    assert sorted(ended) == [2, 3]


def test_a_round_that_grows_without_bounds_fails_its_row() -> None:
    loop = While(FlatMap(lambda row: [row, {**row, "n": row["n"] + 1}]), "true", max_rounds=30, max_rows=100)
    with pytest.raises(RowFailed, match="max_rows"):
        looped(loop, {"n": 0})


def test_a_condition_that_raises_fails_its_row_and_one_that_waits_is_refused() -> None:
    with pytest.raises(RowFailed, match="KeyError"):
        looped(While(LESS, lambda row: row["missing"]), {"n": 1})

    async def asked(row: Row) -> bool:
        return False

    with pytest.raises(FlowError, match="coroutine"):
        looped(While(LESS, asked), {"n": 1})


def test_a_field_that_is_no_report_of_a_loop_is_not_lost() -> None:
    row = {"n": 1, "loop": "a value"}
    with pytest.raises(RowFailed, match="`loop` is a field of the row. Set `report`"):
        looped(While(LESS, "n > 0"), row)
    for report in ("", "end"):
        (out,) = looped(While(LESS, "n > 0", report=report), row)
        assert (out["n"], out["loop"]) == (0, "a value")
    with pytest.raises(RowFailed, match="`loop` is a field of the row"):
        looped(While(LESS >> Map(lambda row: {**row, "loop": {"rounds": 1}}), "n > 0"), {"n": 1})


def test_two_loops_one_after_the_other_may_report_in_one_field() -> None:
    assert exits(looped(While(LESS, "n > 1") >> While(LESS, "n > -2"), {"n": 3})) == [(-2, 3, "condition")]
