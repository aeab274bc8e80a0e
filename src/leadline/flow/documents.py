"""Documents and chunks as rows, and rows as documents.

A row that is a document has `source` and `text`; `title`, `metadata` and the structure (`pages`, `headings`, `blocks`, with
offsets into the text) may be there too.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, cast

from leadline import registry
from leadline.arguments import metadata_values
from leadline.documents.base import Readers
from leadline.documents.describing import name_as_title
from leadline.documents.identity import content_hash, document_id
from leadline.documents.splitting import SplitOptions
from leadline.flow.base import FieldKind, Row, Scope, workspace_of
from leadline.flow.steps.values import made, plain
from leadline.ingest.configured import processes
from leadline.types import Block, Chunk, Document, Heading, Page

FIELDS: dict[str, FieldKind] = {
    "id": "text",
    "source": "text",
    "text": "text",
    "title": "text",
    "content_hash": "text",
    "metadata": "mapping",
    "pages": "list",
    "headings": "list",
    "blocks": "list",
}
"""What a row that is a document has."""

_CHANGED = "Take `pages`, `headings` and `blocks` out of rows whose text you change."


def document_row(document: Document) -> Row:
    """A document as a row."""
    return plain(document)


def document_of(row: Row, metadata: Sequence[str] = ()) -> Document:
    """The document that a row tells of; `metadata` names further fields of it. ValueError says what is wrong."""
    source, text = (_text(row, name) for name in ("source", "text"))
    title = row.get("title")
    given = made(dict[str, Any], row.get("metadata") or {}, "metadata")
    given.update({name: row[name] for name in metadata if row.get(name) is not None})
    return Document(
        id=document_id(source),
        source=source,
        text=text,
        title=title if isinstance(title, str) and title else name_as_title(source),
        content_hash=str(row.get("content_hash") or content_hash(text.encode("utf-8", "surrogatepass"))),
        metadata=metadata_values(given),
        pages=_placed(made(tuple[Page, ...], row.get("pages") or (), "pages"), text),
        headings=_headings(made(tuple[Heading, ...], row.get("headings") or (), "headings"), text),
        blocks=_placed(made(tuple[Block, ...], row.get("blocks") or (), "blocks"), text),
    )


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"a document needs a text in `{name}`")
    return value


def _placed(parts: Iterable[Any], text: str) -> tuple[Any, ...]:
    told = tuple(parts)
    if any(not 0 <= part.start <= part.end <= len(text) for part in told):
        raise ValueError(f"the structure of the document lies outside its text. {_CHANGED}")
    return told


def _headings(headings: tuple[Heading, ...], text: str) -> tuple[Heading, ...]:
    if any(text[heading.start : heading.end] != heading.text for heading in _placed(headings, text)):
        raise ValueError(f"a heading of the document does not stand where it says. {_CHANGED}")
    return headings


def chunk_row(chunk: Chunk) -> Row:
    """A chunk as a row, without what only a search needs."""
    row: Row = plain(chunk)
    del row["terms"]
    return row


def split_options(
    scope: Scope, chunk_size: int | None = None, section_size: int | None = None
) -> SplitOptions:
    """Sizes as they are given, else as the settings say."""
    how = scope.workspace.settings.load if scope.workspace else SplitOptions()
    return SplitOptions(chunk_size or how.chunk_size, section_size or how.section_size)


async def readers(scope: Scope, step: str) -> Readers:
    """The processes that read files, the same ones for the whole run."""
    settings = workspace_of(scope, step).settings
    pool = await asyncio.to_thread(registry.find, "reader", "pool")

    def make() -> AbstractAsyncContextManager[Readers]:
        how = settings.load
        return cast(
            AbstractAsyncContextManager[Readers], pool(processes(settings), how.seconds, how.memory_mb)
        )

    return await scope.kept.get("readers", make)
