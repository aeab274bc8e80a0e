"""Every document of a collection with all that was stored of it, in order of document id: for copying and encoding anew."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

import numpy as np

from leadline.embeddings.base import Vectors
from leadline.store.base import Entry
from leadline.store.catalogue import Catalogue, one_record
from leadline.types import Chunk, Document, Section

AT_ONCE = 64
"""Documents read together."""

Chunks = Sequence[tuple[Chunk, Vectors | None]]


async def scanned(
    catalogue: Catalogue, name: str, after: str, chunks_of: Callable[[Sequence[str]], Awaitable[Chunks]]
) -> AsyncGenerator[Entry]:
    """The entries of all documents with an id after `after`; `chunks_of` reads those of some documents."""
    while True:
        found = await asyncio.to_thread(_documents, catalogue, name, after)
        chunks: dict[str, list[tuple[Chunk, Vectors | None]]] = defaultdict(list)
        if found:
            for chunk, vector in await chunks_of([document.id for document, _, _ in found]):
                chunks[chunk.document_id].append((chunk, vector))
        for document, sections, fingerprint in found:
            ordered = sorted(chunks[document.id], key=lambda pair: (pair[0].ordinal, pair[0].start))
            vectors = [vector for _, vector in ordered if vector is not None]
            yield Entry(
                document,
                sections,
                tuple(chunk for chunk, _ in ordered),
                np.stack(vectors) if vectors else None,
                fingerprint,
            )
        if not found:
            return
        after = found[-1][0].id


def _documents(
    catalogue: Catalogue, name: str, after: str
) -> list[tuple[Document, tuple[Section, ...], str]]:
    with catalogue.read() as connection:
        collection = one_record(connection, name).id
        rows: list[tuple[str, str]] = connection.execute(
            "SELECT id, fingerprint FROM documents WHERE collection = ? AND id > ? ORDER BY id LIMIT ?",
            (collection, after, AT_ONCE),
        ).fetchall()
        sections: dict[str, list[str]] = {
            document: [
                row[0]
                for row in connection.execute(
                    "SELECT id FROM sections WHERE collection = ? AND document = ? ORDER BY ordinal",
                    (collection, document),
                )
            ]
            for document, _ in rows
        }
    found: list[tuple[Document, tuple[Section, ...], str]] = []
    for document_id, fingerprint in rows:
        document = catalogue.document(name, document_id)
        if document is not None:
            found.append((document, tuple(catalogue.sections(name, sections[document_id])), fingerprint))
    return found
