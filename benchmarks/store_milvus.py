"""The same chunks and searches in milvus-lite, by raw pymilvus."""
# pymilvus is partly typed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pymilvus import AnnSearchRequest, DataType, Function, FunctionType, MilvusClient, RRFRanker

from benchmarks.store_times import NAME, Times, measured, say
from benchmarks.synthetic import BATCH, DIMENSION, SINCE, Corpus, Question


def milvus_at(path: Path) -> MilvusClient:
    return MilvusClient(str(path))


def fill_milvus(client: MilvusClient, corpus: Corpus) -> float:
    began = time.monotonic()
    schema = client.create_schema(auto_id=False)
    schema.add_field("id", DataType.VARCHAR, max_length=32, is_primary=True)
    schema.add_field("body", DataType.VARCHAR, max_length=20_000)
    analyzer = {"tokenizer": "standard"}
    schema.add_field(
        "terms", DataType.VARCHAR, max_length=20_000, enable_analyzer=True, analyzer_params=analyzer
    )
    schema.add_field("year", DataType.INT64)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=DIMENSION)
    schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
    schema.add_function(
        Function("bm25", FunctionType.BM25, input_field_names=["terms"], output_field_names=["sparse"])
    )
    indexes = client.prepare_index_params()
    indexes.add_index("vector", index_type="HNSW", metric_type="IP", params={"M": 16, "efConstruction": 200})
    indexes.add_index("sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
    client.create_collection(NAME, schema=schema, index_params=indexes)
    step = 1000
    for start in range(0, corpus.size, BATCH):
        chunks = corpus.chunks(start, min(start + BATCH, corpus.size))
        rows: list[dict[str, Any]] = [
            {
                "id": chunk.id,
                "body": chunk.text,
                "terms": chunk.terms,
                "year": chunk.metadata["year"],
                "vector": corpus.vectors[start + at],
            }
            for at, chunk in enumerate(chunks)
        ]
        for first in range(0, len(rows), step):
            client.insert(NAME, rows[first : first + step])
        say(f"milvus-lite: {start + BATCH} of {corpus.size} chunks")
    client.flush(NAME)
    client.load_collection(NAME)
    return time.monotonic() - began


async def measure_milvus(client: MilvusClient, questions: Sequence[Question], pool: int) -> Times:
    """Raw pymilvus, called as it is: blocking, nothing around it."""
    output = ["body", "terms"]
    near = {"metric_type": "IP", "params": {"ef": max(128, pool + pool // 2)}}
    words = {"metric_type": "BM25", "params": {}}
    recent_only = f"year >= {SINCE}"

    async def dense(question: Question) -> list[str]:
        found = client.search(
            NAME, [question.vector], anns_field="vector", limit=pool, output_fields=output, search_params=near
        )
        return [str(one["id"]) for one in found[0]]

    async def keyword(question: Question) -> list[str]:
        text = " ".join(question.terms)
        found = client.search(
            NAME, [text], anns_field="sparse", limit=pool, output_fields=output, search_params=words
        )
        return [str(one["id"]) for one in found[0]]

    async def hybrid(question: Question, recent: bool) -> list[str]:
        expression = recent_only if recent else ""
        requests = [
            AnnSearchRequest([question.vector], "vector", near, pool, expr=expression),
            AnnSearchRequest([" ".join(question.terms)], "sparse", words, pool, expr=expression),
        ]
        found = client.hybrid_search(NAME, requests, RRFRanker(60), limit=pool, output_fields=output)
        return [str(one["id"]) for one in found[0]]

    return await measured(questions, dense, keyword, hybrid)
