"""Where rows come from and where they go: the contract of sources and sinks, and a flow made of them.

A source tells its rows in the same order every time it is asked, as long as what it reads has not changed: that is what
makes a stopped flow resumable.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from leadline.errors import FlowError
from leadline.flow.base import Chain, FieldKind, Memory, Operator, Row, Rows, Scope, Shape
from leadline.run import Budget

Put = Callable[[Row], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The base of all sources."""

    label: str = ""

    def rows(self, scope: Scope) -> Rows:
        """All rows. What cannot be read at all raises; a single bad record raises nothing: it is lost (`scope.lose`)."""
        raise NotImplementedError

    def shape(self) -> Shape:
        """What is known of the rows before any is read."""
        return Shape()

    def misfit(self) -> str:
        """What of it does not fit the file that it reads, where that is there already; "" if nothing."""
        return ""

    async def total(self, scope: Scope) -> int | None:
        """How many rows there are, where that is cheap to know."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sink:
    """The base of all sinks."""

    label: str = ""

    def opened(self, scope: Scope) -> AbstractAsyncContextManager[Put]:
        """What takes rows. Leaving without an error makes them final; leaving with one leaves what was there before."""
        raise NotImplementedError

    def reads(self) -> Mapping[str, FieldKind]:
        """The fields that it needs, and of what kind."""
        return {}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one outer row, and the whole flow, may spend."""

    row: Budget = field(default_factory=lambda: Budget(searches=None))
    total: Budget = field(default_factory=lambda: Budget(searches=None))


@dataclass(frozen=True, slots=True)
class Failures:
    """What becomes of outer rows that fail: dead letters in `file` (None: beside the journal), or `stop` at the first.
    More than `most` of them stop the flow too."""

    policy: Literal["dead_letter", "stop"] = "dead_letter"
    file: Path | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Flow:
    """Everything a run needs to know. `digest` tells flows apart whose finished rows must not be mixed."""

    name: str
    source: Source
    steps: Operator = Chain()
    sinks: tuple[Sink, ...] = ()
    description: str = ""
    version: str = ""
    shared: Mapping[str, Any] = field(default_factory=dict[str, Any])
    failures: Failures = Failures()
    limits: Limits = field(default_factory=Limits)
    concurrency: int = 4
    ordered: bool = True
    memory: Memory = Memory()
    digest: str = ""

    def __post_init__(self) -> None:
        given: object = self.sinks
        sinks = (given,) if isinstance(given, Sink) else tuple(self.sinks)
        object.__setattr__(self, "sinks", sinks)
        self._check(
            "source", self.source, Source, " Rows of your own are `InlineRows` of leadline.flow.sources."
        )
        self._check("steps", self.steps, Operator)
        for sink in sinks:
            self._check("sinks", sink, Sink)

    def _check(self, name: str, part: object, kind: type[Any], hint: str = "") -> None:
        if not isinstance(part, kind):
            told = f"flow `{self.name}`: `{name}` holds {part!r:.60}, which is no {kind.__name__}."
            raise FlowError(f"{told}{hint}")
