"""`leadline remove SOURCE...`"""

import asyncio
from typing import Annotated

import typer

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, near, out, plain_line, write_json
from leadline.errors import UsageError
from leadline.stores import others_holding
from leadline.workspace import Workspace

Sources = Annotated[
    list[str] | None,
    typer.Argument(help="Documents, or folders they are below; none with --purge.", show_default=False),
]
Purge = Annotated[
    bool,
    typer.Option("--purge", help="Leave nothing of their text on disk. Alone, empty what is kept beside."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("remove")(remove)


def remove(
    context: typer.Context,
    sources: Sources = None,
    collection: options.Collection = None,
    purge: Purge = False,
    as_json: options.Json = False,
) -> None:
    """Remove documents from a collection; the files themselves are not touched."""
    if not sources and not purge:
        raise UsageError(
            "nothing was named. Name documents or folders, or give --purge alone to empty what is kept."
        )
    gone, others = Door.of(context).run(
        lambda workspace, _: _remove(workspace, sources or [], collection, purge=purge)
    )
    for kind in others:
        err().print(
            f"`{kind}` in the same data folder may still hold a copy: purge there too, with LEADLINE_STORE={kind}.",
            soft_wrap=True,
        )
    if as_json:
        write_json({"removed": list(gone)})
        return
    if not sources:
        out().print("emptied: kept vectors, replies of models, pages of the web and progress of flows.")
    for source in gone:
        out().print(plain_line(f"removed {near(source)}"), soft_wrap=True)


async def _remove(
    workspace: Workspace, sources: list[str], collection: str | None, *, purge: bool
) -> tuple[tuple[str, ...], list[str]]:
    """What was removed; after a purge also the other stores of the data folder that still have some of it."""
    gone = await workspace.remove(sources, collection=collection, purge=purge)
    return gone, await asyncio.to_thread(others_holding, workspace.settings, gone) if purge else []
