"""The tree of a metadata filter, parsed from text or built in Python."""

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


def number(value: float) -> float | None:
    """A number as stores compare it, in double precision; None when it has no finite value there."""
    try:
        as_float = float(value)
    except OverflowError:
        return None
    return as_float if abs(as_float) != float("inf") and as_float == as_float else None
