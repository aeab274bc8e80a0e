"""`leadline search QUESTION`"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from leadline.apps import shapes
from leadline.apps.cli import options
from leadline.apps.cli.ask import looking
from leadline.apps.cli.door import Door
from leadline.apps.cli.output import err, out, plain, write_json
from leadline.apps.cli.reached import Reached
from leadline.citing.explain import search_table, shown
from leadline.citing.render.outline import where as place
from leadline.citing.render.plain import line
from leadline.errors import UsageError
from leadline.retrieval.base import Results
from leadline.retrieval.sections import SectionText
from leadline.run import Run
from leadline.types import Hit

if TYPE_CHECKING:
    from leadline.workspace import Workspace

Section = Annotated[
    bool, typer.Option("--section", help="Show the section that each passage stands in, too.")
]

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
    web: options.Web = False,
    site: options.Sites = None,
    since: options.Since = None,
    until: options.Until = None,
    limit: options.Limit = 10,
    section: Section = False,
    as_json: options.Json = False,
) -> None:
    """Find passages, best first, and show how each was found."""

    if web and section:
        raise UsageError("--section shows parts of stored documents. Leave it or --web out.")

    choices = looking(collection, where, web, site, since, until)

    async def work(workspace: "Workspace", run: Run) -> tuple[Results, tuple[SectionText, ...]]:
        found = await workspace.search(question, limit, run=run, **choices)
        return found, await workspace.sections(found.hits, collection or ()) if section else ()

    reached = Reached()
    found, sections = Door.of(context).run(work, emit=reached)
    _print(found, sections, as_json=as_json, section=section)
    if reached.nothing and not found.hits:
        raise typer.Exit(1)


def _print(found: Results, sections: Sequence[SectionText], *, as_json: bool, section: bool) -> None:
    if as_json:
        write_json({**shapes.results(found), **({"sections": shapes.sections(sections)} if section else {})})
        return
    show(found)
    if section:
        show_sections(found, sections)


def show(found: Results) -> None:
    """A row for every hit: where it stands, and rank and score in each recall path."""
    for notice in found.notices:
        err().print(plain(notice))
    for part in found.asked:
        err().print(plain(f"also searched where {part}"))
    console = out()
    if not found.hits:
        err().print("nothing found.")
    elif console.width >= TABLE_WIDTH:
        console.print(search_table(found.hits))
    else:
        for rank, hit in enumerate(found.hits, start=1):
            console.print(stacked(rank, hit))


def show_sections(found: Results, sections: Sequence[SectionText]) -> None:
    """Each section once, with the ranks of the hits in it."""
    chunks = {hit.chunk.id: hit.chunk for hit in found.hits}
    ranks: dict[tuple[str, int, int], list[int]] = {}
    places = {hit.chunk.id: rank for rank, hit in enumerate(found.hits, start=1)}
    for each in sections:
        ranks.setdefault((each.document_id, each.start, each.end), []).append(places[each.chunk_id])
    for each in sections:
        numbers = ranks.pop((each.document_id, each.start, each.end), [])
        if numbers:
            head = f"{', '.join(f'#{number}' for number in numbers)} {line(place(chunks[each.chunk_id]))}"
            out().print(Text(f"\n{head}{'' if each.whole else ' (part of a longer section)'}", style="bold"))
            out().print(plain(each.text))


def stacked(rank: int, hit: Hit) -> Text:
    """A hit as lines, for a terminal too narrow for columns."""
    ways = ", ".join(f"{each.path} #{each.rank} {each.score:.3f}" for each in hit.found)
    return Text(f"{rank}. {line(place(hit.chunk))}\n{hit.score:.3f}: {ways}\n{shown(hit.chunk, SNIPPET)}\n")
