"""BM25 outside the store, from a chunk's stored terms: the same score whatever engine recalled it.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with Lucene's
never-negative idf. k1 and b as measured on eleven question sets: titles count threefold, so length is
penalised less than the usual b = 0.75.
"""

import math
from collections.abc import Mapping, Sequence

from leadline.retrieval.base import TermWeights
from leadline.types import Chunk

K1 = 1.2
B = 0.4


def idf(frequency: int, chunks: int) -> float:
    """Inverse document frequency, natural log, above 0."""
    return math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))


def saturations(chunk: Chunk, terms: Sequence[str], length: float) -> dict[str, float]:
    """For each of `terms` that the chunk holds: its frequency, saturated to [0, 1) and adjusted for length."""
    # Called for every candidate of every search: a term is first looked for as a piece of text, and words are
    # counted by the spaces around them, doubled so that two alike side by side do not share one.
    there = [term for term in dict.fromkeys(terms) if term in chunk.terms]
    if not there:
        return {}
    spaced = f" {chunk.terms.replace(' ', '  ')} "
    norm = K1 * (1 - B + B * (chunk.terms.count(" ") + 1) / max(length, 1.0))
    counts = {term: count for term in there if (count := spaced.count(f" {term} "))}
    return {term: count / (count + norm) for term, count in counts.items()}


def bm25(saturation: Mapping[str, float], weights: TermWeights) -> float:
    """The BM25 score (less its constant factor k1 + 1)."""
    return sum(weights.idf.get(term, 0.0) * value for term, value in saturation.items())


def shares(terms: Sequence[str], weights: TermWeights) -> dict[str, float]:
    """Each distinct term's part of the question's whole idf; terms no chunk holds count as the rarest."""
    rarest = idf(0, max(weights.chunks, 1))
    raw = {term: weights.idf.get(term, rarest) for term in dict.fromkeys(terms)}
    total = sum(raw.values()) or 1.0
    return {term: value / total for term, value in raw.items()}
