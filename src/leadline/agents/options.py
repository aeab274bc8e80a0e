"""What an agent is told: how far to go, and which layers are on."""

from dataclasses import dataclass
from typing import Literal

Layer = Literal["rewrite", "rerank", "judge", "reflect", "verify"]
LAYERS: frozenset[Layer] = frozenset({"rewrite", "rerank", "judge", "reflect", "verify"})


@dataclass(frozen=True, slots=True)
class AskOptions:
    """`recall` hits per query; `passages` go to writing.

    `confidence`: coverage of the question at or above it ends the search as answered. `gain`: a later
    round whose new evidence makes up less than this share of the best ten is the last.
    """

    rounds: int = 3
    recall: int = 30
    passages: int = 10
    gap_queries: int = 3
    confidence: float = 0.95
    gain: float = 0.02
    parallel: int = 4
    layers: frozenset[Layer] = LAYERS
