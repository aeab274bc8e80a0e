"""Which of the passages that a round has found are read for facts.

hits of each query -> in turn, a clause's fewer -> by document -> the best of each -> what stands beside the best one
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from math import ceil
from typing import TypeVar

from leadline.types import Hit, Query

PER_DOCUMENT = 4
"""The best passages of a document that a round reads."""
PER_QUERY, PER_ROUND = 24, 60
"""Passages that a round reads for one query, and in all."""
TOGETHER = 1_000
"""Characters of a usual passage. What is longer with its neighbour than that was parted by size, not by a heading alone."""

Item = TypeVar("Item")
_Weighed = list[tuple[float, Hit]]


def best_passages(
    found: Sequence[tuple[Query, Sequence[Hit]]], new: set[str], worth: Mapping[str, float] | None = None
) -> list[Hit]:
    """Of what is new, the best passages of each document, document by document, those of the best hits first.

    The queries take turns, so that each has its share of what is read; a clause of the question has as much less as
    its `worth` says. Where there is room, what was found right beside a document's best passage is read too, if both
    are short.
    """
    lists = [(query, [hit for hit in hits if hit.chunk.id in new]) for query, hits in found]
    documents = _by_document([_weighed(hits, (worth or {}).get(query.text, 1.0)) for query, hits in lists])
    places = {(hit.chunk.document_id, hit.chunk.ordinal): hit for _, hits in lists for hit in hits}
    in_turn = chain(
        _turns([own[:PER_DOCUMENT] for own in documents.values()]),
        _turns([_beside(own[0], places) for own in documents.values()]),
    )
    read = list({hit.chunk.id: hit for hit in in_turn}.values())[:PER_ROUND]
    order = list(documents)
    return sorted(read, key=lambda hit: order.index(hit.chunk.document_id))


def _weighed(hits: Sequence[Hit], worth: float) -> _Weighed:
    """A query's best hits with what each counts. Their order is the query's, which is not that of their scores alone."""
    scores = sorted((hit.score for hit in hits), reverse=True)
    return [(worth * score, hit) for score, hit in zip(scores, hits, strict=True)][: ceil(worth * PER_QUERY)]


def _by_document(lists: Sequence[_Weighed]) -> dict[str, list[Hit]]:
    """The hits of each document, best first; the documents as the queries in turn have them."""
    documents: dict[str, dict[str, tuple[float, Hit]]] = {}
    for score, hit in _turns(lists):
        own = documents.setdefault(hit.chunk.document_id, {})
        if hit.chunk.id not in own or own[hit.chunk.id][0] < score:
            own[hit.chunk.id] = score, hit
    return {
        key: [hit for _, hit in sorted(own.values(), key=lambda one: -one[0])]
        for key, own in documents.items()
    }


def _beside(best: Hit, places: Mapping[tuple[str, int], Hit]) -> list[Hit]:
    at = best.chunk
    beside = (places.get((at.document_id, at.ordinal + step)) for step in (-1, 1))
    return [hit for hit in beside if hit is not None and _length(hit) + _length(best) <= TOGETHER]


def _length(hit: Hit) -> int:
    return hit.chunk.end - hit.chunk.start


def _turns(lists: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """The first of each list, then the second of each."""
    for turn in zip_longest(*lists):
        yield from (each for each in turn if each is not None)
