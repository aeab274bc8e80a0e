"""What a table in Milvus looks like, and a row on its way there and back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from pymilvus import CollectionSchema, DataType, Function, FunctionType, MilvusClient

from leadline.errors import StoreError
from leadline.store.served_rows import Kept, Row
from leadline.store.served_values import kept_values
from leadline.store.weighting import K1, B, coded
from leadline.types import IndexOptions

KEY_LENGTH = 512
TEXT_LENGTH = 65_535
"""Bytes that Milvus keeps of a text."""

PIECE = 16_000
"""Characters of a body in one column; four bytes each still fit."""

BODY = tuple(f"body{number}" for number in range(8))
READ = ["document", "generation", *BODY]

MOST_WORDS = 4_096
"""Different words of a chunk where the server has no BM25."""

WRITTEN_ROWS, WRITTEN_BYTES = 500, 8 << 20
"""Of one call; servers refuse larger ones."""


def schema_of(dimension: int, ranked: bool) -> CollectionSchema:
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=True)
    schema.add_field("key", DataType.VARCHAR, max_length=32, is_primary=True)
    for name in ("id", "document", "section"):
        schema.add_field(name, DataType.VARCHAR, max_length=KEY_LENGTH)
    schema.add_field("generation", DataType.INT64)
    for name in BODY:
        schema.add_field(name, DataType.VARCHAR, max_length=TEXT_LENGTH)
    if ranked:
        schema.add_field(
            "terms",
            DataType.VARCHAR,
            max_length=TEXT_LENGTH,
            enable_analyzer=True,
            analyzer_params={"tokenizer": "standard"},
        )
        schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
        schema.add_function(
            Function("bm25", FunctionType.BM25, input_field_names=["terms"], output_field_names=["sparse"])
        )
    else:
        schema.add_field(
            "words", DataType.ARRAY, element_type=DataType.VARCHAR, max_length=64, max_capacity=MOST_WORDS
        )
    if dimension or not ranked:
        # Before 2.5 there is no table without vectors.
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension or 2)
    return schema


def indexes_of(dimension: int, ranked: bool, options: IndexOptions, lookups: str) -> Any:
    """`lookups` is the kind of index by which a server finds keys; a file needs none."""
    indexes = MilvusClient.prepare_index_params()
    if ranked:
        words = {"bm25_k1": K1, "bm25_b": B}
        indexes.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25", params=words)
    if dimension or not ranked:
        graph = {"M": options.m, "efConstruction": options.ef_construction}
        indexes.add_index("vector", index_type="HNSW", metric_type="IP", params=graph)
    for column in ("id", "document", "section") if lookups else ():
        indexes.add_index(column, index_type=lookups)
    return indexes


def row_of(row: Row, ranked: bool, spare: Sequence[float] | None) -> dict[str, Any]:
    """A row as it is sent; `spare` stands for a vector where a table must have one."""
    pieces = [row.body[start : start + PIECE] for start in range(0, len(row.body), PIECE)]
    if len(pieces) > len(BODY):
        raise _too_long(row, f"{len(row.body):,} characters in all, and Milvus takes {PIECE * len(BODY):,}")
    sent: dict[str, Any] = {
        "key": row.key,
        "id": row.id,
        "document": row.document,
        "section": row.section,
        "generation": row.generation,
        **dict.fromkeys(BODY, ""),
        **dict(zip(BODY, pieces, strict=False)),
        **kept_values(row.values),
    }
    words = [coded(term) for term in row.terms.split()]
    if ranked:
        sent["terms"] = " ".join(words)
        if len(sent["terms"]) > TEXT_LENGTH:
            raise _too_long(row, f"{len(sent['terms']):,} bytes of words, and Milvus takes {TEXT_LENGTH:,}")
    else:
        sent["words"] = sorted(set(words))
        if len(sent["words"]) > MOST_WORDS:
            raise _too_long(row, f"{len(sent['words']):,} different words, and Milvus takes {MOST_WORDS:,}")
    if row.vector is not None:
        sent["vector"] = row.vector
    elif spare is not None:
        sent["vector"] = spare
    return sent


def _too_long(row: Row, reason: str) -> StoreError:
    return StoreError(
        f"A passage of document {row.document} has {reason}. Set a smaller `load.chunk_size` and load again."
    )


def packets(rows: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Rows in calls of bounded size."""
    some: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        weight = 4 * sum(len(row[name]) for name in BODY) + 10_000
        if some and (len(some) == WRITTEN_ROWS or size + weight > WRITTEN_BYTES):
            yield some
            some, size = [], 0
        some.append(row)
        size += weight
    if some:
        yield some


def kept_of(row: Mapping[str, Any], score: float = 0.0) -> Kept:
    vector = row.get("vector")
    return Kept(
        row["document"],
        row["generation"],
        "".join(row[name] for name in BODY),
        score,
        None if vector is None else np.asarray(vector, dtype=np.float32),
    )
