"""Recall by a rewritten question: a path of its own beside the question's, told apart by its label.

other words -> searched for like the question, without what links and filters add -> labelled hits
a passage that might answer -> the nearest by vector alone, since its words are nobody's -> labelled hits
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from leadline.analysis.terms import analyse
from leadline.retrieval.base import Results
from leadline.retrieval.diversity import without_duplicates
from leadline.retrieval.fusion import normalised
from leadline.store.base import Reading, Scored
from leadline.types import Found, Hit, Query, QueryKind

REWRITES: frozenset[QueryKind] = frozenset({"expanded", "hyde"})
"""Kinds of query that say the question in other words."""

_PATHS = frozenset({"dense", "keyword"})
SHORT = 30
"""Terms of a chunk, its title counted threefold: in collections with fewer on average a question's own words decide."""

LOOKED_AT = 50
TABULAR = 0.5


@runtime_checkable
class Stored(Protocol):
    """A retriever of which it is known where it searches."""

    @property
    def store(self) -> Reading: ...

    @property
    def collections(self) -> tuple[str, ...]: ...


def labelled(query: Query, results: Results) -> Results:
    """The results of a rewrite with its kind before the name of each recall path; of any other query as they are."""
    if query.kind not in REWRITES:
        return results

    def label(path: str) -> str:
        return f"{query.kind} {path}"

    return replace(
        results,
        hits=tuple(
            replace(hit, found=tuple(replace(one, path=label(one.path)) for one in hit.found))
            for hit in results.hits
        ),
        paths=tuple((label(path), count) for path, count in results.paths if path in _PATHS),
    )


def nearest(query: Query, dense: Sequence[Scored], k: int) -> Results:
    """At most `k` hits by likeness to a passage; how far each is above the middle of all is its score, the best 1."""
    scores = normalised({}, {scored.chunk.id: scored.score for scored in dense}, 1.0)
    hits = (
        Hit(
            scored.chunk,
            scores[scored.chunk.id],
            (Found("dense", rank, scored.score, query.text, query.round),),
        )
        for rank, scored in enumerate(dense, start=1)
    )
    return labelled(query, Results(tuple(without_duplicates(hits, k)), (("dense", len(dense)),)))


async def unsuited(store: Reading, collections: Sequence[str], question: str) -> str:
    """Why other words are not worth searching for here, "" where they are: what is short, and what the question meets
    in tables, is names and numbers, for which there are none."""
    terms = list(dict.fromkeys(analyse(question)))
    found: list[Scored] = []
    chunks, length = 0, 0.0
    for name in collections:
        statistics = await store.statistics(name, terms)
        chunks += statistics.chunks
        length += statistics.chunks * statistics.length
        found += await store.keyword(name, terms, LOOKED_AT) if terms else []
    if chunks and length / chunks < SHORT:
        return "the passages are short"
    best = sorted(found, key=lambda scored: -scored.score)[:LOOKED_AT]
    if best and sum(scored.chunk.kind == "table" for scored in best) >= TABULAR * len(best):
        return "most of what it meets are tables"
    return ""
