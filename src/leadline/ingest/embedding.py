"""Texts -> vectors off the event loop, in slices: a slow encoder shows how far it is, and can be stopped."""

import asyncio
from collections.abc import Sequence

import numpy as np

from leadline.embeddings.base import Embedder, Vectors
from leadline.events import Embedded
from leadline.run import Run


async def vectors_of(texts: Sequence[str], embedder: Embedder, run: Run) -> Vectors:
    """One row for each text; fewer when the run is cancelled on the way."""
    if not embedder.slow:
        return await asyncio.to_thread(embedder.embed_documents, texts)
    parts = [np.zeros((0, embedder.dimension), np.float32)]
    for start in range(0, len(texts), embedder.batch):
        if run.cancelled:
            break
        parts.append(await asyncio.to_thread(embedder.embed_documents, texts[start : start + embedder.batch]))
        run.emit(Embedded(min(start + embedder.batch, len(texts)), len(texts)))
    return np.concatenate(parts)
