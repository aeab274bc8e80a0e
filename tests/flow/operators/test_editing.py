"""Fields come, go and change their names; a row that was given is never changed."""

from typing import Any

import pytest

from leadline.errors import FlowError, RowFailed
from leadline.flow.base import Operator, Row
from leadline.flow.operators.editing import Extend, Remove, Rename, Select, Set
from leadline.flow.operators.mapping import Map
from leadline.flow.running.running import collected
from leadline.testing.running import go


def edited(operator: Operator, *rows: Row) -> list[Row]:
    before = repr(rows)
    made = go(collected(operator, list(rows)))
    assert repr(rows) == before
    return made


def test_selected_fields_stay_in_the_order_given() -> None:
    (row,) = edited(Select(["c", "a", "missing"]), {"a": 1, "b": 2, "c": None})
    assert list(row.items()) == [("c", None), ("a", 1)]


def test_renamed_fields_stay_in_place_and_take_no_other_fields_name() -> None:
    (row,) = edited(Rename({"a": "x", "gone": "y"}), {"a": 1, "b": 2})
    assert list(row.items()) == [("x", 1), ("b", 2)]
    assert edited(Rename({"a": "b", "b": "a"}), {"a": 1, "b": 2}) == [{"b": 1, "a": 2}]
    with pytest.raises(RowFailed, match="`b` already"):
        edited(Rename({"a": "b"}), {"a": 1, "b": 2})


def test_fields_are_set_to_expressions_values_and_functions_of_the_row_as_it_came() -> None:
    step = Set(
        {"n": "m", "m": "n", "k": {"value": "m"}, "double": lambda row: row["n"] * 2, "none": "missing.x"}
    )
    assert edited(step, {"n": 1, "m": 5}) == [{"n": 5, "m": 1, "k": "m", "double": 2, "none": None}]
    with pytest.raises(FlowError, match="`n` is set to"):
        Set({"n": 3})  # pyright: ignore[reportArgumentType]
    with pytest.raises(FlowError):
        Set({"n": "len("})


def test_a_value_that_is_set_is_each_rows_own() -> None:
    def appended(row: Row) -> Row:
        row["list"].append(1)  # what no step should do
        return row

    made = edited(Set({"list": {"value": []}}) >> Map(appended), {}, {})
    assert made == [{"list": [1]}, {"list": [1]}]


def test_fields_are_removed_by_name_or_for_being_empty() -> None:
    row: Row = {"a": 1, "b": None, "c": "", "d": [], "e": {}, "f": 0, "g": False, "h": (1,)}
    assert edited(Remove(["a", "missing"]), row) == [{name: row[name] for name in row if name != "a"}]
    assert edited(Remove(["a"], empty=True), row) == [{"f": 0, "g": False, "h": (1,)}]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"all": [1], "new": [2, 3]}, [1, 2, 3]),
        ({"new": [2]}, [2]),
        ({"all": [1]}, [1]),
        ({"all": [1], "new": None}, [1]),
        ({"all": [1], "new": "ab"}, [1, "ab"]),
        ({"all": None, "new": {"x": 1}}, [{"x": 1}]),
    ],
)
def test_lists_are_extended_by_what_another_field_holds(row: Row, expected: list[Any]) -> None:
    assert edited(Extend({"all": "new"}), row)[0]["all"] == expected


def test_equal_elements_are_kept_once_the_first_of_them() -> None:
    row: Row = {"all": [{"id": 1, "s": "old"}], "new": [{"id": 1.0, "s": "new"}, {"id": True}, {"id": "1"}]}
    found = edited(Extend({"all": "new"}, distinct=True, by="id"), row)[0]["all"]
    assert found == [{"id": 1, "s": "old"}, {"id": True}, {"id": "1"}]
    numbers: Row = {"all": [1, "1"], "new": [1.0, True, "1", None, None]}
    assert edited(Extend({"all": "new"}, distinct=True), numbers)[0]["all"] == [1, "1", True, None]
