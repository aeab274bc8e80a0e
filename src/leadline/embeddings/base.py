"""What an embedding model is to the rest of Leadline."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""Shape (n, dimension), each row of length 1 (or all zeros for text the model knows nothing of)."""

Pooling = Literal["auto", "mean", "cls"]


@dataclass(frozen=True, slots=True)
class Alike:
    """Two statements with equal numbers, dates and names say the same above this `cosine`, where at least the part
    `overlap` of their words is common."""

    cosine: float = 0.92
    overlap: float = 0.0


@dataclass(frozen=True, slots=True)
class Strength:
    """What an encoder is good for, as measured.

    `weights` maps a script (as `leadline.analysis.scripts` names them: "latin", "han", "arabic" ...) to
    the share of the dense score when it is fused with keyword scores (0..1); `default` is for scripts
    not listed. 0 means that the dense path is not searched at all. `alike` is measured on `tests/agents/fact_pairs.py`.
    """

    weights: dict[str, float] = field(default_factory=dict[str, float])
    default: float = 0.0
    alike: Alike = Alike()

    def weight(self, script: str) -> float:
        """The dense share for questions in `script`."""
        return self.weights.get(script, self.default)


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """What an encoder can be told; each takes what it needs.

    `scripts` says which writing systems the model knows where that cannot be read from the model.
    `threads` of 0 leaves the number to the library. `variable` is where the `key` was read, for those who look there.
    """

    model: str = ""
    url: str = ""
    key: str = field(default="", repr=False)
    variable: str = ""
    pooling: Pooling = "auto"
    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = 512
    threads: int = 0
    timeout: float = 60.0
    scripts: tuple[str, ...] = ()


class Embedder(Protocol):
    """Turns text into vectors. The query side and the document side differ for encoders with prefixes.

    `name` identifies model and version: vectors of two embedders compare only if their names are equal.
    `slow` ones compute longer than it takes to look a vector up, so their vectors are kept in a cache;
    `batch` texts are worth handing over at once. Blocking; callers run it in a thread.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def strength(self) -> Strength: ...

    @property
    def slow(self) -> bool: ...

    @property
    def batch(self) -> int: ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), dimension)."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimension)."""
        ...


def unit(vectors: npt.ArrayLike) -> Vectors:
    """Rows of length 1; a row of zeros stays one."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def encodable(prefix: str, texts: Sequence[str]) -> list[str]:
    """The texts with their prefix, without what no tokenizer takes: lone surrogates and NUL.

    >>> encodable("query: ", ["a\\x00b\\ud800"])
    ['query: a b?']
    """
    return [prefix + text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8") for text in texts]
