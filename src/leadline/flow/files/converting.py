"""From what a flow file says to what a field of a step wants, by the field's type.

text, numbers, true and false as they are; `Path` and `Literal` from text; sequences from lists (one text is a list of
one); `Expression` from text that is parsed; an operator, source, sink or aggregate from its name and arguments.
"""

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from leadline.errors import FlowError
from leadline.flow.expressions.conditions import Expression
from leadline.flow.files.catalogue import Kind
from leadline.flow.files.problems import Refused, meant, nearest, refused
from leadline.flow.files.substituting import Names
from leadline.flow.files.yaml_lines import Node

FAMILIES: Mapping[str, Kind] = {
    "Operator": "step",
    "Source": "source",
    "Sink": "sink",
    "Aggregate": "aggregate",
}
"""The base class of everything in a table of the catalogue."""

WORDS: Mapping[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    Path: "a path",
    types.NoneType: "null",
    Expression: "an expression",
}

Part = Callable[[Kind, Node, str], Any]
"""Builds what is named in a node; the last is where it stands."""


def family(hint: Any) -> Kind | None:
    """Which table of the catalogue a field's values come from."""
    if not isinstance(hint, type):
        return None
    return next((FAMILIES[base.__name__] for base in hint.__mro__ if base.__name__ in FAMILIES), None)


@dataclass(frozen=True, slots=True)
class Converter:
    """Converts the values of one flow file."""

    names: Names
    part: Part

    def value(self, node: Node, hint: Any, key: str) -> Any:
        """What a field of type `hint` gets; `Refused` says why not."""
        if hint is Expression:
            return self._expression(node, key)
        origin = get_origin(hint)
        if origin is Union or isinstance(hint, types.UnionType):
            return self._one_of(node, get_args(hint), key)
        node = self.names.whole(node, key)
        if hint is Any or hint is object:
            return self.names.put(node, key).plain()
        kind = family(hint)
        if kind is not None:
            return self.part(kind, node, key)
        if origin is Literal:
            return self._choice(node, get_args(hint), key)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._mapping(node, get_args(hint)[1], key)
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return self._sequence(node, get_args(hint)[0], key)
        if is_dataclass(hint):
            return self.record(node, cast(type[Any], hint), key)
        return self._simple(node, hint, key)

    def record(self, node: Node, made: type[Any], key: str) -> Any:
        """A dataclass from a mapping of its fields."""
        if not isinstance(node.value, dict):
            raise refused(node, key, f"must be a mapping, not {_said(node)}.", misshapen=True)
        hints = get_type_hints(made)
        known = [each.name for each in fields(made) if each.init]
        for name, each in node.items():
            if name not in known:
                raise refused(each, f"{key}.{name:.60}", f"there is no such key.{nearest(name, known)}")
        given = {name: self.value(each, hints[name], f"{key}.{name}") for name, each in node.items()}
        for each in fields(made):
            if each.init and is_needed(each) and each.name not in given:
                raise refused(node, key, f"`{each.name}` is missing.")
        return built(made, given, node, key)

    def _expression(self, node: Node, key: str) -> Expression:
        if not isinstance(node.value, str | bool | int | float):
            raise refused(node, key, f"must be an expression, not {_said(node)}.", misshapen=True)
        text = str(node.value).lower() if isinstance(node.value, bool) else str(node.value)
        try:
            read = Expression.parse(text, self.names.known)
        except FlowError as error:
            raise refused(node, key, str(error)) from None
        self.names.used.update(read.shared)
        return read

    def _one_of(self, node: Node, hints: Sequence[Any], key: str) -> Any:
        if Expression not in hints:
            node = self.names.whole(node, key)
        if node.value is None and types.NoneType in hints:
            return None
        if Path in hints:  # a text is one
            hints = [hint for hint in hints if hint is not str]
        first: Refused | None = None
        # A field's name is an expression too, so an expression comes before a text.
        for hint in sorted(hints, key=lambda hint: hint is not Expression):
            if hint is types.NoneType or get_origin(hint) is Callable:
                continue
            try:
                return self.value(node, hint, key)
            except Refused as error:
                if not error.misshapen:
                    raise
                first = first or error
        raise refused(node, key, f"must be {wanted(hints)}, not {_said(node)}.", misshapen=True) from first

    def _choice(self, node: Node, choices: Sequence[Any], key: str) -> Any:
        value = node.value
        if node.stands_in:
            return choices[0]
        if not any(
            value is choice or (type(value) is type(choice) and value == choice) for choice in choices
        ):
            hint = meant(value, [str(choice) for choice in choices]) if isinstance(value, str) else ""
            raise refused(node, key, f"must be {wanted(choices)}.{hint}")
        return value

    def _mapping(self, node: Node, inner: Any, key: str) -> dict[str, Any]:
        if not isinstance(node.value, dict):
            raise refused(node, key, f"must be a mapping, not {_said(node)}.", misshapen=True)
        return {name: self.value(each, inner, f"{key}.{name}") for name, each in node.items()}

    def _sequence(self, node: Node, inner: Any, key: str) -> tuple[Any, ...]:
        if isinstance(node.value, str) and inner is str:
            return (self.value(node, str, key),)
        if not isinstance(node.value, list):
            raise refused(node, key, f"must be a list, not {_said(node)}.", misshapen=True)
        return tuple(self.value(each, inner, f"{key}[{at}]") for at, each in enumerate(node.value))

    def _simple(self, node: Node, hint: Any, key: str) -> Any:
        value = self.names.put(node, key).value
        if hint is float and isinstance(value, int) and not isinstance(value, bool):
            return self._float(node, value, key)
        if hint is Path and isinstance(value, str):
            return _path(node, value, key)
        if hint not in WORDS or hint is Path or type(value) is not hint:
            raise refused(node, key, f"must be {wanted([hint])}, not {_said(node)}.", misshapen=True)
        return value

    def _float(self, node: Node, value: int, key: str) -> float:
        try:
            return float(value)
        except OverflowError:
            raise refused(node, key, "this number is too large.") from None


def built(made: type[Any], given: Mapping[str, Any], node: Node, key: str) -> Any:
    """The object; what its own checks say is told with the place."""
    try:
        return made(**given)
    except Refused:
        raise
    except (FlowError, ValueError, TypeError) as error:
        raise refused(node, key, f"{error}".rstrip(".") + ".") from None


def is_needed(argument: "Field[Any]") -> bool:
    """Whether it must be given."""
    return argument.default is MISSING and argument.default_factory is MISSING


def wanted(hints: Sequence[Any]) -> str:
    """What may stand there, in words."""
    words: list[str] = []
    for hint in _alternatives(hints):
        origin = get_origin(hint)
        if isinstance(hint, str):
            words.append(f"`{hint}`")
        elif isinstance(origin, type) and issubclass(origin, Mapping):
            words.append("a mapping")
        elif isinstance(origin, type) and issubclass(origin, Sequence):
            words.append("a list")
        elif hint is Any:
            words.append("anything")
        elif hint in WORDS:
            words.append(WORDS[hint])
        elif family(hint):
            words.append("steps" if family(hint) == "step" else f"a {family(hint)}")
        elif is_dataclass(hint):
            words.append("a mapping")
    if WORDS[str] in words and (WORDS[Expression] in words or WORDS[Path] in words):
        words.remove(WORDS[str])
    return " or ".join(dict.fromkeys(words)) or "something else"


def _alternatives(hints: Sequence[Any]) -> Iterator[Any]:
    for hint in hints:
        if get_origin(hint) in {Union, types.UnionType, Literal}:
            yield from _alternatives(get_args(hint))
        else:
            yield hint


def _said(node: Node) -> str:
    value = node.value
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    return "nothing" if value is None else str(value).lower() if isinstance(value, bool) else f"{value!r:.40}"


def _path(node: Node, value: str, key: str) -> Path:
    if not value or "\0" in value:
        raise refused(node, key, "must be a path.")
    try:
        return Path(value).expanduser()
    except RuntimeError:
        raise refused(node, key, "that home folder is not known. Write the whole path.") from None
