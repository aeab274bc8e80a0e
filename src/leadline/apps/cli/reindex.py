"""`leadline reindex --embedding NAME`"""

from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from leadline.apps import shapes
from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, out, plain, write_json
from leadline.encoders import NONE, WITHOUT_SETTINGS
from leadline.events import Embedded, Event
from leadline.ingest import ReindexReport

STOPPING = "Stopping after this batch; what is embedded stays. The same command again goes on from there."
Embedding = Annotated[
    str, typer.Option(help="static, multilingual, onnx, sentence-transformers, remote, none, or a plugin.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("reindex")(reindex)


def reindex(
    context: typer.Context,
    embedding: Embedding,
    collection: options.Collection = None,
    as_json: options.Json = False,
) -> None:
    """Give a collection another embedding, from what is stored; searching works meanwhile."""
    door = Door.of(context).with_flags(collection=collection)
    with _Bar() as bar:
        report = door.run(
            lambda workspace, run: workspace.reindex(embedding, run=run), emit=bar.show, on_cancel=STOPPING
        )
    if as_json:
        write_json(shapes.reindex_report(report))
    else:
        out().print(plain(said(report, embedding, door.settings().embedding)), soft_wrap=True)
    raise typer.Exit(130 if report.left else 0)


def said(report: ReindexReport, asked: str, configured: str) -> str:
    """What was done, and what a person has to do now."""
    name = f"collection `{report.collection}`"
    if report.left:
        return f"stopped: {report.left} of {report.chunks} chunks are left; {name} is searched as before."
    rate = f" in {report.seconds:.1f} s" if report.seconds else ""
    if asked == NONE:
        return f"{name} has no vectors any more: it is searched by keyword and by links."
    line = f"{name} is indexed with {report.embedding}: {report.embedded} chunks embedded{rate}."
    if asked in (configured, *WITHOUT_SETTINGS.values()):
        return line
    return f'{line} Set `embedding = "{asked}"` in leadline.toml, so that it can be searched.'


class _Bar(Progress):
    """Chunks with a vector, of all; drawn on stderr where that is a terminal."""

    def __init__(self) -> None:
        console = err()
        columns = (TextColumn("embedding"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        super().__init__(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._all = self.add_task("reindex", total=None)

    def show(self, event: Event) -> None:
        """Follow one event."""
        if isinstance(event, Embedded):
            self.update(self._all, completed=event.done, total=event.total)
