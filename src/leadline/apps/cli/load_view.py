"""What a load looks like: a bar with rate and time left, then a table of what came of it."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from leadline.apps.cli.output import err, many, near, out, plain, rate, size
from leadline.arguments import is_address
from leadline.events import Embedded, Event, FileLoaded, LoadStarted, Notice
from leadline.ingest import LoadReport

SHOWN = 50
STOPPING = "Stopping after this batch; what is loaded stays. The same command again goes on from there."


class LoadBar:
    """A progress bar on stderr, drawn only where that is a terminal."""

    def __init__(self) -> None:
        console = err()
        self._progress = Progress(
            TextColumn("loading"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}{task.fields[embedding]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("load", total=None, rate="", embedding="")
        self._bytes, self._things = 0, "files"

    def __enter__(self) -> Self:
        # A site can take long before its first page is there.
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, event: Event) -> None:
        """Follow one event of the load."""
        if isinstance(event, LoadStarted):
            self._expect(event.files)
        elif isinstance(event, FileLoaded) and event.status != "removed":
            self._bytes += event.bytes
            self._things = things([event])
            self._progress.update(self._task, advance=1, rate=self._rate())
        elif isinstance(event, Embedded):
            done = "" if event.done == event.total else f", embedding {event.done} of {event.total} passages"
            self._progress.update(self._task, embedding=done)
        elif isinstance(event, Notice):
            self._progress.console.print(plain(event.text))

    def _expect(self, files: int) -> None:
        """So many more than were known of."""
        self._progress.update(self._task, total=(self._progress.tasks[0].total or 0) + files)

    def _rate(self) -> str:
        task = self._progress.tasks[0]
        elapsed = task.elapsed or 0.0
        if elapsed <= 0:
            return ""
        return f"{rate(task.completed, elapsed, self._things)}, {size(self._bytes / elapsed)}/s"


def show_report(report: LoadReport) -> None:
    """The counts on one line, and a row for every file that was not read."""
    console = out()
    unread = [file for file in report.files if file.status in ("skipped", "failed")]
    if unread:
        console.print(_table(unread[:SHOWN]))
    if len(unread) > SHOWN:
        console.print(f"... and {len(unread) - SHOWN} more; --json lists all.")
    if not report.files and not report.cancelled:
        ignored = f": {report.ignored} were hidden, excluded or of no known kind" if report.ignored else ""
        err().print(f"no files to load{ignored}.")
    if report.cancelled and not report.loaded + report.unchanged:
        err().print(f"stopped before the first of the {things(report.files)} was stored.")
    counts = [
        f"{count} {name}"
        for name, count in (
            ("loaded", report.loaded),
            ("unchanged", report.unchanged),
            ("skipped", report.skipped),
            ("failed", report.failed),
            ("removed", report.removed),
            ("left out (hidden, excluded or no documents)", report.ignored),
        )
        if count or name in ("loaded", "unchanged", "skipped", "failed")
    ]
    pace = f", {rate(len(report.files), report.seconds, things(report.files))}" if report.seconds > 0 else ""
    console.print(
        f"{', '.join(counts)}; {many(report.chunks, 'chunk')} in {report.seconds:.1f} s{pace}", soft_wrap=True
    )


def things(files: Sequence[FileLoaded]) -> str:
    """What is counted: pages where all are of the web, else files."""
    return "pages" if files and all(is_address(each.source) for each in files) else "files"


def _table(files: Sequence[FileLoaded]) -> Table:
    table = Table("file", "", "reason", "what to do", box=None, pad_edge=False, expand=False)
    table.columns[0].overflow = "fold"
    for file in files:
        table.add_row(plain(near(file.source)), file.status, plain(file.reason), plain(file.remedy))
    return table
