"""YAML with the line of everything in it, and nothing in it but text, numbers, true, false, null, lists and mappings.

Only what YAML 1.2 calls true and false is that (`on` and `no` are texts). No tag makes an object, a key stands once, and
what aliases repeat is counted, so that a small file stays small.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import yaml

from leadline.errors import FlowError

LARGEST = 256 * 1024
MOST_NODES = 20_000
DEPTH = 50
TAG = "tag:yaml.org,2002:"

HINTS = {
    "'\\t'": " Indent with spaces.",
    "mapping values": " Put arguments in braces or on lines of their own, and a text with `: ` in it in quotes.",
}
"""What to do, by what the library says."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands; of a mapping's value that is the line of its key. In one that is `literal`, `$` is
    nothing special: it was put in for a name. One that `stands_in` is there in place of a value that was not given."""

    value: "str | int | float | bool | list[Node] | dict[str, Node] | None"
    file: str = ""
    line: int = 1
    literal: bool = False
    stands_in: bool = False

    def plain(self) -> Any:
        """The value as plain JSON."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def of(self, value: Any) -> "Node":
        """A plain JSON value that stands where this one does, as it is."""
        if isinstance(value, dict):
            value = {key: self.of(each) for key, each in cast(dict[str, Any], value).items()}
        elif isinstance(value, list | tuple):
            value = [self.of(each) for each in cast(list[Any], value)]
        return Node(value, self.file, self.line, literal=True)

    def items(self) -> Iterator[tuple[str, "Node"]]:
        """The parts of a mapping; of anything else none."""
        return iter(self.value.items() if isinstance(self.value, dict) else ())

    def get(self, key: str) -> "Node | None":
        """The part of a mapping under a key."""
        return self.value.get(key) if isinstance(self.value, dict) else None


def read_yaml(text: str, file: str) -> Node:
    """The one document in a text; `FlowError` names `file` and line."""
    if len(text) > LARGEST:
        raise FlowError(
            f"{file}:1: the file has more than {LARGEST // 1024} KiB: rows belong into a source's file."
        )
    try:
        return _Composer(text, file).whole()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = error.problem or error.context or "this is no YAML"
        hint = next((told for part, told in HINTS.items() if part in said), "")
        raise FlowError(f"{file}:{mark.line + 1 if mark else 1}: {said}.{hint}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise FlowError(f"{file}:{line}: a character that YAML cannot hold.") from None
    except (ValueError, OverflowError):
        raise FlowError(f"{file}:1: an escape such as `\\U` names no character.") from None


class _Composer(yaml.SafeLoader):
    """Only its reading of nodes is used; it constructs nothing."""

    yaml_implicit_resolvers = {}

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.depth = 0
        self.count = 0
        super().__init__(text)

    def whole(self) -> Node:
        """The one document."""
        root = self.get_single_node()
        return Node(None, self.file, 1) if root is None else self.converted(root, 0)

    def refuse(self, node: yaml.Node, message: str) -> FlowError:
        """The error about a node."""
        return FlowError(f"{self.file}:{node.start_mark.line + 1}: {message}.")

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """As the library does, but not deeper than it can go."""
        self.depth += 1
        if self.depth > DEPTH:
            raise FlowError(f"{self.file}:{self.line + 1}: nested deeper than {DEPTH} levels.")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def converted(self, node: yaml.Node, depth: int, line: int | None = None) -> Node:
        """A node of ours for one of the library's."""
        self.count += 1
        if self.count > MOST_NODES:
            raise self.refuse(node, f"more than {MOST_NODES} values, those that aliases repeat among them")
        if depth > DEPTH:
            raise self.refuse(node, f"nested deeper than {DEPTH} levels")
        at: int = node.start_mark.line + 1 if line is None else line
        if isinstance(node, yaml.MappingNode):
            self.tagged(node, "map")
            return Node(self.mapping(node, depth), self.file, at)
        if isinstance(node, yaml.SequenceNode):
            self.tagged(node, "seq")
            return Node([self.converted(each, depth + 1) for each in node.value], self.file, at)
        return Node(self.scalar(cast(yaml.ScalarNode, node)), self.file, at)

    def tagged(self, node: yaml.Node, kind: str) -> None:
        """A list is a list: no tag makes it anything else."""
        if node.tag != TAG + kind:
            raise self.refuse(node, f"a tag such as `{_shown(node.tag)}` means nothing here")

    def mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Node]:
        """Keys are texts and stand once."""
        made: dict[str, Node] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag not in SCALARS:
                raise self.refuse(key, "a key must be text")
            name = self.sound(key)
            if name in made:
                raise self.refuse(key, f"the key `{_shown(name)}` stands here twice")
            made[name] = self.converted(value, depth + 1, key.start_mark.line + 1)
        return made

    def scalar(self, node: yaml.ScalarNode) -> str | int | float | bool | None:
        """Text, number, true, false or null."""
        kind = node.tag.removeprefix(TAG)
        text = self.sound(node)
        if node.tag not in SCALARS or (kind != "str" and not FORMS[kind].fullmatch(text)):
            raise self.refuse(node, f"a tag such as `{_shown(node.tag)}` means nothing here")
        match kind:
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int":
                return int(text)
            case "float":
                return self.finite(node, float(text))
            case _:
                return text

    def finite(self, node: yaml.Node, number: float) -> float:
        """A number that JSON can hold."""
        if not math.isfinite(number):
            raise self.refuse(node, "this number is too large")
        return number

    def sound(self, node: yaml.ScalarNode) -> str:
        """Its text, which can be written down again."""
        text: str = node.value
        if not text.isascii() and re.search("[\ud800-\udfff]", text):
            raise self.refuse(node, "half a character (a lone surrogate)")
        return text


FORMS = {
    "null": re.compile(r"~|null|Null|NULL|"),
    "bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    "int": re.compile(r"[-+]?[0-9]{1,300}"),
    "float": re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?"),
}
"""What is no text unless quoted, by its tag."""
SCALARS = {TAG + "str", *(TAG + kind for kind in FORMS)}

_resolver = cast(Any, _Composer).add_implicit_resolver
for _kind, _first in (
    ("null", ["~", "n", "N", ""]),
    ("bool", "tTfF"),
    ("int", "-+0123456789"),
    ("float", "-+.0123456789"),
):
    _resolver(TAG + _kind, re.compile(rf"(?:{FORMS[_kind].pattern})\Z"), list(_first))


def _shown(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text[:60])
