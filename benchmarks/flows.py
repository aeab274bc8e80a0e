"""A million rows through a flow, next to the same job in plain Python generators.

    python -m benchmarks.flows [ROWS]

JSON lines -> Map, Filter, Flat, Group(count) -> JSON lines, each side in a process of its own, in turns: seconds of processor
time (which other work on the machine disturbs least), of the clock, and the most memory that each process had. The flow runs as
it does from a file: with its journal, its dead letters, its progress.
"""

import argparse
import asyncio
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from leadline.flow import Choices, Flow, run_flow
from leadline.flow.operators.aggregates import Count
from leadline.flow.operators.grouping import Group
from leadline.flow.operators.mapping import Filter, Flat, Map
from leadline.flow.sinks.jsonl import Jsonl as Into
from leadline.flow.sources.jsonl import Jsonl as From

Row = dict[str, Any]

WORDS = 5_000
"""How many different words there are, and so how many groups."""


def made(file: Path, rows: int) -> None:
    """The input: a number, a text, a list of words each."""
    with file.open("w", encoding="utf-8") as out:
        for number in range(rows):
            words = [f"word{(number * step + step) % WORDS}" for step in (1, 7, 31)]
            row = {"id": number, "title": f"Title {number}", "score": number % 10, "words": words}
            out.write(json.dumps(row) + "\n")


def scored(row: Row) -> Row:
    """The function of Map, the same on both sides."""
    return {**row, "score": row["score"] / 10}


def plain(source: Path, target: Path) -> None:
    """The job in generators."""

    def read() -> Iterator[Row]:
        with source.open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)

    def mapped(rows: Iterable[Row]) -> Iterator[Row]:
        return (scored(row) for row in rows)

    def filtered(rows: Iterable[Row]) -> Iterator[Row]:
        return (row for row in rows if row["score"] >= 0.2)

    def flat(rows: Iterable[Row]) -> Iterator[Row]:
        return ({**row, "word": word} for row in rows for word in row["words"])

    counts: dict[str, int] = {}
    for row in flat(filtered(mapped(read()))):
        counts[row["word"]] = counts.get(row["word"], 0) + 1
    with target.open("w", encoding="utf-8") as out:
        for word, count in counts.items():
            out.write(json.dumps({"word": word, "rows": count}, ensure_ascii=False) + "\n")


def flow(source: Path, target: Path) -> None:
    """The job as a flow."""
    steps = (
        Map(scored)
        >> Filter("score >= 0.2")
        >> Flat("words", as_="word")
        >> Group(["word"], {"rows": Count()})
    )
    described = Flow("million", From(source), steps, (Into(target),))
    asyncio.run(run_flow(described, choices=Choices(folder=target.parent / "flow")))


def measured(side: str, source: Path, target: Path) -> tuple[float, float, float]:
    """Seconds of the processor, seconds, megabytes of one side in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.flows", "--side", side, str(source), str(target)]
    told = subprocess.run(command, check=True, capture_output=True, text=True)
    busy, seconds, megabytes = told.stdout.split()
    return float(busy), float(seconds), float(megabytes)


def one_side(side: str, source: Path, target: Path) -> None:
    """What such a process does."""
    began, busy = time.perf_counter(), time.process_time()
    (plain if side == "plain" else flow)(source, target)
    busy, seconds = time.process_time() - busy, time.perf_counter() - began
    print(busy, seconds, peak_megabytes())


def peak_megabytes() -> float:
    """The most memory this process has had."""
    if sys.platform == "darwin":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    # On Linux `ru_maxrss` counts what the process was before it became this program.
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main(rows: int, turns: int) -> None:
    found: dict[str, list[tuple[float, float, float]]] = {"plain": [], "flow": []}
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "rows.jsonl")
        made(source, rows)
        print(f"{rows:,} rows, Map, Filter, Flat, Group(count); the best of {turns} turns")
        for _ in range(turns):
            for side, figures in found.items():
                figures.append(measured(side, source, Path(scratch, f"{side}.jsonl")))
        digests = {hashlib.sha256(Path(scratch, f"{side}.jsonl").read_bytes()).digest() for side in found}
    print(f"{'':8}{'rows/s':>12}{'CPU s':>10}{'seconds':>10}{'peak MB':>10}")
    best = {side: min(figures) for side, figures in found.items()}
    for side, (busy, seconds, megabytes) in best.items():
        print(f"{side:8}{rows / busy:12,.0f}{busy:10.2f}{seconds:10.2f}{megabytes:10.0f}")
    print(f"the flow takes {best['flow'][0] / best['plain'][0]:.2f} times as long")
    print(f"same output: {'yes' if len(digests) == 1 else 'NO'}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--side", nargs=3, metavar=("SIDE", "SOURCE", "TARGET"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side:
        one_side(given.side[0], Path(given.side[1]), Path(given.side[2]))
    else:
        main(given.rows, given.turns)
