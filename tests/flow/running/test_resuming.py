"""A stopped flow goes on where it was: nothing is done again, nothing is lost, the output is that of an undisturbed run."""

import asyncio
import json
import reprlib
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from leadline.errors import FlowError, StoreUnwritable
from leadline.events import Event, Notice
from leadline.flow import (
    Choices,
    DeadLetter,
    Failures,
    Flow,
    FlowReport,
    Operator,
    Row,
    Scope,
    Source,
    Step,
    run_flow,
)
from leadline.flow.operators.joining import Join
from leadline.flow.running.dead_letters import FILE as LETTERS
from leadline.flow.running.journal import FILE, Journal
from leadline.flow.running.outer_rows import Done
from leadline.run import Run
from leadline.settings import Settings
from leadline.testing.running import go
from leadline.workspace import Workspace
from tests.flow.made import Backwards, Given, Kept, Quick, counted


@dataclass(frozen=True, slots=True)
class Asks(Step):
    """Costs a call for each row; may cancel the run, or fail, at some."""

    calls: list[int] = field(default_factory=list[int])
    run: Run = field(default_factory=Run)
    stop_at: int = -1
    fail_at: Sequence[int] = ()

    @property
    def costly(self) -> bool:
        return True

    async def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
        self.calls.append(row["n"])
        if row["n"] == self.stop_at:
            self.run.cancel()
        for _ in range(row["n"] % 5):
            await asyncio.sleep(0)
        if row["n"] in self.fail_at:
            raise ValueError("no answer")
        return [{**row, "answer": f"{row['n']} is the answer", "copy": copy} for copy in range(row["n"] % 3)]


class Flows:
    """A flow run again and again in one folder, its questions and its costly step changing as they may."""

    def __init__(self, folder: Path, rows: int = 40) -> None:
        self.folder, self.source = folder, counted(rows)
        self.calls: list[int] = []
        self.seen: list[Event] = []
        self.sink = Kept()

    def run(
        self, choices: Choices | None = None, stop_at: int = -1, fail_at: Sequence[int] = ()
    ) -> FlowReport:
        self.calls, self.seen = [], []
        run = Run(emit=self.seen.append)
        first = Asks(self.calls, run, stop_at, fail_at)
        flow = Flow(
            "f",
            self.source,
            Quick(lambda row: (row,)) >> first >> Backwards() >> first,
            (self.sink,),
            digest="d",
        )
        made = choices or Choices()
        return go(run_flow(flow, run=run, choices=replace(made, folder=self.folder)))

    def notices(self) -> list[str]:
        return [event.text for event in self.seen if isinstance(event, Notice)]


RESUME = Choices(resume=True)


@profile(max_examples=20)
@given(st.integers(0, 39))
def test_wherever_it_is_stopped_the_output_is_that_of_an_undisturbed_run(
    tmp_path_factory: pytest.TempPathFactory, stop_at: int
) -> None:
    undisturbed = Flows(tmp_path_factory.mktemp("a"))
    undisturbed.run()
    flows = Flows(tmp_path_factory.mktemp("b"))
    stopped = flows.run(stop_at=stop_at)
    assert stopped.ending == "cancelled"
    assert flows.sink.rows == []
    before = flows.calls
    resumed = flows.run(RESUME)
    assert flows.sink.rows == undisturbed.sink.rows
    assert sorted([*before, *flows.calls]) == sorted(undisturbed.calls)
    assert resumed.resumed == len(before)
    assert (resumed.ending, resumed.rows_in) == ("finished", 40)


def test_what_was_stopped_more_than_once_is_whole_in_the_end(tmp_path: Path) -> None:
    undisturbed = Flows(tmp_path / "a")
    undisturbed.run()
    flows, calls = Flows(tmp_path / "b"), list[int]()
    for stop_at in (0, 9, 20, 33, -1):
        flows.run(RESUME, stop_at)
        calls += flows.calls
    assert flows.sink.rows == undisturbed.sink.rows
    assert sorted(calls) == sorted(undisturbed.calls)


def test_failed_rows_stay_failed_until_they_are_to_be_tried_again(tmp_path: Path) -> None:
    flows = Flows(tmp_path)
    assert flows.run(fail_at=(3, 7)).failed == 2
    letters = (tmp_path / "failed.jsonl").read_text()
    kept = list(flows.sink.rows)
    again = flows.run(RESUME)
    assert (again.failed, flows.calls, flows.sink.rows) == (2, [], kept)
    assert (tmp_path / "failed.jsonl").read_text() == letters
    mended = flows.run(Choices(retry_failed=True))
    assert (mended.failed, mended.exit_code, mended.letters) == (0, 0, None)
    assert set(flows.calls) == {3, 7}
    undisturbed = Flows(tmp_path / "other")
    undisturbed.run()
    assert flows.sink.rows == undisturbed.sink.rows


def test_the_row_that_stopped_a_flow_is_done_again(tmp_path: Path) -> None:
    calls: list[int] = []
    sink = Kept()

    def run(fail_at: Sequence[int], resume: bool) -> FlowReport:
        step = Asks(calls, fail_at=fail_at)
        flow = Flow("f", counted(9), step, (sink,), failures=Failures("stop"), concurrency=1, digest="d")
        return go(run_flow(flow, choices=Choices(resume=resume, folder=tmp_path)))

    assert run((4,), False).ending == "failures"
    assert calls == [0, 1, 2, 3, 4]
    assert run((), True).ending == "finished"
    assert calls == [0, 1, 2, 3, 4, 4, 5, 6, 7, 8]


def test_a_trial_of_a_few_rows_is_part_of_the_whole(tmp_path: Path) -> None:
    flows = Flows(tmp_path, rows=12)
    flows.run(Choices(limit=5))
    assert len(flows.calls) == 9
    report = flows.run(RESUME)
    assert report.rows_in == 12
    assert report.resumed >= 5
    assert set(flows.calls[:7]) == {5, 6, 7, 8, 9, 10, 11}


def test_a_row_that_has_changed_is_done_again_and_no_other(tmp_path: Path) -> None:
    flows = Flows(tmp_path, rows=9)
    flows.run()
    flows.source = Given([{"n": 60 if number == 4 else number} for number in range(9)])
    flows.run(RESUME)
    assert set(flows.calls) == {60}


def test_what_a_stopped_run_finished_is_not_forgotten_unasked(tmp_path: Path) -> None:
    flows = Flows(tmp_path)
    flows.run(stop_at=10)
    with pytest.raises(FlowError, match="stopped after 1[0-9] finished rows.*--resume.*--anew"):
        flows.run()
    assert flows.calls == []
    assert flows.run(RESUME).resumed >= 10
    assert flows.calls[0] >= 10


def test_a_flow_starts_anew_when_asked_to_or_when_the_run_before_came_to_its_end(tmp_path: Path) -> None:
    flows = Flows(tmp_path)
    flows.run(stop_at=10)
    flows.run(Choices(anew=True))
    assert flows.calls[:3] == [0, 1, 2]
    assert flows.run().resumed == 0


def test_nothing_to_resume_is_said(tmp_path: Path) -> None:
    flows = Flows(tmp_path, rows=3)
    report = flows.run(RESUME)
    assert flows.notices() == ["there is nothing to resume: the flow starts with its first row."]
    assert (report.rows_in, report.resumed) == (3, 0)
    flows.run(RESUME)
    assert flows.notices() == []


def test_what_comes_back_from_the_journal_is_what_was_put_there(tmp_path: Path) -> None:
    def odd(row: Row) -> Iterable[Row]:
        return (
            {**row, "pair": (1, 2), "map": {7: "seven"}, "half": "\ud800", "deep": {"a": [None, 1.5, True]}},
        )

    @dataclass(frozen=True, slots=True)
    class Odd(Asks):
        async def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
            return odd(row)

    def run(resume: bool) -> list[Row]:
        sink = Kept()
        go(
            run_flow(
                Flow("f", counted(2), Odd(), (sink,), digest="d"), choices=Choices(resume, folder=tmp_path)
            )
        )
        return sink.rows

    first = run(False)
    assert first == run(True)
    assert first[0] == {
        "n": 0,
        "pair": [1, 2],
        "map": {"7": "seven"},
        "half": "\ud800",
        "deep": {"a": [None, 1.5, True]},
    }


def test_two_runs_of_one_flow_do_not_mix(tmp_path: Path) -> None:
    @dataclass(frozen=True, slots=True)
    class Runs(Asks):
        async def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
            with pytest.raises(FlowError, match="`f` is running already, as process"):
                await run_flow(Flow("f", counted(1)), choices=Choices(folder=tmp_path))
            return (row,)

    assert go(run_flow(Flow("f", counted(1), Runs()), choices=Choices(folder=tmp_path))).failed == 0


def test_a_journal_that_cannot_be_read_is_told_of_and_replaced_when_asked(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("this is no database, and long enough to be seen as none" * 9)
    flows = Flows(tmp_path, rows=3)
    with pytest.raises(FlowError, match="cannot be used.*With --anew"):
        flows.run(RESUME)
    assert flows.run().rows_in == 3


def test_a_row_that_was_put_before_the_others_costs_only_itself(tmp_path: Path) -> None:
    flows = Flows(tmp_path, rows=9)
    flows.run()
    flows.source = Given([{"n": 60}, *flows.source.given])
    flows.run(RESUME)
    assert set(flows.calls) == {60}


def test_equal_rows_have_an_answer_each(tmp_path: Path) -> None:
    @dataclass(frozen=True, slots=True)
    class Draws(Asks):
        async def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
            self.calls.append(row["n"])
            if len(self.calls) == 3:
                self.run.cancel()
            return ({**row, "drawn": len(self.calls)},)

    calls, sink = list[int](), Kept()
    for resume in (False, True, True):
        run = Run()
        flow = Flow("f", Given([{"n": 1}] * 6), Draws(calls, run), (sink,), concurrency=1, digest="d")
        go(run_flow(flow, run=run, choices=Choices(resume, folder=tmp_path)))
    assert [row["drawn"] for row in sink.rows] == [1, 2, 3, 4, 5, 6]
    assert len(calls) == 6


def test_a_journal_answers_for_equal_rows_of_the_same_segment_each_once(tmp_path: Path) -> None:
    async def work() -> None:
        journal = await Journal.open(tmp_path / FILE, anew=True)
        for number in (2, 1, 0):
            await journal.put("0", Done(number, b"same", json.dumps([{"n": number}])))
        await journal.put("0", Done(3, b"bad", failed=True))
        await journal.close(finished=True)
        journal = await Journal.open(tmp_path / FILE, anew=False)
        assert (journal.remembered, journal.finished) == (4, True)
        await journal.put("0", Done(9, b"new"))
        assert await journal.known("1", 0, b"same") is None
        for number in range(3):
            known = await journal.known("0", number + 5, b"same")
            assert known is not None
            assert (known.rows(), known.ordinal, known.remembered) == ([{"n": number}], number + 5, True)
        assert await journal.known("0", 8, b"same") is None
        assert await journal.known("0", 9, b"new") is None
        assert await journal.known("0", 3, b"bad", failed=False) is None
        assert await journal.known("0", 3, b"bad") is not None
        await journal.close()
        journal = await Journal.open(tmp_path / FILE, anew=False)
        assert await journal.known("0", 0, b"new") is not None
        assert not journal.finished
        await journal.close()

    go(work())


def test_purged_text_is_in_no_journal_and_no_dead_letter(tmp_path: Path) -> None:
    secret = "Mara Quill hid the brass key below the third stair."
    file = tmp_path / "note.md"
    file.write_text(f"# Note\n\n{secret}\n", encoding="utf-8")

    async def work() -> None:
        settings = Settings(data=tmp_path / "data")
        async with await Workspace.open(settings) as workspace:
            await workspace.load([file])
            for step in (Asks(), Asks(fail_at=(1,))):
                flow = Flow("f", Given([{"n": 1, "text": secret}]), step)
                await run_flow(flow, workspace)
            assert any(secret.encode() in held.read_bytes() for held in files())
            await workspace.remove([file], purge=True)
        assert [held for held in files() if b"brass key" in held.read_bytes()] == []

    def files() -> list[Path]:
        return [path for path in (tmp_path / "data").rglob("*") if path.is_file()]

    go(work())


@pytest.mark.parametrize("steps", [Asks(fail_at=(1, 2)), Backwards() >> Asks()], ids=["inside", "before"])
def test_a_row_that_no_journal_can_hold_is_a_dead_letter(tmp_path: Path, steps: Operator) -> None:
    loop: Row = {"n": 2}
    loop["itself"] = loop
    odd: list[Row] = [{"n": 0}, {"n": 1, "pairs": {(1, 2): 3}}, loop]
    flow = Flow("f", counted(3), Quick(lambda row: odd[row["n"] :][:1]) >> steps, digest="d")
    for resume in (False, True):
        report = go(run_flow(flow, choices=Choices(resume, folder=tmp_path)))
        assert (report.rows_in, report.failed, report.ending) == (3, 2, "finished")
        letters = [json.loads(line)["row"] for line in (tmp_path / LETTERS).read_text().splitlines()]
        assert sorted(letters, key=lambda row: row["n"]) == [
            {"n": 1, "pairs": "{(1, 2): 3}"},
            {"n": 2, "itself": reprlib.repr(loop)},
        ]


def test_that_a_journal_could_not_be_written_is_said_even_at_the_end(tmp_path: Path) -> None:
    async def work() -> None:
        journal = await Journal.open(tmp_path / FILE, anew=True)
        with closing(sqlite3.connect(tmp_path / FILE)) as other:
            other.execute("DROP TABLE done")
        await journal.put("0", Done(0, b"x"))
        with pytest.raises(StoreUnwritable, match="cannot be written"):
            await journal.close(finished=True)

    go(work())


def test_a_row_nested_too_deeply_is_a_dead_letter_and_the_flow_goes_on(tmp_path: Path) -> None:
    for depth in (90, 101, 520, 940, 5000):
        deep: list[Any] = []
        for _ in range(depth - 1):
            deep = [deep]
        flow = Flow("f", Given([{"n": 1, "deep": deep}, {"n": 2}]), Asks(fail_at=(1,)), digest="d")
        report = go(run_flow(flow, choices=Choices(folder=tmp_path)))
        assert (report.rows_out, report.failed, report.ending) == (2, 1, "finished")
        (letter,) = [json.loads(line) for line in (tmp_path / LETTERS).read_text().splitlines()]
        assert letter["row"]["n"] == 1
        assert letter["row"]["deep"] == (deep if depth < 100 else reprlib.repr(deep))


def test_whatever_a_writer_fails_on_is_said_to_whoever_puts_next(tmp_path: Path) -> None:
    async def work() -> None:
        journal = await Journal.open(tmp_path / FILE, anew=True)
        await journal.put("0", Done(2**70, b"x"))
        with pytest.raises(StoreUnwritable, match="cannot be written"):
            for ordinal in range(2000):
                await journal.put("0", Done(ordinal, b"x"))
        with pytest.raises(StoreUnwritable, match="cannot be written"):
            await journal.close(finished=True)

    go(work())


@pytest.mark.parametrize("column", ["outputs", "rest"])
@pytest.mark.parametrize("held", ["{", "5", "[5]", "{}"])
def test_an_answer_that_cannot_be_read_is_said_with_the_way_out(
    column: str, held: str, tmp_path: Path
) -> None:
    flow = Flow("f", counted(5), Asks(), digest="d")
    go(run_flow(flow, choices=Choices(folder=tmp_path)))
    with closing(sqlite3.connect(tmp_path / FILE)) as other, other:
        other.execute(f"UPDATE done SET {column} = ?", (held,))
    with pytest.raises(FlowError, match="cannot be read .*With --anew"):
        go(run_flow(flow, choices=Choices(resume=True, folder=tmp_path)))
    assert go(run_flow(flow, choices=Choices(anew=True, folder=tmp_path))).rows_out == 4


def test_what_a_killed_run_spilled_goes_and_what_is_not_ours_stays(tmp_path: Path) -> None:
    for name in ("spill-abcdefgh", "spill-papers", "spill-mine"):
        (tmp_path / name).mkdir()
    (tmp_path / "spill-abcdefgh" / "rows.sqlite").write_bytes(b"left")
    (tmp_path / "spill-papers" / "a.txt").write_text("mine")
    (tmp_path / "spill-12345678").write_text("mine too")
    go(run_flow(Flow("f", counted(1)), choices=Choices(folder=tmp_path)))
    left = sorted(path.name for path in tmp_path.glob("spill-*"))
    assert left == ["spill-12345678", "spill-mine", "spill-papers"]


@dataclass(frozen=True, slots=True)
class Torn(Source):
    """A table one of whose rows is broken."""

    async def rows(self, scope: Scope) -> AsyncIterator[Row]:
        yield {"n": 1, "word": "one"}
        scope.lose(DeadLetter("table", "line 2 is broken", {"line": "{"}))


def test_a_broken_row_of_a_table_is_told_as_its_own_and_not_of_a_row_that_looks_it_up(tmp_path: Path) -> None:
    steps = Join(Torn(), "n") >> Asks()
    report = go(run_flow(Flow("f", counted(3), steps, digest="d"), choices=Choices(folder=tmp_path)))
    assert (report.rows_in, report.failed) == (3, 1)
    (letter,) = [json.loads(line) for line in (tmp_path / LETTERS).read_text().splitlines()]
    assert (letter["error"], letter["outer"], letter["segment"]) == ("line 2 is broken", None, "source")
