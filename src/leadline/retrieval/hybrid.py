"""Dense and keyword recall in parallel, rescored alike, fused by what the embedder is good for; then linked recall.

query -> terms, vector -> dense | keyword (pool each) -> one keyword score for all -> fusion
      -> what the best hits lead to -> final order -> hits
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from leadline.analysis.phrases import keys_in
from leadline.analysis.scripts import script
from leadline.analysis.terms import analyse
from leadline.embeddings.base import Embedder
from leadline.retrieval.base import Context, Link, Results, TermWeights
from leadline.retrieval.diversity import without_duplicates
from leadline.retrieval.fusion import normalised, reciprocal_rank
from leadline.retrieval.linking import SEEDS, PhraseGraph
from leadline.retrieval.ordering import Placed, arranged
from leadline.retrieval.pooling import QUESTION_TITLE, shown
from leadline.retrieval.scoring import bm25, idf, saturations, shares
from leadline.run import Run
from leadline.store.base import Scored, Statistics, Store
from leadline.store.filters import Filter
from leadline.types import Chunk, Document, Found, Hit, Query, Section

Path = Literal["dense", "keyword", "linked"]


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """`pool` candidates come from each path and collection; `dense_weight` overrides the embedder's own.

    `titles`: a chunk whose title stands in the question gets a bonus. `coverage`: the first ten are chosen for
    what each adds to the coverage of the question.
    """

    pool: int = 200
    fusion: Literal["score", "rrf"] = "score"
    paths: frozenset[Path] = frozenset({"dense", "keyword", "linked"})
    titles: bool = True
    coverage: bool = True
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
        found = Candidates(terms, weights, "keyword" in self.options.paths)
        found.add(scored.chunk for scored in (*keyword, *dense))
        found.cosines = {scored.chunk.id: scored.score for scored in dense}
        linked, links = await self._linked(names, query, found, dense_weight)
        placed = arranged(linked, found.held, shares(terms, weights), links, cover=self.options.coverage)
        hits = self._hits(query, found, placed)
        kept = without_duplicates(hits, k)
        ids = {hit.chunk.id for hit in kept}
        counts = {"dense": len(dense), "keyword": len(keyword), "linked": len({link.child for link in links})}
        return Results(
            tuple(kept),
            tuple((path, count) for path, count in counts.items() if path in self.options.paths),
            links=tuple(link for link in links if link.parent in ids and link.child in ids),
            scores={one: linked[one] for one in ids},
        )

    async def _linked(
        self, names: Sequence[str], query: Query, found: "Candidates", weight: float
    ) -> tuple[dict[str, float], list[Link]]:
        """The candidates' scores, those that the best of them lead to included; and the links."""
        scores = found.fused(self.options.fusion, weight)
        if "linked" not in self.options.paths or query.kind == "gap":
            return _scaled(scores, {}), []
        graph = PhraseGraph(tuple(await asyncio.gather(*(self.store.phrases(name) for name in names))))
        asked = keys_in(query.text)
        named = graph.named(asked) if self.options.titles else {}
        seeds = _scaled(scores, named)
        links = graph.links(asked, dict(sorted(seeds.items(), key=lambda pair: (-pair[1], pair[0]))[:SEEDS]))
        missing = [
            one for one in dict.fromkeys([*named, *(link.child for link in links)]) if one not in found.chunks
        ]
        for name in names:
            found.add(await self.store.chunks(name, missing, self.options.where))
        return _scaled(found.fused(self.options.fusion, weight), named), links

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

    def _hits(self, query: Query, found: "Candidates", placed: Sequence[Placed]) -> list[Hit]:
        ways = _provenance(query, {"keyword": found.words, "dense": found.cosines})
        hits = {one.id: Hit(found.chunks[one.id], one.score, ways.get(one.id, ())) for one in placed}
        rank = 0
        result: list[Hit] = []
        for one in placed:
            hit = hits[one.id]
            if one.link is not None:
                rank += 1
                way = Found("linked", rank, one.link.strength, query.text, query.round)
                hit = shown(replace(hit, found=(*hit.found, way)), one, hits)
            if hit.found:
                result.append(hit)
        return result


@dataclass(slots=True)
class Candidates:
    """The chunks that may be hits, with what decides it: the question's terms they hold, and their cosines."""

    terms: list[str]
    weights: TermWeights
    by_words: bool
    chunks: dict[str, Chunk] = field(default_factory=dict[str, Chunk])
    held: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    words: dict[str, float] = field(default_factory=dict[str, float])
    cosines: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, chunks: Iterable[Chunk]) -> None:
        """Take in chunks, with one keyword score for all, whatever found them."""
        for chunk in chunks:
            if chunk.id not in self.chunks:
                self.chunks[chunk.id] = chunk
                held = self.held[chunk.id] = saturations(chunk, self.terms, self.weights.length)
                if self.by_words and (score := bm25(held, self.weights)) > 0:
                    self.words[chunk.id] = score

    def fused(self, fusion: Literal["score", "rrf"], weight: float) -> dict[str, float]:
        """One score for each chunk; `weight` is the dense share."""
        if fusion == "score":
            scores = normalised(self.words, self.cosines, weight)
        else:
            rankings = [
                sorted(values, key=lambda key: (-values[key], key)) for values in (self.words, self.cosines)
            ]
            scores = reciprocal_rank(rankings, [1 - weight, weight] if self.words else [0.0, 1.0])
        return {key: scores.get(key, 0.0) for key in self.chunks}


def _scaled(scores: Mapping[str, float], named: Mapping[str, float]) -> dict[str, float]:
    """Scores with the bonus of those whose title stands in the question, their maximum 1."""
    top = max(scores.values(), default=0.0) or 1.0
    raised = {
        one: score / top + (QUESTION_TITLE * named[one] ** 2 if one in named else 0.0)
        for one, score in scores.items()
    }
    best = max(raised.values(), default=0.0) or 1.0
    return {one: score / best for one, score in raised.items()}


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
