"""`leadline search QUESTION`"""

import typer
from rich.table import Table
from rich.text import Text

from leadline.apps import shapes
from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, out, plain, write_json
from leadline.retrieval.base import Results
from leadline.types import Hit

SNIPPET = 300


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("search")(search)


def search(
    context: typer.Context,
    question: options.Question,
    collection: options.Collections = None,
    where: options.Where = None,
    limit: options.Limit = 10,
    as_json: options.Json = False,
) -> None:
    """Find passages, best first, and show how each was found."""
    found = Door.of(context).run(
        lambda workspace, run: workspace.search(
            question, limit, collections=collection or (), where=where, run=run
        )
    )
    if as_json:
        write_json(shapes.results(found))
    else:
        show(found)


def show(found: Results) -> None:
    """A row for every hit: its score, its rank and score in each recall path, and where it stands."""
    for notice in found.notices:
        err().print(plain(notice))
    if not found.hits:
        err().print("nothing found.")
        return
    paths = [name for name, _ in found.paths]
    table = Table(box=None, pad_edge=False, show_lines=False)
    table.add_column("", justify="right")
    table.add_column("score", justify="right")
    for name in paths:
        table.add_column(name, no_wrap=True)
    table.add_column("passage", overflow="fold", ratio=1)
    for rank, hit in enumerate(found.hits, start=1):
        table.add_row(str(rank), f"{hit.score:.3f}", *(path(hit, name) for name in paths), passage(hit))
    out().print(table)


def path(hit: Hit, name: str) -> str:
    """Rank and score of a hit in one recall path."""
    ranks = [f"#{found.rank} {found.score:.2f}" for found in hit.found if found.path == name]
    return ranks[0] if ranks else "-"


def place(hit: Hit) -> str:
    """File, page and headings of a hit."""
    chunk = hit.chunk
    page = f", page {chunk.page}" if chunk.page is not None else ""
    headings = f" > {' > '.join(chunk.heading_path)}" if chunk.heading_path else ""
    return f"{chunk.source}{page}{headings}"


def passage(hit: Hit) -> Text:
    """Where a hit stands, and how it begins."""
    text = " ".join(hit.chunk.text.split())
    return plain(f"{place(hit)}\n{text[:SNIPPET]}{' ...' if len(text) > SNIPPET else ''}")
