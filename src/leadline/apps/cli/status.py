"""`leadline status`"""

import typer

from leadline.apps import shapes
from leadline.apps.cli import options
from leadline.apps.cli.collections import table
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import out, plain, size, write_json
from leadline.status import Status


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("status")(status)


def status(context: typer.Context, as_json: options.Json = False) -> None:
    """What is stored, how large it is, and whether someone is writing."""
    found = Door.of(context).run(lambda workspace, _: workspace.status())
    if as_json:
        write_json(shapes.status(found))
    else:
        show(found)


def show(found: Status) -> None:
    """Lines a person reads from top to bottom."""
    console = out()
    console.print(
        plain(f"data folder   {found.data}{'' if found.exists else ' (not there yet)'}"), soft_wrap=True
    )
    console.print(f"documents     {found.documents}")
    console.print(f"chunks        {found.chunks}")
    console.print(f"size on disk  {size(found.bytes)}")
    if found.cache:
        console.print(f"vector cache  {size(found.cache)}, part of that")
    console.print(f"last change   {found.changed or 'never'}")
    console.print(plain(f"writer        {found.writer or 'none'}"))
    if found.collections:
        console.print(table(list(found.collections)))
