"""JSON schemas as a flow file writes them: what may stand in one, and whether a value follows it.

type, enum, properties, required, additionalProperties, items and the bounds of texts, numbers and lists; nothing else, so
that what is written is what is checked.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from leadline.llm.json_text import Unreadable

Json = Mapping[str, Any]

DEEPEST = 10
LONGEST_TEXT = 2_000
"""Characters of a text that says no bound: without one a small model runs on to its token limit."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_WORDS = frozenset({"type", "title", "description", "enum"})
_OF_TYPE: Mapping[str, frozenset[str]] = {
    "object": frozenset({"properties", "required", "additionalProperties"}),
    "array": frozenset({"items", "minItems", "maxItems"}),
    "string": frozenset({"minLength", "maxLength"}),
    "integer": frozenset({"minimum", "maximum"}),
    "number": frozenset({"minimum", "maximum"}),
    "boolean": frozenset(),
    "null": frozenset(),
}


def usable(schema: Json, place: str = "schema", depth: int = 0) -> Json:
    """The schema with a bound for every text; ValueError says what in it cannot be used."""
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise ValueError(f"{place}.type must be one of {', '.join(_TYPES)}")
    if depth > DEEPEST:
        raise ValueError(f"{place} is nested too deep")
    strange = sorted(set(schema) - _WORDS - _OF_TYPE[kind])
    if strange:
        raise ValueError(f"{place}.{strange[0]:.40} is not known of a schema of type {kind}")
    _checked(schema, place)
    made = dict(schema)
    if kind == "string" and "enum" not in schema:
        made.setdefault("maxLength", LONGEST_TEXT)
    if kind == "array":
        made["items"] = _inner(schema.get("items"), f"{place}.items", depth)
    if kind == "object":
        properties = cast(Json, schema.get("properties", {}))
        inner = {
            name: _inner(one, f"{place}.properties.{name:.40}", depth) for name, one in properties.items()
        }
        unknown = sorted(set(_required(schema, inner)) - set(inner))
        if unknown:
            raise ValueError(f"{place}.required names `{unknown[0]:.40}`, which is no property")
        made |= {"properties": inner, "required": _required(schema, inner)}
        made.setdefault("additionalProperties", False)
    return made


def _required(schema: Json, properties: Json) -> list[str]:
    """All of them, unless it says which."""
    return [str(name) for name in cast(Sequence[object], schema.get("required", properties))]


def _inner(schema: object, place: str, depth: int) -> Json:
    if not isinstance(schema, dict):
        raise ValueError(f"{place} must be a schema")
    return usable(cast(Json, schema), place, depth + 1)


_WANTED: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "enum": (
        lambda value: isinstance(value, list) and len(cast(list[Any], value)) > 0,
        "a list with something in it",
    ),
    "properties": (lambda value: isinstance(value, dict), "a mapping"),
    "required": (
        lambda value: isinstance(value, list) and all(isinstance(one, str) for one in cast(list[Any], value)),
        "a list of names",
    ),
    "additionalProperties": (lambda value: isinstance(value, bool), "true or false"),
    **dict.fromkeys(
        ("minItems", "maxItems", "minLength", "maxLength"),
        (
            lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
            "a whole number",
        ),
    ),
    **dict.fromkeys(
        ("minimum", "maximum"),
        (lambda value: isinstance(value, int | float) and not isinstance(value, bool), "a number"),
    ),
}


def _checked(schema: Json, place: str) -> None:
    for name, (right, wanted) in _WANTED.items():
        if name in schema and not right(schema[name]):
            raise ValueError(f"{place}.{name} must be {wanted}")


def followed(value: object, schema: Json, place: str = "the reply") -> Any:
    """The value, if it follows the schema; `Unreadable` says where it does not, for whoever wrote it."""
    kind = schema["type"]
    right = isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        value, right = int(value), True
    if not right:
        raise Unreadable(f"{place} must be of type {kind}, not {json.dumps(value, ensure_ascii=False)[:60]}")
    if "enum" in schema and value not in schema["enum"]:
        known = ", ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"])
        raise Unreadable(f"{place} must be one of {known[:300]}")
    _bounded(value, schema, place)
    if isinstance(value, list):
        return [
            followed(one, schema["items"], f"{place}[{at}]")
            for at, one in enumerate(cast(list[object], value))
        ]
    if isinstance(value, dict):
        return _object(cast(dict[str, object], value), schema, place)
    return value


def _object(value: dict[str, object], schema: Json, place: str) -> dict[str, Any]:
    properties = cast(Json, schema["properties"])
    missing = [name for name in schema["required"] if name not in value]
    if missing:
        raise Unreadable(f"{place} lacks `{missing[0]}`")
    strange = [] if schema["additionalProperties"] else [name for name in value if name not in properties]
    if strange:
        raise Unreadable(f"{place} has `{strange[0]:.40}`, which was not asked for")
    return {
        name: followed(one, properties[name], f"{place}.{name}") if name in properties else one
        for name, one in value.items()
    }


def _bounded(value: object, schema: Json, place: str) -> None:
    if isinstance(value, str | list):
        size: float = len(cast(Sequence[object], value))
        least, most = ("minLength", "maxLength") if isinstance(value, str) else ("minItems", "maxItems")
    elif isinstance(value, int | float):
        size, least, most = value, "minimum", "maximum"
    else:
        return
    if size < schema.get(least, size):
        raise Unreadable(f"{place} is below its {least}, {schema[least]}")
    if size > schema.get(most, size):
        raise Unreadable(f"{place} is above its {most}, {schema[most]}")
