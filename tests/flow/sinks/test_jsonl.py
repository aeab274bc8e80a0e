"""Rows written as JSON lines: the file is whole or as it was before."""

import json
from pathlib import Path

import pytest

from leadline.errors import FlowError
from leadline.flow.base import Row
from leadline.flow.sinks.jsonl import Jsonl
from tests.flow.ends import fail, write


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    rows: list[Row] = [
        {"a": "Zoë 東京\n\u2028"},
        {"b": [1, 2.5, None, True, {"c": ""}]},
        {"half": "\ud83d"},
        {},
    ]
    path = tmp_path / "new" / "out.jsonl"
    assert write(Jsonl(path), rows) == []
    assert [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]] == rows
    assert "Zoë" in path.read_text("utf-8")
    assert [each.name for each in path.parent.iterdir()] == ["out.jsonl"]


def test_a_failure_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("before")
    with pytest.raises(KeyError):
        fail(Jsonl(path), [{"a": 1}])
    assert path.read_text() == "before"
    assert (tmp_path / "out.jsonl.part").read_text() == '{"a": 1}\n'


def test_a_row_that_json_cannot_tell_is_lost_alone(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    lost = write(Jsonl(path), [{"a": float("nan")}, {"a": {1, 2}}, {"a": 1}])
    assert path.read_text() == '{"a": 1}\n'
    assert [letter.step for letter in lost] == ["jsonl", "jsonl"]


def test_a_link_stays_one_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "out.jsonl"
    link.symlink_to(tmp_path / "real" / "out.jsonl")
    write(Jsonl(link), [{"a": 1}])
    assert link.is_symlink()
    assert (tmp_path / "real" / "out.jsonl").read_text() == '{"a": 1}\n'
    assert write(Jsonl(Path("/dev/null")), [{"a": 1}]) == []


def test_a_place_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FlowError, match="cannot be written"):
        write(Jsonl(tmp_path / "file" / "out.jsonl"), [])
