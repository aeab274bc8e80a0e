"""`leadline flow run --engine ray`: the output of a run in one process, stopped, killed or left alone."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.said import Asked

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed"),
]

ASKING = """
name: asking
source: {jsonl: in.jsonl}
steps:
  - prompt: {template: "What is {{n}}?", into: said}
sink: {jsonl: out.jsonl}
concurrency: 4
"""
ROWS = 60
UNDISTURBED = "".join(f'{{"n": {number}, "said": "{number} it is"}}\n' for number in range(ROWS))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that says of a number what it is, after a while."""

    def script(asked: Asked) -> str:
        number = re.search(r"What is (\d+)\?", asked.prompt)
        assert number
        return f"{number[1]} it is"

    with ModelServer(script, latency=0.1) as server:
        yield server


@pytest.fixture
def asking(here: Path) -> Path:
    """A flow that asks about sixty rows, and keeps no replies, so that the journal alone is what saves calls."""
    (here / "in.jsonl").write_text(
        "".join(f'{{"n": {number}}}\n' for number in range(ROWS)), encoding="utf-8"
    )
    (here / "flow.yaml").write_text(ASKING, encoding="utf-8")
    (here / "leadline.toml").write_text("[llm]\ncache = false\n[cluster]\nworkers = 2\n", encoding="utf-8")
    return here


def start(server: ModelServer, *arguments: str) -> "subprocess.Popen[str]":
    """The command in a process group of its own, as a terminal has it."""
    return subprocess.Popen(
        [sys.executable, "-m", "leadline.apps.cli", "flow", "run", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "LEADLINE_MODEL": f"openai:{MODEL}", "LEADLINE_BASE_URL": server.url},
    )


def on_ray(server: ModelServer, *arguments: str) -> "subprocess.Popen[str]":
    return start(server, "flow.yaml", "--engine", "ray", *arguments)


def until(condition: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    while process.poll() is None and not condition():
        time.sleep(0.01)


def finish(process: "subprocess.Popen[str]") -> tuple[str, str]:
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out, err


def asked_more_than_once(server: ModelServer) -> int:
    asked = Counter(asked.messages[-1][1] for asked in server.asked)
    assert len(asked) == ROWS
    return sum(asked.values()) - ROWS


def test_left_alone_it_asks_once_for_each_row_and_prints_nothing_but_its_report(
    asking: Path, server: ModelServer
) -> None:
    out, _ = finish(on_ray(server, "--json"))
    report = json.loads(out)
    assert (report["rows_out"], report["failed"], report["usage"]["calls"]) == (ROWS, 0, ROWS)
    assert (asking / "out.jsonl").read_text(encoding="utf-8") == UNDISTURBED
    assert asked_more_than_once(server) == 0


def test_an_interrupt_of_all_its_processes_lets_rows_at_work_finish_and_resume_goes_on(
    asking: Path, server: ModelServer
) -> None:
    process = on_ray(server)
    until(lambda: len(server.asked) >= 12, process)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert "--resume goes on from there" in err
    assert len(server.asked) < ROWS
    assert not (asking / "out.jsonl").exists()
    _, err = finish(on_ray(server, "--resume"))
    assert "from an earlier run" in err
    assert (asking / "out.jsonl").read_text(encoding="utf-8") == UNDISTURBED
    assert asked_more_than_once(server) == 0


def test_a_second_interrupt_stops_at_once(asking: Path, server: ModelServer) -> None:
    server.latency = 1_000
    process = on_ray(server)
    until(lambda: bool(server.asked), process)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "Stopping after the rows at work" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode in (130, -signal.SIGINT)


def test_killed_with_all_that_it_started_it_goes_on_as_if_nothing_had_happened(
    asking: Path, server: ModelServer
) -> None:
    process = on_ray(server)
    until(lambda: len(server.asked) >= 20, process)
    process.kill()
    process.communicate(timeout=600)
    assert not (asking / "out.jsonl").exists()
    finish(on_ray(server, "--resume"))
    assert (asking / "out.jsonl").read_text(encoding="utf-8") == UNDISTURBED
    # Those at work, and those that were done but not yet in the journal.
    assert asked_more_than_once(server) < ROWS / 2


def test_deep_searches_give_the_same_bytes_as_in_one_process(here: Path, server: ModelServer) -> None:
    examples = Path(__file__).parents[2] / "examples"
    questions = (examples / "questions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[:12]
    (here / "q.jsonl").write_text("".join(questions), encoding="utf-8")
    load = [sys.executable, "-m", "leadline.apps.cli", "load", str(examples / "corpus"), "--json"]
    subprocess.run(load, check=True, capture_output=True)

    def answered(name: str, *arguments: str) -> bytes:
        run = [sys.executable, "-m", "leadline.apps.cli", "flow", "run", "deepsearch", *arguments]
        told = ["--set", "questions=q.jsonl", "--set", f"answers={name}"]
        subprocess.run([*run, *told], check=True, capture_output=True)
        return (here / name).read_bytes()

    alone = answered("alone.jsonl")
    assert alone.count(b"\n") == 12
    assert answered("spread.jsonl", "--engine", "ray") == alone
