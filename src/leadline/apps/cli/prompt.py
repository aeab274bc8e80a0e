"""`leadline prompt list | show`"""

from typing import Annotated

import typer
from rich.table import Table

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import out, plain, plain_line, write_json
from leadline.llm.prompting import Prompt, Prompts

Name = Annotated[str, typer.Argument(help="Name of the prompt.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(rich_markup_mode=None, help="List or show what models are told; alone it lists.")
    group.callback(invoke_without_command=True)(alone)
    group.command("list")(list_all)
    group.command("show")(show)
    app.add_typer(group, name="prompt")


def alone(context: typer.Context, as_json: options.Json = False) -> None:
    """List or show what models are told; alone it lists."""
    if context.invoked_subcommand is None:
        list_all(context, as_json)


def list_all(context: typer.Context, as_json: options.Json = False) -> None:
    """Every prompt, what it is for, and whether a file of yours replaces it."""
    prompts = _prompts(context)
    listed = [prompts[name] for name in prompts.names]
    if as_json:
        write_json([_record(prompt) for prompt in listed])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "from", "slots", "purpose"):
        table.add_column(column, overflow="fold")
    for prompt in listed:
        origin = "shipped" if prompt.built_in else str(prompt.path)
        cells = (prompt.name, origin, ", ".join(prompt.slots), prompt.purpose)
        table.add_row(*(plain_line(cell) for cell in cells))
    out().print(table)


def show(context: typer.Context, name: Name, as_json: options.Json = False) -> None:
    """One prompt as its file holds it: edit a copy in the folder that `llm.prompts` names to replace it."""
    prompt = _prompts(context)[name]
    if as_json:
        write_json({**_record(prompt), "system": prompt.system, "user": prompt.user})
    else:
        out().print(plain(prompt.text.strip()), soft_wrap=True)


def _prompts(context: typer.Context) -> Prompts:
    return Prompts(Door.of(context).settings().llm.prompts)


def _record(prompt: Prompt) -> dict[str, object]:
    origin = None if prompt.built_in else str(prompt.path)
    return {"name": prompt.name, "purpose": prompt.purpose, "slots": list(prompt.slots), "file": origin}
