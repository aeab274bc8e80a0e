"""The arguments that a flow file declares, and their values: as given, else the default.

arguments:
  questions: {type: path, help: A file of questions.}
  rounds: {type: int, default: 3, min: 1, max: 10}
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from leadline.errors import FlowError
from leadline.flow.files.problems import Problems, Refused, nearest, refused
from leadline.flow.files.substituting import NAME, from_environment
from leadline.flow.files.yaml_lines import Node
from leadline.flow.value_types import TYPES

SIZED = frozenset({"text", "path", "list"})
KEYS = ("type", "default", "help", "min", "max", "choices")


@dataclass(frozen=True, slots=True)
class Argument:
    """One that a flow can be given; without `default` it must be."""

    name: str
    type: str
    node: Node
    default: Node | None = None
    help: str = ""
    least: float | None = None
    most: float | None = None
    choices: tuple[Any, ...] = ()

    def read(self, given: object) -> Any:
        """Its value for what was given, as text or already of its type; ValueError says what is wrong."""
        if given is None and self.default is not None and self.default.value is None:
            return None
        value: Any = TYPES[self.type](given)
        size = len(cast(str, value)) if self.type in SIZED else value
        if self.least is not None and size < self.least:
            raise ValueError(f"must be at least {self.least:g}")
        if self.most is not None and size > self.most:
            raise ValueError(f"must be at most {self.most:g}")
        if self.choices and value not in self.choices:
            raise ValueError(f"must be one of {', '.join(map(str, self.choices))}")
        return value

    def stand_in(self) -> Any:
        """A value to look at the flow with, where none was given."""
        if self.choices:
            return self.choices[0]
        if self.type in {"int", "float"}:
            return TYPES[self.type](self.least if self.least is not None else min(1, self.most or 1))
        return False if self.type == "bool" else list[Any]() if self.type == "list" else self.name


def declared(node: Node | None, problems: Problems) -> dict[str, Argument]:
    """The arguments under the key `arguments`."""
    if node is None or node.value is None:
        return {}
    if not isinstance(node.value, dict):
        problems.add(node, "arguments", "must be a mapping of names.")
        return {}
    made: dict[str, Argument] = {}
    for name, each in node.value.items():
        try:
            made[name] = _argument(name, each, f"arguments.{name}")
        except Refused as error:
            problems.take(error)
    return made


def _argument(name: str, node: Node, key: str) -> Argument:
    if not re.fullmatch(NAME, name) or name.startswith("__"):
        raise refused(node, key, "a name is a word of letters, digits and `_`.")
    if node.value is None:
        return Argument(name, "text", node)
    if not isinstance(node.value, dict):
        raise refused(node, key, "must be a mapping, as {type: int, default: 3}.")
    for word, each in node.items():
        if word not in KEYS:
            raise refused(each, f"{key}.{word}", f"there is no such key.{nearest(word, KEYS)}")
    kind = _plain(node, "type", "text")
    if not isinstance(kind, str) or kind not in TYPES:
        raise refused(node.get("type") or node, f"{key}.type", f"must be one of {', '.join(TYPES)}.")
    choices = _plain(node, "choices", [])
    if not isinstance(choices, list):
        raise refused(node.get("choices") or node, f"{key}.choices", "must be a list.")
    default = node.get("default")
    default = None if default is None else from_environment(default, f"{key}.default")
    told, allowed = str(_plain(node, "help", "")), tuple(cast(list[Any], choices))
    made = Argument(
        name, kind, node, default, told, _bound(node, "min", key), _bound(node, "max", key), allowed
    )
    if default is not None:
        try:
            made.read(default.plain())
        except ValueError as error:
            raise refused(default, f"{key}.default", f"{error}.") from None
    return made


def _bound(node: Node, word: str, key: str) -> float | None:
    bound = _plain(node, word, None)
    if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int | float)):
        raise refused(node.get(word) or node, f"{key}.{word}", "must be a number.")
    return bound


def _plain(node: Node, word: str, otherwise: Any) -> Any:
    inner = node.get(word)
    return otherwise if inner is None else inner.plain()


def valued(
    arguments: Mapping[str, Argument], given: Mapping[str, object], problems: Problems, *, standing_in: bool
) -> dict[str, Any]:
    """The value of every argument. `standing_in` puts something in place of one that should have been given."""
    for name in given:
        if name not in arguments:
            hint = nearest(name, sorted(arguments)) or " It has none."
            raise FlowError(f"the flow has no argument `{name:.60}`.{hint}")
    values: dict[str, Any] = {}
    for name, argument in arguments.items():
        if name in given:
            try:
                values[name] = argument.read(given[name])
            except ValueError as error:
                raise FlowError(f"the argument `{name}` {error}, not {given[name]!r:.80}.") from None
        elif argument.default is not None:
            values[name] = argument.read(argument.default.plain())
        elif standing_in:
            values[name] = argument.stand_in()
        else:
            told = f" ({argument.help})" if argument.help else ""
            problems.add(
                argument.node, f"arguments.{name}", f"has no value{told}: give it with `--set {name}=...`."
            )
            values[name] = argument.stand_in()
    return values
