"""Which kinds of values a column holds: learned from all rows before the first is written, so that every one fits.

A column of whole numbers and fractions is one of fractions. One of a text here and a number there is text; so are
lists and mappings that a column's other values are not like.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from leadline.flow.base import Row
from leadline.flow.templates import as_text

KindName = Literal["null", "bool", "int", "float", "text", "list", "mapping", "mixed"]
"""`mixed`: values of several kinds, written as text."""

MOST_FIELDS = 100
"""A mapping of more fields is one whose keys are data: it is written as text. So is one of a name that cannot be written."""

DEEPEST = 20
LARGEST_INT = 2**63
EXACT_INT = 2**53
"""Whole numbers beyond this one have no place among fractions."""

_SCALARS: Mapping[type[Any], KindName] = {bool: "bool", int: "int", float: "float", str: "text"}


@dataclass(slots=True)
class ColumnKind:
    """The kind of a column, of the items of its lists, or of the fields of its mappings."""

    name: KindName = "null"
    item: "ColumnKind | None" = None
    fields: dict[str, "ColumnKind"] = field(default_factory=dict[str, "ColumnKind"])
    wide: bool = False
    """Whether it holds whole numbers beyond EXACT_INT."""

    @property
    def as_text(self) -> bool:
        """Whether its values are written as text; so is a mapping of no fields, for which there is no column."""
        return self.name in ("null", "text", "mixed") or (self.name == "mapping" and not self.fields)

    def learn(self, value: Any, depth: int = 0) -> None:
        """Take a further value into account."""
        if value is None or self.name == "mixed":
            return
        scalar = _SCALARS.get(cast(type[Any], type(value)))
        if scalar is not None:
            self._learn_scalar(scalar, value)
        elif depth >= DEEPEST:
            self.name = "mixed"
        elif isinstance(value, dict):
            self._learn_mapping(cast(Row, value), depth)
        else:
            self._learn_list(cast(list[Any], value), depth)

    def _learn_scalar(self, name: KindName, value: Any) -> None:
        if name == "int":
            self.wide = self.wide or not -EXACT_INT <= value <= EXACT_INT
            if not -LARGEST_INT <= value < LARGEST_INT:
                name = "mixed"
        if self.name in ("null", name):
            self.name = name
        elif {self.name, name} == {"int", "float"}:
            self.name = "float"
        else:
            self.name = "mixed"
        if self.name == "float" and self.wide:
            self.name = "mixed"

    def _learn_mapping(self, value: Row, depth: int) -> None:
        if self.name not in ("null", "mapping"):
            self.name = "mixed"
            return
        self.name = "mapping"
        for key, inner in value.items():
            self.fields.setdefault(key, ColumnKind()).learn(inner, depth + 1)
        if len(self.fields) > MOST_FIELDS or any(as_text(key) != key for key in value):
            self.name = "mixed"

    def _learn_list(self, value: list[Any], depth: int) -> None:
        if self.name not in ("null", "list"):
            self.name = "mixed"
            return
        self.name, self.item = "list", self.item or ColumnKind()
        for inner in value:
            self.item.learn(inner, depth + 1)


Columns = dict[str, ColumnKind]


def learn(columns: Columns, row: Row) -> None:
    """Take a further row into account; columns stand in the order in which they first appear."""
    for name, value in row.items():
        kind = columns.get(name)
        if kind is None:
            kind = columns[name] = ColumnKind()
        kind.learn(value)


def mixed(columns: Columns) -> list[str]:
    """The columns that hold, somewhere in them, values of several kinds.

    >>> columns: Columns = {}
    >>> for row in ({"a": 1, "b": {"c": 1}}, {"a": 2.5, "b": {"c": "x"}}, {"d": [True, "x"]}):
    ...     learn(columns, row)
    >>> mixed(columns)
    ['b', 'd']
    """
    return [name for name, kind in columns.items() if _mixed(kind)]


def chosen(columns: Columns, names: Sequence[str]) -> Columns:
    """The columns that are asked for, all of them by themselves; one that no row has holds nothing."""
    return {name: columns.get(name, ColumnKind()) for name in names} if names else columns


def titles(columns: Columns) -> dict[str, str]:
    """What each column is called in a file, each differently: a name with half a character pair in it cannot be written.

    >>> titles({"a": ColumnKind(), "\\ud800": ColumnKind(), "?": ColumnKind()})
    {'a': 'a', '\\ud800': '??', '?': '?'}
    """
    taken, made = set(columns), dict[str, str]()
    for name in columns:
        told = as_text(name)
        while told != name and told in taken:
            told += "?"
        taken.add(told)
        made[name] = told
    return made


def mixed_told(columns: Columns) -> list[str]:
    """What there is to tell of columns that become text for want of one kind."""
    listed = ", ".join(f"`{name}`" for name in mixed(columns))
    return [f"values of several kinds are written as text in {listed}."] if listed else []


def _mixed(kind: ColumnKind) -> bool:
    inner = (*kind.fields.values(), *((kind.item,) if kind.item else ()))
    return kind.name == "mixed" or any(map(_mixed, inner))


def fitted(value: Any, kind: ColumnKind) -> Any:
    """A value as its column takes it."""
    if value is None:
        return None
    if kind.as_text:
        return as_text(value)
    if kind.name == "float":
        return float(value)
    if kind.name == "list" and kind.item is not None:
        return [fitted(inner, kind.item) for inner in value]
    if kind.name == "mapping":
        given: Row = value
        return {key: fitted(given.get(key), inner) for key, inner in kind.fields.items()}
    return value
