"""Rows find their way: through branches, by a condition, into a bracket and out of it."""

from pathlib import Path
from typing import Any

import pytest

from leadline.errors import RowFailed
from leadline.flow.base import Chain, Memory, Operator, Row, Scope
from leadline.flow.operators.aggregates import Count, Values
from leadline.flow.operators.control import Each, Fork, If
from leadline.flow.operators.editing import Remove, Select, Set
from leadline.flow.operators.grouping import Group
from leadline.flow.operators.mapping import Filter, Flat, FlatMap, Map
from leadline.flow.operators.ordering import Limit, Skip, Sort
from leadline.flow.running.running import collected
from leadline.testing.running import go

NUMBERS: list[Row] = [{"n": n} for n in range(4)]
TENFOLD = Map(lambda row: {"n": row["n"] * 10})


def through(operator: Operator, rows: list[Row], rows_in_memory: int = 50_000) -> list[Row]:
    return go(collected(operator, rows, Scope(memory=Memory(rows_in_memory))))


def ns(rows: list[Row]) -> list[Any]:
    return [row["n"] for row in rows]


@pytest.mark.parametrize("memory", [0, 1, 100])
@pytest.mark.parametrize(
    ("branches", "expected"),
    [
        ([Chain(), TENFOLD], [0, 1, 2, 3, 0, 10, 20, 30]),
        ([Limit(1), Chain(), Skip(3)], [0, 0, 1, 2, 3, 3]),
        ([Limit(0), Limit(2), Chain()], [0, 1, 0, 1, 2, 3]),
        ([Sort(["-n"]), Limit(1), Group([], {"n": Count()})], [3, 2, 1, 0, 0, 4]),
        ([], []),
    ],
)
def test_every_branch_is_given_all_rows_and_they_come_out_branch_by_branch(
    branches: list[Operator], expected: list[int], memory: int
) -> None:
    assert ns(through(Fork(branches), NUMBERS, memory)) == expected


def test_a_branch_that_ends_in_nothing_takes_nothing_from_the_others() -> None:
    seen: list[int] = []

    def noted(row: Row) -> list[Row]:
        seen.append(row["n"])
        return []

    assert ns(through(Fork([FlatMap(noted), Chain()]), NUMBERS)) == seen == [0, 1, 2, 3]


def test_branches_see_nothing_of_each_others_changes() -> None:
    changed = Fork([Set({"n": {"value": "x"}}), Remove(["n"]), Chain()])
    assert through(changed, [{"n": 1}]) == [{"n": "x"}, {}, {"n": 1}]


def test_rows_that_meet_a_condition_go_one_way_and_keep_their_place() -> None:
    assert ns(through(If("n > 1", TENFOLD), NUMBERS)) == [0, 1, 20, 30]
    assert ns(through(If("n > 1", TENFOLD, Filter("n")), NUMBERS)) == [1, 20, 30]
    assert ns(through(If(lambda row: row["n"] % 2, FlatMap(lambda row: [row, row])), NUMBERS)) == [
        0,
        1,
        1,
        2,
        3,
        3,
    ]


@pytest.mark.parametrize("memory", [0, 100])
def test_a_branch_that_looks_at_several_rows_is_given_all_of_its_rows(memory: int) -> None:
    chosen = If("n > 1", Group([], {"n": Values("n")}), TENFOLD)
    assert chosen.reach == "stream"
    assert ns(through(chosen, NUMBERS, memory)) == [[2, 3], 0, 10]
    both = If("n < 2", Group([], {"n": Count()}), Group([], {"n": Values("n")}))
    assert ns(through(both, NUMBERS, memory)) == [2, [2, 3]]
    assert ns(through(If("n in [1, 3]", Limit(0), Limit(9)), NUMBERS, memory)) == [0, 2]


def test_what_a_branch_groups_is_given_out_when_the_rows_end_wherever_it_stands() -> None:
    deep = Chain([If("true", Chain([Fork([If("false", Chain(), Chain([Group([], {"n": Count()})]))])]))])
    assert ns(through(deep, NUMBERS)) == [4]


CHUNKS: list[Row] = [
    {"q": "a", "chunks": [{"t": "x", "s": 1}, {"t": "y", "s": 3}]},
    {"q": "b", "chunks": []},
    {"q": "c", "chunks": [{"t": "z", "s": 0}]},
]


def test_a_bracket_gives_back_every_row_with_what_is_left_of_its_list() -> None:
    kept = Each("chunks", Filter("item.s >= 1") >> Sort(["-item.s"]), into="best")
    assert [(row["q"], [chunk["t"] for chunk in row["best"]]) for row in through(kept, CHUNKS)] == [
        ("a", ["y", "x"]),
        ("b", []),
        ("c", []),
    ]
    assert [row["chunks"] for row in through(kept, CHUNKS)] == [row["chunks"] for row in CHUNKS]


def test_a_bracket_without_a_name_for_results_replaces_the_list() -> None:
    (row,) = through(
        Each("chunks", Map(lambda row: {**row, "c": row["c"]["t"] + row["q"]}), as_="c"), CHUNKS[:1]
    )
    assert row == {"q": "a", "chunks": ["xa", "ya"]}


def test_a_bracket_groups_each_list_by_itself_and_can_keep_whole_rows() -> None:
    counted = Each("chunks", Group([], {"many": Count()}), into="counts", whole=True)
    assert [row["counts"] for row in through(counted, CHUNKS)] == [[{"many": 2}], [], [{"many": 1}]]
    scored = Each("chunks", Set({"score": "item.s"}), into="scored", whole=True)
    (row, *_) = through(scored, CHUNKS)
    assert row["scored"][1] == {"item": {"t": "y", "s": 3}, "score": 3}


def test_what_cannot_go_into_a_bracket_or_come_out_of_it_is_an_error_and_not_lost() -> None:
    with pytest.raises(RowFailed, match="no list but 'x'"):
        through(Each("chunks", Chain()), [{"chunks": "x"}])
    with pytest.raises(RowFailed, match="no list but None"):
        through(Each("chunks", Chain()), [{}])
    with pytest.raises(RowFailed, match="whole: true"):
        through(Each("chunks", Select(["q"])), CHUNKS)


def test_brackets_nest() -> None:
    rows: list[Row] = [{"pages": [{"lines": ["a", ""]}, {"lines": []}, {"lines": ["b"]}]}]
    lines = (
        Set({"lines": "page.lines"}) >> Each("lines", Filter("line"), as_="line") >> Set({"page": "lines"})
    )
    assert through(Each("pages", lines, as_="page"), rows) == [{"pages": [["a"], [], ["b"]]}]


def test_rows_that_did_not_fit_in_memory_leave_no_file_behind(tmp_path: Path) -> None:
    folder = tmp_path / "spill"

    def failing(row: Row) -> Row:
        raise ValueError(row["n"])

    fork = Fork([Chain(), Chain(), Map(failing)])
    with pytest.raises(RowFailed):
        go(collected(fork, NUMBERS, Scope(memory=Memory(1, folder))))
    assert list(folder.iterdir()) == []


def test_a_stream_is_only_asked_for_what_is_needed() -> None:
    asked: list[int] = []

    def noted(row: Row) -> Row:
        asked.append(row["n"])
        return row

    assert ns(through(Map(noted) >> Flat("l") >> Limit(3), [{"n": n, "l": [1, 2]} for n in range(9)])) == [
        0,
        0,
        1,
    ]
    assert asked == [0, 1]


def test_a_bracket_of_whole_rows_keeps_a_change_of_one_to_true() -> None:
    changed = Each("list", Set({"on": {"value": True}}), whole=True)
    (row,) = through(changed, [{"on": 1, "list": ["x"]}])
    assert row["list"] == [{"item": "x", "on": True}]
    assert row["list"][0]["on"] is True


def test_a_condition_on_a_value_too_deep_fails_its_row() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    other: list[Any] = []
    for _ in range(5000):
        other = [other]
    with pytest.raises(RowFailed, match="RecursionError"):
        through(If("a == b", TENFOLD), [{"a": deep, "b": other}])
