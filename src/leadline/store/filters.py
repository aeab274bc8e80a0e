"""Metadata filters: a small tree, parsed from text or built in Python.

    year >= 2023 and lang == "zh" and not source ~ "draft"
"""

from dataclasses import dataclass
from typing import Literal

Operator = Literal["==", "!=", "<", "<=", ">", ">=", "~", "^=", "in"]
FilterValue = str | int | float | bool | tuple[str | int | float | bool, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """`field operator value`. `~` is "contains", `^=` is "starts with", `in` takes a tuple."""

    field: str
    operator: Operator
    value: FilterValue


@dataclass(frozen=True, slots=True)
class And:
    """All of `parts`."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of `parts`."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Not `part`."""

    part: "Filter"


Filter = Compare | And | Or | Not
