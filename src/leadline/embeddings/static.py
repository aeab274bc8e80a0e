"""The default embedding: static word vectors that come inside the wordllama wheel.

256 dimensions, no download, a tenth of a millisecond a text. Weak: alone it is below keyword search, and
on scripts other than Latin it is noise; `strength` says so, and fusion follows.
"""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import wordllama

from leadline.embeddings.base import Alike, EncoderOptions, Strength, Vectors, unit

DIMENSION = 256
TOGETHER = 4_096
_BATCH = 16
"""Texts at once: every text of a batch takes the memory of its longest, in tokens x 256 numbers."""


class StaticEmbedder:
    """Mean of static token vectors, normalised. Loads its weights at the first text."""

    def __init__(self) -> None:
        self._model: Any = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        return f"wordllama-{DIMENSION}-{version('wordllama')}"

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def strength(self) -> Strength:
        return Strength({"latin": 0.15}, default=0.0, alike=Alike(0.92, 0.8))

    @property
    def slow(self) -> bool:
        return False

    @property
    def batch(self) -> int:
        return TOGETHER

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, DIMENSION), np.float32)
        with self._lock:
            if self._model is None:
                # The loader looks for its tokenizer in the wrong folder and then on the network.
                folder = Path(wordllama.__file__ or "").parent
                self._model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
            vectors = np.asarray(self._model.embed(list(texts), batch_size=_BATCH), dtype=np.float32)
        return unit(np.nan_to_num(vectors))


def build(options: EncoderOptions | None = None) -> StaticEmbedder:
    """The registry's entry. There is nothing to choose: the weights are the package's own."""
    return StaticEmbedder()
