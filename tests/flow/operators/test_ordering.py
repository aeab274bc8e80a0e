"""Where a row stands among the others: sorted, first of its kind, within a limit, picked."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import FlowError, RowFailed
from leadline.flow.base import Memory, Operator, Row, Scope
from leadline.flow.operators.joining import Join
from leadline.flow.operators.mapping import Map
from leadline.flow.operators.ordering import Distinct, Limit, Sample, Skip, Sort
from leadline.flow.operators.sorting import MOST_RUNS, Sorter
from leadline.flow.running.running import collected
from leadline.testing.running import go
from tests.flow.made import Given

VALUES = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-1, 1) | st.text("ab1", max_size=2)
ROWS = st.lists(st.fixed_dictionaries({"a": VALUES, "b": st.integers(0, 2)}), max_size=25)


def of(operator: Operator, rows: list[Row], memory: int = 50_000, folder: Path | None = None) -> list[Row]:
    return go(collected(operator, rows, Scope(memory=Memory(memory, folder))))


def numbered(count: int) -> list[Row]:
    return [{"n": n} for n in range(count)]


@given(rows=ROWS, memory=st.sampled_from([0, 1, 4]))
def test_rows_beyond_memory_are_sorted_as_those_in_memory(rows: list[Row], memory: int) -> None:
    rows = [{**row, "place": place} for place, row in enumerate(rows)]
    for by in (["a"], ["-a", "b"], ["b", "-a"]):
        found = of(Sort(by), rows)
        assert of(Sort(by), rows, memory) == found
        assert sorted(found, key=lambda row: row["place"]) == rows
        for one, two in zip(found, found[1:], strict=False):
            equal = all(repr(one[name.strip("-")]) == repr(two[name.strip("-")]) for name in by)
            assert not equal or one["place"] < two["place"]


def test_an_order_can_be_turned_round_and_equal_rows_keep_theirs() -> None:
    rows: list[Row] = [
        {"s": 1, "t": "b"},
        {"s": 2, "t": "b"},
        {"s": 2, "t": "a"},
        {"t": "z"},
        {"s": 1, "t": "b", "x": 0},
    ]
    assert of(Sort(["-s", "t"]), rows) == [rows[2], rows[1], rows[0], rows[4], rows[3]]


def test_a_second_run_gives_the_rows_of_the_second_run_only() -> None:
    step = Sort(["-n"])
    assert of(step, numbered(3)) == of(step, numbered(3)) == numbered(3)[::-1]


def test_more_runs_than_files_may_be_open_are_merged() -> None:
    rows = [{"n": (n * 37) % 500} for n in range(500)]
    with Sorter(Memory(1), lambda row: row["n"]) as sorter:
        for row in rows:
            sorter.add(row)
        assert len(sorter._runs) < MOST_RUNS  # pyright: ignore[reportPrivateUsage]
        assert [row["n"] for row in sorter] == list(range(500))


@given(rows=ROWS, memory=st.sampled_from([0, 1, 4]))
def test_of_equal_rows_the_first_stays(rows: list[Row], memory: int) -> None:
    firsts: dict[int, Row] = {}
    for row in rows:
        firsts.setdefault(row["b"], row)
    assert of(Distinct(["b"]), rows, memory) == list(firsts.values())
    assert of(Distinct(), rows + rows, memory) == of(Distinct(), rows)


def test_rows_are_equal_as_json_is() -> None:
    rows: list[Row] = [
        {"a": 1, "b": 2},
        {"b": 2.0, "a": 1},
        {"a": True, "b": 2},
        {"a": "1", "b": 2},
        {"b": 2},
    ]
    assert of(Distinct(), rows) == [rows[0], rows[2], rows[3], rows[4]]
    assert of(Distinct(["x.y"]), [{"x": {"y": None}}, {"x": 1}, {}, {"x": {"y": 0}}]) == [
        {"x": {"y": None}},
        {"x": {"y": 0}},
    ]


@pytest.mark.parametrize(("skip", "limit", "expected"), [(2, 2, [2, 3]), (0, 0, []), (9, 1, []), (4, 5, [4])])
def test_rows_are_skipped_and_limited_each_by_its_own_count(
    skip: int, limit: int, expected: list[int]
) -> None:
    assert [row["n"] for row in of(Skip(skip) >> Limit(limit), numbered(5))] == expected


def test_a_limit_takes_no_more_rows_than_it_gives() -> None:
    taken: list[int] = []

    def noted(row: Row) -> Row:
        taken.append(row["n"])
        return row

    for limit in (0, 2):
        taken.clear()
        assert len(of(Map(noted) >> Limit(limit), numbered(9))) == limit == len(taken)


def test_what_cannot_be_counted_is_refused() -> None:
    for step in (Limit, Skip):
        with pytest.raises(FlowError, match="from 0"):
            step(-1)
    for wrong in ({"n": -1}, {"n": 1, "fraction": 0.1}, {"fraction": -0.1}, {}):
        with pytest.raises(FlowError):
            Sample(**wrong)  # pyright: ignore[reportArgumentType]
    with pytest.raises(FlowError, match="from 0 to 1"):
        Sample(1.5)


def test_a_sample_is_the_same_rows_every_time_in_their_order() -> None:
    rows = numbered(2000)
    tenth = of(Sample(0.1), rows)
    assert 150 < len(tenth) < 250
    assert sorted(of(Sample(0.1), rows[::-1]), key=lambda row: row["n"]) == tenth
    assert of(Sample(0.1, seed=1), rows) != tenth
    assert (of(Sample(0.0), rows), of(Sample(1.0), rows)) == ([], rows)
    some = of(Sample(n=7), rows)
    assert len(some) == 7
    assert (
        some
        == sorted(some, key=lambda row: row["n"])
        == sorted(of(Sample(n=7), rows[::-1]), key=lambda row: row["n"])
    )
    assert of(Sample(n=99), rows[:5]) == rows[:5]
    assert of(Sample(n=3), [{"n": 1}] * 9) == [{"n": 1}] * 3


TABLE: list[Row] = [
    {"code": "en", "name": "English"},
    {"code": "de", "name": "German", "old": 1},
    {"code": None, "name": "?"},
]


@pytest.mark.parametrize("memory", [0, 1, 100])
@pytest.mark.parametrize("table", [TABLE, Given(TABLE)], ids=["rows", "source"])
def test_a_row_gets_what_a_table_knows_of_it(table: Any, memory: int) -> None:
    rows: list[Row] = [{"code": "de", "name": "x"}, {"code": "fr"}, {}, {"code": "en"}]
    assert of(Join(table, "code"), rows, memory) == [
        {"code": "de", "name": "German", "old": 1},
        {"code": "fr"},
        {},
        {"code": "en", "name": "English"},
    ]
    assert of(Join(table, "code", fields=["old"], missing="drop"), rows, memory) == [
        {"code": "de", "name": "x", "old": 1},
        {"code": "en"},
    ]


def test_several_rows_of_one_key_are_taken_first_or_all_in_their_order(tmp_path: Path) -> None:
    table: list[Row] = [{"k": 1, "v": "a"}, {"k": 2, "v": "b"}, {"k": 1.0, "v": "c"}, {"k": "1", "v": "d"}]
    rows: list[Row] = [{"of": {"k": 1}}]
    for memory in (0, 1, 2, 100):
        assert [row["v"] for row in of(Join(table, "of.k", "k"), rows, memory, tmp_path)] == ["a"]
        assert [row["v"] for row in of(Join(table, "of.k", "k", matches="all"), rows, memory, tmp_path)] == [
            "a",
            "c",
        ]
    assert list(tmp_path.iterdir()) == []


def test_a_row_that_the_table_lacks_can_be_an_error() -> None:
    with pytest.raises(RowFailed, match="no row where `code` is 'fr'"):
        of(Join(TABLE, "code", missing="fail"), [{"code": "fr"}])


def test_what_is_no_json_fails_its_row() -> None:
    rows: list[Row] = [{"n": {1, 2}}]
    for step in (Distinct(), Distinct(["n"]), Sample(0.5), Sample(n=1)):
        with pytest.raises(RowFailed, match="no JSON"):
            of(step, rows)
    with pytest.raises(RowFailed, match="JSON"):
        of(Sort(["x"]), rows * 2, memory=1)


def test_sets_beyond_memory_leave_no_file_behind(tmp_path: Path) -> None:
    assert len(of(Distinct() >> Limit(30), numbered(50), 3, tmp_path)) == 30
    assert len(of(Distinct(), numbered(50), 3, tmp_path)) == 50
    assert list(tmp_path.iterdir()) == []
