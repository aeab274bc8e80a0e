"""A JSON schema with an end to everything: a small model held to an open string writes it to its token limit."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

STRING = 400
"""Most characters of a string that the schema leaves open."""
LONGEST = 1_000
"""Most characters of any string: a grammar for more than that is slow to follow."""
ITEMS = 20
"""Most items of a list that the schema leaves open."""


def bounded(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, every string and list in it bounded, and no key allowed that it does not name.

    >>> bounded({"type": "array", "items": {"type": "string"}})
    {'type': 'array', 'items': {'type': 'string', 'maxLength': 400}, 'maxItems': 20}
    """
    found = {key: _inner(value) for key, value in schema.items()}
    kind: Any = schema.get("type")
    kinds = cast(list[Any], kind) if isinstance(kind, list) else [kind]
    if "string" in kinds and "enum" not in schema:
        found["maxLength"] = min(int(schema.get("maxLength", STRING)), LONGEST)
    if "array" in kinds:
        found.setdefault("maxItems", ITEMS)
    if "object" in kinds and "properties" in schema:
        found.setdefault("additionalProperties", False)
    return found


def _inner(value: object) -> object:
    if isinstance(value, Mapping):
        return bounded(cast(Mapping[str, Any], value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_inner(each) for each in cast(Sequence[object], value)]
    return value
