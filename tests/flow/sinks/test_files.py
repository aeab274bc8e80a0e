"""Files of sinks: one writer at a time, and failures that say which file it was."""

import asyncio
import os
from pathlib import Path

import pytest

from leadline.errors import FlowError
from leadline.flow.base import Row, Scope
from leadline.flow.ends import Sink
from leadline.flow.sinks.csv_file import Csv
from leadline.flow.sinks.jsonl import Jsonl
from leadline.flow.sinks.parquet import Parquet
from leadline.testing.running import go
from tests.flow.ends import fail, write

MANY: list[Row] = [{"n": number, "text": "x" * 100} for number in range(200)]


def test_a_file_that_another_flow_writes_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"

    async def work() -> None:
        async with Jsonl(path).opened(Scope()) as put:
            await put({"flow": 1})
            for other in (Jsonl(path), Csv(path)):
                with pytest.raises(FlowError, match=r"out\.jsonl` is being written by another flow\. Wait"):
                    await asyncio.to_thread(write, other, [{"flow": 2}])
            await put({"flow": 1})

    go(work())
    assert path.read_text() == '{"flow": 1}\n{"flow": 1}\n'
    write(Jsonl(path), [{"flow": 2}])
    assert path.read_text() == '{"flow": 2}\n'


def test_what_is_left_of_a_longer_file_is_not_in_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with pytest.raises(KeyError):
        fail(Jsonl(path), MANY)
    write(Jsonl(path), [{"n": 1}])
    assert path.read_text() == '{"n": 1}\n'


@pytest.mark.parametrize("kind", [Jsonl, Csv, Parquet])
def test_a_full_disk_is_told_with_the_file(tmp_path: Path, kind: type[Jsonl | Csv | Parquet]) -> None:
    path = tmp_path / "out"
    (tmp_path / "out.part").symlink_to("/dev/full")
    with pytest.raises(FlowError, match=r"out` cannot be written: No space left on device"):
        write(kind(path), MANY)
    assert not path.exists()


def test_a_full_disk_hides_no_other_failure(tmp_path: Path) -> None:
    (tmp_path / "out.part").symlink_to("/dev/full")
    with pytest.raises(KeyError):
        fail(Jsonl(tmp_path / "out"), [{"a": 1}])


@pytest.mark.parametrize("sink", [Jsonl(Path("out")), Csv(Path("out"))])
def test_a_link_in_a_circle_is_told(tmp_path: Path, sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out").symlink_to("out")
    with pytest.raises(FlowError, match="`out` is a link that leads in a circle"):
        write(sink, [{"a": 1}])


def test_a_device_is_written_to_under_whatever_name_it_has(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    try:
        write(Jsonl(Path(f"/dev/fd/{writing}")), [{"a": 1}])
        assert os.read(reading, 100) == b'{"a": 1}\n'
    finally:
        os.close(writing)
        os.close(reading)
