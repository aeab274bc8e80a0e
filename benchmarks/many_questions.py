"""Many questions at once in one process, against a scripted model: do limits hold, and does memory stay where it is?

    python -m benchmarks.many_questions [--questions 1000] [--at-once 200] [--latency 0.2] [--parallel 64] [--json]

The model's server runs in this process and the questions in another one, whose resident memory is read after every
wave of so many questions. Every second question has a budget of six calls and a deadline; those beside it have none.
"""

import argparse
import asyncio
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.model_world import FACTS, QUESTION, ROUNDS, write
from benchmarks.models import settings
from leadline.config import Settings
from leadline.run import Budget, Run
from leadline.testing.model_server import ModelServer
from leadline.testing.thinking import Thinker
from leadline.types import Answer
from leadline.workspace import Workspace

CALLS = 6
"""The budget of every second question."""


@dataclass(frozen=True, slots=True)
class Wave:
    """So many questions at once, and what became of them. `memory` is resident MiB when all of them had ended."""

    questions: int
    answered: int
    most_calls: int
    most_calls_with_budget: int
    stopped_by_budget: int
    seconds: float
    memory: float


@dataclass(frozen=True, slots=True)
class Figures:
    """All waves; `at_once` is the most calls that the server saw at a time, of `parallel` allowed."""

    waves: tuple[Wave, ...]
    at_once: int
    parallel: int
    peak: float

    @property
    def growth(self) -> float:
        """Memory after the last wave by that after the first."""
        return self.waves[-1].memory / self.waves[0].memory


def resident() -> float:
    """MiB in memory now."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * resource.getpagesize() / 2**20


async def wave(workspace: Workspace, count: int, first: int) -> Wave:
    """Ask `count` questions at once; no two are alike."""

    async def one(number: int) -> Answer:
        budget = Budget(calls=CALLS, seconds=600) if number % 2 else Budget()
        return await workspace.ask(f"{QUESTION} ({number})", agent="deep", run=Run(budget))

    began = time.perf_counter()
    answers = await asyncio.gather(*(one(first + n) for n in range(count)))
    seconds = time.perf_counter() - began
    limited, free = answers[1 - first % 2 :: 2], answers[first % 2 :: 2]
    figures = Wave(
        questions=count,
        answered=sum(bool(each.claims) for each in answers),
        most_calls=max(each.usage.calls for each in free),
        most_calls_with_budget=max(each.usage.calls for each in limited),
        stopped_by_budget=sum(each.stop == "budget" for each in answers),
        seconds=round(seconds, 1),
        memory=0.0,
    )
    del answers, limited, free
    gc.collect()
    return replace(figures, memory=round(resident(), 1))


async def ask_all(chosen: Settings, questions: int, at_once: int) -> list[Wave]:
    """One wave after the other, in this process."""
    async with await Workspace.open(chosen) as workspace:
        return [await wave(workspace, at_once, start) for start in range(0, questions, at_once)]


def measure(questions: int, at_once: int, latency: float, parallel: int) -> Figures:
    """Serve the model here, ask in a process of its own."""
    thinker = Thinker(ROUNDS, dict(FACTS))
    with tempfile.TemporaryDirectory() as folder, ModelServer(thinker, latency=latency) as server:
        write(Path(folder) / "documents")
        given = (folder, server.url, str(questions), str(at_once), str(parallel))
        command = [sys.executable, "-m", "benchmarks.many_questions", "--child", *given]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True)
        told = json.loads(done.stdout.splitlines()[-1])
        waves = tuple(Wave(**each) for each in told["waves"])
        return Figures(waves, server.most, parallel, told["peak"])


def child(folder: str, url: str, questions: str, at_once: str, parallel: str) -> None:
    """Load, ask, and print the waves for the parent."""

    async def work() -> list[Wave]:
        data = Path(folder) / "data"
        async with await Workspace.open(Settings(data=data)) as workspace:
            await workspace.load([Path(folder) / "documents"])
        chosen = settings(data, url, parallel=int(parallel))
        return await ask_all(chosen, int(questions), int(at_once))

    waves = asyncio.run(work())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(json.dumps({"waves": [asdict(each) for each in waves], "peak": round(peak, 1)}))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many_questions")
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--at-once", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds that every call takes")
    parser.add_argument("--parallel", type=int, default=64, help="most calls at once")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--child", nargs=5, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.child:
        child(*chosen.child)
        return
    figures = measure(chosen.questions, chosen.at_once, chosen.latency, chosen.parallel)
    if chosen.json:
        print(json.dumps({**asdict(figures), "growth": figures.growth}))
        return
    for number, each in enumerate(figures.waves, start=1):
        print(f"wave {number}: {each}")
    print(
        f"at most {figures.at_once} calls at once of {figures.parallel} allowed; peak {figures.peak:.0f} MiB"
    )
    print(f"memory after the last wave by that after the first: {figures.growth:.3f}")


if __name__ == "__main__":
    main()
