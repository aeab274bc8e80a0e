"""`leadline flow run | check | list | show | draw`"""

import typer

from leadline.apps.cli.flow_catalogue import list_all, show
from leadline.apps.cli.flow_files import check, draw
from leadline.apps.cli.flow_run import run


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        rich_markup_mode=None,
        no_args_is_help=True,
        help="Run, check and draw flows of rows through steps; list and show the steps.",
    )
    group.callback()(_several)
    group.command("run")(run)
    group.command("check")(check)
    group.command("list")(list_all)
    group.command("show")(show)
    group.command("draw")(draw)
    app.add_typer(group, name="flow")


def _several() -> None:
    """Run, check and draw flows of rows through steps; list and show the steps."""
