"""Files of JSON lines: every good line is a row, every bad one is told."""

import gzip
import json
from pathlib import Path

import pytest

from leadline.errors import FlowError
from leadline.flow.base import Scope
from leadline.flow.sources import files
from leadline.flow.sources.jsonl import Jsonl
from leadline.testing.running import go
from tests.flow.ends import read


def test_every_line_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('\ufeff{"a": 1}\r\n\n  \n{"a": "Zoë", "b": [1, {"c": null}]}\n{"a": 3}'.encode())
    rows, lost = read(Jsonl(path))
    assert rows == [{"a": 1}, {"a": "Zoë", "b": [1, {"c": None}]}, {"a": 3}]
    assert lost == []
    assert go(Jsonl(path).total(Scope())) == 3


def test_broken_lines_are_told_with_their_number_and_lose_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    bad = [
        b'{"a": 1',
        b"[1]",
        b'{"a": NaN}',
        b'{"a": "\xff"}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b'{"a": 1e999}',
        b'{"a": ' + b"[" * 100 + b"]" * 100 + b"}",
    ]
    path.write_bytes(b"\n".join([b'{"n": 0}', *bad, b'{"n": 1}', b""]))
    rows, lost = read(Jsonl(path))
    assert rows == [{"n": 0}, {"n": 1}]
    assert [letter.error.partition(f"{path}:")[2].partition(":")[0] for letter in lost] == list("23456789")
    assert ["is no JSON" in lost[0].error, "is no object" in lost[1].error, "NaN" in lost[2].error] == [
        True
    ] * 3
    assert "is no UTF-8" in lost[3].error
    assert "nested" in lost[5].error
    assert "the number 1e999 is too large" in lost[6].error
    assert "is nested more than 100 levels deep" in lost[7].error
    assert lost[0].row == {"file": str(path), "line": 2, "record": '{"a": 1'}
    assert {letter.policy for letter in lost} == {"skip"}


def test_a_row_may_hold_many_lists_and_deep_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    text = '{"deep": ' + "[" * 99 + "]" * 99 + ', "many": [' + ", ".join(["[]"] * 300) + "]}"
    path.write_text(text)
    assert read(Jsonl(path)) == ([json.loads(text)], [])


def test_a_line_that_is_too_long_is_lost_without_being_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 20)
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"a": "' + "x" * 100 + '"}\n{"a": 2}\n')
    rows, lost = read(Jsonl(path))
    assert rows == [{"a": 1}, {"a": 2}]
    assert [letter.row["line"] for letter in lost] == [2]
    assert "too long" in lost[0].error


def test_what_is_no_object_can_become_a_field(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('"first"\n{"q": "second"}\n')
    rows, _ = read(Jsonl(path, into="q"))
    assert rows == [{"q": "first"}, {"q": "second"}]


def test_a_pattern_reads_its_files_in_order_and_packed_ones_too(tmp_path: Path) -> None:
    for number in (2, 1):
        (tmp_path / f"{number}.jsonl").write_text(json.dumps({"n": number}))
    (tmp_path / "3.jsonl.gz").write_bytes(gzip.compress(b'{"n": 3}\n'))
    rows, _ = read(Jsonl(tmp_path / "*.jsonl*"))
    assert rows == [{"n": 1}, {"n": 2}, {"n": 3}]


@pytest.mark.parametrize(
    ("name", "said"), [("none.jsonl", "not there"), ("*.csv", "no file is like"), (".", "is a folder")]
)
def test_what_cannot_be_read_at_all_says_what_to_do(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(FlowError, match=said):
        read(Jsonl(tmp_path / name))


def test_a_packed_file_that_is_cut_short_ends_the_flow(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"n": 3}\n' * 1000)[:-20])
    with pytest.raises(FlowError, match="cannot be read on"):
        read(Jsonl(path))
