"""A flow on an engine elsewhere gives what it gives here: outputs, dead letters, counts, what was spent, resuming."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.cluster.base import ClusterOptions
from leadline.errors import FlowError
from leadline.events import Event, RowsDone
from leadline.flow import Choices, Flow, FlowReport, Limits, Map, Operator, Row, Scope, Skip, Step, run_flow
from leadline.flow.running.engine import Engine
from leadline.flow.running.outer_rows import Done, Numbered
from leadline.flow.running.ray_engine import RayEngine
from leadline.flow.running.segments import cut
from leadline.run import Budget, Run
from leadline.testing.cluster import HereCluster, here_cluster
from leadline.testing.running import go
from tests.flow.made import Asked, Backwards, Kept, counted

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray", "ignore::ResourceWarning")
ROWS = 40
HERE = RayEngine(here_cluster)
"""The engine over a cluster without processes."""


@dataclass(frozen=True, slots=True)
class Paid(Step):
    """Spends a call of three tokens on each row, makes none, one or two of it, and fails on every eleventh."""

    @property
    def costly(self) -> bool:
        return True

    async def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
        scope.run.call_spent(3, 0.5)
        await asyncio.sleep(0.01 * (row["n"] % 3))
        if row["n"] % 11 == 10:
            raise ValueError(f"no use for {row['n']}")
        return [{**row, "copy": copy, "of": scope.shared["of"]} for copy in range(row["n"] % 3)]


STEPS = Paid() >> Backwards() >> Paid(on_error="skip")


def run(
    folder: Path,
    engine: str | Engine,
    steps: Operator = STEPS,
    *,
    choices: Choices | None = None,
    emit: Callable[[Event], None] | None = None,
    limits: Limits | None = None,
    ordered: bool = True,
) -> tuple[FlowReport, list[Row]]:
    """The report, and the rows that came out."""
    sink = Kept()
    flow = Flow(
        "f", counted(ROWS), steps, (sink,), shared={"of": "all"}, limits=limits or Limits(), ordered=ordered
    )
    running = Run(emit=emit or (lambda event: None))
    chosen = replace(choices or Choices(), engine=engine, folder=folder)
    report = go(run_flow(flow, run=running, choices=chosen))
    return report, sink.rows


def letters(folder: Path) -> list[str]:
    file = folder / "failed.jsonl"
    return sorted(file.read_text(encoding="utf-8").splitlines()) if file.exists() else []


def told(report: FlowReport) -> FlowReport:
    """A report without what differs from run to run."""
    return replace(report, seconds=0, resumed=0, letters=None, usage=replace(report.usage, seconds=0))


def kill_when(done: int, title: str) -> Callable[[Event], None]:
    """Kill one process of that title when so many rows are done."""
    killed: list[int] = []

    def see(event: Event) -> None:
        if isinstance(event, RowsDone) and event.done >= done and not killed:
            listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True)
            killed.extend(int(line.split()[0]) for line in listed.stdout.splitlines() if title in line)
            os.kill(killed[0], signal.SIGKILL)

    return see


@pytest.fixture(params=["here", pytest.param("ray", marks=pytest.mark.ray)])
def engine(request: pytest.FixtureRequest) -> str | Engine:
    """Over a cluster without processes, and over a Ray cluster of two workers."""
    if request.param == "here":
        return HERE
    request.getfixturevalue("two_workers")
    return "ray"


def test_rows_letters_counts_and_spending_are_the_same(tmp_path: Path, engine: str | Engine) -> None:
    here, rows = run(tmp_path / "here", "local")
    there, spread = run(tmp_path / "there", engine)
    assert spread == rows
    assert letters(tmp_path / "there") == letters(tmp_path / "here") != []
    assert told(there) == told(here)
    assert there.usage.calls > ROWS


def test_the_order_may_be_given_up(tmp_path: Path, engine: str | Engine) -> None:
    _, rows = run(tmp_path / "here", "local", Paid())
    _, spread = run(tmp_path / "there", engine, Paid(), ordered=False)
    assert sorted(map(json.dumps, spread)) == sorted(map(json.dumps, rows))


@pytest.mark.ray
@pytest.mark.usefixtures("two_workers")
def test_a_worker_killed_meanwhile_changes_nothing(tmp_path: Path) -> None:
    here, rows = run(tmp_path / "here", "local")
    there, spread = run(tmp_path / "there", "ray", emit=kill_when(8, "ray::MapWorker"))
    assert spread == rows
    assert letters(tmp_path / "there") == letters(tmp_path / "here")
    assert told(there) == told(here)


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, engine: str | Engine) -> None:
    here, rows = run(tmp_path / "here", "local")
    sink = Kept()
    flow = Flow("f", counted(ROWS), STEPS, (sink,), shared={"of": "all"})
    running = Run()
    running.emit = lambda event: running.cancel() if isinstance(event, RowsDone) and event.done > 9 else None
    stopped = go(run_flow(flow, run=running, choices=Choices(engine=engine, folder=tmp_path / "there")))
    assert stopped.ending == "cancelled"
    assert 0 < stopped.rows_in < ROWS
    resumed, spread = run(tmp_path / "there", engine, choices=Choices(resume=True))
    assert resumed.resumed >= 10
    assert spread == rows
    assert told(replace(resumed, usage=here.usage)) == told(here)


def test_what_no_row_would_get_past_ends_the_flow_with_its_own_error(
    tmp_path: Path, engine: str | Engine
) -> None:
    def refuse(row: Row) -> Iterable[Row]:
        raise FlowError("this flow needs a model. Set `model`.")

    with pytest.raises(FlowError, match="needs a model"):
        run(tmp_path, engine, Asked(refuse))


@pytest.mark.ray
@pytest.mark.usefixtures("two_workers")
def test_a_row_that_its_worker_dies_of_is_a_dead_letter(tmp_path: Path) -> None:
    def die(row: Row) -> Iterable[Row]:
        if row["n"] == 5:
            os._exit(1)
        return (row,)

    report, spread = run(tmp_path, "ray", Asked(die))
    assert [row["n"] for row in spread] == [n for n in range(ROWS) if n != 5]
    assert (report.failed, report.exit_code) == (1, 3)
    (letter,) = map(json.loads, letters(tmp_path))
    assert (letter["step"], letter["row"], letter["ordinal"]) == ("steps[0] asked", {"n": 5}, 5)
    assert "died" in letter["error"]


def test_a_limit_of_the_whole_flow_stops_it_and_is_not_far_overrun(
    tmp_path: Path, engine: str | Engine
) -> None:
    limits = Limits(total=Budget(searches=None, calls=20))
    stopped, rows = run(tmp_path, engine, Paid(), limits=limits)
    assert (stopped.ending, stopped.exit_code, rows) == ("budget", 130, [])
    assert 10 <= stopped.usage.calls <= 30
    resumed, rows = run(tmp_path, engine, Paid(), choices=Choices(resume=True))
    assert resumed.ending == "finished"
    assert rows == run(tmp_path / "here", "local", Paid())[1]


def spread(known: list[bool], turns: list[int], ordered: bool) -> list[Done]:
    """What comes out of a segment, some of whose rows an earlier run has finished."""

    def made(row: Row) -> Iterable[Row]:
        return ({**row, "new": True},)

    def slow(row: Row) -> int:
        return turns[int(row["n"])]

    step = Asked(made, slow)
    (segment,) = cut(step, Budget())

    async def rows() -> AsyncIterator[Numbered]:
        for n, remembered in enumerate(known):
            kept = Done(n, outputs=json.dumps([{"n": n, "new": False}]), remembered=True)
            yield Numbered(n, {"n": n}, b"", kept if remembered else None)
            await asyncio.sleep(0)

    async def work() -> list[Done]:
        scope = Scope(concurrency=2, ordered=ordered)
        return [done async for done in HERE.spread(segment, rows(), scope)]

    return go(work())


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 6)), max_size=30), st.booleans())
def test_what_an_earlier_run_finished_keeps_its_place_among_the_others(
    rows: list[tuple[bool, int]], ordered: bool
) -> None:
    known = [remembered for remembered, _ in rows]
    found = spread(known, [turns for _, turns in rows], ordered)
    if not ordered:
        found = sorted(found, key=lambda done: done.ordinal)
    assert [done.rows() for done in found] == [
        [{"n": n, "new": not remembered}] for n, remembered in enumerate(known)
    ]


def test_an_error_among_the_rows_is_raised_after_what_was_started_is_given_out() -> None:
    (segment,) = cut(Asked(lambda row: (row,)), Budget())
    found: list[int] = []

    async def rows() -> AsyncIterator[Numbered]:
        for n in range(5):
            yield Numbered(n, {"n": n})
        raise FlowError("the file ends here.")

    async def work() -> None:
        scope = Scope(concurrency=2)
        async for done in HERE.spread(segment, rows(), scope):
            found.append(done.ordinal)

    with pytest.raises(FlowError, match="ends here"):
        go(work())
    assert found == [0, 1, 2, 3, 4]


def test_leaving_early_ends_the_work() -> None:
    (segment,) = cut(Asked(lambda row: (row,)), Budget())
    taken: list[int] = []

    async def rows() -> AsyncIterator[Numbered]:
        for n in range(10_000):
            taken.append(n)
            yield Numbered(n, {"n": n})

    async def work() -> None:
        scope = Scope(concurrency=2)
        stream = HERE.spread(segment, rows(), scope)
        assert (await anext(stream)).ordinal == 0
        await stream.aclose()

    go(work())
    assert len(taken) < 50


def test_a_row_that_cannot_be_sent_is_a_dead_letter_in_its_place(tmp_path: Path) -> None:
    def odd(row: Row) -> Row:
        return {**row, "odd": {1}} if row["n"] % 7 == 3 else row

    report, rows = run(tmp_path, HERE, Map(odd) >> Skip(0) >> Asked(lambda row: (row,)))
    assert [row["n"] for row in rows] == [n for n in range(ROWS) if n % 7 != 3]
    assert report.failed == ROWS - len(rows) == len(letters(tmp_path))


def test_a_row_that_is_given_back_is_a_dead_letter() -> None:
    (segment,) = cut(Asked(lambda row: (row,)), Budget())

    @asynccontextmanager
    async def losing(options: ClusterOptions) -> AsyncGenerator[HereCluster]:
        yield HereCluster(frozenset({1}))

    async def rows() -> AsyncIterator[Numbered]:
        for n in range(3):
            yield Numbered(n, {"n": n})

    async def work() -> list[Done]:
        return [done async for done in RayEngine(losing).spread(segment, rows(), Scope(concurrency=2))]

    first, lost, last = go(work())
    assert (first.failed, lost.failed, last.failed) == (False, True, False)
    assert (lost.ordinal, lost.outer, lost.outputs) == (1, {"n": 1}, "[]")
    assert "died" in lost.letters[0].error
