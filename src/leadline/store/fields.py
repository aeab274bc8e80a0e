"""Metadata as typed columns: which column a field of which kind of value lives in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Literal, cast

from leadline.store.filter_tree import number
from leadline.types import Chunk, Collection, IndexOptions, Metadata, MetaValue

INDEX = "@index"
"""The key under which the options of a vector index stand in a collection's metadata."""

Kind = Literal["text", "number", "truth", "texts"]


@dataclass(frozen=True, slots=True)
class Field:
    """Values of one `kind` under the name `name`; `column` is a made-up name that is safe in SQL.

    One name may have values of several kinds, each in a column of its own.
    """

    name: str
    kind: Kind
    column: str


def fields_of(chunk: Chunk) -> Metadata:
    """What filters see of a chunk: its metadata, over its source, title and kind of block, and `lang` for short."""
    language = chunk.metadata.get("language")
    short: Metadata = {} if language is None else {"lang": language}
    return {"source": chunk.source, "title": chunk.title, "kind": chunk.kind, **short, **chunk.metadata}


def kind_of(value: MetaValue) -> Kind | None:
    """The kind of column for a value; None for one that no comparison can meet."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, tuple):
        return "texts" if value else None
    return "number" if number(value) is not None else None


def missing_fields(known: Sequence[Field], metadata: Sequence[Metadata]) -> list[Field]:
    """The columns that must be added before chunks with these metadata can be stored."""
    have = {(field.name, field.kind) for field in known}
    wanted: dict[tuple[str, Kind], None] = dict.fromkeys(
        (name, kind)
        for one in metadata
        for name, value in one.items()
        if (kind := kind_of(value)) is not None and (name, kind) not in have
    )
    first = 1 + max((int(field.column[1:]) for field in known), default=0)
    return [Field(name, kind, f"f{first + index:04}") for index, (name, kind) in enumerate(wanted)]


def column_values(field: Field, metadata: Sequence[Metadata]) -> list[Any]:
    """The column's values, None where a row has no value of the field's kind."""
    return [_column_value(field.kind, one.get(field.name)) for one in metadata]


def _column_value(kind: Kind, value: MetaValue | None) -> Any:
    if value is None or kind_of(value) != kind:
        return None
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, str | bool) else number(value)


def metadata_text(metadata: Metadata) -> str:
    """Metadata as JSON; `metadata_from` reads it back."""
    return json.dumps(dict(metadata), ensure_ascii=False, separators=(",", ":"))


def metadata_from(read: Mapping[str, Any]) -> dict[str, MetaValue]:
    return {name: _value_from(value) for name, value in read.items()}


def collection_text(collection: Collection) -> str:
    """A collection's metadata as JSON, with the options of its vector index where they are not the usual ones."""
    if collection.index == IndexOptions():
        return metadata_text(collection.metadata)
    return metadata_text({**collection.metadata, INDEX: tuple(map(str, astuple(collection.index)))})


def collection_from(read: Mapping[str, Any]) -> tuple[dict[str, MetaValue], IndexOptions]:
    """What `collection_text` put together."""
    metadata = metadata_from(read)
    kept = metadata.pop(INDEX, ())
    return metadata, IndexOptions(*map(int, kept)) if isinstance(kept, tuple) else IndexOptions()


def _value_from(value: Any) -> MetaValue:
    return tuple(cast(list[str], value)) if isinstance(value, list) else value
