"""`leadline collections list | show | describe | drop`"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from leadline.apps import shapes
from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, many, near, out, plain, plain_line, someone_there, write_json
from leadline.errors import UsageError
from leadline.store.base import FieldKind, FieldSummary
from leadline.types import Collection, MetaValue

SHOWN_VALUES = 6
LONGEST_VALUE = 40
LONGEST_NAME = 30
FIXED, LEAST = 36, 14
"""Columns that kinds, numbers and gaps of a table of fields take, and those that its values have at least."""

HOLDS: Mapping[FieldKind, str] = {
    "text": "text",
    "number": "numbers",
    "truth": "yes or no",
    "texts": "texts",
    "date": "dates",
}

Name = Annotated[str, typer.Argument(help="Name of the collection.", show_default=False)]
Description = Annotated[str, typer.Argument(help="What it is about.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(rich_markup_mode=None, help="List, show, describe or drop; alone it lists.")
    group.callback(invoke_without_command=True)(alone)
    group.command("list")(list_all)
    group.command("show")(show)
    group.command("describe")(describe)
    group.command("drop")(drop)
    app.add_typer(group, name="collections")


def alone(context: typer.Context, as_json: options.Json = False) -> None:
    """List, show, describe or drop; alone it lists."""
    if context.invoked_subcommand is None:
        list_all(context, as_json)


def list_all(context: typer.Context, as_json: options.Json = False) -> None:
    """Every collection with its size."""
    listed = Door.of(context).run(lambda workspace, _: workspace.collections())
    if as_json:
        write_json(shapes.collections(listed))
    elif listed:
        out().print(table(listed))
    else:
        err().print("no collections yet. Start with `leadline load PATH`.")


def show(context: typer.Context, name: Name, as_json: options.Json = False) -> None:
    """One collection: its fields with their values, and its documents."""
    door = Door.of(context)
    collection = door.run(lambda workspace, _: workspace.collection(name))
    sources = door.run(lambda workspace, _: workspace.sources(name))
    fields = door.run(lambda workspace, _: workspace.fields(name))
    if as_json:
        shown = shapes.collections([collection])[0]
        write_json({**shown, "fields": shapes.fields(fields), "sources": list(sources)})
        return
    out().print(table([collection]))
    if fields:
        out().print("\nfields that --where can name:")
        console = out()
        console.print(field_table(fields, console.width))
        out().print("\ndocuments:")
    for source in sources:
        out().print(plain_line(near(source)), soft_wrap=True)


def describe(context: typer.Context, name: Name, description: Description) -> None:
    """Say what a collection is about."""
    Door.of(context).run(lambda workspace, _: workspace.describe(name, description))


def drop(context: typer.Context, name: Name, yes: options.Yes = False) -> None:
    """Remove a collection with all it holds."""
    door = Door.of(context)
    collection = door.run(lambda workspace, _: workspace.collection(name))
    held = many(collection.documents, "document")
    agree(f"Drop `{name}` with {held}?", yes)
    door.run(lambda workspace, _: workspace.drop(name))
    err().print(plain(f"dropped `{name}`: {held}, {many(collection.chunks, 'chunk')}."))


def agree(question: str, yes: bool) -> None:
    """Ask before something is lost; without a terminal only --yes agrees."""
    if yes:
        return
    if not someone_there():
        raise UsageError(f"{question} Nobody can be asked here: add --yes.")
    if not typer.confirm(question, err=True):
        raise typer.Exit(1)


def table(listed: list[Collection]) -> Table:
    """A row for every collection."""
    rows = Table("collection", box=None, pad_edge=False)
    for name in ("documents", "chunks"):
        rows.add_column(name, justify="right")
    rows.add_column("embedding")
    rows.add_column("description", overflow="fold")
    for each in listed:
        rows.add_row(
            plain(each.name),
            str(each.documents),
            str(each.chunks),
            plain(each.embedding),
            plain(each.description),
        )
    return rows


def field_table(fields: Sequence[FieldSummary], width: int) -> Table:
    """A row for every field: what it holds, from where to where, and its commonest values, which are cut so that names
    and numbers fit in `width`."""
    name = min(max((len(each.name) for each in fields), default=0), LONGEST_NAME)
    left = max(width - max(name, 12) - FIXED, LEAST)
    rows = Table(box=None, pad_edge=False)
    rows.add_column("field", overflow="fold", min_width=12, max_width=LONGEST_NAME)
    rows.add_column("holds", min_width=6)
    rows.add_column("documents", justify="right")
    rows.add_column("values", justify="right")
    for head, share in (("from", 2), ("to", 2), ("commonest", 3)):
        rows.add_column(head, overflow="ellipsis", no_wrap=True, max_width=left * share // 7)
    for each in fields:
        numbers = (str(each.documents), str(each.distinct))
        ends = (_short(each.minimum), _short(each.maximum))
        rows.add_row(plain_line(each.name), HOLDS[each.kind], *numbers, *ends, plain_line(commonest(each)))
    return rows


def commonest(field: FieldSummary) -> str:
    """The values that several documents share, or all of them where there are few."""
    few = field.distinct <= SHOWN_VALUES
    shown = [(value, count) for value, count in field.values[:SHOWN_VALUES] if few or count > 1]
    return ", ".join(f"{_short(value)} ({count})" for value, count in shown)


def _short(value: MetaValue) -> Text:
    """A value on one line; of a long one, such as a path, the end tells most."""
    text = near(value) if isinstance(value, str) else str(value).lower()
    return plain_line(text if len(text) <= LONGEST_VALUE else f"…{text[-LONGEST_VALUE:]}")
