"""`leadline migrate FROM TO`"""

from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from leadline.apps import shapes
from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, out, plain, write_json
from leadline.events import Event, Migrated
from leadline.ingest.migrating import MigrationReport
from leadline.migration import migrated

STOPPING = "Stopping after this batch; what is copied stays. The same command again goes on from there."
HELP = "`lance`, `milvus`, `qdrant`, with an address as `milvus=http://localhost:19530`, or a data folder."
Source = Annotated[str, typer.Argument(metavar="FROM", help=HELP, show_default=False)]
Target = Annotated[str, typer.Argument(metavar="TO", help="The same.", show_default=False)]
Names = Annotated[
    list[str] | None, typer.Option("--collection", "-c", help="Only these; else all.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("migrate")(migrate)


def migrate(
    context: typer.Context,
    source: Source,
    target: Target,
    collection: Names = None,
    prune: Annotated[bool, typer.Option("--prune", help="Remove there what the first store lacks.")] = False,
    as_json: options.Json = False,
) -> None:
    """Copy collections from one store into another, without reading or embedding anything again."""
    names = tuple(collection or ())
    with _Bar() as bar:
        reports = Door.of(context).run(
            lambda workspace, run: migrated(workspace.settings, source, target, names, run, prune=prune),
            emit=bar.show,
            on_cancel=STOPPING,
        )
    if as_json:
        write_json(shapes.migration_reports(reports))
    else:
        for report in reports:
            out().print(plain(said(report)), soft_wrap=True)
        if not reports:
            err().print("no collections to copy.")
    raise typer.Exit(130 if any(report.left for report in reports) else 0)


def said(report: MigrationReport) -> str:
    """What was done with one collection."""
    name = f"`{report.collection}`"
    if report.left:
        return f"stopped: {report.left} documents of {name} are left; the same command goes on from there."
    return (
        f"{name}: {report.copied} documents copied in {report.seconds:.1f} s, {report.there} were there; "
        f"now {report.documents} documents, {report.chunks} chunks, as in the first store."
    )


class _Bar(Progress):
    """Documents copied, of all; drawn on stderr where that is a terminal."""

    def __init__(self) -> None:
        console = err()
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        super().__init__(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._all = self.add_task("copying", total=None)

    def show(self, event: Event) -> None:
        """Follow one event."""
        if isinstance(event, Migrated):
            self.update(self._all, description=event.collection, completed=event.done, total=event.total)
