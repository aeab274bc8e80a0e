"""What the catalogue says of its parts, read from their classes: fields are arguments, docstrings the help.

A docstring begins with one line of summary; a line `argument: meaning` says what an argument is; what is indented below
`Example:` stands in a flow file.
"""

import ast
import inspect
import json
import re
import textwrap
from dataclasses import MISSING, dataclass, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast, get_type_hints

from leadline.errors import ConfigError
from leadline.flow.files import catalogue
from leadline.flow.files.building import BESIDE, arguments
from leadline.flow.files.catalogue import Kind
from leadline.flow.files.converting import is_needed, wanted
from leadline.flow.files.declaring import Argument, declared
from leadline.flow.files.inheriting import read_tree
from leadline.flow.files.problems import Problems
from leadline.flow.files.shipped import located

KINDS: tuple[Kind, ...] = ("source", "step", "aggregate", "sink")
MEANING = re.compile(r"^(\w+?)_?: (.+)$")
PLAIN = (str, int, float, bool, list, dict, type(None))
EXAMPLE = re.compile(r"^Example:\n(.*)\Z", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ArgumentHelp:
    """One argument: what it may be, what it is by itself ("": it must be given), what it means."""

    name: str
    type: str
    default: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Help:
    """What is told of a step, a source, a sink or an aggregate. `beside` stands beside its name in a flow file."""

    kind: Kind
    name: str
    summary: str
    text: str = ""
    arguments: tuple[ArgumentHelp, ...] = ()
    beside: tuple[str, ...] = ()
    example: str = ""

    @property
    def signature(self) -> str:
        """Its name with its arguments, those that may be left out with what they are then."""
        written = (f"{each.name}: {each.default}" if each.default else each.name for each in self.arguments)
        return f"{self.name}: {{{', '.join(written)}}}" if self.arguments else self.name


@dataclass(frozen=True, slots=True)
class FlowHelp:
    """What a flow file says of itself, its bases included."""

    name: str
    file: str
    summary: str
    arguments: tuple[ArgumentHelp, ...]


def flow_described(named: str) -> FlowHelp:
    """What a flow is for and what it can be given; it is named by its file, or by its name if it is shipped."""
    file = located(named)
    tree, problems = read_tree(file), Problems()
    given = declared(tree.get("arguments"), problems).values()
    problems.raise_errors()
    said = tree.get("description")
    told = tuple(ArgumentHelp(each.name, _allowed(each), _otherwise(each), each.help) for each in given)
    return FlowHelp(named, str(file), "" if said is None else str(said.plain()), told)


def _allowed(argument: Argument) -> str:
    bounds = [(argument.least, "at least"), (argument.most, "at most")]
    parts = [argument.type, *(f"{word} {bound:g}" for bound, word in bounds if bound is not None)]
    if argument.choices:
        parts.append(f"one of {', '.join(map(str, argument.choices))}")
    return ", ".join(parts)


def _otherwise(argument: Argument) -> str:
    if argument.default is None:
        return ""
    return json.dumps(argument.default.plain(), ensure_ascii=False, default=str)


def described(kind: Kind, name: str) -> Help:
    """Everything about one; of what needs a library that is not here, what to install."""
    try:
        cls = catalogue.found(kind, name)
    except ConfigError as error:
        summary, text, example = _told(_unread(kind, name))
        return Help(kind, name, f"{summary} {error}".strip(), text.strip(), example=example)
    summary, rest, example = _told(inspect.getdoc(cls) or "")
    known = arguments(cls)
    text, meanings = _parted(rest, set(known))
    for base in cls.__mro__[1:]:
        meanings = _parted(inspect.cleandoc(base.__doc__ or ""), set(known))[1] | meanings
    hints = get_type_hints(cls)
    told = tuple(
        ArgumentHelp(each, wanted([hints[field.name]]), _default(field), meanings.get(each, ""))
        for each, field in known.items()
    )
    own = {each.name for each in fields(cls)}
    beside = tuple(word for word in BESIDE if word in own or (word == "name" and "label" in own))
    return Help(kind, name, summary, text, told, beside, example)


def named(name: str) -> list[Help]:
    """Everything of that name: `csv` is a source and a sink."""
    return [described(kind, name) for kind in KINDS if name in catalogue.names(kind)]


def everything() -> list[Help]:
    """The whole catalogue."""
    return [described(kind, name) for kind in KINDS for name in catalogue.names(kind)]


def _told(doc: str) -> tuple[str, str, str]:
    """The summary of a docstring, what follows it, and the example."""
    found = EXAMPLE.search(doc)
    example = textwrap.dedent(found[1]).strip() if found else ""
    summary, _, rest = (doc[: found.start()] if found else doc).strip().partition("\n")
    return summary, rest, example


def _unread(kind: Kind, name: str) -> str:
    """The docstring of a class whose module cannot be imported for want of a library; "" of a plugin's."""
    module, _, own = catalogue.TABLES[kind].get(name, "").partition(":")
    spec = find_spec(module) if module else None
    if spec is None or spec.origin is None:
        return ""
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    classes = (each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == own)
    return next((ast.get_docstring(each) or "" for each in classes), "")


def _parted(text: str, known: set[str]) -> tuple[str, dict[str, str]]:
    """The paragraphs of a docstring, and what it says of each argument."""
    paragraphs: list[str] = []
    meanings: dict[str, str] = {}
    current = ""
    for line in text.splitlines():
        match = MEANING.match(line)
        if match and match[1] in known:
            current = match[1]
            meanings[current] = match[2].strip()
        elif current and line.startswith("  "):
            meanings[current] += f" {line.strip()}"
        else:
            current = ""
            paragraphs.append(line)
    return "\n".join(paragraphs).strip(), meanings


def _default(argument: Any) -> str:
    if is_needed(argument):
        return ""
    value = argument.default if argument.default is not MISSING else argument.default_factory()
    if isinstance(value, tuple):
        value = [*cast(tuple[Any, ...], value)]
    # An operator is a list of steps, and by itself an empty one.
    return json.dumps(value if isinstance(value, PLAIN) else [], ensure_ascii=False)
