"""`leadline eval retrieval DIR...`"""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err
from leadline.errors import UsageError
from leadline.evaluation.experiment import EvalOptions, evaluate_retrieval
from leadline.evaluation.figures import Figures
from leadline.evaluation.methods import METHODS
from leadline.evaluation.report import json_line, markdown
from leadline.evaluation.setup import Progress, Setup
from leadline.workspace import Workspace, ask_options, retrieval_options

Folders = Annotated[
    list[Path], typer.Argument(help="Folders with corpus.jsonl and questions.jsonl.", show_default=False)
]
Methods = Annotated[
    list[str] | None, typer.Option("--method", help=f"{', '.join(METHODS)}; all if not given.")
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, help="Only so many questions of a set.")]
Sample = Annotated[int | None, typer.Option("--sample", help="Draw them at random, with this seed.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Measure again what is finished already.")]
Report = Annotated[Path | None, typer.Option("--report", help="Write a Markdown report here.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Measure retrieval on questions.")
    group.callback()(_group)
    group.command("retrieval")(retrieval)
    app.add_typer(group, name="eval")


def _group() -> None: ...


def retrieval(
    context: typer.Context,
    folders: Folders,
    method: Methods = None,
    limit: Limit = None,
    sample: Sample = None,
    fresh: Fresh = False,
    report: Report = None,
    as_json: options.Json = False,
) -> None:
    """Recall, MRR and time of every method on every set; what is finished is not measured again."""
    if report is not None and not report.absolute().parent.is_dir():
        raise UsageError(f"--report `{report}`: there is no such folder. Make it first.")
    door = Door.of(context)
    work = door.settings().data / "evaluation"
    how = EvalOptions(work=work, limit=limit, seed=sample, fresh=fresh)
    with EvalBar() as bar:
        measured = door.with_flags(data=work).run(
            lambda workspace, _: _measure(workspace, folders, method or list(METHODS), how, bar)
        )
    _write(measured, report, as_json)


async def _measure(
    workspace: Workspace, folders: Sequence[Path], methods: Sequence[str], how: EvalOptions, bar: "EvalBar"
) -> list[Figures]:
    settings = workspace.settings
    async with workspace.writing() as store:
        setup = Setup(
            store,
            await workspace.embedder(),
            workspace.reasoner(),
            retrieval_options(settings),
            ask_options(settings),
        )
        return await evaluate_retrieval(folders, methods, how, setup, bar.show)


def _write(measured: Sequence[Figures], report: Path | None, as_json: bool) -> None:
    page = markdown(measured)
    print("\n".join(json_line(each) for each in measured) if as_json else page)
    if report is not None:
        try:
            report.write_text(page, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--report `{report}` cannot be written: {error.strerror}.") from None


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
        if name not in self._tasks:
            self._tasks[name] = self._bars.add_task(name, total=progress.total)
        self._bars.update(self._tasks[name], completed=progress.done)
