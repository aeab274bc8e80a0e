"""`leadline load PATH|ADDRESS...`"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Unpack, cast

import typer

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.load_view import STOPPING, LoadBar, show_report
from leadline.apps.cli.output import near, someone_there, write_json
from leadline.apps.shapes import load_report
from leadline.arguments import LoadChoices, as_text, is_address
from leadline.errors import UsageError
from leadline.ingest import LoadReport
from leadline.types import MetaValue

Meta = Annotated[list[str] | None, typer.Option(help="key=value kept with every document; may be repeated.")]
Prune = Annotated[
    bool, typer.Option("--prune", help="Remove documents whose files have vanished, and pages that are gone.")
]
Exclude = Annotated[list[str] | None, typer.Option(help="Glob to leave out, as in .gitignore.")]
HnswM = Annotated[int | None, typer.Option(help="Neighbours in the vector index of a new collection.")]
HnswConstruction = Annotated[
    int | None, typer.Option("--hnsw-ef-construction", help="Candidates while building that index.")
]
HnswEf = Annotated[int | None, typer.Option("--hnsw-ef", help="Candidates while searching it, at least.")]
DescribePictures = Annotated[
    bool | None,
    typer.Option(
        "--describe-pictures/--no-describe-pictures",
        help="Have the model describe pictures inside documents.",
        show_default=False,
    ),
]
Engine = Annotated[
    str, typer.Option(help="`ray` reads and embeds on a Ray cluster; all machines must see the files.")
]
Depth = Annotated[
    int | None,
    typer.Option(min=0, help="Links to follow from an address: 0 reads it alone.", show_default=False),
]
SameSite = Annotated[
    bool | None,
    typer.Option(
        "--same-site/--any-site",
        help="Follow links to the same site only [default], or to any.",
        show_default=False,
    ),
]
MaxPages = Annotated[
    int | None, typer.Option(min=1, help="Most pages that are asked for (200).", show_default=False)
]
Sitemap = Annotated[
    bool, typer.Option("--sitemap", help="Read what the sitemaps of an address's site name, too.")
]
PasswordFile = Annotated[Path | None, typer.Option(help="Passwords to try, one a line.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("load")(load)


def load(
    context: typer.Context,
    things: options.Things,
    collection: options.Collection = None,
    meta: Meta = None,
    prune: Prune = False,
    exclude: Exclude = None,
    password_file: PasswordFile = None,
    describe_pictures: DescribePictures = None,
    hnsw_m: HnswM = None,
    hnsw_ef_construction: HnswConstruction = None,
    hnsw_ef: HnswEf = None,
    engine: Engine = "local",
    depth: Depth = None,
    same_site: SameSite = None,
    max_pages: MaxPages = None,
    sitemap: Sitemap = False,
    as_json: options.Json = False,
) -> None:
    """Read files, folders and pages of the web into a collection; what has not changed is left alone."""
    graph = {"hnsw.m": hnsw_m, "hnsw.ef_construction": hnsw_ef_construction, "hnsw.ef": hnsw_ef}
    seeing = {"load.describe_pictures": describe_pictures}
    door = Door.of(context).with_flags(collection=collection, **graph, **seeing)
    tried, read = passwords(password_file), metadata(meta or ())
    crawling = {"depth": depth, "same_site": same_site, "max_pages": max_pages, "sitemaps": sitemap or None}
    choices = LoadChoices(
        metadata=read, prune=prune, exclude=exclude or (), passwords=tried, engine=engine
    ) | cast(LoadChoices, {name: value for name, value in crawling.items() if value is not None})
    report = _load(door, [as_text(each) if is_address(each) else Path(each) for each in things], **choices)
    locked = [
        file.source
        for file in report.files
        if "password" in file.reason.casefold() and not is_address(file.source)
    ]
    if locked and password_file is None and someone_there() and not as_json:
        report = _with_passwords(door, report, locked, read)
    if as_json:
        write_json(load_report(report))
    else:
        show_report(report)
    raise typer.Exit(exit_code(report))


def exit_code(report: LoadReport) -> int:
    """130 when it was stopped, 1 when nothing at all came of it."""
    if report.cancelled:
        return 130
    return 0 if report.loaded + report.unchanged + report.removed else 1


def metadata(pairs: list[str] | tuple[str, ...]) -> dict[str, MetaValue]:
    """Read `key=value` pairs; numbers and true or false are kept as such.

    >>> metadata(["year=2023", "lang=zh", "draft=false", "code=007", "x=nan"])
    {'year': 2023, 'lang': 'zh', 'draft': False, 'code': '007', 'x': 'nan'}
    """
    read: dict[str, MetaValue] = {}
    for pair in map(as_text, pairs):
        key, equals, value = pair.partition("=")
        if not equals or not key.strip().isidentifier():
            raise UsageError(f"--meta `{pair}` is not of the form key=value, with a key like `year`.")
        read[key.strip()] = _value(value.strip())
    return read


def _value(text: str) -> MetaValue:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if str(number) == text and math.isfinite(number):
            return number
    return text


def passwords(file: Path | None) -> tuple[str, ...]:
    """The lines of a password file."""
    if file is None:
        return ()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--password-file `{file}` cannot be read: {error}. Check the path.") from None
    return tuple(line for line in lines if line)


def _load(door: Door, things: Sequence[str | Path], **choices: Unpack[LoadChoices]) -> LoadReport:
    with LoadBar() as bar:
        return door.run(
            lambda workspace, run: workspace.load(things, run=run, **choices),
            emit=bar.show,
            on_cancel=STOPPING,
        )


def _with_passwords(
    door: Door, report: LoadReport, locked: list[str], meta: dict[str, MetaValue]
) -> LoadReport:
    """Ask once for a password and read the protected files again with it."""
    typer.echo(f"{len(locked)} file(s) need a password: {', '.join(map(near, locked[:5]))}", err=True)
    given = typer.prompt(
        "Password (empty to skip them)", default="", show_default=False, hide_input=True, err=True
    )
    if not given:
        return report
    again = _load(door, [Path(source) for source in locked], metadata=meta, passwords=(given,))
    return report.with_again(again)
