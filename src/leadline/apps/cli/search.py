"""`leadline search QUESTION`"""

import typer
from rich.text import Text

from leadline.apps import shapes
from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, out, plain, write_json
from leadline.citing.explain import search_table
from leadline.citing.render.outline import where as place
from leadline.citing.render.plain import line
from leadline.retrieval.base import Results
from leadline.types import Hit

TABLE_WIDTH = 80
SNIPPET = 160


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
    """A row for every hit: where it stands, and rank and score in each recall path."""
    for notice in found.notices:
        err().print(plain(notice))
    console = out()
    if not found.hits:
        err().print("nothing found.")
    elif console.width >= TABLE_WIDTH:
        console.print(search_table(found.hits))
    else:
        for rank, hit in enumerate(found.hits, start=1):
            console.print(stacked(rank, hit))


def stacked(rank: int, hit: Hit) -> Text:
    """A hit as lines, for a terminal too narrow for columns."""
    ways = ", ".join(f"{each.path} #{each.rank} {each.score:.3f}" for each in hit.found)
    return Text(
        f"{rank}. {line(place(hit.chunk))}\n{hit.score:.3f}: {ways}\n{line(hit.chunk.text, SNIPPET)}\n"
    )
