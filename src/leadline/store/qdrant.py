"""Rows in Qdrant: one of its collections for each of ours.

Dense vectors in an HNSW index. Keywords as sparse vectors: what a term is worth in a chunk is written, what it is worth
in the question is asked, and their product is BM25.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from qdrant_client import models

from leadline.embeddings.base import Vectors
from leadline.store.fields import Field
from leadline.store.qdrant_connection import MissingTable, QdrantConnection
from leadline.store.qdrant_filters import ORDER, among, condition, order_of
from leadline.store.served import ServedStore
from leadline.store.served_rows import Address, Column, Kept, Narrowing, Row, Words
from leadline.store.served_values import kept_values
from leadline.store.weighting import numbered, saturations
from leadline.types import IndexOptions

FOLDER = "rows"
READ = ["document", "generation", "body"]
WRITTEN = 200
"""Points of one call."""

READ_ROWS = 1_000

KINDS = {
    "text": models.PayloadSchemaType.KEYWORD,
    "texts": models.PayloadSchemaType.KEYWORD,
    "number": models.PayloadSchemaType.FLOAT,
    "truth": models.PayloadSchemaType.BOOL,
}


async def open_store(path: Path, *, read_only: bool = False, address: Address | None = None) -> ServedStore:
    """A store with its catalogue in `path`; without an address its rows are in a folder there."""
    given = address or Address()
    uri = given.uri or str(path / FOLDER)
    return ServedStore(path, QdrantRows(QdrantConnection(Address(uri, given.token))), read_only=read_only)


class QdrantRows:
    """`Rows` by qdrant-client."""

    most = 100_000

    def __init__(self, connection: QdrantConnection) -> None:
        self.connection = connection

    async def close(self) -> None:
        await self.connection.close()

    async def reach(self) -> str:
        listed = await self.connection.call(lambda client: client.get_collections().collections)
        return f"Qdrant at {self.connection.place}, {len(listed)} tables"

    async def notices(self) -> tuple[str, ...]:
        if not self.connection.is_open:
            return ()
        return (f"The key goes to {self.connection.place} unencrypted. Use an https address.",)

    async def create(self, table: str, dimension: int, index: IndexOptions) -> None:
        graph = models.HnswConfigDiff(m=index.m, ef_construct=index.ef_construction)
        dense = models.VectorParams(size=dimension or 1, distance=models.Distance.DOT, hnsw_config=graph)
        await self.connection.call(
            lambda client: client.create_collection(
                table,
                vectors_config={"dense": dense} if dimension else {},
                sparse_vectors_config={"words": models.SparseVectorParams()},
            )
        )
        await self._index(table, dict.fromkeys(("id", "document", "section"), KINDS["text"]))
        await self._index(table, {"generation": models.PayloadSchemaType.INTEGER})

    async def drop(self, table: str) -> None:
        await self.connection.call(lambda client: client.delete_collection(table))

    async def add_fields(self, table: str, fields: Sequence[Field]) -> None:
        await self._index(table, {field.column: KINDS[field.kind] for field in fields})
        texts = [field.column + ORDER for field in fields if field.kind == "text"]
        await self._index(table, dict.fromkeys(texts, KINDS["number"]))

    async def add(self, table: str, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), WRITTEN):
            points = [_point(row) for row in rows[start : start + WRITTEN]]
            await self.connection.call(
                lambda client, points=points: client.upsert(table, points=points, wait=True)
            )

    async def delete(self, table: str, documents: Sequence[str], generation: int) -> None:
        only = models.FieldCondition(key="generation", match=models.MatchValue(value=generation))
        chosen = models.FilterSelector(filter=models.Filter(must=[among("document", documents), only]))
        try:
            await self.connection.call(lambda client: client.delete(table, points_selector=chosen, wait=True))
        except MissingTable:
            return

    async def dense(self, table: str, vector: Vectors, k: int, narrowing: Narrowing, ef: int) -> list[Kept]:
        # The engine in a folder compares every vector.
        how = None if self.connection.is_folder else models.SearchParams(hnsw_ef=max(ef, k))
        return await self._search(table, "dense", vector.tolist(), k, narrowing, how)

    async def keyword(self, table: str, words: Words, k: int, narrowing: Narrowing) -> list[Kept]:
        return await self._search(table, "words", _sparse(words.idf), k, narrowing, None)

    async def among(
        self, table: str, column: Column, keys: Sequence[str], *, vectors: bool = False
    ) -> list[Kept]:
        wanted = models.Filter(must=[among(column, keys)])
        with_vectors: bool | list[str] = ["dense"] if vectors else False
        found: list[Kept] = []
        offset: Any = None
        while True:
            points, offset = await self.connection.call(
                lambda client, offset=offset: client.scroll(
                    table,
                    scroll_filter=wanted,
                    limit=READ_ROWS,
                    offset=offset,
                    with_payload=READ,
                    with_vectors=with_vectors,
                )
            )
            found += [_kept(point.payload, vector=point.vector) for point in points]
            if offset is None:
                return found

    async def tidy(self, table: str) -> None:
        """Qdrant does so by itself."""

    async def _index(self, table: str, kinds: Mapping[str, models.PayloadSchemaType]) -> None:
        if self.connection.is_folder:
            return
        for column, kind in kinds.items():
            await self.connection.call(
                lambda client, column=column, kind=kind: client.create_payload_index(table, column, kind)
            )

    async def _search(
        self,
        table: str,
        using: str,
        asked: Any,
        k: int,
        narrowing: Narrowing,
        how: models.SearchParams | None,
    ) -> list[Kept]:
        found = await self.connection.call(
            lambda client: client.query_points(
                table,
                query=asked,
                using=using,
                query_filter=condition(narrowing),
                search_params=how,
                limit=k,
                with_payload=READ,
            )
        )
        return [_kept(point.payload, point.score) for point in found.points]


def _point(row: Row) -> models.PointStruct:
    vector: dict[str, Any] = {}
    if row.vector is not None:
        vector["dense"] = row.vector.tolist()
    if row.terms:
        vector["words"] = _sparse(saturations(row.terms, row.length))
    payload: dict[str, Any] = {
        "id": row.id,
        "document": row.document,
        "section": row.section,
        "generation": row.generation,
        "body": row.body,
        **kept_values(row.values),
    }
    payload |= {name + ORDER: order_of(text) for name, text in row.values.items() if isinstance(text, str)}
    return models.PointStruct(id=row.key, vector=vector, payload=payload)


def _sparse(weights: Mapping[str, float]) -> models.SparseVector:
    """Terms by number; two that share one are added up."""
    found: dict[int, float] = defaultdict(float)
    for term, weight in weights.items():
        found[numbered(term)] += weight
    return models.SparseVector(indices=list(found), values=list(found.values()))


def _kept(payload: Mapping[str, Any] | None, score: float = 0.0, vector: Any = None) -> Kept:
    row = payload or {}
    dense = vector["dense"] if vector else None
    return Kept(
        row["document"],
        row["generation"],
        row["body"],
        score,
        None if dense is None else np.asarray(dense, dtype=np.float32),
    )
