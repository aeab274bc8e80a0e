"""From a flow file to a flow.

file -> tree of what it and its bases say -> arguments and constants -> source, steps, sinks
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from leadline.flow.base import Chain, Memory, Operator, Retry
from leadline.flow.ends import Failures, Flow, Limits, Sink, Source
from leadline.flow.files.building import Builder
from leadline.flow.files.declaring import Argument, declared, valued
from leadline.flow.files.inheriting import read_tree
from leadline.flow.files.problems import Problems, Refused, nearest
from leadline.flow.files.shipped import located
from leadline.flow.files.substituting import Names, from_environment
from leadline.flow.files.yaml_lines import Node
from leadline.flow.operators.functions import Call
from leadline.run import Budget
from leadline.settings import Settings

KEYS = (
    *("name", "description", "version", "from", "arguments", "consts", "source", "steps", "sink"),
    *("on_error", "concurrency", "ordered", "limits"),
)
MOST_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class OnErrorPart:
    """The key `on_error` of a flow file."""

    policy: Literal["dead_letter", "stop"] = "dead_letter"
    file: Path | None = None
    most: int | None = None
    retry: Retry = Retry()

    def __post_init__(self) -> None:
        if self.most is not None and self.most < 0:
            raise ValueError("`most` must not be less than 0")


@dataclass(frozen=True, slots=True)
class BudgetPart:
    """What one outer row, or all of them, may spend."""

    searches: int | None = None
    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    usd: float | None = None

    def __post_init__(self) -> None:
        for name in ("searches", "calls", "tokens", "seconds", "usd"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"`{name}` must be more than 0")

    def budget(self) -> Budget:
        """As a run has it."""
        return Budget(self.searches, self.calls, self.tokens, self.seconds, self.usd)


@dataclass(frozen=True, slots=True)
class LimitsPart:
    """The key `limits` of a flow file."""

    row: BudgetPart = BudgetPart()
    total: BudgetPart = BudgetPart()
    memory_rows: int | None = None


@dataclass(slots=True)
class Spec:
    """A flow file as it was read: the flow, if it could be built, and all that is wrong with it."""

    tree: Node
    flow: Flow | None = None
    problems: Problems = field(default_factory=Problems)
    arguments: Mapping[str, Argument] = field(default_factory=dict[str, Argument])
    names: Names = field(default_factory=Names)
    nodes: Mapping[str, Node] = field(default_factory=dict[str, Node])


def read_flow(
    file: str | Path, values: Mapping[str, object] | None = None, settings: Settings | None = None
) -> Flow:
    """The flow in a file, or shipped under that name, with values for its arguments; `FlowError` says what is wrong."""
    spec = read_spec(file, values or {}, settings or Settings())
    spec.problems.raise_errors()
    assert spec.flow is not None
    return spec.flow


def read_spec(
    file: str | Path, values: Mapping[str, object], settings: Settings, *, standing_in: bool = False
) -> Spec:
    """The same, with everything that is wrong in it. `standing_in`: arguments that have no value are given one."""
    place = located(file)
    spec = Spec(read_tree(place))
    problems, tree = spec.problems, spec.tree
    for key, node in tree.items():
        if key not in KEYS:
            problems.add(node, f"{key:.60}", f"there is no such key.{nearest(key, KEYS)}")
    spec.arguments = declared(tree.get("arguments"), problems)
    shared = valued(spec.arguments, values, problems, standing_in=standing_in)
    shared |= _constants(tree.get("consts"), shared, problems)
    unsaid = {name for name, each in spec.arguments.items() if name not in values and each.default is None}
    spec.names = Names(shared, unsaid=unsaid)
    _Reader(spec, settings, place).read()
    return spec


def _constants(node: Node | None, arguments: Mapping[str, Any], problems: Problems) -> dict[str, Any]:
    if node is None or node.value is None:
        return {}
    if not isinstance(node.value, dict):
        problems.add(node, "consts", "must be a mapping of names.")
        return {}
    made: dict[str, Any] = {}
    for name, each in node.value.items():
        if name in arguments:
            problems.add(each, f"consts.{name:.60}", "an argument has that name.")
        try:
            made[name] = from_environment(each, f"consts.{name:.60}").plain()
        except Refused as error:
            problems.take(error)
            made[name] = ""
    return made


@dataclass(slots=True)
class _Reader:
    spec: Spec
    settings: Settings
    file: Path
    builder: Builder = field(init=False)

    def __post_init__(self) -> None:
        self.builder = Builder(self.spec.names, self.spec.problems, self.settings)
        self.spec.nodes = self.builder.nodes

    def read(self) -> None:
        """Build the flow; what cannot be built is told."""
        failures = self.value("on_error", OnErrorPart, OnErrorPart())
        self.builder.retry = failures.retry
        limits = self.value("limits", LimitsPart, LimitsPart())
        concurrency = self.value("concurrency", int, 4)
        source = self.value("source", Source, None)
        steps = self.value("steps", Operator, Chain())
        decisive = set(self.spec.names.used)
        sinks = self.sinks()
        if self.spec.tree.get("source") is None:
            self.spec.problems.add(self.spec.tree, "source", "is missing: it says where rows come from.")
        if not 1 <= concurrency <= MOST_AT_ONCE:
            node = self.spec.tree.get("concurrency") or self.spec.tree
            self.spec.problems.add(node, "concurrency", f"must be from 1 to {MOST_AT_ONCE}.")
        name = self.value("name", str, "") or self.file.stem
        texts = {key: self.value(key, str, "") for key in ("description", "version")}
        ordered = self.value("ordered", bool, True)
        if self.spec.problems.errors or source is None:
            return
        self.spec.flow = Flow(
            name,
            source,
            steps,
            sinks,
            **texts,
            shared=dict(self.spec.names.known),
            failures=Failures(failures.policy, failures.file, failures.most),
            limits=Limits(limits.row.budget(), limits.total.budget()),
            concurrency=concurrency,
            ordered=ordered,
            memory=Memory(limits.memory_rows or self.settings.flow.memory_rows),
            digest=self.digest(self.spec.names.known if is_foreign(steps) else decisive),
        )

    def value(self, key: str, hint: Any, otherwise: Any) -> Any:
        """What stands under a key; if that cannot be used, it is told, and `otherwise` stands in."""
        node = self.spec.tree.get(key)
        if node is None or node.value is None:
            return otherwise
        try:
            return self.builder.convert.value(node, hint, key)
        except Refused as error:
            self.spec.problems.take(error)
            return otherwise

    def sinks(self) -> tuple[Sink, ...]:
        """One, or a list of them."""
        node = self.spec.tree.get("sink")
        if node is None or not isinstance(node.value, list):
            sink = self.value("sink", Sink, None)
            return (sink,) if sink is not None else ()
        return self.value("sink", tuple[Sink, ...], ())

    def digest(self, names: Collection[str]) -> str:
        """Of everything that decides which rows come out, the values of `names` among it: a journal of one digest is of
        no use to another."""
        tree = self.spec.tree
        said = {key: node.plain() for key in ("source", "steps") if (node := tree.get(key))}
        limits = tree.get("limits")
        row = limits.get("row") if limits else None
        said["shared"] = {name: self.spec.names.known[name] for name in names}
        said["row"] = row.plain() if row else None
        text = json.dumps(said, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_foreign(step: Operator) -> bool:
    """Whether code of others is called, which may ask for any argument."""
    own = type(step).__module__.startswith("leadline.") and not isinstance(step, Call)
    return not own or any(map(is_foreign, step.parts()))
