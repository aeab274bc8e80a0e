"""A flow built in Python runs to its end, or says what stopped it. A row gives all of its outputs or one dead letter."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import BudgetSpent, ConfigError, FlowError, ModelUnusable
from leadline.events import Event, FlowEnded, FlowStarted, Notice, RowLost, RowsDone
from leadline.flow import (
    Chain,
    Choices,
    DeadLetter,
    Failures,
    Filter,
    Flow,
    Fork,
    Join,
    Limit,
    Limits,
    Operator,
    Row,
    Rows,
    Scope,
    Source,
    Step,
    collected,
    run_flow,
    sinks,
    sources,
)
from leadline.flow.running.running import NOTHING_LEFT
from leadline.run import Budget, Run
from leadline.settings import BudgetSettings, Settings
from leadline.testing.running import go
from leadline.workspace import Workspace
from tests.flow.made import Asked, Backwards, Given, Kept, Quick, counted


def twice(row: Row) -> Iterable[Row]:
    return ({**row, "copy": copy} for copy in range(2))


def plus(row: Row) -> Iterable[Row]:
    return ({**row, "n": row["n"] + 1},)


def same(row: Row) -> Iterable[Row]:
    return (row,)


def failing(*numbers: int, copy: int | None = None) -> Any:
    """Passes rows on, and fails on those with these numbers."""

    def work(row: Row) -> Iterable[Row]:
        if row["n"] in numbers and copy in (None, row.get("copy")):
            raise ValueError(f"no use for {row['n']}")
        return (row,)

    return work


def letters(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "failed.jsonl").read_text().splitlines()]


def test_rows_pass_through_quick_costly_and_whole_stream_steps_in_order() -> None:
    sink = Kept()
    flow = Flow("f", counted(5), Quick(twice) >> Backwards() >> Asked(plus, lambda row: row["n"]), (sink,))
    report = go(run_flow(flow))
    assert sink.rows == [{"n": n + 1, "copy": copy} for n in (4, 3, 2, 1, 0) for copy in (1, 0)]
    assert (report.rows_in, report.rows_out, report.failed, report.exit_code) == (5, 10, 0, 0)
    assert [(s.label, s.rows_in, s.rows_out) for s in report.steps] == [
        ("steps[0] quick", 5, 10),
        ("steps[1] backwards", 10, 10),
        ("steps[2] asked", 10, 10),
    ]


def test_a_flow_without_steps_or_sinks_still_reads_its_rows() -> None:
    assert go(run_flow(Flow("f", counted(3)))).rows_out == 3
    assert go(run_flow(Flow("f", Given()))).rows_in == 0


def test_the_order_may_be_given_up() -> None:
    sink = Kept()
    slow = Asked(same, lambda row: 50 if row["n"] == 0 else 1)
    go(run_flow(Flow("f", counted(4), slow, (sink,), ordered=False)))
    assert [row["n"] for row in sink.rows] == [1, 2, 3, 0]


@pytest.mark.parametrize(
    "last", [Quick(failing(1, copy=1)), Asked(failing(1, copy=1))], ids=["cheap", "costly"]
)
def test_a_row_that_fails_halfway_leaves_nothing_but_its_dead_letter(last: Operator, tmp_path: Path) -> None:
    sink = Kept()
    flow = Flow("f", counted(3), Quick(twice) >> last, (sink,))
    report = go(run_flow(flow, choices=Choices(folder=tmp_path)))
    assert sink.rows == [{"n": n, "copy": copy} for n in (0, 2) for copy in (0, 1)]
    assert (report.rows_out, report.failed, report.skipped, report.exit_code) == (4, 1, 0, 3)
    assert report.letters == tmp_path / "failed.jsonl"
    label = f"steps[1] {type(last).__name__.lower()}"
    assert letters(tmp_path) == [
        {
            "step": label,
            "error": "ValueError: no use for 1",
            "policy": "fail",
            "row": {"n": 1, "copy": 1},
            "outer": {"n": 1},
            "segment": "0",
            "ordinal": 1,
        }
    ]
    assert {step.label: step.failed for step in report.steps}[label] == 1


@given(
    st.lists(st.integers(0, 3), max_size=12),
    st.sets(st.integers(0, 11)),
    st.booleans(),
    st.integers(1, 4),
)
def test_whatever_fails_every_row_comes_out_whole_or_as_one_letter(
    widths: list[int], bad: set[int], costly: bool, concurrency: int
) -> None:
    def wide(row: Row) -> Iterable[Row]:
        width = widths[int(row["n"])]
        return ({**row, "copy": copy} for copy in range(width))

    last = failing(*bad, copy=1)
    sink = Kept()
    steps = Quick(wide) >> (Asked(last) if costly else Quick(last)) >> Quick(same)
    flow = Flow("f", counted(len(widths)), steps, (sink,), concurrency=concurrency)
    report = go(run_flow(flow))
    lost = {n for n, width in enumerate(widths) if n in bad and width > 1}
    expected = [{"n": n, "copy": c} for n, width in enumerate(widths) if n not in lost for c in range(width)]
    assert sink.rows == expected
    assert report.failed == len(lost)


def test_a_step_of_its_own_policy_loses_one_row_not_its_siblings(tmp_path: Path) -> None:
    def run(step: Step) -> tuple[list[Row], int]:
        sink = Kept()
        flow = Flow("f", counted(2), Quick(twice) >> step, (sink,))
        report = go(run_flow(flow, choices=Choices(folder=tmp_path)))
        assert (report.failed, report.exit_code) == (0, 0)
        assert letters(tmp_path)[0]["outer"] == {"n": 1}
        return sink.rows, report.skipped

    first = [{"n": 0, "copy": 0}, {"n": 0, "copy": 1}, {"n": 1, "copy": 0}]
    for kind in (Quick, Asked):
        assert run(kind(failing(1, copy=1), on_error="skip")) == (first, 1)
        assert run(kind(failing(1, copy=1), on_error="keep")) == ([*first, {"n": 1, "copy": 1}], 1)


def test_letters_of_an_earlier_run_go_away(tmp_path: Path) -> None:
    go(run_flow(Flow("f", counted(2), Quick(failing(1))), choices=Choices(folder=tmp_path)))
    report = go(run_flow(Flow("f", counted(2), Quick(same)), choices=Choices(folder=tmp_path)))
    assert report.letters is None
    assert not (tmp_path / "failed.jsonl").exists()


def test_a_flow_may_name_the_file_of_its_dead_letters(tmp_path: Path) -> None:
    named = tmp_path / "deep" / "lost.jsonl"
    flow = Flow("f", counted(2), Quick(failing(1)), failures=Failures(file=named))
    assert go(run_flow(flow)).letters == named
    assert named.read_text().count("\n") == 1


@pytest.mark.parametrize("kind", [Quick, Asked])
def test_a_flow_may_stop_at_the_first_failure(kind: type[Any]) -> None:
    sink = Kept()
    flow = Flow("f", counted(5_000), kind(failing(3)), (sink,), failures=Failures("stop"))
    report = go(run_flow(flow))
    assert (report.ending, report.exit_code, report.interrupted) == ("failures", 3, True)
    assert "no use for 3" in report.detail
    assert sink.rows == []
    assert report.rows_in < 100


@pytest.mark.parametrize("kind", [Quick, Asked])
def test_a_flow_may_bear_only_so_many_failures(kind: type[Any]) -> None:
    flow = Flow("f", counted(5_000), kind(failing(*range(5_000))), failures=Failures(most=2))
    report = go(run_flow(flow))
    assert report.ending == "failures"
    assert 3 <= report.failed < 100
    assert "`on_error.most` is 2" in report.detail


def test_what_is_no_plain_json_fails_its_row_and_no_other() -> None:
    sink = Kept()

    def work(row: Row) -> Iterable[Row]:
        return ({**row, "seen": {1} if row["n"] == 1 else (1, 2)},)

    report = go(run_flow(Flow("f", counted(3), Asked(work), (sink,))))
    assert sink.rows == [{"n": 0, "seen": [1, 2]}, {"n": 2, "seen": [1, 2]}]
    assert report.failed == 1


@pytest.mark.parametrize("error", [ConfigError("`model` is not set"), ModelUnusable("the key was refused")])
def test_what_no_row_would_get_past_ends_the_flow_with_that_error(error: Exception) -> None:
    def work(row: Row) -> Iterable[Row]:
        raise error

    for kind in (Quick, Asked):
        sink = Kept(rows=[{"before": True}])
        with pytest.raises(type(error), match=str(error)):
            go(run_flow(Flow("f", counted(3), kind(work), (sink,))))
        assert sink.rows == [{"before": True}]


def test_a_step_over_all_rows_that_fails_ends_the_flow() -> None:
    @dataclass(frozen=True, slots=True)
    class Broken(Backwards):
        async def __call__(self, rows: AsyncIterator[Row], scope: Scope) -> AsyncIterator[Row]:
            async for row in Quick(failing(2), label="inside")(rows, scope):
                yield row

    with pytest.raises(FlowError, match="inside.*no use for 2.*filter such rows out"):
        go(run_flow(Flow("f", counted(3), Broken())))


def test_branches_of_a_fork_have_outer_rows_of_their_own(tmp_path: Path) -> None:
    sink = Kept()
    branches = [Chain(), Quick(failing(0)), Backwards() >> Asked(failing(1))]
    flow = Flow("f", counted(3), Fork(branches), (sink,))
    report = go(run_flow(flow, choices=Choices(folder=tmp_path)))
    assert [row["n"] for row in sink.rows] == [0, 1, 2, 1, 2, 2, 0]
    assert [(letter["segment"], letter["step"], letter["row"]["n"]) for letter in letters(tmp_path)] == [
        ("0.1.0", "steps[0].fork.branches[1] quick", 0),
        ("0.2.1", "steps[0].fork.branches[2][1] asked", 1),
    ]
    assert [step.label for step in report.steps] == [
        "steps[0] fork",
        "steps[0].fork.branches[1] quick",
        "steps[0].fork.branches[2][0] backwards",
        "steps[0].fork.branches[2][1] asked",
    ]


def test_only_so_many_rows_are_taken_from_the_source() -> None:
    taken: list[int] = []

    @dataclass(frozen=True, slots=True)
    class Endless(Source):
        async def rows(self, scope: Scope) -> AsyncIterator[Row]:
            for number in range(10**9):
                taken.append(number)
                yield {"n": number}

    report = go(run_flow(Flow("f", Endless(), Asked(same)), choices=Choices(limit=7)))
    assert (report.rows_in, report.rows_out, len(taken)) == (7, 7, 7)
    assert go(run_flow(Flow("f", Endless()), choices=Choices(limit=0))).rows_in == 0


def test_a_source_tells_of_records_it_cannot_read(tmp_path: Path) -> None:
    @dataclass(frozen=True, slots=True)
    class Torn(Source):
        async def rows(self, scope: Scope) -> AsyncIterator[Row]:
            yield {"n": 0}
            scope.lose(DeadLetter("jsonl", "line 2 is no JSON", {"line": 2}))
            yield {"n": 2}

    report = go(run_flow(Flow("f", Torn(), Quick(same)), choices=Choices(folder=tmp_path)))
    assert (report.rows_in, report.failed, report.exit_code) == (2, 1, 3)
    assert letters(tmp_path)[0]["error"] == "line 2 is no JSON"


def test_a_row_may_spend_no_more_than_it_is_given(tmp_path: Path) -> None:
    @dataclass(frozen=True, slots=True)
    class Calls(Step):
        @property
        def costly(self) -> bool:
            return True

        def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
            for _ in range(row["n"]):
                scope.run.check("write")
                scope.run.call_spent(10)
            return (row,)

    sink, run = Kept(), Run()
    flow = Flow("f", counted(6), Calls(), (sink,), limits=Limits(row=Budget(searches=None, calls=4)))
    report = go(run_flow(flow, run=run, choices=Choices(folder=tmp_path)))
    assert [row["n"] for row in sink.rows] == [0, 1, 2, 3, 4]
    assert "calls: 4 of 4 used" in letters(tmp_path)[0]["error"]
    assert (report.failed, report.usage.calls, run.calls, run.tokens) == (1, 14, 14, 140)


@dataclass(frozen=True, slots=True)
class Pays(Step):
    """Costs a call for each row."""

    @property
    def costly(self) -> bool:
        return True

    def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
        scope.run.check("gather")
        scope.run.call_spent(10)
        return (row,)


def test_the_whole_flow_may_spend_no_more_than_it_is_given(tmp_path: Path) -> None:
    sink = Kept()
    limits = Limits(total=Budget(searches=None, calls=100))
    flow = Flow("f", counted(150), Pays(), (sink,), limits=limits)
    report = go(run_flow(flow, choices=Choices(folder=tmp_path)))
    assert (report.ending, report.exit_code, report.failed) == ("budget", 130, 0)
    assert "limits.total: calls: 85 of 100 used" in report.detail
    assert (sink.rows, report.usage.calls, report.rows_out) == ([], 85, 85)
    again = go(run_flow(flow, choices=Choices(resume=True, folder=tmp_path)))
    assert (again.ending, again.resumed, again.usage.calls, len(sink.rows)) == ("finished", 85, 65, 150)


@dataclass(frozen=True, slots=True)
class Searches(Step):
    """Searches once for each row, and answers with what it has where that is refused, as agents do."""

    @property
    def costly(self) -> bool:
        return True

    def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
        try:
            scope.run.check("search")
        except BudgetSpent:
            return ({**row, "found": False},)
        scope.run.search_spent()
        return ({**row, "found": True},)


def test_a_row_cut_short_by_the_limit_of_the_whole_flow_is_done_again_not_answered(tmp_path: Path) -> None:
    sink = Kept()

    def go_on(searches: int, resume: bool) -> Any:
        limits = Limits(total=Budget(searches=searches))
        flow = Flow("f", counted(20), Searches(), (sink,), limits=limits)
        return go(run_flow(flow, choices=Choices(resume=resume, folder=tmp_path)))

    report = go_on(6, resume=False)
    assert (report.ending, report.exit_code, report.failed, report.usage.searches) == ("budget", 130, 0, 6)
    assert report.detail == "limits.total: searches: 6 of 6 used"
    assert sink.rows == []
    again = go_on(20, resume=True)
    assert (again.ending, again.resumed, again.usage.searches) == ("finished", 6, 14)
    assert sink.rows == [{"n": number, "found": True} for number in range(20)]


def test_a_row_that_its_own_limit_cuts_short_is_answered(tmp_path: Path) -> None:
    sink = Kept()
    limits = Limits(row=Budget(searches=0), total=Budget(searches=6))
    report = go(run_flow(Flow("f", counted(20), Searches(), (sink,), limits=limits)))
    assert (report.ending, report.failed) == ("finished", 0)
    assert sink.rows == [{"n": number, "found": False} for number in range(20)]


def test_rows_at_work_when_the_seconds_of_the_whole_flow_are_over_are_done_again(tmp_path: Path) -> None:
    times = [0.0]

    @dataclass(frozen=True, slots=True)
    class Slow(Step):
        @property
        def costly(self) -> bool:
            return True

        def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
            times[0] += 1.0
            return ({**row, "found": scope.run.seconds_left("gather") != 0},)

    sink = Kept()
    flow = Flow("f", counted(20), Slow(), (sink,), limits=Limits(total=Budget(searches=None, seconds=10)))
    run = Run(clock=lambda: times[0])
    report = go(run_flow(flow, run=run, choices=Choices(folder=tmp_path, concurrency=1)))
    assert (report.ending, report.rows_out, sink.rows) == ("budget", 8, [])
    assert report.detail == "limits.total: deadline: 9 of 10 used (15% of each limit is kept to write with)"
    free = replace(flow, limits=Limits())
    again = go(run_flow(free, run=run, choices=Choices(resume=True, folder=tmp_path)))
    assert (again.ending, again.resumed) == ("finished", 8)
    assert sink.rows == [{"n": number, "found": True} for number in range(20)]


def test_a_step_over_all_rows_that_is_cut_short_ends_the_flow() -> None:
    @dataclass(frozen=True, slots=True)
    class Judges(Backwards):
        @property
        def costly(self) -> bool:
            return True

        async def __call__(self, rows: Rows, scope: Scope) -> Rows:
            async for row in rows:
                try:
                    scope.run.check("gather")
                    scope.run.call_spent(10)
                    yield {**row, "kept": True}
                except BudgetSpent:
                    yield {**row, "kept": None}

    sink = Kept()
    limits = Limits(total=Budget(searches=None, calls=10))
    report = go(run_flow(Flow("f", counted(20), Judges(), (sink,), limits=limits)))
    assert (report.ending, report.rows_out, sink.rows) == ("budget", 8, [])


def test_a_sink_never_replaces_what_the_flow_reads(tmp_path: Path) -> None:
    read, other, out = (tmp_path / name for name in ("in.jsonl", "other.jsonl", "out.jsonl"))
    for file in (read, other):
        file.write_text('{"n": 1}\n')
    join = Join(table=sources.Jsonl(path=other), on="n")
    for source, target in ((read, tmp_path / "." / "in.jsonl"), (tmp_path / "*.jsonl", read), (read, other)):
        flow = Flow("f", sources.Jsonl(path=source), join, (sinks.Jsonl(path=target),))
        with pytest.raises(FlowError, match="it would be replaced. Name another file"):
            go(run_flow(flow))
    both = (sinks.Jsonl(path=out), sinks.Jsonl(path=tmp_path / "." / "out.jsonl"))
    with pytest.raises(FlowError, match="is written by"):
        go(run_flow(Flow("f", sources.Jsonl(path=read), sinks=both)))
    assert [file.read_text() for file in (read, other)] == ['{"n": 1}\n'] * 2
    go(run_flow(Flow("f", sources.Jsonl(path=tmp_path / "*.jsonl"), sinks=(sinks.Jsonl(path=out),))))
    assert out.read_text() == '{"n": 1}\n' * 2


def test_where_every_row_fails_the_sink_holds_what_it_held_before(tmp_path: Path) -> None:
    out, seen = tmp_path / "out.jsonl", list[Event]()
    out.write_text("what was there before")
    flow = Flow("f", counted(3), Asked(failing(0, 1, 2)), (sinks.Jsonl(path=out),))
    report = go(run_flow(flow, run=Run(emit=seen.append), choices=Choices(folder=tmp_path)))
    assert (report.ending, report.exit_code, report.failed, report.rows_out) == ("finished", 3, 3, 0)
    assert out.read_text() == "what was there before"
    assert [event.text for event in seen if isinstance(event, Notice)] == [NOTHING_LEFT]
    go(run_flow(replace(flow, steps=Filter("n > 5"))))
    assert out.read_text() == ""


def test_a_spent_limit_is_told_of_the_step_that_met_it(tmp_path: Path) -> None:
    limits = Limits(row=Budget(searches=None, tokens=0))
    flow = Flow("f", counted(1), Quick(same) >> Pays() >> Asked(same), limits=limits)
    assert go(run_flow(flow, choices=Choices(folder=tmp_path))).failed == 1
    assert letters(tmp_path)[0]["step"] == "steps[1] pays"


def test_what_costs_nothing_goes_on_when_everything_is_spent() -> None:
    sink = Kept()
    limits = Limits(total=Budget(searches=None, calls=1_000))
    steps = Pays() >> Backwards() >> Quick(same)
    report = go(run_flow(Flow("f", counted(850), steps, (sink,), limits=limits)))
    assert (report.ending, report.usage.calls, len(sink.rows)) == ("finished", 850, 850)


def test_a_flow_may_have_a_deadline() -> None:
    clock = iter(range(10**6))
    limits = Limits(total=Budget(searches=None, seconds=50))
    run = Run(clock=lambda: float(next(clock)))
    report = go(run_flow(Flow("f", counted(100_000), Quick(same), limits=limits), run=run))
    assert (report.ending, report.detail) == ("budget", "limits.total: 50 seconds are over")
    assert report.rows_in < 100_000


def test_a_row_may_spend_what_the_settings_say_of_one_run_unless_the_flow_says_otherwise(
    tmp_path: Path,
) -> None:
    @dataclass(frozen=True, slots=True)
    class Tells(Step):
        @property
        def costly(self) -> bool:
            return True

        def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
            return ({"calls": scope.run.budget.calls, "searches": scope.run.budget.searches},)

    async def work() -> list[Row]:
        sink = Kept()
        settings = Settings(data=tmp_path / "data", budget=BudgetSettings(calls=7))
        async with await Workspace.open(settings) as workspace:
            for row in (Budget(searches=None), Budget(searches=3, calls=1)):
                flow = Flow("f/../ü", counted(1), Tells(), (sink,), limits=Limits(row))
                await run_flow(flow, workspace)
                made.extend(sink.rows)
        return made

    made: list[Row] = []
    assert go(work()) == [{"calls": 7, "searches": 200}, {"calls": 1, "searches": 3}]
    folders = sorted(folder.name for folder in (tmp_path / "data" / "flows").iterdir())
    assert len(folders) == 2
    assert all(re.fullmatch(r"f_ü-[0-9a-f]{8}", name) for name in folders)


def test_events_say_how_far_a_flow_is() -> None:
    seen: list[Event] = []
    go(run_flow(Flow("f", counted(3), Asked(failing(1))), run=Run(emit=seen.append)))
    assert seen[0] == FlowStarted("f", 3)
    assert RowLost("steps[0] asked", "ValueError: no use for 1", "fail", 1) in seen
    assert seen[-2:] == [RowsDone(3, 1, 0.0), FlowEnded("f", 3, 2, 1, "finished")]


def test_a_cancelled_run_finishes_the_rows_at_work_and_starts_no_other() -> None:
    run, sink, started, ended = Run(), Kept(), list[int](), list[int]()

    @dataclass(frozen=True, slots=True)
    class Slow(Step):
        @property
        def costly(self) -> bool:
            return True

        async def apply(self, row: Row, scope: Scope) -> Iterable[Row]:
            started.append(row["n"])
            if row["n"] == 5:
                run.cancel()
            for _ in range(20):
                await asyncio.sleep(0)
            scope.run.check("gather")  # a row at work is told nothing of it
            ended.append(row["n"])
            return (row,)

    report = go(run_flow(Flow("f", counted(1_000), Slow(), (sink,)), run=run))
    assert (report.ending, report.exit_code, report.failed) == ("cancelled", 130, 0)
    assert started == sorted(ended)
    assert 6 <= len(started) < 30
    assert sink.rows == []
    assert [row["n"] for row in sink.part] == started


def test_quick_steps_notice_a_cancelled_run() -> None:
    run, sink = Run(), Kept()

    def work(row: Row) -> Iterable[Row]:
        if row["n"] == 1_000:
            asyncio.get_running_loop().call_soon(run.cancel)  # as a signal does
        return (row,)

    report = go(run_flow(Flow("f", counted(100_000), Quick(work), (sink,)), run=run))
    assert report.ending == "cancelled"
    assert report.rows_in < 3_000
    assert sink.rows == []


def test_an_operator_can_be_tried_out_on_a_list_of_rows() -> None:
    assert go(collected(Quick(twice), [{"n": 1}])) == [{"n": 1, "copy": 0}, {"n": 1, "copy": 1}]


def test_streams_that_end_early_are_closed_before_the_flow_is_over_the_last_first() -> None:
    @dataclass(frozen=True, slots=True)
    class Tells(Backwards):
        name: str
        told: list[str]

        async def __call__(self, rows: Rows, scope: Scope) -> Rows:
            try:
                async for row in rows:
                    yield row
            finally:
                self.told.append(self.name)

    told: list[str] = []

    async def work() -> list[str]:
        steps = Tells("first", told) >> Fork([Tells("branch", told)]) >> Limit(1)
        report = await run_flow(Flow("f", counted(9), steps))
        assert report.rows_out == 1
        return [*told]

    assert go(work()) == ["branch", "first"]
