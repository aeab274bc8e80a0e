"""What happens in a run, as it happens. Terminal, server, session log and tests watch the same stream.

Load events tell of one file each; run events tell of one step each.
"""

from dataclasses import dataclass
from typing import Literal

from leadline.flow_events import FlowEnded, FlowStarted, RowLost, RowsDone
from leadline.types import Hit, Query, StopReason
from leadline.web_events import FactsFound, GapsFound, PageRead, WebSearched, WebSearchFailed


@dataclass(frozen=True, slots=True)
class Planned:
    """The queries of the first round; the original question is always one of them."""

    question: str
    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """Round `number` (from 1) begins."""

    number: int
    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """One query was answered: how many hits each recall path gave, and the fused list, best first.

    `asked` are the filters that the query itself names, each with the words it was read from.
    """

    query: Query
    paths: tuple[tuple[str, int], ...]
    hits: tuple[Hit, ...]
    milliseconds: float
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchFailed:
    """One query failed; the round goes on with the others."""

    query: Query
    reason: str


@dataclass(frozen=True, slots=True)
class Reranked:
    """A reranker ordered chunks against `question`: ids as they were, then (id, score), best first.

    The first `kept` of `after` go on to judging; where all do, this is the evidence of all rounds.
    """

    question: str
    reranker: str
    before: tuple[str, ...]
    after: tuple[tuple[str, float], ...]
    kept: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge made of a round: (chunk id, kept, score, reason), in rank order."""

    round: int
    verdicts: tuple[tuple[str, bool, float, str], ...]


@dataclass(frozen=True, slots=True)
class Reflected:
    """What is still missing after a round, and the queries that go after it."""

    round: int
    coverage: float
    missing: tuple[str, ...]
    queries: tuple[Query, ...]
    dropped: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Stopped:
    """Gathering ended, for `reason`; `detail` has the figure that decided."""

    round: int
    reason: StopReason
    detail: str


@dataclass(frozen=True, slots=True)
class Called:
    """A model answered: tokens in and out, US dollars where the price is known, and whether the reply was kept from
    an earlier call, which costs nothing."""

    step: str
    model: str
    input_tokens: int
    output_tokens: int
    usd: float | None
    milliseconds: float
    cached: bool = False


@dataclass(frozen=True, slots=True)
class CallFailed:
    """A model gave no reply. `again` is in how many seconds it is asked once more; None: not at all."""

    step: str
    model: str
    reason: str
    again: float | None = None


@dataclass(frozen=True, slots=True)
class CutShort:
    """A reply broke off for `reason`, and what had come of it is used."""

    step: str
    reason: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """A reply could not be used for `reason`; the model was shown it and asked once more."""

    step: str
    reason: str
    usable: bool


@dataclass(frozen=True, slots=True)
class Defaulted:
    """No usable reply was to be had: the step's safe default stands in, which `instead` tells."""

    step: str
    reason: str
    instead: str


@dataclass(frozen=True, slots=True)
class Packed:
    """What of the evidence fitted into a model's context, and how many pieces did not."""

    step: str
    shown: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Routed:
    """Who answers, why, and who decided: `rule`, `model`, `caller`."""

    agent: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class CollectionsChosen:
    """Where a round searches, and why there."""

    round: int
    collections: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The question in other words (`expanded`, `hyde`), or a part of it (`sub`) that was dropped; dropped where `reason` says why."""

    kind: str
    text: str
    kept: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One step of a chain: the follow-up question, the short answer ("" when nothing useful was found), and the ids of
    the chunks that support it. The answer is unverified."""

    round: int
    question: str
    answer: str
    supported: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A piece of the answer as it is being written, before anything of it is checked."""

    text: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What checking the claims found."""

    supported: int
    partly: int
    unsupported: int
    repaired: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know: a path that is off, a limit that was met."""

    text: str


FileStatus = Literal["loaded", "unchanged", "skipped", "failed", "removed"]


@dataclass(frozen=True, slots=True)
class LoadStarted:
    """`files` files will be looked at; a crawl says of how many more it knows, each time it does."""

    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class FileLoaded:
    """One file is done. `reason` and `remedy` are filled when it was skipped or failed."""

    source: str
    status: FileStatus
    chunks: int = 0
    bytes: int = 0
    reason: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Embedded:
    """`done` of the `total` passages that are being embedded have a vector; told by slow encoders only."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Migrated:
    """`done` of the `total` documents to copy of a collection are in the other store."""

    collection: str
    done: int
    total: int


Event = (
    Planned
    | RoundStarted
    | Searched
    | SearchFailed
    | Reranked
    | Judged
    | Reflected
    | Stopped
    | Called
    | CallFailed
    | CutShort
    | Repaired
    | Defaulted
    | Packed
    | Routed
    | CollectionsChosen
    | Rewritten
    | ChainStep
    | Drafted
    | Verified
    | Notice
    | LoadStarted
    | FileLoaded
    | Embedded
    | Migrated
    | FlowStarted
    | RowsDone
    | RowLost
    | FlowEnded
    | WebSearched
    | WebSearchFailed
    | PageRead
    | FactsFound
    | GapsFound
)
