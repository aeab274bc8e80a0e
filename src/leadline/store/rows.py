"""Chunks as rows of a Lance table, and back.

A row holds what is searched and filtered in columns of their own, and everything else of the chunk in
one JSON text: reading one column instead of fifteen is what makes fetching 200 rows cheap.
"""
# pyarrow ships no types
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from leadline.embeddings.base import Vectors
from leadline.store.base import Entry
from leadline.store.fields import Field, column_values, fields_of, metadata_from
from leadline.types import Chunk

READ = ["body"]
"""The columns a chunk is read from; terms are in there once more, as each column read costs a millisecond."""

_READ_JSON = json.JSONDecoder().raw_decode
"""`json.loads` less its search for blanks around the value, which takes as long as reading it."""

KINDS: dict[str, Any] = {
    "text": pa.string(),
    "number": pa.float64(),
    "truth": pa.bool_(),
    "texts": pa.list_(pa.string()),
}


def schema(dimension: int, fields: Sequence[Field] = ()) -> Any:
    """The columns of a table; without vectors there is no column for them."""
    columns = [pa.field(name, pa.string()) for name in ("id", "document", "section", "body", "terms")]
    if dimension:
        columns.append(pa.field("vector", pa.list_(pa.float32(), dimension)))
    return pa.schema([*columns, *field_columns(fields)])


def field_columns(fields: Sequence[Field]) -> list[Any]:
    return [pa.field(field.column, KINDS[field.kind]) for field in fields]


def table_of(entries: Sequence[Entry], dimension: int, fields: Sequence[Field]) -> Any:
    """All chunks of the entries as an Arrow table."""
    chunks = [chunk for entry in entries for chunk in entry.chunks]
    columns: list[Any] = [
        [chunk.id for chunk in chunks],
        [chunk.document_id for chunk in chunks],
        [chunk.section_id for chunk in chunks],
        [body_of(chunk) for chunk in chunks],
        [chunk.terms for chunk in chunks],
    ]
    if dimension:
        given = [entry.vectors for entry in entries if entry.vectors is not None and len(entry.chunks)]
        columns.append(
            pa.FixedSizeListArray.from_arrays(pa.array(unit(np.concatenate(given)).ravel()), dimension)
        )
    metadata = [fields_of(chunk) for chunk in chunks]
    columns += [column_values(field, metadata) for field in fields]
    wanted = schema(dimension, fields)
    arrays = [
        column if isinstance(column, pa.Array) else pa.array(column, type=field.type)
        for column, field in zip(columns, wanted, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=wanted)


def vectors_of(table: Any, dimension: int) -> Vectors:
    """The vectors (n, dimension) of the n rows of an Arrow table."""
    flat = table.column("vector").combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return flat.reshape(-1, dimension)


def unit(vectors: Vectors) -> Vectors:
    """Rows of length 1, so that the dot product is the cosine; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = np.divide(
        vectors, lengths, out=np.zeros_like(vectors, dtype=np.float32), where=lengths > 0
    )
    return scaled


def body_of(chunk: Chunk) -> str:
    """A chunk as JSON; `chunk_from` reads it back."""
    return json.dumps(
        (
            chunk.id,
            chunk.document_id,
            chunk.section_id,
            chunk.ordinal,
            chunk.start,
            chunk.end,
            chunk.text,
            chunk.source,
            chunk.title,
            chunk.heading_path,
            chunk.page,
            chunk.kind,
            chunk.context,
            dict(chunk.metadata),
            chunk.terms,
        ),
        ensure_ascii=False,
        separators=(",", ":"),
    )


def chunk_from(body: str) -> Chunk:
    row: list[Any] = _READ_JSON(body)[0]
    return Chunk(
        row[0],
        row[1],
        row[2],
        row[3],
        row[4],
        row[5],
        row[6],
        row[7],
        row[8],
        tuple(row[9]),
        row[10],
        row[11],
        row[12],
        row[14],
        metadata_from(row[13]),
    )


def chunks_from(table: Any) -> list[Chunk]:
    """The chunks of an Arrow table with the columns of `READ`."""
    bodies: list[str] = table.column("body").to_pylist()
    return [chunk_from(body) for body in bodies]
