"""The nouns every room shares. Plain frozen data; nothing here reads, searches or decides.

Document -> Section (parent) -> Chunk (child) -> Hit -> Evidence -> Claim + Citation -> Answer
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from leadline.citations import BlockKind, Citation, Fact
from leadline.computation import Computation

MetaValue = str | int | float | bool | tuple[str, ...]
"""A metadata value. Dates are ISO 8601 strings, so that they sort and compare as text."""

Metadata = Mapping[str, MetaValue]


@dataclass(frozen=True, slots=True)
class Page:
    """Page `number` (from 1) covers `document.text[start:end]`."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of `level` (from 1) whose words are `document.text[start:end]`."""

    level: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of structure that splitting should keep whole: `document.text[start:end]`."""

    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """One source, as normalised text. Every position anywhere is an offset into `text` (code points).

    `id` follows from `source` alone, `content_hash` from the content: a changed file keeps its id.
    """

    id: str
    source: str
    text: str
    title: str
    content_hash: str
    metadata: Metadata = field(default_factory=dict[str, MetaValue])
    pages: tuple[Page, ...] = ()
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A parent: the text under one heading (bounded in size), `document.text[start:end]`."""

    id: str
    document_id: str
    ordinal: int
    start: int
    end: int
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A child: what is indexed and retrieved. `document.text[start:end] == text`.

    `context` is text that is indexed with the chunk but not part of it (a table's header row).
    `terms` are its analysed tokens, title and headings repeated by weight, joined by spaces; the store
    keeps them, so that term frequencies come with the chunk and no store needs its own analyser.
    """

    id: str
    document_id: str
    section_id: str
    ordinal: int
    start: int
    end: int
    text: str
    source: str
    title: str
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    kind: BlockKind = "paragraph"
    context: str = ""
    terms: str = ""
    metadata: Metadata = field(default_factory=dict[str, MetaValue])


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """How a collection's HNSW vector index is built and walked through: `m` neighbours of a vector (16 to 32 pay),
    `ef_construction` candidates kept while building (200 to 400), `ef` while searching (64 to 128; at least the results)."""

    m: int = 16
    ef_construction: int = 200
    ef: int = 64


@dataclass(frozen=True, slots=True)
class Collection:
    """What is known of a collection. `dimension` is 0 when it holds no vectors."""

    name: str
    description: str = ""
    embedding: str = "none"
    dimension: int = 0
    metadata: Metadata = field(default_factory=dict[str, MetaValue])
    documents: int = 0
    chunks: int = 0
    index: IndexOptions = IndexOptions()


QueryKind = Literal["original", "sub", "gap", "widened", "follow", "expanded", "hyde"]


@dataclass(frozen=True, slots=True)
class Lead:
    """A name to follow: chunk `parent` names it ("" when the question itself does)."""

    name: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to search for. A gap query follows names from chunk to chunk: its `leads` tell what led there.
    `follow`: a chain's next question. `expanded`: other words. `hyde`: a passage that might answer, only embedded.
    """

    text: str
    kind: QueryKind = "original"
    round: int = 1
    leads: tuple[Lead, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """How one recall path found a chunk: its rank (from 1) and score there, for which query and round."""

    path: str
    rank: int
    score: float
    query: str
    round: int = 1
    words: str = ""
    """Those of the query that were read as a filter, which the chunk passes."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk and how it was found. `score` is that of whoever ranked it last; higher is better. `copies` are sources
    of the same text that were left out for it.

    `parent` is the chunk through whose mention of `name` it was reached, when that decided its rank.
    """

    chunk: Chunk
    score: float
    found: tuple[Found, ...] = ()
    parent: str = ""
    name: str = ""
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of a hit: keep it or not, how much it helps (0..1), why; `rank` (from 1): its place by it."""

    keep: bool
    score: float
    reason: str
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit the judge kept. `also`: ids of chunks with the same text, folded into it; `also_in`: all its other sources."""

    hit: Hit
    verdict: Verdict
    also: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()

    @property
    def chunk(self) -> Chunk:
        return self.hit.chunk


class Support(StrEnum):
    """How far what a claim cites bears it out."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"


ClaimKind = Literal["quoted", "stated", "computed"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer with what it rests on; `note` says why it is not fully supported. `documents` counts
    the independent documents cited: copies count once. `disputed`: its sources disagree."""

    text: str
    citations: tuple[Citation, ...] = ()
    kind: ClaimKind = "stated"
    support: Support = Support.UNSUPPORTED
    note: str = ""
    topic: str = ""
    computation: Computation | None = None
    documents: int = 0
    disputed: bool = False


class StopReason(StrEnum):
    """Why a run stopped looking."""

    ANSWERED = "answered"
    MAX_ROUNDS = "max_rounds"
    NO_NEW_EVIDENCE = "no_new_evidence"
    REPEATED_QUERIES = "repeated_queries"
    FACT_BUDGET = "fact_budget"
    BUDGET = "budget"
    DEADLINE = "deadline"
    CANCELLED = "cancelled"
    NOTHING_FOUND = "nothing_found"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run spent."""

    searches: int = 0
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of every run, also of one cut short.

    `found` is False when coverage was too low to call it an answer; `evidence` then holds the nearest
    passages. `evidence` is in order of final score, `missing` what stayed open, `notices` what a reader must know. `facts` are what a
    fact loop gathered, in the order in which its claims number them.
    """

    question: str
    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]
    stop: StopReason
    found: bool
    rounds: int = 0
    queries: tuple[Query, ...] = ()
    missing: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    usage: Usage = Usage()
    confidence: float = 0.0
    agent: str = ""
    facts: tuple[Fact, ...] = ()

    @property
    def text(self) -> str:
        """The claims as one text, without marks."""
        return " ".join(claim.text for claim in self.claims)
