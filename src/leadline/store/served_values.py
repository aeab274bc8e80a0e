"""Fields as a server keeps them beside a row, so small that no limit of any server is met.

A long text is cut and a long list left empty. What a filter then cannot decide on the server, it lets through.
"""

from collections.abc import Mapping, Sequence

from leadline.types import MetaValue

LONGEST = 200
"""Characters kept of a text."""

LONGEST_LIST = 2_000
"""Characters of all values of a list together; a longer list is not kept."""

LOWER = "l"
"""Added to a column's name: the same in lower case, "" where the whole is not kept."""

HAS = "has"
"""The columns a row has a value in, whole or not."""

SEPARATOR = "\x1f"
"""Stands between the values of a list while it is searched as one text."""

Value = str | float | bool | list[str]


def kept_values(values: Mapping[str, MetaValue]) -> dict[str, Value]:
    """What stands beside a row, by column."""
    kept: dict[str, Value] = {HAS: sorted(values)}
    for column, value in values.items():
        if isinstance(value, str):
            kept[column] = value[:LONGEST]
            kept[column + LOWER] = value.lower() if len(value) <= LONGEST else ""
        elif isinstance(value, bool | int | float):
            kept[column] = value if isinstance(value, bool) else float(value)
        else:
            joined = SEPARATOR.join(value)
            whole = len(joined) <= LONGEST_LIST and all(len(one) <= LONGEST for one in value)
            kept[column] = list(value) if whole else []
            kept[column + LOWER] = joined.lower() if whole else ""
    return kept


def whole(value: str) -> bool:
    """Whether a text is told apart from every other one by what is kept."""
    return len(value) < LONGEST


def all_whole(values: Sequence[str | int | float | bool]) -> bool:
    return all(whole(one) for one in values if isinstance(one, str))
