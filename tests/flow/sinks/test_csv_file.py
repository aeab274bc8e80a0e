"""Rows as a table of text that others read back as they were."""

import csv
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from leadline.errors import FlowError
from leadline.flow.base import Row, Scope
from leadline.flow.ends import Sink
from leadline.flow.sinks.csv_file import Csv
from leadline.flow.sinks.parquet import Parquet
from leadline.flow.sinks.sql import Sql
from leadline.flow.sources.csv_file import Csv as CsvSource
from leadline.testing.running import go
from tests.flow.ends import fail, read, write


def test_what_needs_quotes_is_quoted_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows: list[Row] = [{"a": 'say "hi", twice\nplease', "b": "Zoë"}, {"a": "", "b": "x;y"}]
    assert write(Csv(path), rows) == []
    assert read(CsvSource(path))[0] == rows


def test_columns_are_all_fields_of_all_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write(Csv(path), [{"a": 1}, {"b": [1, {"c": None}], "a": None}, {"c": True, "b": 1.5}])
    with path.open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [
            ["a", "b", "c"],
            ["1", "", ""],
            ["", '[1, {"c": null}]', ""],
            ["", "1.5", "true"],
        ]


def test_only_the_columns_asked_for_are_written_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    write(Csv(path, columns=["b", "z", "a"]), [{"a": 1, "b": 2, "c": 3}])
    assert path.read_text() == "b\tz\ta\n2\t\t1\n"


def test_formulas_can_be_kept_from_spreadsheets(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows: list[Row] = [{"a": "=HYPERLINK(0)", "b": -5}, {"a": "@x", "b": "-5"}, {"a": "+1 or so", "b": "x=1"}]
    write(Csv(path, formulas="escape"), rows)
    assert path.read_text() == "a,b\n'=HYPERLINK(0),-5\n'@x,-5\n'+1 or so,x=1\n"
    write(Csv(path), rows[:1])
    assert path.read_text() == "a,b\n=HYPERLINK(0),-5\n"


def test_a_failure_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")
    with pytest.raises(KeyError):
        fail(Csv(path), [{"a": 1}])
    assert path.read_text() == "before"


def test_a_place_that_cannot_be_written_to_is_said_before_the_first_row(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for sink in (
        Csv(tmp_path / "file" / "a.csv"),
        Parquet(tmp_path / "file" / "a.parquet"),
        Sql("nix://", "t"),
    ):

        async def enter(sink: Sink = sink) -> None:
            async with sink.opened(Scope()):
                raise AssertionError

        with pytest.raises(FlowError, match="cannot be written|names no database"):
            go(enter())


def test_a_separator_is_one_character(tmp_path: Path) -> None:
    with pytest.raises(FlowError, match="one character"):
        write(Csv(tmp_path / "a.csv", delimiter="::"), [])


@given(
    some.lists(
        some.dictionaries(some.sampled_from(["a", "b,", 'c"', "d\n"]), some.text(max_size=8)), max_size=6
    )
)
@example([{"a": "a\rb"}, {"a": "\r"}, {"a": "\x00"}])
def test_any_text_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    write(Csv(path), rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    back, lost = read(CsvSource(path))
    assert lost == []
    assert back == [{name.strip(): row.get(name, "") for name in names} for row in rows if names]
