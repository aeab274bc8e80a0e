"""What happens while the web is searched and read, and in a fact loop."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class WebSearched:
    """A search provider answered `query` with `results` results, of which `new` lead to pages not seen before in the run.
    `hint` is its own direct answer, which is shown and rests on nothing: it is never evidence."""

    provider: str
    query: str
    results: int
    milliseconds: float
    new: int = 0
    hint: str = ""


@dataclass(frozen=True, slots=True)
class WebSearchFailed:
    """A search provider gave nothing for `query`: `reason` says why, `instead` what is done now ("" for nothing)."""

    provider: str
    query: str
    reason: str
    instead: str = ""


PageStatus = Literal["read", "kept", "snippet", "failed"]
"""Fetched now; taken from those kept of the last day; only the search engine's snippet is there; nothing is."""


@dataclass(frozen=True, slots=True)
class PageRead:
    """What became of one page. `reason` says why it could not be read."""

    url: str
    status: PageStatus
    bytes: int = 0
    milliseconds: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FactsFound:
    """Round `round` gave `extracted` statements; `unverified` of them are not borne out by their page and were dropped,
    `merged` say what an earlier one says, `new` are left; there are `total` now. `over` are those beyond the facts that
    are enough: left out, or, of a topic searched without a model, waiting for places that stay free; a last event of the
    same round tells of those that got one."""

    round: int
    extracted: int
    unverified: int
    merged: int
    new: int
    total: int
    over: int = 0


@dataclass(frozen=True, slots=True)
class GapsFound:
    """What a fact loop does not know yet after round `round`, what it asks next, and (text, why) of what it does not."""

    round: int
    gaps: tuple[str, ...]
    queries: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...] = ()
