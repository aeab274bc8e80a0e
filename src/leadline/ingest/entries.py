"""From documents to what a store takes: split, embedded, with a fingerprint."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from leadline.documents.splitting import SplitOptions, split
from leadline.embeddings.base import Embedder, Vectors
from leadline.ingest.embedding import vectors_of
from leadline.run import Run
from leadline.store.base import Entry, Store
from leadline.types import Chunk, Collection, Document, IndexOptions, Section

BATCH = 512


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document that was split and is not embedded yet."""

    document: Document
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    fingerprint: str


def prepare(document: Document, options: SplitOptions, fingerprint: str) -> Prepared:
    """Split a document."""
    sections, chunks = split(document, options)
    return Prepared(document, sections, chunks, fingerprint)


def embedded(prepared: Sequence[Prepared], embedder: Embedder | None) -> list[Entry]:
    """The entries of some documents, all their chunks embedded together."""
    return with_vectors(prepared, embedder.embed_documents(dense_texts(prepared)) if embedder else None)


async def embedded_in(run: Run, prepared: Sequence[Prepared], embedder: Embedder | None) -> list[Entry]:
    """The same off the event loop; only the first documents when the run is cancelled on the way."""
    if embedder is None:
        return with_vectors(prepared, None)
    return with_vectors(prepared, await vectors_of(dense_texts(prepared), embedder, run))


def dense_texts(prepared: Sequence[Prepared]) -> list[str]:
    """What all their chunks are embedded as, one after the other."""
    return [dense_text(chunk) for item in prepared for chunk in item.chunks]


def with_vectors(prepared: Sequence[Prepared], vectors: Vectors | None) -> list[Entry]:
    """The entries of those documents whose chunks all have a vector."""
    ends = accumulate((len(item.chunks) for item in prepared), initial=0)
    return [
        Entry(item.document, item.sections, item.chunks, rows(vectors, start, end), item.fingerprint)
        for item, (start, end) in zip(prepared, pairwise(ends), strict=True)
        if vectors is None or end <= len(vectors)
    ]


def rows(vectors: Vectors | None, start: int, end: int) -> Vectors | None:
    """Some rows of a matrix that may not be there."""
    return None if vectors is None else vectors[start:end]


def dense_text(chunk: Chunk) -> str:
    """What a chunk is embedded as: title, last heading, table header, text."""
    heading = chunk.heading_path[-1] if chunk.heading_path else ""
    before = (chunk.title, heading if heading != chunk.title else "", chunk.context)
    return ". ".join(part for part in (*before, chunk.text) if part)


def entry(
    document: Document,
    embedder: Embedder | None,
    split_options: SplitOptions | None = None,
    fingerprint: str = "",
) -> Entry:
    """One document ready to be stored."""
    how = split_options or SplitOptions()
    return embedded([prepare(document, how, fingerprint or document.content_hash)], embedder)[0]


def described(name: str, embedder: Embedder | None, index: IndexOptions | None = None) -> Collection:
    """The collection a load writes to, as it is made when it is not there."""
    if embedder is None:
        return Collection(name)
    options = index or IndexOptions()
    return Collection(name, embedding=embedder.name, dimension=embedder.dimension, index=options)


async def add(
    documents: Sequence[Document],
    collection: str,
    store: Store,
    embedder: Embedder | None,
    run: Run,
    split_options: SplitOptions | None = None,
) -> int:
    """Store documents that are not files in a collection that is there; return the number of chunks."""
    how = split_options or SplitOptions()
    chunks = 0

    def ready(some: Sequence[Document]) -> list[Prepared]:
        return [prepare(document, how, document.content_hash) for document in some]

    for start in range(0, len(documents), BATCH):
        run.check()
        prepared = await asyncio.to_thread(ready, documents[start : start + BATCH])
        entries = await embedded_in(run, prepared, embedder)
        await store.replace(collection, entries)
        chunks += sum(len(item.chunks) for item in entries)
    return chunks
