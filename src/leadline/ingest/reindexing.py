"""Another encoder for a collection, from its stored chunks; the old one serves until the new one is whole."""

import asyncio
from dataclasses import dataclass

from leadline.embeddings.base import Embedder
from leadline.errors import UsageError
from leadline.events import Embedded
from leadline.ingest.entries import dense_text, described
from leadline.run import Run
from leadline.store.base import Store, Swapping
from leadline.types import Collection

BATCH = 4_096
BATCH_SLOW = 64
"""Chunks written at once; what a kill can lose beyond the cache of vectors."""


@dataclass(frozen=True, slots=True)
class ReindexReport:
    """`embedded` chunks got a vector now, `left` have none yet: zero unless the run was stopped."""

    collection: str
    embedding: str
    chunks: int
    embedded: int
    left: int
    seconds: float


async def swap_encoder(
    collection: Collection, store: Store, embedder: Embedder | None, run: Run
) -> ReindexReport:
    """Embed every chunk anew and swap the index in one commit. Stopped or killed, the next call goes on from there."""
    begun = run.clock()
    wanted = described(collection.name, embedder)
    if wanted.embedding == collection.embedding:
        return ReindexReport(collection.name, wanted.embedding, collection.chunks, 0, 0, 0.0)
    if not isinstance(store, Swapping):
        raise UsageError(
            f"the store of collection `{collection.name}` cannot swap an encoder in place. "
            "Load the files into another collection with that embedding."
        )
    swap = await store.swap(collection.name, wanted.embedding, wanted.dimension)
    to_do = swap.left
    size = BATCH_SLOW if embedder is not None and embedder.slow else BATCH
    while not run.cancelled and (chunks := await swap.next(size)):
        texts = [dense_text(chunk) for chunk in chunks]
        vectors = None if embedder is None else await asyncio.to_thread(embedder.embed_documents, texts)
        await swap.add(vectors)
        run.emit(Embedded(swap.total - swap.left, swap.total))
    left = swap.left
    if not left:
        await swap.finish()
    spent = run.clock() - begun
    return ReindexReport(collection.name, wanted.embedding, swap.total, to_do - left, left, spent)
