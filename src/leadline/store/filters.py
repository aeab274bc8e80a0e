"""Metadata filters: a small tree, parsed from text or built in Python, and what it means.

    year >= 2023 and lang == "zh" and not source ~ "draft"

`matches` is the reference: every store's translation gives the same answer for every metadata.
"""

from leadline.store.filter_text import filter_text, parse_filter
from leadline.store.filter_tree import And, Compare, Filter, FilterValue, Not, Operator, Or, number
from leadline.types import Metadata, MetaValue

__all__ = [
    "And",
    "Compare",
    "Filter",
    "FilterValue",
    "Not",
    "Operator",
    "Or",
    "filter_text",
    "matches",
    "parse_filter",
]


def matches(where: Filter, metadata: Metadata) -> bool:
    """Whether `metadata` passes the filter.

    A field that is missing or of another type than the value passes no comparison, so it passes `!=`.
    Of a field with several values any may pass. `~` ignores case; text compares by code point, numbers
    by value whatever their type, and true and false are no numbers.
    """
    match where:
        case And(parts):
            return all(matches(part, metadata) for part in parts)
        case Or(parts):
            return any(matches(part, metadata) for part in parts)
        case Not(part):
            return not matches(part, metadata)
        case Compare(field, "!=", value):
            return not matches(Compare(field, "==", value), metadata)
        case Compare(field, "in", value):
            values = value if isinstance(value, tuple) else (value,)
            return any(matches(Compare(field, "==", one), metadata) for one in values)
        case Compare(field, operator, value):
            held = metadata.get(field)
            if held is None or isinstance(value, tuple):
                return False
            return any(
                _passes(one, operator, value) for one in (held if isinstance(held, tuple) else (held,))
            )


def _passes(held: MetaValue, operator: Operator, value: str | int | float | bool) -> bool:
    if isinstance(held, str) and isinstance(value, str):
        return _text_passes(held, operator, value)
    if isinstance(held, bool) or isinstance(value, bool):
        return operator == "==" and isinstance(value, bool) and held is value
    if isinstance(held, int | float) and isinstance(value, int | float):
        return _number_passes(number(held), operator, number(value))
    return False


def _text_passes(held: str, operator: Operator, value: str) -> bool:
    match operator:
        case "~":
            return value.lower() in held.lower()
        case "^=":
            return held.startswith(value)
        case _:
            return _ordered(held == value, held < value, operator)


def _number_passes(held: float | None, operator: Operator, value: float | None) -> bool:
    if held is None or value is None or operator in {"~", "^="}:
        return False
    return _ordered(held == value, held < value, operator)


def _ordered(same: bool, less: bool, operator: Operator) -> bool:
    match operator:
        case "==":
            return same
        case "<":
            return less
        case "<=":
            return less or same
        case ">":
            return not (less or same)
        case ">=":
            return not less
        case _:
            return False
