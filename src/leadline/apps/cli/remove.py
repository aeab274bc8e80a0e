"""`leadline remove SOURCE...`"""

from typing import Annotated

import typer

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import near, out, plain_line, write_json

Sources = Annotated[
    list[str], typer.Argument(help="Documents, or folders they are below.", show_default=False)
]
Purge = Annotated[bool, typer.Option("--purge", help="Leave nothing of their text on disk.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("remove")(remove)


def remove(
    context: typer.Context,
    sources: Sources,
    collection: options.Collection = None,
    purge: Purge = False,
    as_json: options.Json = False,
) -> None:
    """Remove documents from a collection; the files themselves are not touched."""
    gone = Door.of(context).run(
        lambda workspace, _: workspace.remove(sources, collection=collection, purge=purge)
    )
    if as_json:
        write_json({"removed": list(gone)})
        return
    for source in gone:
        out().print(plain_line(f"removed {near(source)}"), soft_wrap=True)
