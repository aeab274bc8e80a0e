"""`leadline flow run FILE`"""

from collections.abc import Sequence
from typing import Annotated

import typer

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.flow_view import FlowBar, show_report
from leadline.apps.cli.output import write_json
from leadline.apps.shapes import flow_report
from leadline.arguments import as_text
from leadline.errors import UsageError
from leadline.flow.files.checking import check
from leadline.flow.files.reading import read_flow
from leadline.flow.running.opening import Choices
from leadline.flow.running.report import FlowReport
from leadline.flow.running.running import run_flow
from leadline.run import Run
from leadline.workspace import Workspace

STOPPING = "Stopping after the rows at work; Ctrl-C again stops at once. The same command with --resume goes on from there."

File = Annotated[str, typer.Argument(help="Flow file, or the name of a shipped flow.", show_default=False)]
Set = Annotated[
    list[str] | None, typer.Option("--set", help="ARGUMENT=VALUE of the flow; may be given several times.")
]
Most = Annotated[int | None, typer.Option("--limit", min=1, help="Take only so many rows from the source.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on where an earlier run was stopped.")]
Retry = Annotated[bool, typer.Option("--retry-failed", help="Like --resume, and do again what failed.")]
Anew = Annotated[bool, typer.Option("--anew", help="Forget what a stopped run finished, and do it again.")]
Engine = Annotated[str, typer.Option("--engine", help="Where rows are worked on: `local` or `ray`.")]
Concurrency = Annotated[
    int | None, typer.Option("--concurrency", min=1, max=1_000, help="Rows worked on at a time.")
]


def run(
    context: typer.Context,
    file: File,
    values: Set = None,
    limit: Most = None,
    resume: Resume = False,
    retry_failed: Retry = False,
    anew: Anew = False,
    engine: Engine = "local",
    concurrency: Concurrency = None,
    as_json: options.Json = False,
) -> None:
    """Run a flow: rows from its source, through its steps, into its sinks."""
    door = Door.of(context)
    given, settings = assigned(values or ()), door.settings()
    flow = read_flow(file, given, settings)
    check(file, settings, given).raise_errors()
    if anew and (resume or retry_failed):
        raise UsageError("--anew does all rows again, --resume and --retry-failed do not. Give one of them.")
    choices = Choices(resume, retry_failed, limit, concurrency, engine, anew=anew)

    async def work(workspace: Workspace, run: Run) -> FlowReport:
        return await run_flow(flow, workspace, run=run, choices=choices)

    with FlowBar() as bar:
        report = door.run(work, emit=bar.show, on_cancel=STOPPING)
    if as_json:
        write_json(flow_report(report))
    else:
        show_report(report)
    raise typer.Exit(report.exit_code)


def assigned(pairs: Sequence[str]) -> dict[str, object]:
    """Read `name=value` pairs; the flow says what kind of value each argument has.

    >>> assigned(["questions=a=b.csv", "top="])
    {'questions': 'a=b.csv', 'top': ''}
    """
    read: dict[str, object] = {}
    for pair in map(as_text, pairs):
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set `{pair}` is not of the form ARGUMENT=VALUE, as in `--set top=5`.")
        read[name.strip()] = value
    return read
