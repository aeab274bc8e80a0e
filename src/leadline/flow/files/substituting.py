"""Names in a flow file that stand for values: `$name` as a whole value keeps the value's type, `$(name)` stands inside a
longer text, `$$` is a dollar. `${NAME:-default}` is the environment, in `consts` and in defaults of arguments only.

What a name stands for is put in as it is and not looked at again.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from leadline.config import open_variable
from leadline.errors import ConfigError
from leadline.flow.files.problems import nearest, refused
from leadline.flow.files.yaml_lines import Node

NAME = r"[^\W\d]\w*(?:-\w+)*"
WHOLE = re.compile(rf"\$({NAME}|\({NAME}\))")
INSIDE = re.compile(rf"\$(?:(?P<dollar>\$)|\((?P<name>{NAME})\)|(?P<environment>\{{[^{{}}]*\}}))")
ENVIRONMENT = re.compile(
    r"\$(?:(?P<dollar>\$)|\{(?P<name>[A-Za-z_]\w*)(?::-(?P<default>[^{}]*))?\}|(?P<other>\{))"
)


MOST = 5_000_000
"""Characters that names may stand for in all, each time they are named: a small file stays small."""


@dataclass(slots=True)
class Names:
    """The values of arguments and constants, and which of them were asked for; `unsaid` only stand in for values."""

    known: Mapping[str, Any] = field(default_factory=dict[str, Any])
    used: set[str] = field(default_factory=set[str])
    unsaid: Collection[str] = ()
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    total: int = 0

    def put(self, node: Node, key: str) -> Node:
        """The node with values in place of the names in it and in its parts."""
        if node.literal:
            return node
        if isinstance(node.value, dict):
            return Node(
                {name: self.put(each, key) for name, each in node.value.items()}, node.file, node.line
            )
        if isinstance(node.value, list):
            return Node([self.put(each, key) for each in node.value], node.file, node.line)
        if isinstance(node.value, str) and "$" in node.value:
            return self._text(node, node.value, key)
        return node

    def whole(self, node: Node, key: str) -> Node:
        """The value for a node that is nothing but `$name`; else the node itself."""
        match = WHOLE.fullmatch(node.value) if isinstance(node.value, str) and not node.literal else None
        if match is None:
            return node
        name = match[1].strip("()")
        return replace(node.of(self._value(node, name, key)), stands_in=name in self.unsaid)

    def _text(self, node: Node, text: str, key: str) -> Node:
        whole = self.whole(node, key)
        if whole is not node:
            return whole

        def value(match: re.Match[str]) -> str:
            if match["environment"]:
                raise refused(
                    node, key, "the environment can be read in `consts` and defaults only (`$$` is a `$`)."
                )
            if match["dollar"]:
                return "$"
            found = self._value(node, match["name"], key)
            return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

        return Node(INSIDE.sub(value, text), node.file, node.line)

    def _value(self, node: Node, name: str, key: str) -> Any:
        if name not in self.known:
            hint = nearest(name, sorted(self.known)) or " Declare it under `arguments` or `consts`."
            raise refused(node, key, f"there is no argument or constant `{name}`.{hint} (`$$` is a `$`.)")
        self.used.add(name)
        if name not in self.sizes:
            self.sizes[name] = len(json.dumps(self.known[name]))
        self.total += self.sizes[name]
        if self.total > MOST:
            raise refused(node, key, f"what names stand for has more than {MOST} characters in all.")
        return self.known[name]


def from_environment(node: Node, key: str) -> Node:
    """The node with the environment's values in it and in its parts; a variable that may hold a secret is refused."""
    if isinstance(node.value, dict):
        parts = {name: from_environment(each, f"{key}.{name}") for name, each in node.value.items()}
        return Node(parts, node.file, node.line)
    if isinstance(node.value, list):
        return Node([from_environment(each, key) for each in node.value], node.file, node.line)
    if not isinstance(node.value, str) or "$" not in node.value:
        return node

    def value(match: re.Match[str]) -> str:
        if match["dollar"]:
            return "$"
        if match["other"]:
            raise refused(node, key, "a variable is written `${NAME}` or `${NAME:-default}` (`$$` is a `$`).")
        return _variable(node, key, match["name"], match["default"])

    return Node(ENVIRONMENT.sub(value, node.value), node.file, node.line)


def _variable(node: Node, key: str, name: str, default: str | None) -> str:
    try:
        value = open_variable(name)
    except ConfigError as error:
        raise refused(node, key, str(error)) from None
    # As in a shell, `:-` stands in for an empty variable too.
    if default is not None and not value:
        return default
    if value is None:
        raise refused(
            node, key, f"the variable `{name}` is not set. Set it, or write `${{{name}:-default}}`."
        )
    return value
