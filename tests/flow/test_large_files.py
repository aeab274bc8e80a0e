"""Files far larger than what a flow may keep of them, from one format to the next, in the memory of a few rows."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROWS = 400_000
SOURCES = """
from leadline.flow.sinks.{sink} import {Sink} as To
from leadline.flow.sources.{source} import {Source} as From
"""
CHILD = """
import asyncio, sys
from pathlib import Path
from leadline.flow.base import Scope

def peak():  # ru_maxrss would count what the process was before it became this program
    (line,) = [each for each in Path("/proc/self/status").read_text().splitlines() if each.startswith("VmHWM")]
    return int(line.split()[1]) // 1024

async def work():
    scope = Scope()
    async with To(Path(sys.argv[2])).opened(scope) as put:
        async for row in From(Path(sys.argv[1])).rows(scope):
            await put(row)

before = peak()
asyncio.run(work())
print(peak() - before)
"""


def grown(source: str, sink: str, given: Path, made: Path) -> int:
    """By how many MB a process grows that reads one file and writes the other."""
    classes = {"jsonl": "Jsonl", "json_file": "Json", "csv_file": "Csv", "parquet": "Parquet"}
    imports = SOURCES.format(source=source, Source=classes[source], sink=sink, Sink=classes[sink])
    command = [sys.executable, "-c", imports + CHILD, str(given), str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is told by /proc")
def test_no_format_is_read_or_written_whole(tmp_path: Path) -> None:
    first = tmp_path / "0.jsonl"
    with first.open("w") as file:
        for number in range(ROWS):
            row = {
                "id": number,
                "text": f"some words of a text, number {number} " * 8,
                "tags": ["a", str(number % 7)],
            }
            file.write(json.dumps(row) + "\n")
    assert first.stat().st_size > 120 << 20
    (tmp_path / "1.json").write_text("[" + ",".join(first.read_text().splitlines()) + "]")
    steps = [
        ("json_file", "jsonl", "1.json", "2.jsonl"),
        ("jsonl", "csv_file", "2.jsonl", "3.csv"),
        ("csv_file", "parquet", "3.csv", "4.parquet"),
        ("parquet", "jsonl", "4.parquet", "5.jsonl"),
    ]
    for source, sink, given, made in steps:
        assert grown(source, sink, tmp_path / given, tmp_path / made) < 120, (source, sink)
    assert (tmp_path / "5.jsonl").read_bytes().count(b"\n") == ROWS
    assert (tmp_path / "2.jsonl").read_bytes() == first.read_bytes()
