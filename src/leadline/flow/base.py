"""What the parts of a flow are to each other: rows, scopes, operators.

source -> rows -> operator -> rows -> operator -> rows -> sink

An operator is a function from a stream of rows to a stream of rows. The end of the input is the end of the iterator: there
is no other signal, so that an operator that needs all rows (group, sort) simply reads on to the end, wherever it stands.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from leadline.errors import FlowError
from leadline.flow.keeping import Kept
from leadline.run import Run

if TYPE_CHECKING:
    from leadline.workspace import Workspace

Row = dict[str, Any]
"""Field name -> plain JSON value (None, bool, int, float, str, list, dict). An operator never changes a row that it was
given: it makes a new one, so that copies cost nothing and branches see nothing of each other."""

Rows = AsyncIterator[Row]

Reach = Literal["row", "stream"]
"""Whether what an operator makes of a row depends on that row alone, or on others too."""

OnError = Literal["fail", "skip", "keep"]
"""A row that a step fails on: it fails its outer row; it is left out and its siblings go on; it goes on as it was.
All three are told in the dead letters."""

FieldKind = Literal["any", "text", "number", "bool", "list", "mapping"]


MOST_TIMES = 100
LONGEST_WAIT = 3600


@dataclass(frozen=True, slots=True)
class Retry:
    """A failing step is tried `times` times more, after `wait` seconds, then twice that, and so on."""

    times: int = 0
    wait: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.times <= MOST_TIMES:
            raise ValueError(f"`times` must be from 0 to {MOST_TIMES}")
        if not 0 <= self.wait <= LONGEST_WAIT:
            raise ValueError(f"`wait` must be from 0 to {LONGEST_WAIT} seconds")


@dataclass(frozen=True, slots=True)
class Memory:
    """How many rows a blocking operator keeps in memory before the rest goes to a file in `folder` (None: the system's)."""

    rows: int = 50_000
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A row that a step failed on: `step` says where, `error` what, `row` what it was given."""

    step: str
    error: str
    row: Row
    policy: OnError = "fail"


def _lose(letter: DeadLetter) -> None: ...


@dataclass(frozen=True, slots=True)
class Scope:
    """What operators are handed beside their rows.

    `run` is that of the outer row: its limits, its spending. `shared` are the flow's arguments and constants, read-only.
    `round` is that of the innermost loop, from 1. `lose` is told of rows that a step skips or keeps by its own policy.
    `lose_beside` is told of those that are lost beside the outer row, of a table that all rows look into (None: `lose` is).
    `kept` holds what steps make once for the whole run; whoever runs the flow closes it. `job` names this run together
    with those that resume it ("" where nothing is resumed).
    """

    run: Run = field(default_factory=Run)
    shared: Mapping[str, Any] = field(default_factory=dict[str, Any])
    workspace: "Workspace | None" = None
    concurrency: int = 1
    ordered: bool = True
    memory: Memory = Memory()
    round: int = 0
    lose: Callable[[DeadLetter], None] = _lose
    lose_beside: Callable[[DeadLetter], None] | None = None
    kept: Kept = field(default_factory=Kept)
    job: str = ""


def workspace_of(scope: Scope, step: str) -> "Workspace":
    """The workspace that `step` cannot do without."""
    if scope.workspace is None:
        raise FlowError(f"`{step}` needs a workspace: run the flow with one")
    return scope.workspace


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known of rows before they run: the kinds of their fields; `open`: there may be others."""

    fields: Mapping[str, FieldKind] = field(default_factory=dict[str, FieldKind])
    open: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """The base of all operators, frozen and picklable, so that a flow can be checked, drawn and sent to other machines.

    `label` is where it stands in its flow, for messages ("steps[2].while.body[0] retrieve").
    """

    label: str = ""

    @property
    def reach(self) -> Reach:
        """Whether it looks at each row by itself."""
        return "row"

    @property
    def costly(self) -> bool:
        """Whether its work on a row is worth remembering between runs and worth doing for several rows at a time."""
        return any(part.costly for part in self.parts())

    def parts(self) -> Iterator["Operator"]:
        """The operators inside this one."""
        return iter(())

    def reads(self) -> Mapping[str, FieldKind]:
        """The fields (the first name of a dotted path) that it needs, and of what kind."""
        return {}

    def after(self, before: Shape) -> Shape:
        """What is known of the rows it gives out."""
        return before

    def inside(self, before: Shape) -> Shape:
        """What is known of the rows that the operators inside are given."""
        return before

    def __call__(self, rows: Rows, scope: Scope) -> Rows:
        raise NotImplementedError

    def __rshift__(self, then: "Operator | Callable[..., Any]") -> "Chain":
        return Chain((*_links(self), *_links(then)))

    def __rrshift__(self, before: Callable[..., Any]) -> "Chain":
        return Chain((*_links(before), *_links(self)))


@dataclass(frozen=True, slots=True)
class Chain(Operator):
    """One operator after the other; empty, it passes rows through."""

    steps: Sequence[Operator] = ()

    @property
    def reach(self) -> Reach:
        return "row" if all(step.reach == "row" for step in self.steps) else "stream"

    def parts(self) -> Iterator[Operator]:
        return iter(self.steps)

    def after(self, before: Shape) -> Shape:
        for step in self.steps:
            before = step.after(before)
        return before

    def __call__(self, rows: Rows, scope: Scope) -> Rows:
        for step in self.steps:
            rows = step(rows, scope)
        return rows


def _links(step: Operator | Callable[..., Any]) -> Sequence[Operator]:
    if isinstance(step, Chain):
        return step.steps
    if isinstance(step, Operator):
        return (step,)
    if isinstance(step, type) or not callable(step):
        raise FlowError(f"`>>` joins steps and functions of a row, and {step!r:.60} is neither.")
    return (import_module("leadline.flow.operators.mapping").Map(step),)
