"""From a step's name and arguments in a flow file to the step.

    - retrieve: {query: sub_query, limit: 5}
      name: passages for each sub-query
      retry: {times: 2, wait: 1}
      on_error: skip

One name of the catalogue, and beside it what any step can have. An argument that is no mapping is that of the step's first
field. All that is wrong is gathered: one bad step hides no other.
"""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import PurePath
from typing import Any, Protocol, get_origin, get_type_hints, runtime_checkable

from leadline.errors import FlowError
from leadline.flow.base import Chain, Operator, Retry
from leadline.flow.files import catalogue
from leadline.flow.files.catalogue import Kind
from leadline.flow.files.converting import Converter, built, is_needed
from leadline.flow.files.problems import Problems, Refused, meant, nearest, refused
from leadline.flow.files.substituting import Names
from leadline.flow.files.yaml_lines import Node
from leadline.flow.stepping import Step
from leadline.settings import Settings

BESIDE = ("name", "retry", "on_error")
"""What may stand beside a step's name; its class has fields for them that are no arguments."""
DEPTH = 12
"""More is no flow; and what is known of rows behind loops in loops is worked out again for each loop around."""
NOT_ARGUMENTS = frozenset({"label", "retry", "on_error"})


@runtime_checkable
class NeedsLeave(Protocol):
    """A step that the settings must allow."""

    def refusal(self, settings: Settings) -> str:
        """Why it may not be used; "" if it may."""
        ...


@dataclass(slots=True)
class Builder:
    """Builds the parts of one flow; `nodes` says where in the file each was."""

    names: Names
    problems: Problems
    settings: Settings
    retry: Retry = Retry()
    nodes: dict[str, Node] = field(default_factory=dict[str, Node])
    depth: int = 0
    convert: Converter = field(init=False)

    def __post_init__(self) -> None:
        self.convert = Converter(self.names, self.part)

    def part(self, kind: Kind, node: Node, key: str) -> Any:
        """What a node names: steps one after the other, a source, a sink, an aggregate."""
        self.depth += 1
        try:
            if self.depth > DEPTH:
                raise refused(node, key, f"steps stand more than {DEPTH} deep in steps.")
            return self.steps(node, key) if kind == "step" else self.one(kind, node, key)
        finally:
            self.depth -= 1

    def steps(self, node: Node, key: str) -> Operator:
        """A list of steps, or one; those that cannot be built are told and left out."""
        if node.value is None:
            return Chain()
        if not isinstance(node.value, list):
            return self.one("step", node, key)
        made: list[Operator] = []
        for at, each in enumerate(node.value):
            try:
                made.append(self.one("step", each, f"{key}[{at}]"))
            except Refused as error:
                self.problems.take(error)
        return made[0] if len(made) == 1 else Chain(tuple(made))

    def one(self, kind: Kind, node: Node, key: str) -> Any:
        """One part by its name."""
        name, inner = self._named(kind, node, key)
        place = f"{key}.{name}"
        try:
            cls = catalogue.found(kind, name)
        except FlowError as error:
            raise refused(inner, key, f"{error}{_written(kind, name)}") from None
        given = self._arguments(cls, inner, place)
        given |= self._beside(cls, node, key, name)
        made = built(cls, given, inner, place)
        refusal = made.refusal(self.settings) if isinstance(made, NeedsLeave) else ""
        if refusal:
            raise refused(inner, place, refusal)
        if "label" in given:
            self.nodes[given["label"]] = inner
        return made

    def _named(self, kind: Kind, node: Node, key: str) -> tuple[str, Node]:
        if isinstance(node.value, str):
            return node.value, Node(None, node.file, node.line)
        if not isinstance(node.value, dict):
            raise refused(node, key, f"must be a {kind}: its name and its arguments.", misshapen=True)
        names = [name for name in node.value if name not in BESIDE]
        if len(names) > 1:
            known = [name for name in names if name in catalogue.names(kind)] or names
            stray = next(name for name in names if name != known[0])
            raise refused(
                node.value[stray],
                f"{key}.{stray:.60}",
                f"beside `{known[0]:.60}` only {', '.join(BESIDE)} may stand.{meant(stray, BESIDE)} "
                f"Arguments go below it, and each {kind} has its own `-` in a list.",
            )
        if not names:
            raise refused(node, key, f"names no {kind}.{nearest('', catalogue.names(kind))}")
        return names[0], node.value[names[0]]

    def _arguments(self, cls: type[Any], node: Node, place: str) -> dict[str, Any]:
        known = arguments(cls)
        hints = get_type_hints(cls)
        given: dict[str, Any] = {}
        wrong: Refused | None = None
        for name, each in self._parts(node, known, place):
            key = f"{place}.{name:.60}"
            try:
                if name not in known:
                    hint = nearest(name, known)
                    first = next(iter(known), "")
                    if first and first not in dict(node.items()) and _is_mapping(hints[known[first].name]):
                        hint = f" Write `{place.rpartition('.')[2]}: {{{first}: {{{name:.60}: ...}}}}`."
                    raise refused(each, key, f"there is no such argument.{hint}")
                field_name = known[name].name
                given[field_name] = self.convert.value(each, hints[field_name], key)
            except Refused as error:
                self.problems.take(error)
                wrong = error
        if wrong is not None:
            raise Refused(wrong.problem)
        missing = [name for name, each in known.items() if is_needed(each) and each.name not in given]
        if missing:
            raise refused(node, place, f"`{missing[0]}` is missing.")
        return given

    def _parts(self, node: Node, known: dict[str, "Field[Any]"], place: str) -> list[tuple[str, Node]]:
        if node.value is None:
            return []
        if isinstance(node.value, dict):
            return list(node.value.items())
        if not known:
            raise refused(node, place, "takes no arguments.")
        return [(next(iter(known)), node)]

    def _beside(self, cls: type[Any], node: Node, key: str, name: str) -> dict[str, Any]:
        """Label, retry and policy, where the class has them."""
        own = {each.name for each in fields(cls)}
        given: dict[str, Any] = {"label": f"{key} {name}"} if "label" in own else {}
        if issubclass(cls, Step):
            given["retry"] = self.retry
        hints = get_type_hints(cls)
        for word in BESIDE:
            each = node.get(word)
            if each is None:
                continue
            if word == "name" and "label" in own:
                given["label"] = f"{key} {self.convert.value(each, str, f'{key}.name')}"
            elif word in own:
                given[word] = self.convert.value(each, hints[word], f"{key}.{word}")
            else:
                raise refused(
                    each, f"{key}.{word}", f"`{name}` has no `{word}`: it looks at no row by itself."
                )
        return given


def _is_mapping(hint: Any) -> bool:
    origin = get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _written(kind: Kind, name: str) -> str:
    """How what was probably meant is written, as a sentence with a space before it."""
    known = catalogue.names(kind)
    ending, (word, _, rest) = PurePath(name).suffix.removeprefix("."), name.partition(" ")
    if ending in known:
        return f" Write `{{{ending}: {name:.60}}}`."
    return f" Write `{{{word}: {rest.strip():.60}}}`." if word in known and rest else ""


def arguments(cls: type[Any]) -> dict[str, "Field[Any]"]:
    """The fields of a part that are its arguments, by name and in their order. A name that is a word of Python has a `_`
    behind it there."""
    given = (each for each in fields(cls) if each.init and each.name not in NOT_ARGUMENTS)
    return {each.name.rstrip("_"): each for each in given}
