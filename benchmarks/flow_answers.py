"""A question set answered by a shipped flow: undisturbed, killed at a random row and resumed, and on Ray; are all the same?

    python -m benchmarks.flow_answers DIR [--limit 500] [--flow deepsearch] [--data FOLDER] [--ray] [--seed 0] [--json]

Each run is a process of its own, `leadline flow run`, and what it wrote is compared byte for byte.
"""

import argparse
import asyncio
import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from benchmarks.answers import load
from leadline.config import Settings
from leadline.evaluation.answer_metrics import contains
from leadline.evaluation.cases import Case, read_set
from leadline.evaluation.setup import work_folder
from leadline.flow.running.opening import FLOWS


@dataclass(frozen=True, slots=True)
class Figures:
    """One way to the answers. `killed_at` rows were in the journal of a run that was killed; `same`: they are, byte for
    byte, those of the undisturbed run."""

    way: str
    questions: int
    seconds: float
    same: bool = True
    killed_at: int = 0
    resumed: int = 0


@dataclass(frozen=True, slots=True)
class Bench:
    """The flow over one set of questions."""

    flow: str
    data: Path
    collection: str
    questions: Path
    folder: Path

    def command(self, answers: Path, *more: str) -> list[str]:
        """The command line of one run."""
        given = {"questions": self.questions, "answers": answers, "collections": self.collection}
        values = [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
        shared = [sys.executable, "-m", "leadline", "--data", str(self.data)]
        return [*shared, "flow", "run", self.flow, *values, "--json", *more]

    def run(self, answers: Path, *more: str) -> tuple[float, dict[str, Any]]:
        """One run to its end: how long it took, and its report."""
        started = time.perf_counter()
        ended = subprocess.run(self.command(answers, *more), stdout=subprocess.PIPE, text=True, check=False)
        seconds = time.perf_counter() - started
        if ended.returncode:
            raise SystemExit(f"the flow ended with {ended.returncode}:\n{ended.stdout[-2000:]}")
        return seconds, cast(dict[str, Any], json.loads(ended.stdout))

    def forget(self) -> None:
        """Take away what earlier runs remember."""
        shutil.rmtree(self.data / FLOWS, ignore_errors=True)

    def killed(self, answers: Path, row: int) -> int:
        """Kill a run with so many rows in its journal; how many there are then."""
        child = subprocess.Popen(self.command(answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while child.poll() is None and self._journalled() < row:
            time.sleep(0.005)
        child.send_signal(signal.SIGKILL)
        child.wait()
        return self._journalled()

    def _journalled(self) -> int:
        for file in (self.data / FLOWS).glob("*/journal.sqlite"):
            connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            try:
                return int(connection.execute("SELECT count(*) FROM done").fetchone()[0])
            except sqlite3.Error:
                return 0
            finally:
                connection.close()
        return 0


def measured(bench: Bench, count: int, seed: int, *, ray: bool) -> list[Figures]:
    """All ways, one after the other."""
    whole, again, spread = (bench.folder / f"{name}.jsonl" for name in ("whole", "resumed", "ray"))
    bench.forget()
    seconds, _ = bench.run(whole)
    found = [Figures("undisturbed", count, seconds)]
    bench.forget()
    at = bench.killed(again, random.Random(seed).randrange(1, count))
    seconds, report = bench.run(again, "--resume")
    same = again.read_bytes() == whole.read_bytes()
    found.append(Figures("resumed", count, seconds, same, at, int(report["resumed"])))
    if ray:
        bench.forget()
        seconds, _ = bench.run(spread, "--engine", "ray")
        found.append(Figures("ray", count, seconds, spread.read_bytes() == whole.read_bytes()))
    return found


def gold(cases: Sequence[Case], answers: Path) -> float:
    """The share of answers that hold the known one."""
    texts = [json.loads(line)["answer"]["text"] for line in answers.read_text(encoding="utf-8").splitlines()]
    held = [contains(text, (case.answer, *case.aliases)) for case, text in zip(cases, texts, strict=True)]
    return sum(held) / len(held)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.flow_answers", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="a set: corpus.jsonl and questions.jsonl")
    parser.add_argument("--limit", type=int, default=500, help="only the first questions")
    parser.add_argument("--flow", default="deepsearch")
    parser.add_argument("--data", type=Path, default=Path(".leadline"), help="data folder")
    parser.add_argument("--ray", action="store_true", help="on Ray too")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="one JSON line for each way")
    return parser.parse_args()


def main() -> int:
    """Measure and print; 1 if any way led to other answers."""
    given = arguments()
    questions = read_set(given.folder).pick(given.limit, None)
    collection = asyncio.run(load(questions, given.data))
    folder = given.data / "flow_answers"
    folder.mkdir(exist_ok=True)
    file = folder / "questions.jsonl"
    rows = ({"id": case.id, "question": case.question} for case in questions.cases)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    bench = Bench(given.flow, work_folder(Settings(data=given.data)), collection, file, folder)
    found = measured(bench, len(questions.cases), given.seed, ray=given.ray)
    for each in found:
        if given.json:
            print(json.dumps(asdict(each)))
            continue
        killed = f", killed at row {each.killed_at}, {each.resumed} resumed" if each.killed_at else ""
        same = "the same answers" if each.same else "OTHER ANSWERS"
        print(f"{each.way:12} {each.questions} questions in {each.seconds:.1f} s{killed}: {same}")
    if not given.json:
        print(f"gold in the answer {gold(questions.cases, folder / 'whole.jsonl'):.1%}")
    return 0 if all(each.same for each in found) else 1


if __name__ == "__main__":
    sys.exit(main())
