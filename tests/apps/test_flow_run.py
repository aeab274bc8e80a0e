"""`leadline flow run`: what it says, how it ends, and that a stopped or killed one goes on as if nothing had happened."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from leadline.testing.commands import Command
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.said import Asked

FLOW = """
name: numbers
arguments:
  least: {type: int, default: 0}
source: {jsonl: in.jsonl}
steps:
  - filter: {condition: n >= $least}
  - flat: {field: tags, as: tag}
sink: {jsonl: out.jsonl}
"""

ASKING = """
name: asking
source: {jsonl: in.jsonl}
steps:
  - select: {fields: [n]}
  - prompt: {template: "What is {{n}}?", into: said}
sink: {jsonl: out.jsonl}
concurrency: 3
"""
UNDISTURBED = "".join(f'{{"n": {number}, "said": "{number} it is"}}\n' for number in range(40))


@pytest.fixture
def numbers(here: Path) -> Path:
    """Forty rows, of which the odd ones become two."""
    rows = [{"n": number, "tags": ["a", "b"][: 1 + number % 2]} for number in range(40)]
    (here / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (here / "flow.yaml").write_text(FLOW, encoding="utf-8")
    return here


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that says of a number what it is, after a while."""

    def script(asked: Asked) -> str:
        number = re.search(r"What is (\d+)\?", asked.prompt)
        assert number
        return f"{number[1]} it is"

    with ModelServer(script, latency=0.05) as server:
        yield server


def at(server: ModelServer) -> dict[str, str]:
    """What names the model in the environment."""
    return {"LEADLINE_MODEL": f"openai:{MODEL}", "LEADLINE_BASE_URL": server.url}


def start(server: ModelServer | None, *arguments: str) -> "subprocess.Popen[str]":
    """`leadline flow run flow.yaml ARGUMENTS...` as a process of its own."""
    model = {} if server is None else at(server)
    return subprocess.Popen(
        [sys.executable, "-m", "leadline.apps.cli", "flow", "run", "flow.yaml", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1", **model},
    )


def until(condition: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    """Wait until it holds, or the process has ended."""
    while process.poll() is None and not condition():
        time.sleep(0.005)


def finish(leadline: Command, server: ModelServer, *arguments: str) -> str:
    """Run it to its end, in this process; what it said."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in at(server).items():
            patch.setenv(name, value)
        shown = leadline("flow", "run", "flow.yaml", *arguments)
    assert shown.code == 0, shown.err
    return shown.err


def test_the_steps_and_the_counts_are_shown_beside_the_output(numbers: Path, leadline: Command) -> None:
    shown = leadline("flow", "run", "flow.yaml", "--set", "least=30")
    assert (shown.code, shown.out) == (0, "")
    assert re.search(r"steps\[0\] filter +40 +10", shown.err)
    assert re.search(r"steps\[1\] flat +10 +15", shown.err)
    assert "40 rows in, 15 out, 0 failed" in shown.err
    assert len((numbers / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 15


def test_a_trial_takes_only_some_rows(numbers: Path, leadline: Command) -> None:
    shown = leadline("flow", "run", "flow.yaml", "--limit", "4", "--json")
    report = json.loads(shown.out)
    assert (report["rows_in"], report["rows_out"], report["ending"]) == (4, 6, "finished")
    assert [step["label"] for step in report["steps"]] == ["steps[0] filter", "steps[1] flat"]


def test_rows_that_fail_are_told_counted_and_kept(numbers: Path, leadline: Command) -> None:
    with (numbers / "in.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"n": 40, "tags": 7}\nno json at all\n' + '{"n": 41, "tags": "x"}\n' * 8)
    shown = leadline("flow", "run", "flow.yaml")
    assert shown.code == 3
    assert "60 out, 10 failed" in shown.err
    assert re.search(r"steps\[1\] flat: .*7.* \(row 41\)", shown.err)
    assert "in.jsonl" in shown.err
    assert "and more rows" in shown.err
    assert "--retry-failed does them again" in shown.err
    (letters,) = (numbers / ".leadline" / "flows").glob("*/failed.jsonl")
    assert str(letters.relative_to(numbers)) in shown.err
    assert len(letters.read_text(encoding="utf-8").splitlines()) == 10
    assert len((numbers / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 60


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.yaml"], "nothing.yaml"),
        (["flow.yaml", "--set", "least"], "not of the form ARGUMENT=VALUE"),
        (["flow.yaml", "--set", "least=many"], "least"),
        (["flow.yaml", "--set", "last=1"], "least"),
        (["flow.yaml", "--engine", "locl"], "`engine = locl` is unknown. Did you mean `local`?"),
        (["absent.yaml"], "nowhere.jsonl"),
        (
            ["typo.yaml"],
            "typo.yaml:3: steps[1]: no row has a field `nn` here. There are: n. Did you mean `n`?",
        ),
    ],
)
def test_what_cannot_run_says_why(numbers: Path, leadline: Command, arguments: list[str], said: str) -> None:
    (numbers / "absent.yaml").write_text("source: {jsonl: nowhere.jsonl}\n", encoding="utf-8")
    (numbers / "typo.yaml").write_text(
        "source: {jsonl: in.jsonl}\nsteps:\n  [{select: {fields: [n]}}, {filter: nn > 1}]\n", encoding="utf-8"
    )
    (numbers / "out.jsonl").write_text("what was there before", encoding="utf-8")
    shown = leadline("flow", "run", *arguments)
    assert shown.code == 2, shown.err
    assert said in shown.err
    assert (numbers / "out.jsonl").read_text(encoding="utf-8") == "what was there before"


def test_an_interrupt_lets_the_rows_at_work_finish_and_resume_pays_for_none_again(
    numbers: Path, leadline: Command, server: ModelServer
) -> None:
    (numbers / "flow.yaml").write_text(ASKING, encoding="utf-8")
    # Without kept replies the journal alone is what saves calls.
    (numbers / "leadline.toml").write_text("[llm]\ncache = false\n", encoding="utf-8")
    process = start(server)
    until(lambda: len(server.asked) >= 12, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert "--resume goes on from there" in err
    assert "stopped before its end by Ctrl-C. The sinks hold" in err
    assert not (numbers / "out.jsonl").exists()
    assert len(server.asked) < 40
    assert "from an earlier run" in finish(leadline, server, "--resume")
    assert (numbers / "out.jsonl").read_text(encoding="utf-8") == UNDISTURBED
    assert len(server.asked) == 40


def test_a_second_interrupt_stops_at_once(numbers: Path, server: ModelServer) -> None:
    server.latency = 1_000
    (numbers / "flow.yaml").write_text(ASKING, encoding="utf-8")
    process = start(server)
    until(lambda: bool(server.asked), process)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "Stopping after the rows at work" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    assert process.returncode == 130
    assert not (numbers / "out.jsonl").exists()


def test_quick_steps_notice_an_interrupt(numbers: Path) -> None:
    with (numbers / "in.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(f'{{"n": {number}, "tags": [1, 2, 3]}}\n' for number in range(60_000))
    process = start(None)
    until((numbers / "out.jsonl.part").exists, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert not (numbers / "out.jsonl").exists()
    assert "stopped before its end by Ctrl-C. The sinks hold" in err


def test_a_flow_that_waits_for_input_can_be_stopped(numbers: Path) -> None:
    (numbers / "flow.yaml").write_text(FLOW.replace("jsonl: in.jsonl", "stdin: {}"), encoding="utf-8")
    process = start(None)
    assert process.stdin is not None
    process.stdin.write('{"n": 1, "tags": []}\n')
    process.stdin.flush()
    until((numbers / "out.jsonl.part").exists, process)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=600)
    assert process.returncode == 130
    process.communicate()


def killed_and_resumed(folder: Path, leadline: Command, server: ModelServer, chance: random.Random) -> None:
    """Kill it twice, at rows that chance names, and see that nothing shows it in the end."""
    (folder / "flow.yaml").write_text(ASKING, encoding="utf-8")
    for arguments, most in (((), chance.randrange(1, 20)), (("--resume",), chance.randrange(20, 38))):
        process = start(server, *arguments)
        until(lambda least=most: len(server.asked) >= least, process)
        process.kill()
        process.communicate(timeout=600)
        assert not (folder / "out.jsonl").exists()
    said = finish(leadline, server, "--resume")
    assert "from an earlier run" in said
    assert (folder / "out.jsonl").read_text(encoding="utf-8") == UNDISTURBED
    asked = Counter(asked.messages[-1][1] for asked in server.asked)
    # Asked again is what was at work when it was killed, and nothing else.
    assert len(asked) == 40
    assert sum(asked.values()) <= 40 + 2 * 3
    # A run from the first row on pays for nothing either: replies are kept.
    before = len(server.asked)
    finish(leadline, server)
    assert len(server.asked) == before
    assert (folder / "out.jsonl").read_text(encoding="utf-8") == UNDISTURBED


def test_killed_at_any_row_it_goes_on_as_if_nothing_had_happened(
    numbers: Path, leadline: Command, server: ModelServer
) -> None:
    killed_and_resumed(numbers, leadline, server, random.Random(5))


LONG = """
name: long
source: {jsonl: in.jsonl}
steps:
  - flat: {field: tags, as: tag}
  - prompt: {template: "What is {{n}}?", into: said}
  - sort: {by: [-n]}
  - group: {by: [n], aggregates: {rows: count, said: {first: said}}}
  - prompt: {template: "What is {{rows}}? It is said: {{said}}", into: again}
  - filter: {condition: n != 7}
sink: [{jsonl: out.jsonl}, {csv: out.csv}]
concurrency: 4
"""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_row_of_any_part_it_leaves_no_trace(
    numbers: Path, server: ModelServer, seed: int
) -> None:
    chance = random.Random(seed)
    with (numbers / "in.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"n": 40, "tags": 7}\nno json at all\n')
    (numbers / "flow.yaml").write_text(LONG, encoding="utf-8")

    def made(data: str) -> list[object]:
        (letters,) = (numbers / data / "flows").glob("*/failed.jsonl")
        lost = sorted(letters.read_text(encoding="utf-8").splitlines())
        return [lost, (numbers / "out.jsonl").read_bytes(), (numbers / "out.csv").read_bytes()]

    def run(*arguments: str) -> None:
        process = start(server, *arguments)
        _, err = process.communicate(timeout=600)
        assert process.returncode == 3, err

    run("--data", "undisturbed")
    undisturbed = made("undisturbed")
    server.forget()
    for _ in range(4):
        least = len(server.asked) + chance.randrange(1, 40)
        process = start(server, "--data", "disturbed", "--resume")
        until(lambda least=least: len(server.asked) >= least, process)
        process.kill()
        process.communicate(timeout=600)
    run("--data", "disturbed", "--resume")
    assert made("disturbed") == undisturbed


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_killed_at_many_rows_it_goes_on_as_if_nothing_had_happened(
    numbers: Path, leadline: Command, server: ModelServer, seed: int
) -> None:
    killed_and_resumed(numbers, leadline, server, random.Random(seed))
