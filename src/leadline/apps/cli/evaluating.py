"""What the commands that measure share: their options, their bar, and where they keep what is finished."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self, TypeVar, get_args

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err
from leadline.errors import UsageError
from leadline.evaluation.setup import OnProgress, Progress, Setup
from leadline.evaluation.variants import Half, Variation
from leadline.workspace import Workspace

R = TypeVar("R")

Folders = Annotated[
    list[Path], typer.Argument(help="Folders with corpus.jsonl and questions.jsonl.", show_default=False)
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Only so many questions of a set.")]
Sample = Annotated[int | None, typer.Option("--sample", help="Draw them at random, with this seed.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Measure again what is finished already.")]
Union = Annotated[bool, typer.Option("--union", help="All sets in one collection.")]
Untitled = Annotated[bool, typer.Option("--untitled", help="Every title blanked.")]
EvenOrOdd = Annotated[
    str | None, typer.Option("--half", help="Every other question by its place: `even` or `odd`.")
]
Across = Annotated[
    Path | None,
    typer.Option(
        "--corpus", help="Search this set's corpus; its questions of the same id say what is right."
    ),
]
Whole = Annotated[bool, typer.Option("--long", help="Search the whole documents of docs.jsonl.")]


def variation(union: bool, untitled: bool, half: str | None, corpus: Path | None, whole: bool) -> Variation:
    """How the sets are changed, `--half` checked."""
    for known in get_args(Half):
        if half == known:
            return Variation(union, untitled, known, corpus, whole)
    if half is not None:
        raise UsageError(f"--half cannot be `{half}`. It is `even` or `odd`.")
    return Variation(union, untitled, None, corpus, whole)


def work_folder(door: Door) -> Path:
    """Where collections of sets and finished rows are kept, apart from the user's own."""
    return door.settings().data / "evaluation"


def with_setup(door: Door, work: Callable[[Setup, OnProgress], Awaitable[R]]) -> R:
    """Do `work` with a store of its own open for writing."""

    async def inside(workspace: Workspace) -> R:
        async with workspace.writing() as store:
            return await work(await Setup.of(workspace, store), bar.show)

    with EvalBar() as bar:
        found = door.with_flags(data=work_folder(door)).run(lambda workspace, _: inside(workspace))
    if bar.kept:
        err().print(f"measured by an earlier run and not again: {bar.kept} rows. --fresh measures all anew.")
    return found


class EvalBar:
    """One bar for each stage of each set, on stderr where that is a terminal."""

    def __init__(self) -> None:
        console = err()
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._kept: dict[str, int] = {}

    @property
    def kept(self) -> int:
        """Rows that an earlier run has measured."""
        return sum(self._kept.values())

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def show(self, progress: Progress) -> None:
        """Follow one step."""
        name = f"{progress.set_name} {progress.stage}"
        self._kept[name] = progress.kept
        if name not in self._tasks:
            self._tasks[name] = self._bars.add_task(name, total=progress.total)
        self._bars.update(self._tasks[name], completed=progress.done)
