"""What an agent is told: how far to go, and which layers are on."""

from dataclasses import dataclass
from typing import Literal

from leadline.retrieval.sections import SECTION_SIZE

Layer = Literal["rewrite", "expand", "rerank", "judge", "reflect", "verify"]
LAYERS: frozenset[Layer] = frozenset({"rewrite", "rerank", "judge", "reflect", "verify"})
"""Those that are on unless somebody turns them off."""

SWITCHES: frozenset[Layer] = frozenset({*LAYERS, "expand"})

Expand = Literal["always", "suited", "tuned"]


@dataclass(frozen=True, slots=True)
class ResearchOptions:
    """How far a fact loop goes: most `rounds`, so many `facts` are enough, a round with fewer than `new_facts` is the
    last, and at most `queries` follow a round."""

    rounds: int = 4
    facts: int = 50
    new_facts: int = 3
    queries: int = 3


@dataclass(frozen=True, slots=True)
class AskOptions:
    """`recall` hits per query; `passages` go to writing, of a section at most `section_size` characters around what
    was found in it.

    A reranker, where there is one, reads the best `rerank_candidates` hits of a query and passes `rerank_keep` of
    them on, each time within `rerank_seconds`. The layer "rerank" is the last ranking before writing and that
    narrowing: by the reranker where there is one, else by coverage of the question, which narrows nothing.

    `judge_hits` of a query's best go to the judge, where no reranker chooses; 0: all.

    `confidence`: coverage of the question at or above it ends the search as answered. `gain`: a later
    round whose new evidence makes up less than this share of the best ten is the last.

    `expand` says when the layer of that name holds, which puts the question into other words: always, where the
    passages are neither short nor tables, or also without the layer where tuning found that it pays.

    A chain asks at most `steps` questions, fewer with `early_stop`. A `report` goes on for one round more.
    """

    rounds: int = 3
    steps: int = 4
    early_stop: bool = True
    report: bool = False
    recall: int = 50
    passages: int = 10
    section_size: int = SECTION_SIZE
    gap_queries: int = 3
    confidence: float = 0.95
    gain: float = 0.02
    parallel: int = 4
    judge_hits: int = 0
    rerank_candidates: int = 30
    rerank_keep: int = 8
    rerank_seconds: float = 20.0
    layers: frozenset[Layer] = LAYERS
    expand: Expand = "tuned"
    research: ResearchOptions = ResearchOptions()
