"""What an embedding model is to the rest of Leadline."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""Shape (n, dimension), each row of length 1 (or all zeros for text the model knows nothing of)."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What an encoder is good for, as measured.

    `weights` maps a script (as `leadline.analysis.scripts` names them: "latin", "han", "arabic" ...) to
    the share of the dense score when it is fused with keyword scores (0..1); `default` is for scripts
    not listed. 0 means that the dense path is not searched at all.
    """

    weights: dict[str, float] = field(default_factory=dict[str, float])
    default: float = 0.0

    def weight(self, script: str) -> float:
        """The dense share for questions in `script`."""
        return self.weights.get(script, self.default)


class Embedder(Protocol):
    """Turns text into vectors. The query side and the document side differ for encoders with prefixes.

    `name` identifies model and version: vectors of two embedders compare only if their names are equal.
    Blocking; callers run it in a thread.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def strength(self) -> Strength: ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), dimension)."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimension)."""
        ...
