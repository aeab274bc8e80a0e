"""`leadline search QUESTION`"""

import typer

from leadline.apps import shapes
from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, out, plain, write_json
from leadline.citing.explain import search_table
from leadline.retrieval.base import Results


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
    if found.hits:
        out().print(search_table(found.hits))
    else:
        err().print("nothing found.")
