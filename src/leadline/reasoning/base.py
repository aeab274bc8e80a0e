"""What an agent asks of whoever does its thinking: a language model, or retrieval statistics.

Agents cannot tell which one they hold. A reasoner gets hits and term weights, never a store.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.types import Claim, Evidence, Hit, Query, Verdict


@dataclass(frozen=True, slots=True)
class Plan:
    """The queries of the first round. The original question is always one of them, and first."""

    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Reflection:
    """What the evidence covers of the question (0..1), what is missing, and what to ask next."""

    coverage: float
    missing: tuple[str, ...]
    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """One section with the evidence in it: `text` is `document.text[start : start + len(text)]`.

    `evidence` is in document order; `score` is that of its best. The section's text comes once, however
    many of its chunks are evidence. `headings` are the spans (in the document) of headings inside it.
    """

    document_id: str
    start: int
    text: str
    evidence: tuple[Evidence, ...]
    score: float
    headings: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """Claims with the quotes they rest on, before they are checked.

    `found` is False when the passages do not answer the question; `claims` are then the nearest ones.
    """

    claims: tuple[Claim, ...]
    found: bool
    confidence: float
    missing: tuple[str, ...] = ()


class Reasoner(Protocol):
    """Plan, judge, reflect, order, write."""

    @property
    def notice(self) -> str:
        """What a reader of its answers must know ("" when nothing)."""
        ...

    async def plan(self, question: str, weights: TermWeights, run: Run) -> Plan: ...

    async def judge(
        self, question: str, queries: Sequence[Query], hits: Sequence[Hit], weights: TermWeights, run: Run
    ) -> list[Verdict]:
        """One verdict per hit, in their order, which is the best there is so far (a reranker's, where there is one).

        A judge that knows better gives what it keeps a `rank`, counted over all hits of the call.
        """
        ...

    async def reflect(
        self,
        question: str,
        asked: Sequence[Query],
        evidence: Sequence[Evidence],
        weights: TermWeights,
        run: Run,
    ) -> Reflection: ...

    async def write(
        self,
        question: str,
        asked: Sequence[Query],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
    ) -> Draft: ...
