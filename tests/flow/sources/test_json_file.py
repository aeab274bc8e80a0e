"""JSON arrays, element by element, whatever stands where a window over the file ends."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from leadline.flow.sources import json_file
from leadline.flow.sources.json_file import Json
from tests.flow.ends import read
from tests.flow.json_values import VALUES


@given(some.lists(VALUES, max_size=8), some.integers(1, 40), some.sampled_from([None, 1]), some.booleans())
def test_all_elements_come_in_order_for_any_window(
    tmp_path_factory: pytest.TempPathFactory,
    elements: list[Any],
    window: int,
    indent: int | None,
    escaped: bool,
) -> None:
    path = tmp_path_factory.getbasetemp() / "elements.json"
    text = json.dumps(elements, indent=indent, ensure_ascii=escaped)
    path.write_bytes(text.encode("utf-8", "replace"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_file, "_BLOCK", window)
        rows, lost = read(Json(path, into="value"))
    expected = json.loads(path.read_bytes())
    assert [row["value"] if list(row) == ["value"] else row for row in rows] == [
        element["value"] if isinstance(element, dict) and list(element) == ["value"] else element  # type: ignore[reportUnknownArgumentType]
        for element in expected
    ]
    assert lost == []


def test_values_one_after_the_other_are_rows_too(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}\n{"a": 2} {"a":\n 3}{"a": 4}')
    assert [row["a"] for row in read(Json(path))[0]] == [1, 2, 3, 4]


def test_an_array_inside_the_file_is_found_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"data": {"items": [{"a": 1}, {"a": 2}], "n": 2}}')
    assert read(Json(path, at="data.items"))[0] == [{"a": 1}, {"a": 2}]
    _, lost = read(Json(path, at="data.rows"))
    assert "has no `data.rows`" in lost[0].error


def test_what_is_no_object_is_told_and_the_next_element_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1},\n 5,\n {"a": 2}]')
    rows, lost = read(Json(path))
    assert rows == [{"a": 1}, {"a": 2}]
    assert f"{path}:2: is no object" in lost[0].error


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1},\n{"a": 2', ":2: is no JSON"),
        ('[{"a": 1}\n{"a": 2}]', ":2: is no JSON: a comma is missing"),
        ('[{"a": 1}', "has no end"),
        ('[{"a": 1}] x', "behind the end"),
        ('[{"a": 1}, {"a": NaN}]', "NaN is no value"),
        ('[{"a": 1}, ' + "[" * 100_000, "nested too deeply"),
        ('[{"a": 1}, 1.5.3]', "comma is missing"),
    ],
)
def test_broken_json_tells_where_reading_ended(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    rows, lost = read(Json(path))
    assert rows == [{"a": 1}]
    assert said in lost[-1].error
    assert "Nothing behind it was read" in lost[-1].error


def test_bytes_that_are_no_utf8_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'[{"a": "\xff"}]')
    assert "is no UTF-8" in read(Json(path))[1][0].error


def test_elements_that_no_step_can_use_are_lost_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    deep = '{"a": ' + "[" * 100 + "]" * 100 + "}"
    path.write_text(f'[{{"n": 1}}, {{"n": -1e999}}, {deep}, {{"n": 2}}]')
    rows, lost = read(Json(path))
    assert rows == [{"n": 1}, {"n": 2}]
    assert [letter.error.partition(": ")[2] for letter in lost] == [
        "the number -1e999 is too large",
        "is nested more than 100 levels deep",
    ]
