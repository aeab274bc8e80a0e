"""Dense and keyword recall in parallel, rescored alike, fused by what the embedder is good for; then linked recall.

query -> terms, vector -> dense | keyword | both inside the filters it names (pool each) -> one keyword score for all -> fusion
      -> what the best hits lead to -> final order -> hits
"""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

import numpy as np

from leadline.analysis.phrases import keys_in
from leadline.analysis.scripts import script
from leadline.analysis.terms import alone, analyse
from leadline.embeddings.base import Embedder, Vectors
from leadline.errors import UsageError
from leadline.retrieval.base import Context, Link, Results, TermWeights
from leadline.retrieval.candidates import SHORTLIST, Candidates, Fusion, best_first, shortlist
from leadline.retrieval.crossing import across
from leadline.retrieval.diversity import without_duplicates
from leadline.retrieval.filtered import Filtered, filtered
from leadline.retrieval.linking import READ, SEEDS, Asked, PhraseGraph
from leadline.retrieval.ordering import arranged
from leadline.retrieval.rewriting import labelled, nearest
from leadline.retrieval.scoring import shares, weights_of
from leadline.run import Run
from leadline.store.base import Reading, Scored
from leadline.store.filters import Filter
from leadline.types import Chunk, Document, Query, Section

Path = Literal["dense", "keyword", "linked", "filtered"]
_NARROW = frozenset({"gap", "expanded"})
"""Kinds of query that go beside others: those follow links and read filters already."""


@dataclass(frozen=True, slots=True)
class RetrievalOptions:
    """`pool` candidates come from each path and collection; `dense_weight` overrides the embedder's own,
    `tuned_weight` only for scripts that the embedder knows.

    `titles`: a chunk whose title stands in the question gets a bonus. `coverage`: the first ten are chosen for
    what each adds to the coverage of the question. `today` is what "last month" counts from, else the present day.
    `ef` is how many candidates a walk through the vector index keeps, else what the collection says.
    """

    pool: int = 40
    fusion: Fusion = "score"
    paths: frozenset[Path] = frozenset({"dense", "keyword", "linked", "filtered"})
    titles: bool = True
    coverage: bool = True
    dense_weight: float | None = None
    tuned_weight: float | None = None
    where: Filter | None = None
    today: date | None = None
    ef: int | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the searches for one query found, before links are followed. `asked` is None where they are not."""

    found: Candidates
    dense: list[Scored]
    keyword: list[Scored]
    inside: Filtered
    asked: Asked | None


@dataclass(frozen=True, slots=True)
class HybridRetriever:
    """Searches collections of one store; their scores are compared as if they were one collection.

    A widened query looks into the collections of `wider` too. The question's own search says the `notices`. `vectors` are
    those of queries that were embedded already. `counted`: a search counts as one of the run.
    """

    store: Reading
    collections: tuple[str, ...]
    embedder: Embedder | None = None
    options: RetrievalOptions = RetrievalOptions()
    wider: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    vectors: Mapping[str, Vectors] = field(default_factory=dict[str, Vectors])
    counted: bool = True

    def within(self, names: Sequence[str]) -> "HybridRetriever":
        """The same, in these collections; a widened query looks into the others too."""
        others = tuple(name for name in self.collections + self.wider if name not in names)
        return replace(self, collections=tuple(names), wider=others)

    def knowing(self, text: str, vector: Sequence[float]) -> "HybridRetriever":
        """The same, with the vector of a query; nothing changes where vectors are not searched."""
        if self.embedder is None:
            return self
        if len(vector) != self.embedder.dimension:
            raise UsageError(
                f"the vector of “{text:.60}” has {len(vector)} numbers, those of {self.embedder.name} have "
                f"{self.embedder.dimension}: embed it with the same model"
            )
        return replace(self, vectors={**self.vectors, text: np.asarray(vector, dtype=np.float32)})

    async def search(self, query: Query, k: int, run: Run) -> Results:
        """At most `k` hits for one query, best first, near-duplicates folded away."""
        if self.counted:
            run.check("search")
            run.search_spent()
        if query.kind == "hyde":
            return await self._alike(query, k)
        names = self.collections + (self.wider if query.kind == "widened" else ())
        terms = await self._terms(names, query.text)
        pool = max(k, self.options.pool if query.kind not in _NARROW else self.options.pool // 2)
        dense_weight = self._dense_weight(query.text, bool(terms))
        recalled = await self._recalled(names, query, terms, pool, dense_weight)
        found, dense, keyword, inside = recalled.found, recalled.dense, recalled.keyword, recalled.inside
        if self.options.dense_weight is None:
            dense_weight = across(query.text, dense, dense_weight)
        found.cosines = {scored.chunk.id: scored.score for scored in (*inside.dense, *dense)}
        found.passing = found.among(inside.words).fused(self.options.fusion, dense_weight)
        links = await self._links(names, recalled, dense_weight)
        own = found.titled(found.fused(self.options.fusion, dense_weight))
        short = shortlist(own, links, max(SHORTLIST, 2 * k))
        placed = arranged(short, found.held, shares(terms, found.weights), links, cover=self.options.coverage)
        kept = without_duplicates(found.hits(query, placed), k)
        ids = {hit.chunk.id for hit in kept}
        children = {link.child for link in links}
        sizes = (len(dense), len(keyword), len(children), len(inside.words))
        counts = dict(zip(("dense", "keyword", "linked", "filtered"), sizes, strict=True))
        results = Results(
            tuple(kept),
            tuple((path, count) for path, count in counts.items() if path in self.options.paths),
            notices=self.notices if query.kind == "original" else (),
            asked=tuple(map(str, inside.asked)),
            links=tuple(link for link in links if link.parent in ids and link.child in ids),
            scores={one: own[one] for one in ids},
        )
        return labelled(query, results)

    async def _recalled(
        self, names: Sequence[str], query: Query, terms: list[str], pool: int, dense_weight: float
    ) -> Recalled:
        """What all searches find. Chunks are scored as they come, while other searches go on; one that fails ends all."""
        found, where = Candidates(terms, "keyword" in self.options.paths), self.options.where

        async def by_words() -> list[Scored]:
            scored = await self._keyword(names, terms, pool, where)
            found.weights = await weights
            found.add(one.chunk for one in scored)
            return scored

        async def by_vector() -> list[Scored]:
            scored = await self._dense(names, vector, pool, where)
            # In this order whichever comes first: two collections may hold chunks of the same id.
            await keyword
            found.add(one.chunk for one in scored)
            return scored

        try:
            async with asyncio.TaskGroup() as group:
                weights = group.create_task(self._weigh(names, terms))
                vector = group.create_task(self._vector(query.text, dense_weight))
                keyword = group.create_task(by_words())
                dense = group.create_task(by_vector())
                filters = group.create_task(self._filtered(names, query, terms, vector))
                asked = group.create_task(self._asked(names, query))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        inside = filters.result()
        found.passes(inside.words, [one.chunk for one in (*inside.keyword, *inside.dense)])
        return Recalled(found, dense.result(), keyword.result(), inside, asked.result())

    async def _asked(self, names: Sequence[str], query: Query) -> Asked | None:
        """The question in the light of the phrase index, None where links are not followed."""
        if "linked" not in self.options.paths or query.kind in _NARROW:
            return None
        graph = PhraseGraph(tuple(await asyncio.gather(*(self.store.phrases(name) for name in names))))
        return Asked.of(graph, keys_in(query.text), titles=self.options.titles)

    async def _terms(self, names: Sequence[str], text: str) -> list[str]:
        """The query's terms; for a character alone, which texts are indexed by in pairs, the pairs that hold it."""
        terms = list(dict.fromkeys(analyse(text)))
        character = alone(text)
        if not character:
            return terms
        found = await asyncio.gather(*(self.store.terms_with(name, character) for name in names))
        return list(dict.fromkeys(term for part in found for term in part)) or terms

    async def _alike(self, query: Query, k: int) -> Results:
        """What is nearest to a passage that might answer; nothing where the dense path is not searched."""
        known = self._dense_weight(query.text, True)
        vector = self._vector(query.text, known, passage=True)
        dense = await self._dense(self.collections, vector, max(k, self.options.pool), self.options.where)
        return nearest(query, dense, k)

    async def _filtered(
        self, names: Sequence[str], query: Query, terms: list[str], vector: Awaitable[Vectors | None]
    ) -> Filtered:
        """What passes the filters that the query itself names."""

        async def both(name: str, pool: int, where: Filter) -> tuple[list[Scored], list[Scored]]:
            dense, keyword = (
                self._dense([name], vector, pool, where),
                self._keyword([name], terms, pool, where),
            )
            return await asyncio.gather(dense, keyword)

        if "filtered" not in self.options.paths or query.kind in _NARROW:
            return Filtered()
        today = self.options.today or date.today()
        return await filtered(self.store, names, query.text, self.options.where, today, both)

    async def _links(self, names: Sequence[str], recalled: Recalled, weight: float) -> list[Link]:
        """What the best candidates lead to, taken in as candidates too."""
        found, asked = recalled.found, recalled.asked
        if asked is None:
            return []
        found.named = asked.named
        scores = found.titled(found.fused(self.options.fusion, weight))
        seeds = {key: scores[key] for key in best_first(scores)[:SEEDS]}
        links = asked.graph.links(asked.keys, seeds, [found.chunks[key].text for key in list(seeds)[:READ]])
        wanted = dict.fromkeys([*found.named, *(link.child for link in links)])
        missing = [key for key in wanted if key not in found.chunks]
        where = self.options.where
        looked_in = names if missing else ()
        for chunks in await asyncio.gather(*(self.store.chunks(name, missing, where) for name in looked_in)):
            found.add(chunks)
        return links

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
        own, tuned = self.embedder.strength.weight(script(text)), self.options.tuned_weight
        return own if tuned is None or not own else tuned

    async def _weigh(self, names: Sequence[str], terms: list[str]) -> TermWeights:
        parts = await asyncio.gather(*(self.store.statistics(name, terms) for name in names))
        return weights_of(terms, parts)

    async def _vector(self, text: str, weight: float, *, passage: bool = False) -> Vectors | None:
        """The query as a vector; None for one of which the embedder knows nothing, and where vectors weigh nothing."""
        if self.embedder is None or not weight:
            return None
        known = None if passage else self.vectors.get(text)
        if known is None:
            embed = self.embedder.embed_documents if passage else self.embedder.embed_queries
            known = (await asyncio.to_thread(embed, [text]))[0]
        return known if known.any() else None

    async def _dense(
        self, names: Sequence[str], vector: Awaitable[Vectors | None], pool: int, where: Filter | None
    ) -> list[Scored]:
        known = await vector
        if known is None:
            return []
        found = await asyncio.gather(
            *(self.store.dense(name, known, pool, where, ef=self.options.ef) for name in names)
        )
        return sorted((s for part in found for s in part), key=lambda s: -s.score)

    async def _keyword(
        self, names: Sequence[str], terms: list[str], pool: int, where: Filter | None
    ) -> list[Scored]:
        if not terms or "keyword" not in self.options.paths:
            return []
        found = await asyncio.gather(*(self.store.keyword(name, terms, pool, where) for name in names))
        return [s for part in found for s in part]
