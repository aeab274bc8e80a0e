"""What happens in a run of a flow, beside what happens in the steps of its rows."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class FlowStarted:
    """A flow begins; `rows` is how many its source has, where that is known."""

    name: str
    rows: int | None


@dataclass(frozen=True, slots=True)
class RowsDone:
    """`done` rows of the source are through the first part of the flow, which is most often all of it; `failed` have
    become nothing so far, and `usd` is what models have cost."""

    done: int
    failed: int
    usd: float


@dataclass(frozen=True, slots=True)
class RowLost:
    """A step failed on a row: it became nothing (`fail`), was left out (`skip`), or went on as it was (`keep`).
    `ordinal` is the how manyth row that was, from 0, where that is known."""

    step: str
    error: str
    policy: Literal["fail", "skip", "keep"]
    ordinal: int | None


@dataclass(frozen=True, slots=True)
class FlowEnded:
    """A flow is over: `ending` is `finished`, or what stopped it."""

    name: str
    rows_in: int
    rows_out: int
    failed: int
    ending: Literal["finished", "cancelled", "budget", "failures"]
