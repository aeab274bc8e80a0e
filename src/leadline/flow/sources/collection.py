"""What a collection holds: its documents, or its chunks."""

from contextlib import aclosing
from dataclasses import dataclass
from typing import Literal

from leadline.flow.base import Row, Rows, Scope, Shape, workspace_of
from leadline.flow.documents import FIELDS, chunk_row, document_row
from leadline.flow.ends import Source


@dataclass(frozen=True, slots=True)
class Collection(Source):
    """All documents of a collection, or all their chunks, in an order that stays the same.

    A document has `source`, `title`, `text`, `metadata` and its structure; a chunk has `text`, `source`, `title`, where it
    stands (`start`, `end`, `page`, `heading_path`) and `metadata`.

    name: of the collection; by itself that of the settings.
    of: `documents` or `chunks`.
    vectors: whether each chunk comes with its `vector`.

    Example:
        collection: {name: handbook, of: chunks}
    """

    name: str = ""
    of: Literal["documents", "chunks"] = "documents"
    vectors: bool = False

    def shape(self) -> Shape:
        return (
            Shape(FIELDS, open=False) if self.of == "documents" else Shape({"text": "text", "source": "text"})
        )

    async def total(self, scope: Scope) -> int | None:
        workspace = workspace_of(scope, self.label or "collection")
        known = await workspace.collection(self.name or workspace.settings.collection)
        return known.documents if self.of == "documents" else known.chunks

    async def rows(self, scope: Scope) -> Rows:
        workspace = workspace_of(scope, self.label or "collection")
        known = await workspace.collection(self.name or workspace.settings.collection)
        store = await workspace.reading()
        async with aclosing(store.scan(known.name)) as entries:
            async for entry in entries:
                if self.of == "documents":
                    yield document_row(entry.document)
                    continue
                for place, chunk in enumerate(entry.chunks):
                    row: Row = chunk_row(chunk)
                    if self.vectors and entry.vectors is not None:
                        row["vector"] = entry.vectors[place].tolist()
                    yield row
