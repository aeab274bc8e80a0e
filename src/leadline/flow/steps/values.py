"""Queries, hits, verdicts and answers as plain JSON in rows, and back with nothing lost.

Rows come from files and other people's functions: what does not fit is refused with the place where it stands.
"""

from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from leadline.errors import UsageError
from leadline.flow.base import Row
from leadline.flow.expressions.comparing import found
from leadline.types import Hit, Query, QueryKind, Verdict

T = TypeVar("T")

Json = dict[str, Any]


@cache
def _codec(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def plain(value: object, kind: Any = None) -> Any:
    """A dataclass, or what `kind` says, as plain JSON values."""
    return _codec(kind or type(value)).dump_python(value, mode="json")


def made(kind: type[T], value: object, field: str) -> T:
    """What `plain` was given. `field` is where the value stands in its row, for the message; what it holds beside the
    fields of `kind` is left alone."""
    try:
        return cast(T, _codec(kind).validate_python(value))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
        raise UsageError(f"field `{field}{place}` cannot be read: {first['msg'].lower()}") from None


def value_at(row: Row, path: str) -> object:
    """The value at a path, as expressions read it. None where there is none."""
    return found(path.split("."))(row)


def text_at(row: Row, path: str) -> str:
    """A text that must be there."""
    value = value_at(row, path)
    if isinstance(value, str) and value.strip():
        return value
    given = "is not there" if value is None else "is empty" if value in ("", [], {}) else "is no text"
    raise UsageError(f"field `{path}` {given}: it must be a text")


def query_of(value: object, field: str, kind: QueryKind = "original", number: int = 1) -> Query:
    """A query as it stands in a row, or a text that is one of that kind and round."""
    if isinstance(value, str):
        if not value.strip():
            raise UsageError(f"field `{field}` is empty: it must be something to search for")
        return Query(value, kind, number)
    return made(Query, value, field)


def hit_plain(hit: Hit, **beside: object) -> Json:
    """A hit as one flat mapping: the fields of its chunk, how it was found, and what else is said of it."""
    told = cast(Json, plain(hit))
    return {**told.pop("chunk"), **told, **beside}


def hit_of(value: object, field: str) -> Hit:
    """What `hit_plain` was given."""
    told = cast(Json, value) if isinstance(value, dict) else {}
    return made(Hit, {**told, "chunk": told}, field)


def verdict_of(value: object, field: str) -> Verdict | None:
    """The verdict that a mapping of `hit_plain` holds, if any."""
    told = cast(Json, value).get("verdict") if isinstance(value, dict) else None
    return None if told is None else made(Verdict, told, f"{field}.verdict")


def list_at(row: Row, name: str) -> list[Any]:
    """A list that must be there."""
    value = row.get(name)
    if not isinstance(value, list):
        raise UsageError(
            f"field `{name}` {'is not there' if value is None else 'is no list'}: it must be a list"
        )
    return cast(list[Any], value)
