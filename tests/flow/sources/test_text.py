"""Plain text by line, by paragraph, by file; and what is piped in."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from leadline.errors import FlowError
from leadline.flow.sources import text
from leadline.flow.sources.inline import InlineRows
from leadline.flow.sources.stdin import Stdin
from leadline.flow.sources.text import Text
from tests.flow.ends import read


def test_lines_paragraphs_and_files(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(" one\ntwo\n\n\nthree\n")
    assert [(row["line"], row["text"]) for row in read(Text(path))[0]] == [
        (1, "one"),
        (2, "two"),
        (5, "three"),
    ]
    paragraphs = read(Text(path, each="paragraph"))[0]
    assert [(row["line"], row["text"]) for row in paragraphs] == [(1, " one\ntwo"), (5, "three")]
    assert read(Text(path, each="file", into="all"))[0] == [
        {"all": " one\ntwo\n\n\nthree", "file": str(path), "line": 1}
    ]


def test_what_is_too_long_for_a_row_is_told_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "LARGEST", 30)
    path = tmp_path / "a.txt"
    path.write_text("one\n\n" + "long\n" * 10 + "\nthree\n")
    rows, lost = read(Text(path, each="paragraph"))
    assert [row["text"] for row in rows] == ["one", "three"]
    assert f"{path}:3: the 50 characters" in lost[0].error
    rows, lost = read(Text(path, each="file"))
    assert (rows, len(lost)) == ([], 1)


def test_bytes_that_are_no_text_cost_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\n\xff\xfe\nthree")
    rows, lost = read(Text(path))
    assert [row["text"] for row in rows] == ["one", "three"]
    assert f"{path}:2: is no UTF-8" in lost[0].error


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    opened: list[IO[str]] = []

    def pipe(data: bytes) -> None:
        reading, writing = os.pipe()
        os.write(writing, data)
        os.close(writing)
        opened.append(os.fdopen(reading))
        monkeypatch.setattr("sys.stdin", opened[-1])

    yield pipe
    for stdin in opened:
        stdin.close()


def test_json_lines_are_piped_in(piped: Callable[[bytes], None]) -> None:
    piped(b'{"a": 1}\nno\n\n{"a": 2}')
    rows, lost = read(Stdin())
    assert rows == [{"a": 1}, {"a": 2}]
    assert "stdin:2: is no JSON" in lost[0].error


def test_lines_of_text_are_piped_in(piped: Callable[[bytes], None]) -> None:
    piped("Who?\n\nWoë\n".encode() + b"\xff\n")
    rows, lost = read(Stdin(format="text", into="question"))
    assert rows == [{"question": "Who?"}, {"question": "Woë"}]
    assert "stdin:4" in lost[0].error


def test_rows_stand_in_the_flow() -> None:
    given = [{"a": 1}, {"a": 2}]
    assert read(InlineRows(given))[0] == given
    with pytest.raises(FlowError, match=r"items\[1\]"):
        read(InlineRows([{"a": 1}, "b"]))  # type: ignore[reportArgumentType]
