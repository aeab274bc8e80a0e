"""Parquet files whose columns fit all rows, and the way back."""

import datetime
import decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as some

from leadline.errors import FlowError
from leadline.events import Event, Notice
from leadline.flow.base import Row, Scope
from leadline.flow.sinks.parquet import Parquet
from leadline.flow.sources.parquet import Parquet as ParquetSource
from leadline.run import Run
from leadline.testing.running import go
from tests.flow.ends import fail, read, write
from tests.flow.json_values import VALUES


def said(path: Path, rows: list[Row]) -> list[str]:
    told: list[Event] = []
    assert write(Parquet(path), rows, Scope(run=Run(emit=told.append))) == []
    return [event.text for event in told if isinstance(event, Notice)]


def test_rows_come_back_and_later_columns_are_there_from_the_first(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows: list[Row] = [
        {"q": "Zoë", "n": 1},
        {"n": 2.5, "list": [{"a": 1}, {"b": [True]}], "map": {"x": None}},
    ]
    assert said(path, rows) == []
    assert read(ParquetSource(path))[0] == [
        {"q": "Zoë", "n": 1.0, "list": None, "map": None},
        {"q": None, "n": 2.5, "list": [{"a": 1, "b": None}, {"a": None, "b": [True]}], "map": {"x": None}},
    ]
    assert go(ParquetSource(path).total(Scope())) == 2


def test_values_of_several_kinds_become_text_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows: list[Row] = [
        {"a": 1, "b": 2**70, "c": {}, "d": {"x": 1}},
        {"a": "x", "b": 1, "c": {}, "d": {"x": [1]}},
    ]
    notices = said(path, rows)
    assert notices == ["parquet: values of several kinds are written as text in `a`, `b`, `d`."]
    assert read(ParquetSource(path))[0] == [
        {"a": "1", "b": str(2**70), "c": "{}", "d": {"x": "1"}},
        {"a": "x", "b": "1", "c": "{}", "d": {"x": "[1]"}},
    ]


def test_whole_numbers_that_no_fraction_can_be_stay_exact(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    said(path, [{"a": 2**60 + 1}, {"a": 0.5}])
    assert read(ParquetSource(path))[0] == [{"a": str(2**60 + 1)}, {"a": "0.5"}]


@given(some.lists(some.dictionaries(some.sampled_from("abc"), VALUES, max_size=3), max_size=6))
def test_no_rows_are_too_odd_to_be_written(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    path = tmp_path_factory.getbasetemp() / "odd.parquet"
    assert write(Parquet(path), rows) == []
    back = read(ParquetSource(path))[0]
    if any(rows):
        assert len(back) == len(rows)
    for row, again in zip(rows, back, strict=False):
        assert {name for name, value in again.items() if value is not None} == {
            name for name, value in row.items() if value is not None
        }


def test_a_failure_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_text("before")
    with pytest.raises(KeyError):
        fail(Parquet(path), [{"a": 1}])
    assert path.read_text() == "before"


def test_columns_are_chosen_and_dates_become_text(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table: dict[str, list[Any]] = {
        "day": [datetime.date(2020, 5, 3)],
        "price": [decimal.Decimal("1.50")],
        "bytes": [b"ab"],
        "odd": [float("nan")],
        "more": [1],
    }
    pq.write_table(pa.table(table), path)  # type: ignore[reportUnknownMemberType]
    rows = read(ParquetSource(path, columns=["odd", "day", "price", "bytes"]))[0]
    assert rows == [{"day": "2020-05-03", "price": 1.5, "bytes": "YWI=", "odd": None}]
    with pytest.raises(FlowError, match="no column `nix`"):
        read(ParquetSource(path, columns=["nix"]))


def test_what_is_no_parquet_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_text("no")
    with pytest.raises(FlowError, match="cannot be read as Parquet"):
        read(ParquetSource(path))


def test_names_with_half_a_character_in_them_are_written_as_far_as_they_can_be(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    assert write(Parquet(path), [{"\ud800": 1, "?": 2, "b": {"\ud800": 3}}]) == []
    assert read(ParquetSource(path))[0] == [{"??": 1, "?": 2, "b": '{"?": 3}'}]
