"""`leadline eval index`: the vector index next to exact search."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from leadline.apps.cli import options
from leadline.apps.cli.door import Door
from leadline.apps.cli.evaluating import with_setup
from leadline.apps.cli.output import err, write_json
from leadline.embeddings.base import Embedder
from leadline.errors import UsageError
from leadline.evaluation.cases import find_sets, read_set
from leadline.evaluation.indexing import indexed
from leadline.evaluation.nearest import BREADTHS, Nearness, index_table, measure_index
from leadline.evaluation.setup import OnProgress, Setup
from leadline.workspace import Workspace

Folder = Annotated[
    Path | None,
    typer.Argument(help="A set whose questions are asked; else those of --collection.", show_default=False),
]
Breadths = Annotated[
    list[int] | None, typer.Option("--ef", min=1, help="Breadth; may be given several times.")
]
Limit = Annotated[int, typer.Option("--limit", min=1, help="Most questions.")]

EXCERPT = 200
"""Characters of a document that stand for a question where there are none."""


def index(
    context: typer.Context,
    folder: Folder = None,
    collection: options.Collection = None,
    ef: Breadths = None,
    limit: Limit = 200,
    as_json: options.Json = False,
) -> None:
    """Recall@10 of the vector index against exact search, and its time, by breadth of search."""
    door = Door.of(context)
    breadths = ef or BREADTHS
    if folder is not None:
        if collection is not None:
            raise UsageError("give a set or --collection, not both.")
        measured = with_setup(door, lambda setup, progress: _of_set(folder, limit, breadths, setup, progress))
    else:
        name = collection or door.settings().collection
        measured = door.run(lambda workspace, _: _of_collection(workspace, name, limit, breadths))
    if as_json:
        write_json([asdict(one) for one in measured])
        return
    print(index_table(measured), end="")
    if all(one.recall_at_10 == 1 for one in measured):
        err().print("every breadth is exact: small collections are compared as a whole, without an index.")


async def _of_set(
    folder: Path, limit: int, breadths: Sequence[int], setup: Setup, progress: OnProgress
) -> list[Nearness]:
    found = find_sets([folder])
    if len(found) != 1:
        raise UsageError(f"{folder} holds {len(found)} sets. Name one of them.")
    questions = read_set(found[0]).pick(limit, None)
    embedder = _needed(setup.embedder)
    name = await indexed(questions, setup, fresh=False, progress=progress)
    vectors = embedder.embed_queries([case.question for case in questions.cases])
    return await measure_index(setup.store, name, vectors, breadths)


async def _of_collection(
    workspace: Workspace, name: str, limit: int, breadths: Sequence[int]
) -> list[Nearness]:
    known = await workspace.collection(name)
    embedder = _needed(await workspace.encoders.searching([known]))
    texts = [text[-EXCERPT:] for text in await workspace.beginnings(name, limit) if text.strip()]
    if not texts:
        raise UsageError(f"collection `{name}` holds no text to search with. Load something first.")
    return await measure_index(await workspace.reading(), name, embedder.embed_queries(texts), breadths)


def _needed(embedder: Embedder | None) -> Embedder:
    if embedder is None:
        raise UsageError("without an embedding there is no vector index: set `embedding`.")
    return embedder
