"""Many rows become one: groups in the order in which they came, with the right figures, in memory and beyond it."""

import math
import statistics
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import FlowError, RowFailed
from leadline.flow.base import Chain, DeadLetter, Memory, Operator, Row, Scope
from leadline.flow.ends import Flow
from leadline.flow.operators.aggregates import (
    Aggregate,
    Count,
    DistinctValues,
    First,
    Head,
    Last,
    Sorted,
    Tail,
    Values,
)
from leadline.flow.operators.arithmetic import Deviation, Max, Mean, Min, Sum, Variance
from leadline.flow.operators.grouping import Batch, Collect, Group
from leadline.flow.operators.mapping import Map
from leadline.flow.running.opening import Choices
from leadline.flow.running.running import collected, run_flow
from leadline.testing.running import go
from tests.flow.made import Given, Kept


def of(operator: Operator, *rows: Row, memory: int = 50_000) -> list[Row]:
    return go(collected(operator, list(rows), Scope(memory=Memory(memory))))


def said(aggregate: Aggregate, *values: Any, memory: int = 50_000) -> Any:
    (row,) = of(Group([], {"it": aggregate}), *({"v": value} for value in values), memory=memory)
    return row["it"]


def test_groups_come_in_the_order_in_which_they_began_and_are_never_split() -> None:
    rows: list[Row] = [{"k": key, "n": n} for n, key in enumerate("ABAAB")]
    assert of(Group(["k"], {"ns": Values("n")}), *rows) == [
        {"k": "A", "ns": [0, 2, 3]},
        {"k": "B", "ns": [1, 4]},
    ]


def test_a_field_that_is_missing_is_a_group_of_its_own_and_not_the_text_none() -> None:
    rows: list[Row] = [
        {"k": "None"},
        {},
        {"k": None},
        {"k": "null"},
        {"k": 1},
        {"k": True},
        {"k": 1.0},
        {"k": "1"},
    ]
    assert [(row["k"], row["n"]) for row in of(Group(["k"], {"n": Count()}), *rows)] == [
        ("None", 1),
        (None, 2),
        ("null", 1),
        (1, 2),
        (True, 1),
        ("1", 1),
    ]


def test_rows_are_grouped_by_several_fields_by_paths_and_by_lists() -> None:
    rows: list[Row] = [{"a": 1, "b": {"c": [1]}, "x": 7}, {"a": 1, "b": {"c": [1]}}, {"a": 1, "b": {"c": []}}]
    assert of(Group(["a", "b.c"], {"n": Count()}), *rows) == [
        {"a": 1, "c": [1], "n": 2},
        {"a": 1, "c": [], "n": 1},
    ]
    assert of(Group(["a"], {"n": Count()}, inherit=True), *rows) == [{**rows[0], "n": 3}]


def test_no_rows_make_no_group_and_all_rows_may_be_one() -> None:
    assert of(Group([], {"n": Count()})) == of(Group(["k"])) == of(Collect()) == of(Batch(2)) == []
    assert of(Group(["k"]), {"k": 1}, {"k": 1}) == [{"k": 1}]
    assert of(Group([], {"n": Count()}), {}, {}) == [{"n": 2}]


def test_two_fields_of_one_name_are_refused() -> None:
    with pytest.raises(FlowError, match="`a`"):
        Group(["a"], {"a": Count()})
    with pytest.raises(FlowError, match="`c`"):
        Group(["b.c", "d.c"])


@pytest.mark.parametrize("memory", [0, 1, 50_000])
def test_each_aggregate_says_what_it_should(memory: int) -> None:
    values = [3, None, 1.5, 3, -2, 3.0]
    assert said(Count(), *values, memory=memory) == 6
    assert said(Count("v"), *values, memory=memory) == 5
    assert said(Sum("v"), *values, memory=memory) == 8.5
    assert said(Mean("v"), *values, memory=memory) == 1.7
    assert (said(Min("v"), *values, memory=memory), said(Max("v"), *values, memory=memory)) == (-2, 3)
    assert (said(First("v"), *values, memory=memory), said(Last("v"), *values, memory=memory)) == (3, 3.0)
    assert said(First("v"), None, 1, memory=memory) is None
    assert said(Values("v"), *values, memory=memory) == values
    assert said(DistinctValues("v"), *values, memory=memory) == [3, None, 1.5, -2]
    assert said(Head("v", n=2), *values, memory=memory) == [3, None]
    assert said(Tail("v", n=2), *values, memory=memory) == [-2, 3.0]
    assert said(Tail("v", n=9), *values, memory=memory) == values
    assert said(Tail("v", n=0), *values, memory=memory) == said(Head("v", n=0), *values, memory=memory) == []
    assert said(Sorted("v", by=["-v"]), *values, memory=memory) == [3, 3, 3.0, 1.5, -2, None]
    assert said(Sorted("v", n=2), *values, memory=memory) == [None, -2]
    assert said(Count(where="v > 1"), *values, memory=memory) == 4
    assert said(Values(), 1, memory=memory) == [{"v": 1}]


def test_of_nothing_every_aggregate_says_something() -> None:
    assert said(Sum("v"), None) == 0
    empty = [Mean("v"), Min("v"), Max("v"), Variance("v"), Deviation("v")]
    assert [said(each, None) for each in empty] == [None] * 5
    assert [
        said(each, 1, 2) for each in (First(where="false"), Values(where="v > 2"), Head(n=1, where="v == 3"))
    ] == [
        None,
        [],
        [],
    ]
    assert said(Variance("v"), 7) is None


def test_variance_is_no_deviation() -> None:
    assert said(Variance("v"), 1, 2, 3, 4) == pytest.approx(5 / 3)
    assert said(Deviation("v"), 1, 2, 3, 4) == pytest.approx(math.sqrt(5 / 3))


def test_values_of_many_kinds_have_an_order() -> None:
    values = [True, "b", 2, None, [1], "B", 1.5, {"a": 1}, math.nan]
    assert said(Min("v"), *values) is True
    assert said(Max("v"), *values) == {"a": 1}
    ordered = said(Sorted("v", by=["v"]), *values)
    assert ordered[:2] == [None, True]
    assert math.isnan(ordered[2])
    assert ordered[3:] == [1.5, 2, "B", "b", [1], {"a": 1}]


FLOATS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


@given(
    values=st.lists(FLOATS | st.integers(-(2**70), 2**70), max_size=20), memory=st.sampled_from([1, 3, 100])
)
def test_a_sum_is_exact_wherever_it_was_held(values: list[float], memory: int) -> None:
    rows = [
        each for n, value in enumerate(values) for each in ({"k": n % 2, "v": value}, {"k": f"x{n}", "v": 0})
    ]
    found = {row["k"]: row["sum"] for row in of(Group(["k"], {"sum": Sum("v")}), *rows, memory=memory)}
    for key in (0, 1):
        mine = values[key::2]
        if mine:
            exact = sum(map(Fraction, mine))
            assert found[key] == (float(exact) if any(isinstance(each, float) for each in mine) else exact)


def test_sums_lose_nothing_to_rounding_and_say_infinity() -> None:
    assert said(Sum("v"), *[0.1] * 10) == 1.0
    assert said(Sum("v"), 1e300, 1.0, -1e300) == 1.0
    assert said(Sum("v"), 2**64, 1) == 2**64 + 1
    assert said(Sum("v"), 1.0, math.inf, 2) == math.inf
    assert math.isnan(said(Sum("v"), math.inf, -math.inf))


@pytest.mark.parametrize("memory", [0, 100])
def test_what_is_too_large_for_a_number_ends_no_flow(memory: int) -> None:
    assert said(Sum("v"), 10**400, 1.5, memory=memory) == math.inf
    assert said(Sum("v"), -1e308, -1e308, memory=memory) == -math.inf
    assert said(Sum("v"), 1e308, 1e308, -1e308, memory=memory) == 1e308
    assert said(Mean("v"), 10**400, 1, memory=memory) == math.inf
    assert said(Variance("v"), 1, 10**400, 3, memory=memory) == 2.0


KEYS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "1", "null"]) | st.just(1.0)


@given(
    rows=st.lists(st.fixed_dictionaries({"k": KEYS, "v": st.none() | st.integers(-5, 5)}), max_size=30),
    memory=st.sampled_from([0, 1, 2, 5]),
)
def test_groups_beyond_memory_are_those_in_memory(rows: list[Row], memory: int) -> None:
    aggregates: dict[str, Aggregate] = {
        "count": Count(),
        "mean": Mean("v"),
        "least": Min("v"),
        "first": First("v"),
        "last": Last("v"),
        "all": Values("v"),
        "unlike": DistinctValues("v"),
        "head": Head("v", n=2),
        "tail": Tail("v", n=2),
        "best": Sorted("v", by=["-v"], n=2),
        "some": Count(where="v > 0"),
    }
    for group in (
        Group(["k"], aggregates, inherit=True),
        Group(["k"], {"n": Count()}),
        Group(["v", "k"], aggregates),
    ):
        assert of(group, *rows, memory=memory) == of(group, *rows)


@given(values=st.lists(st.integers(-1000, 1000), min_size=2, max_size=20))
def test_a_variance_beyond_memory_is_the_same_but_for_rounding(values: list[int]) -> None:
    expected = pytest.approx(statistics.variance(values))
    assert said(Variance("v"), *values) == expected
    rows = [each for n, value in enumerate(values) for each in ({"k": 0, "v": value}, {"k": n + 1, "v": 0})]
    assert of(Group(["k"], {"it": Variance("v")}), *rows, memory=1)[0]["it"] == expected


def test_a_row_that_cannot_be_counted_is_counted_nowhere_and_told(tmp_path: Path) -> None:
    rows: list[Row] = [{"k": 1, "v": 1}, {"k": 1, "v": "2"}, {"k": 1, "v": True}, {"k": 1, "v": 4}]
    group = Group(["k"], {"n": Count(), "sum": Sum("v")})
    told: list[DeadLetter] = []
    assert go(collected(group, rows, Scope(lose=told.append))) == [{"k": 1, "n": 2, "sum": 5}]
    assert [(letter.step, letter.row, letter.policy) for letter in told] == [
        ("group", rows[1], "skip"),
        ("group", rows[2], "skip"),
    ]
    with pytest.raises(RowFailed, match="no number but '2'"):
        go(collected(Group(["k"], {"sum": Sum("v")}, on_error="fail"), rows))
    kept = Kept()
    report = go(run_flow(Flow("g", Given(rows), group, (kept,)), choices=Choices(folder=tmp_path)))
    assert kept.rows == [{"k": 1, "n": 2, "sum": 5}]
    assert report.skipped == 2


def test_a_condition_of_an_aggregate_that_raises_costs_its_row_alone() -> None:
    told: list[DeadLetter] = []
    group = Group([], {"n": Count(where=lambda row: 1 / row["v"])})
    assert go(collected(group, [{"v": 1}, {"v": 0}, {"v": 2}], Scope(lose=told.append))) == [{"n": 2}]
    assert "ZeroDivisionError" in told[0].error


def test_groups_beyond_memory_leave_no_file_behind(tmp_path: Path) -> None:
    folder = tmp_path / "spill"

    def failing(row: Row) -> Row:
        if row["n"] == 50:
            raise ValueError
        return row

    rows: list[Row] = [{"n": n} for n in range(60)]
    scope = Scope(memory=Memory(5, folder))
    assert len(go(collected(Group(["n"]), rows, scope))) == 60
    with pytest.raises(RowFailed):
        go(collected(Map(failing) >> Group(["n"]), rows, scope))
    assert list(folder.iterdir()) == []


def test_collected_rows_give_the_first_one_with_the_lists_of_all() -> None:
    rows: list[Row] = [{"q": "a", "x": [1]}, {"q": "b", "chunk": 1, "x": [2, 3]}, {"chunk": 2, "y": 0}]
    assert of(Collect(), *rows) == [{"rows": rows}]
    assert of(Collect({"chunks": "chunk"}), *rows) == [{"q": "a", "x": [1], "chunks": [1, 2]}]
    assert of(Collect({"x": "x", "qs": "q"}, flat=True), *rows) == [{"x": [1, 2, 3], "qs": ["a", "b"]}]


def test_collected_rows_come_once_and_are_then_forgotten() -> None:
    twice = Chain([Collect({"ns": "n"})])
    for _ in range(2):
        assert of(twice, {"n": 1}, {"n": 2}) == [{"ns": [1, 2]}]


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (1, [1]), (4, [2, 2]), (5, [2, 2, 1])])
def test_a_batch_is_never_empty(count: int, sizes: list[int]) -> None:
    found = of(Batch(2), *({"n": n} for n in range(count)))
    assert [len(row["rows"]) for row in found] == sizes
    assert [row["n"] for batch in found for row in batch["rows"]] == list(range(count))
    with pytest.raises(FlowError):
        Batch(0)
