"""`leadline doctor`"""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict

import typer
from rich.table import Table

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import out, plain, write_json
from leadline.apps.doctor import Check, examine
from leadline.config import Settings
from leadline.errors import ConfigError

MARKS = {"ok": "ok", "note": "note", "fail": "FAIL"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(context: typer.Context, as_json: options.Json = False) -> None:
    """Check configuration, data folder, store, embedding and tools; change nothing."""
    checks = asyncio.run(examine(_settings(Door.of(context))))  # noqa: TID251 - a rim
    if as_json:
        write_json([asdict(check) for check in checks])
    else:
        show(checks)
    raise typer.Exit(1 if any(check.state == "fail" for check in checks) else 0)


def show(checks: Sequence[Check]) -> None:
    """A row for every check, and what to do below those that need it."""
    table = Table(box=None, pad_edge=False, show_header=False)
    for check in checks:
        found = f"{check.found}\n-> {check.remedy}" if check.remedy else check.found
        table.add_row(MARKS[check.state], plain(check.name), plain(found))
    out().print(table)


def _settings(door: Door) -> Settings | ConfigError:
    try:
        return door.settings()
    except ConfigError as error:
        return error
