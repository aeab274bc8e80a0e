"""Dense and keyword recall in parallel, rescored alike, fused by what the embedder is good for.

query -> terms, vector -> dense | keyword (pool each) -> one keyword score for all -> fusion -> hits
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from leadline.analysis.scripts import script
from leadline.analysis.terms import analyse
from leadline.embeddings.base import Embedder
from leadline.retrieval.base import Context, Results, TermWeights
from leadline.retrieval.diversity import without_duplicates
from leadline.retrieval.fusion import normalised, reciprocal_rank
from leadline.retrieval.scoring import bm25, idf, saturations
from leadline.run import Run
from leadline.store.base import Scored, Statistics, Store
from leadline.store.filters import Filter
from leadline.types import Chunk, Document, Found, Hit, Query, Section

Path = Literal["dense", "keyword"]


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """`pool` candidates come from each path and collection; `dense_weight` overrides the embedder's own."""

    pool: int = 200
    fusion: Literal["score", "rrf"] = "score"
    paths: frozenset[Path] = frozenset({"dense", "keyword"})
    dense_weight: float | None = None
    where: Filter | None = None


@dataclass(frozen=True, slots=True)
class HybridRetriever:
    """Searches collections of one store; their scores are compared as if they were one collection.

    A widened query looks into the collections of `wider` too.
    """

    store: Store
    collections: tuple[str, ...]
    embedder: Embedder | None = None
    options: RetrievalOptions = RetrievalOptions()
    wider: tuple[str, ...] = ()

    async def search(self, query: Query, k: int, run: Run) -> Results:
        """At most `k` hits for one query, best first, near-duplicates folded away. Counts as one search."""
        run.check()
        run.search_spent()
        terms = list(dict.fromkeys(analyse(query.text)))
        names = self.collections + (self.wider if query.kind == "widened" else ())
        pool = self.options.pool if query.kind != "gap" else max(k, self.options.pool // 3)
        dense_weight = self._dense_weight(query.text, bool(terms))
        dense, keyword, weights = await asyncio.gather(
            self._dense(names, query.text, pool) if dense_weight else _nothing(),
            self._keyword(names, terms, pool),
            self._weigh(names, terms),
        )
        chunks = {scored.chunk.id: scored.chunk for scored in [*keyword, *dense]}
        words: dict[str, float] = {}
        if "keyword" in self.options.paths:
            words = {key: bm25(saturations(c, terms, weights.length), weights) for key, c in chunks.items()}
            words = {key: score for key, score in words.items() if score > 0}
        cosines = {scored.chunk.id: scored.score for scored in dense}
        fused = self._fuse(words, cosines, dense_weight)
        best = sorted(fused, key=lambda key: (-fused[key], key))
        found = _provenance(query, {"keyword": words, "dense": cosines})
        hits = [Hit(chunks[key], fused[key], found[key]) for key in best]
        kept = without_duplicates(hits, k)
        return Results(tuple(kept), (("dense", len(dense)), ("keyword", len(keyword))))

    async def weights(self, texts: Sequence[str], chunks: Sequence[Chunk] = ()) -> TermWeights:
        """Weights of the analysed terms of all `texts` and `chunks`, over all collections searched."""
        found = [term for text in texts for term in analyse(text)]
        found += [term for chunk in chunks for term in chunk.terms.split(" ") if term]
        return await self._weigh(self.collections, list(dict.fromkeys(found)))

    async def context(self, chunks: Sequence[Chunk]) -> Context:
        """The documents and sections of `chunks`, looked for in every collection searched."""
        documents: dict[str, Document] = {}
        sections: dict[str, Section] = {}
        for name in self.collections + self.wider:
            wanted = dict.fromkeys(c.document_id for c in chunks if c.document_id not in documents)
            for document in await asyncio.gather(*(self.store.document(name, key) for key in wanted)):
                if document is not None:
                    documents[document.id] = document
            section_ids = list(dict.fromkeys(c.section_id for c in chunks if c.section_id not in sections))
            sections |= {section.id: section for section in await self.store.sections(name, section_ids)}
        return Context(documents, sections)

    def _dense_weight(self, text: str, has_terms: bool) -> float:
        if self.embedder is None or "dense" not in self.options.paths:
            return 0.0
        if "keyword" not in self.options.paths or not has_terms:
            return 1.0
        if self.options.dense_weight is not None:
            return self.options.dense_weight
        return self.embedder.strength.weight(script(text))

    async def _weigh(self, names: Sequence[str], terms: list[str]) -> TermWeights:
        parts = await asyncio.gather(*(self.store.statistics(name, terms) for name in names))
        return _weights(terms, parts)

    async def _dense(self, names: Sequence[str], text: str, pool: int) -> list[Scored]:
        assert self.embedder is not None
        vectors = await asyncio.to_thread(self.embedder.embed_queries, [text])
        if not vectors[0].any():
            return []
        options = self.options
        found = await asyncio.gather(
            *(self.store.dense(name, vectors[0], pool, options.where) for name in names)
        )
        return sorted((s for part in found for s in part), key=lambda s: -s.score)

    async def _keyword(self, names: Sequence[str], terms: list[str], pool: int) -> list[Scored]:
        if not terms or "keyword" not in self.options.paths:
            return []
        options = self.options
        found = await asyncio.gather(
            *(self.store.keyword(name, terms, pool, options.where) for name in names)
        )
        return [s for part in found for s in part]

    def _fuse(self, words: dict[str, float], cosines: dict[str, float], weight: float) -> dict[str, float]:
        if self.options.fusion == "score":
            return normalised(words, cosines, weight)
        rankings = [sorted(scores, key=lambda key: (-scores[key], key)) for scores in (words, cosines)]
        return reciprocal_rank(rankings, [1 - weight, weight] if words else [0.0, 1.0])


async def _nothing() -> list[Scored]:
    return []


def _weights(terms: Sequence[str], parts: Sequence[Statistics]) -> TermWeights:
    chunks = sum(part.chunks for part in parts)
    length = sum(part.length * part.chunks for part in parts) / max(chunks, 1)
    frequency = {term: sum(part.frequency.get(term, 0) for part in parts) for term in terms}
    return TermWeights(
        idf={term: idf(count, chunks) for term, count in frequency.items() if count},
        unknown=frozenset(term for term, count in frequency.items() if not count),
        length=length,
        chunks=chunks,
    )


def _provenance(query: Query, scores: dict[str, dict[str, float]]) -> dict[str, tuple[Found, ...]]:
    found: dict[str, tuple[Found, ...]] = {}
    for path, values in scores.items():
        ranked = sorted(values, key=lambda key: (-values[key], key))
        for rank, key in enumerate(ranked, start=1):
            found[key] = (
                *found.get(key, ()),
                Found(path, rank, values[key], query.text, query.round),
            )
    return found
