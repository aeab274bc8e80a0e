"""One row becomes one, several or none, and what goes wrong with it is said."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import FlowError, RowFailed
from leadline.flow.base import Chain, DeadLetter, Operator, Retry, Row, Scope
from leadline.flow.ends import Flow
from leadline.flow.expressions.conditions import Expression
from leadline.flow.operators.control import If
from leadline.flow.operators.mapping import Filter, Flat, FlatMap, Map
from leadline.flow.operators.ordering import Sort
from leadline.flow.running.opening import Choices
from leadline.flow.running.running import collected, run_flow
from leadline.testing.running import go
from tests.flow.made import counted


def through(operator: Operator, *rows: Row) -> list[Row]:
    return go(collected(operator, list(rows)))


def test_a_function_makes_a_row_of_a_row_or_a_field_of_fields() -> None:
    assert through(Map(lambda row: {"m": row["n"] + 1}), {"n": 1}) == [{"m": 2}]
    assert through(Map(str.upper, "t"), {"t": "a"}) == [{"t": "A"}]
    assert through(Map(str.upper, "t", "u"), {"t": "a"}) == [{"t": "a", "u": "A"}]
    assert through(Map(max, ["a", "b"], "most"), {"a": 1, "b": 2}) == [{"a": 1, "b": 2, "most": 2}]
    assert through(Map(Expression.parse("len(t)"), into="size"), {"t": "abc"}) == [{"t": "abc", "size": 3}]
    assert through(Map(len, into="fields"), {"t": "abc"}) == [{"t": "abc", "fields": 1}]


def test_a_function_may_wait_and_may_ask_for_the_scope() -> None:
    async def asked(row: Row, scope: Scope) -> Row:
        await asyncio.sleep(0)
        return {**row, "round": scope.round, "shared": dict(scope.shared)}

    assert through(Map(asked), {"n": 1}) == [{"n": 1, "round": 0, "shared": {}}]
    assert Map(asked).costly
    assert not Map(len, into="n").costly
    assert Map(len, into="n", remember=True).costly
    later = Map(lambda row: asyncio.sleep(0, row))
    assert through(later, {"n": 1}) == [{"n": 1}]


def test_nothing_that_a_function_gives_is_a_signal() -> None:
    values: list[Any] = [None, 0, "", [], {}, False]
    for value in values:
        assert through(Map(lambda _, value=value: value, into="v"), {}) == [{"v": value}]


def test_what_a_function_raises_or_gives_wrongly_fails_its_row_and_says_so() -> None:
    with pytest.raises(RowFailed, match="ZeroDivisionError"):
        through(Map(lambda row: 1 / row["n"]), {"n": 0})
    for wrong in (None, [1], 1):
        with pytest.raises(RowFailed, match="which is no row"):
            through(Map(lambda _, wrong=wrong: wrong), {"n": 1})
    with pytest.raises(RowFailed, match="no field `t`"):
        through(Map(str.upper, "t"), {"n": 1})


def test_a_row_that_fails_can_be_tried_again_left_out_or_kept_and_is_told() -> None:
    told: list[DeadLetter] = []
    tries: list[int] = []

    def at_third(row: Row) -> Row:
        tries.append(row["n"])
        if row["n"] == 1 and len(tries) < 3:
            raise ValueError("not yet")
        return {**row, "done": True}

    def run(step: Operator) -> list[Row]:
        tries.clear()
        return go(collected(step, [{"n": 1}, {"n": 2}], Scope(lose=told.append)))

    assert run(Map(at_third, retry=Retry(2, 0.0))) == [{"n": 1, "done": True}, {"n": 2, "done": True}]
    assert run(Map(at_third, on_error="skip")) == [{"n": 2, "done": True}]
    assert run(Map(at_third, on_error="keep")) == [{"n": 1}, {"n": 2, "done": True}]
    assert [(letter.policy, letter.row, letter.error) for letter in told] == [
        ("skip", {"n": 1}, "ValueError: not yet"),
        ("keep", {"n": 1}, "ValueError: not yet"),
    ]


def test_ctrl_c_is_no_error_of_a_row() -> None:
    def stopped(row: Row) -> Row:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        through(Map(stopped, on_error="skip"), {"n": 1})


def test_a_function_makes_many_rows_of_one_whole_or_not_at_all() -> None:
    async def slowly(row: Row) -> AsyncIterator[Row]:
        for n in range(row["n"]):
            await asyncio.sleep(0)
            yield {"n": n}

    def broken(row: Row) -> Any:
        yield {"n": 0}
        raise ValueError("halfway")

    assert through(FlatMap(slowly), {"n": 2}, {"n": 0}, {"n": 1}) == [{"n": 0}, {"n": 1}, {"n": 0}]
    assert through(FlatMap(lambda row: ({"n": n} for n in range(2))), {}) == [{"n": 0}, {"n": 1}]
    assert through(FlatMap(Expression.parse("rows")), {"rows": [{"n": 1}]}) == [{"n": 1}]
    assert through(FlatMap(lambda words: [{"w": w} for w in words], "words"), {"words": ["a"]}) == [
        {"w": "a"}
    ]
    assert through(FlatMap(broken, on_error="skip"), {"n": 1}) == []
    for wrong in ("text", {"n": 1}, None, [1]):
        with pytest.raises(RowFailed, match="no row"):
            through(FlatMap(lambda _, wrong=wrong: wrong), {})


def test_a_filter_needs_a_condition_and_asks_it_once_for_each_row() -> None:
    with pytest.raises(TypeError):
        Filter()  # pyright: ignore[reportCallIssue]
    rows: list[Row] = [{"n": 0}, {"n": 1}, {}, {"n": None}, {"n": "x"}]
    assert through(Filter("n"), *rows) == [{"n": 1}, {"n": "x"}]
    assert through(Filter("not n"), *rows) == [{"n": 0}, {}, {"n": None}]
    asked: list[Row] = []
    assert through(Filter(asked.append), *rows) == []
    assert asked == rows
    assert through(Filter(lambda row: row["n"], on_error="skip"), *rows) == [{"n": 1}, {"n": "x"}]


def test_a_condition_of_a_filter_cannot_wait() -> None:
    async def asked(row: Row) -> bool:
        return False

    with pytest.raises(FlowError, match="coroutine"):
        through(Filter(asked), {})


def test_each_element_becomes_a_row_with_the_fields_of_its_parent() -> None:
    row: Row = {"id": 1, "tags": ["a", None, 0]}
    assert through(Flat("tags"), row) == [
        {"id": 1, "tags": "a"},
        {"id": 1, "tags": None},
        {"id": 1, "tags": 0},
    ]
    assert through(Flat("tags", "tag"), row)[0] == {**row, "tag": "a"}
    assert through(Flat("tags", "tag", inherit=False), row)[0] == {"tag": "a"}
    rows: list[Row] = [{"rows": [{"x": 1}, {"y": 2}]}]
    assert through(Flat("rows", inherit=False), *rows) == [{"x": 1}, {"y": 2}]
    assert through(Flat("rows", "row", inherit=False), *rows)[0] == {"row": {"x": 1}}
    assert through(Flat("meta.tags"), {"meta": {"tags": [1]}}) == [{"meta": {"tags": [1]}, "tags": 1}]


def test_of_a_mapping_its_keys_values_or_items_become_rows() -> None:
    row: Row = {"id": 1, "of": {"a": 1, "b": None}}
    assert [each["of"] for each in through(Flat("of", of="keys"), row)] == ["a", "b"]
    assert [each["v"] for each in through(Flat("of", "v", of="values"), row)] == [1, None]
    assert through(Flat("of", of="items", inherit=False), row) == [
        {"key": "a", "value": 1},
        {"key": "b", "value": None},
    ]


@pytest.mark.parametrize("value", ["text", 7, None, {"a": 1}, True])
def test_what_is_no_list_is_an_error_and_never_silently_lost(value: Any) -> None:
    with pytest.raises(RowFailed, match="holds no list"):
        through(Flat("tags"), {"tags": value})
    with pytest.raises(RowFailed, match="holds no mapping"):
        through(Flat("tags", of="keys"), {"tags": [value]})


def test_an_empty_list_gives_nothing_or_its_parent() -> None:
    rows: list[Row] = [{"id": 1, "tags": []}, {"id": 2}, {"id": 3, "tags": None}, {"id": 4, "tags": ["x"]}]
    assert through(Flat("tags", "tag", keep_empty=True), *rows) == [
        {"id": 1, "tags": [], "tag": None},
        {"id": 2, "tag": None},
        {"id": 3, "tags": None, "tag": None},
        {"id": 4, "tags": ["x"], "tag": "x"},
    ]
    assert through(Flat("tags"), rows[0]) == []
    with pytest.raises(RowFailed, match="no list"):
        through(Flat("tags", keep_empty=True), {"tags": 0})


def leaving(row: Row) -> Row:
    if row["n"] == 1:
        sys.exit("good bye")
    return row


@pytest.mark.parametrize("steps", [Map(leaving), Map(leaving) >> Sort(["n"]), If(leaving, Chain())])
def test_a_function_that_ends_its_program_fails_its_row_and_no_other(steps: Operator, tmp_path: Path) -> None:
    flow = Flow("f", counted(3), steps)
    report = go(run_flow(flow, choices=Choices(folder=tmp_path)))
    assert (report.rows_out, report.failed, report.ending) == (2, 1, "finished")
    assert "SystemExit: good bye" in (tmp_path / "failed.jsonl").read_text()


def test_a_function_that_ends_its_program_is_tried_again() -> None:
    step = Map(leaving, retry=Retry(1, 0), on_error="skip")
    assert go(collected(step, [{"n": 0}, {"n": 1}])) == [{"n": 0}]
