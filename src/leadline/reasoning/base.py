"""What an agent asks of whoever does its thinking: a language model, or retrieval statistics.

Agents cannot tell which one they hold. A reasoner gets hits and term weights, never a store.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.types import Claim, Evidence, Fact, Hit, Query, Verdict


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

    `found` is False when the passages do not answer the question; `claims` are then the nearest ones. `missing` is
    None where whoever wrote does not say, and the last reflection knows. `notices` are for the reader of the answer.
    """

    claims: tuple[Claim, ...]
    found: bool
    confidence: float
    missing: tuple[str, ...] | None = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """One step of a chain: what was asked, the short answer ("" when nothing useful was found), and the ids of the
    chunks that support it. The answer is unverified; `quoted` where it is a sentence of a chunk as it stands."""

    question: str
    answer: str
    supported: tuple[str, ...] = ()
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The next simple question of a chain, "" when there is none; `enough`: what is known answers the question."""

    question: str
    enough: bool = False


@dataclass(frozen=True, slots=True)
class Gaps:
    """What a fact loop does not know yet, in words (`open`; none: it knows enough), and what to search for next."""

    open: tuple[str, ...] = ()
    queries: tuple[Query, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One of several things to choose from: an agent, a collection."""

    name: str
    description: str


class Reasoner(Protocol):
    """Plan, rewrite, judge, reflect, follow up, note, choose, write, mend; for a fact loop: extract, gaps, compose."""

    @property
    def notice(self) -> str:
        """What a reader of its answers must know ("" when nothing)."""
        ...

    def ranks(self, question: str) -> bool:
        """Whether `extract` gives all that might be told, what tells most first, and not only what is worth telling."""
        ...

    async def plan(self, question: str, weights: TermWeights, run: Run, *, simple: bool = False) -> Plan:
        """The first queries; a `simple` question stays whole."""
        ...

    async def rewrite(
        self, question: str, weights: TermWeights, run: Run, *, simple: bool = False
    ) -> tuple[Query, ...]:
        """The question in other words (`expanded`) and, unless it is `simple`, a passage that might answer it (`hyde`):
        none without a model. Whoever asks leaves out what changes the question (`reasoning.rewriting`)."""
        ...

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

    async def follow_up(
        self,
        question: str,
        known: Sequence[Known],
        evidence: Sequence[Evidence],
        weights: TermWeights,
        run: Run,
    ) -> FollowUp:
        """What a chain asks next, with what is known put in."""
        ...

    async def note(self, question: str, hits: Sequence[Hit], weights: TermWeights, run: Run) -> Known:
        """A short answer to one follow-up question from these hits alone, and which of them support it."""
        ...

    async def choose(
        self, question: str, options: Sequence[Option], run: Run, *, several: bool = False
    ) -> tuple[str, ...]:
        """The names that suit, of `options`; one unless `several`. None when no choice can be read."""
        ...

    async def write(
        self,
        question: str,
        asked: Sequence[Query],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
        known: Sequence[Known] = (),
    ) -> Draft:
        """Claims that answer the question. `known` are a chain's intermediate answers, to be treated as unverified."""
        ...

    async def mend(
        self,
        question: str,
        claims: Sequence[Claim],
        passages: Sequence[Passage],
        weights: TermWeights,
        run: Run,
    ) -> Sequence[Claim | None]:
        """Claims that failed the check (their `note` says why) put right, in their order; None for one that cannot be."""
        ...

    async def extract(
        self, question: str, passages: Sequence[Passage], weights: TermWeights, run: Run
    ) -> list[Claim]:
        """The statements of these passages that bear on the question and can be verified, no opinions, each with the
        quotes it rests on. What a spent budget leaves is given; it is raised where nothing is."""
        ...

    async def gaps(
        self, question: str, facts: Sequence[Fact], asked: Sequence[Query], weights: TermWeights, run: Run
    ) -> Gaps:
        """What the facts leave open, at most three gaps, and the queries to close them."""
        ...

    async def compose(
        self,
        question: str,
        facts: Sequence[Fact],
        open: Sequence[str],
        rounds: int,
        weights: TermWeights,
        run: Run,
    ) -> Draft:
        """Claims in sections (`Claim.topic`) that rest on facts alone, each citing what its facts cite."""
        ...
