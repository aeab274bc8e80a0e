"""A retriever over a few chunks in memory."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from leadline.analysis.terms import analyse
from leadline.errors import LeadlineError
from leadline.retrieval.base import Context, Results, TermWeights
from leadline.run import Run
from leadline.types import Chunk, Document, Found, Hit, Query, Section


@dataclass(slots=True)
class ListRetriever:
    """Ranks `over` by the weight of the terms a chunk shares with the query; ties keep their order.

    `asked` remembers every query. A query whose text is a key of `failing` raises that error. Documents
    that are not in `documents` are made from their chunks, the gaps filled with spaces, so that every
    chunk stands at its recorded span.
    """

    over: Sequence[Chunk]
    documents: Sequence[Document] = ()
    failing: dict[str, LeadlineError] = field(default_factory=dict[str, LeadlineError])
    asked: list[Query] = field(default_factory=list[Query])

    async def search(self, query: Query, k: int, run: Run) -> Results:
        """At most `k` chunks that share a term with the query, best first."""
        run.check("search")
        run.search_spent()
        self.asked.append(query)
        if query.text in self.failing:
            raise self.failing[query.text]
        weights = self._weights(analyse(query.text))
        scored = [(self._score(chunk, weights), chunk) for chunk in self.over]
        best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])[:k]
        found = tuple(
            Hit(chunk, score, (Found("keyword", rank, score, query.text, query.round),))
            for rank, (score, chunk) in enumerate(best, start=1)
        )
        return Results(found, (("keyword", len(found)),))

    async def weights(self, texts: Sequence[str], chunks: Sequence[Chunk] = ()) -> TermWeights:
        """Statistics of the chunks this retriever holds."""
        asked = [term for text in texts for term in analyse(text)]
        return self._weights([*asked, *(term for chunk in chunks for term in chunk.terms.split())])

    async def context(self, chunks: Sequence[Chunk]) -> Context:
        """Documents as given or made, and sections that span all chunks of the same section id."""
        own = {chunk.id for chunk in self.over}
        documents: dict[str, Document] = {}
        sections: dict[str, Section] = {}
        for chunk in chunks:
            if chunk.id in own:
                documents[chunk.document_id] = self._document(chunk)
                sections[chunk.section_id] = self._section(chunk)
        return Context(documents, sections)

    def _document(self, chunk: Chunk) -> Document:
        for known in self.documents:
            if known.id == chunk.document_id:
                return known
        parts = [part for part in self.over if part.document_id == chunk.document_id]
        text = [" "] * max(part.end for part in parts)
        for part in parts:
            text[part.start : part.end] = part.text
        return Document(chunk.document_id, chunk.source, "".join(text), chunk.title, content_hash="")

    def _section(self, chunk: Chunk) -> Section:
        parts = [part for part in self.over if part.section_id == chunk.section_id]
        return Section(
            chunk.section_id,
            chunk.document_id,
            chunk.ordinal,
            min(part.start for part in parts),
            max(part.end for part in parts),
            chunk.heading_path,
        )

    def _weights(self, terms: Sequence[str]) -> TermWeights:
        counts = Counter(term for chunk in self.over for term in set(chunk.terms.split()))
        total = len(self.over)
        return TermWeights(
            idf={
                term: math.log(1 + (total - counts[term] + 0.5) / (counts[term] + 0.5))
                for term in dict.fromkeys(terms)
                if counts[term]
            },
            unknown=frozenset(term for term in terms if not counts[term]),
            length=max(1.0, sum(len(chunk.terms.split()) for chunk in self.over) / max(1, total)),
            chunks=total,
        )

    def _score(self, chunk: Chunk, weights: TermWeights) -> float:
        held = set(chunk.terms.split())
        return sum(weight for term, weight in weights.idf.items() if term in held)
