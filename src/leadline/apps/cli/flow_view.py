"""What a run of a flow looks like: a bar with rate, failures, cost and time left, then a table of its steps.

All of it on stderr, as the rows themselves may go to stdout.
"""

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from leadline.apps.cli.output import err, many, near, plain, plain_line, rate
from leadline.events import Event, FlowStarted, Notice, RowLost, RowsDone
from leadline.flow.running.report import FlowReport
from leadline.types import Usage

SHOWN_LOST = 5
SHOWN_NOTICES = 20
LONGEST = 200


class FlowBar:
    """A progress bar on stderr, drawn only where that is a terminal. What is lost and what is to be known is said in
    both cases, as long as there is not too much of it."""

    def __init__(self) -> None:
        self._console = err()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[figures]}"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task: TaskID | None = None
        self._lost = 0
        self._told: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, event: Event) -> None:
        """Follow one event of the run."""
        match event:
            case FlowStarted():
                self._progress.start()
                self._task = self._progress.add_task(
                    plain_line(event.name).plain, total=event.rows, figures=""
                )
            case RowsDone():
                self._advance(event)
            case RowLost():
                self._lost += 1
                if self._lost <= SHOWN_LOST:
                    row = "" if event.ordinal is None else f" (row {event.ordinal + 1})"
                    self._say(f"{event.step}: {event.error[:LONGEST]}{row}")
                elif self._lost == SHOWN_LOST + 1:
                    self._say("... and more rows, which the file of dead letters lists.")
            case Notice() if event.text not in self._told and len(self._told) < SHOWN_NOTICES:
                self._told.add(event.text)
                self._say(event.text)
            case _:
                pass

    def _advance(self, event: RowsDone) -> None:
        if self._task is None:
            return
        elapsed = self._progress.tasks[0].elapsed or 0.0
        self._progress.update(self._task, completed=event.done, figures=figures(event, elapsed))

    def _say(self, text: str) -> None:
        self._progress.console.print(plain_line(text), soft_wrap=True)


def figures(event: RowsDone, elapsed: float) -> str:
    """What stands behind the bar.

    >>> figures(RowsDone(30, 2, 0.125), 4.0)
    '7.5 rows/s, 2 failed, 0.12 USD'
    """
    said = [rate(event.done, elapsed, "rows")] if elapsed > 0 else []
    said += [f"{event.failed} failed"] if event.failed else []
    said += [f"{event.usd:.2f} USD"] if event.usd else []
    return ", ".join(said)


def show_report(report: FlowReport) -> None:
    """A row for every step, the counts on one line, what to do next where something is."""
    console = err()
    if report.steps:
        console.print(_table(report))
    seconds = report.seconds
    pace = f", {rate(report.rows_in, seconds, 'rows')}" if seconds > 0 else ""
    counts = [f"{many(report.rows_in, 'row')} in", f"{report.rows_out} out", f"{report.failed} failed"]
    counts += [f"{report.skipped} skipped or kept as they were"] if report.skipped else []
    counts += [f"{report.resumed} from an earlier run"] if report.resumed else []
    console.print(plain(f"{', '.join(counts)}; {seconds:.1f} s{pace}{_spent(report.usage)}"), soft_wrap=True)
    if report.letters is not None:
        again = "; --retry-failed does them again" if report.failed else ""
        console.print(plain(f"what was lost is in {near(str(report.letters))}{again}."), soft_wrap=True)
    if report.interrupted:
        console.print(plain(f"stopped before its end{_why(report)}"), soft_wrap=True)


def _why(report: FlowReport) -> str:
    again = "the same command with --resume goes on from here."
    kept = "The sinks hold what they held before;"
    match report.ending:
        case "cancelled":
            return f" by Ctrl-C. {kept} {again}"
        case "budget":
            return f": {report.detail}. {kept} raise the limit, then {again}"
        case _:
            return f": {report.detail}. {kept} {again}"


def _table(report: FlowReport) -> Table:
    table = Table("step", box=None, pad_edge=False)
    table.columns[0].overflow = "fold"
    for name in ("rows in", "rows out", "failed"):
        table.add_column(name, justify="right")
    for step in report.steps:
        table.add_row(plain_line(step.label), str(step.rows_in), str(step.rows_out), str(step.failed or ""))
    return table


def _spent(usage: Usage) -> str:
    parts = [many(usage.searches, "search", "searches")] if usage.searches else []
    parts += [f"{many(usage.calls, 'call')} of a model, {usage.tokens} tokens"] if usage.calls else []
    parts += [f"{usage.usd:.4f} USD"] if usage.usd else []
    return f"; {', '.join(parts)}" if parts else ""
