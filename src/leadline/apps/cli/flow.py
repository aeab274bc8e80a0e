"""`leadline flow run`"""

import typer

from leadline.apps.cli.flow_run import run


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Run flows of rows through steps.")
    group.callback()(_several)
    group.command("run")(run)
    app.add_typer(group, name="flow")


def _several() -> None:
    """Run flows of rows through steps."""
