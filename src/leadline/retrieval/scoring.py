"""BM25 outside the store, from a chunk's stored terms: the same score whatever engine recalled it.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with Lucene's
never-negative idf. k1 and b as measured on eleven question sets: titles count threefold, so length is
penalised less than the usual b = 0.75.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from leadline.analysis.terms import analyse
from leadline.retrieval.base import TermWeights
from leadline.store.base import Statistics
from leadline.types import Chunk, Hit

K1 = 1.2
B = 0.4

READ = 0.25
"""What a word of the question counts in a chunk that passes the filter read from it, about half of standing there once."""


def idf(frequency: int, chunks: int) -> float:
    """Inverse document frequency, natural log, above 0."""
    return math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))


def weights_of(terms: Sequence[str], parts: Sequence[Statistics]) -> TermWeights:
    """The weights of terms over several collections, as if they were one."""
    chunks = sum(part.chunks for part in parts)
    length = sum(part.length * part.chunks for part in parts) / max(chunks, 1)
    frequency = {term: sum(part.frequency.get(term, 0) for part in parts) for term in terms}
    return TermWeights(
        idf={term: idf(count, chunks) for term, count in frequency.items() if count},
        unknown=frozenset(term for term, count in frequency.items() if not count),
        length=length,
        chunks=chunks,
    )


def saturations(chunk: Chunk, terms: Sequence[str], length: float) -> dict[str, float]:
    """For each of `terms` that the chunk holds: its frequency, saturated to [0, 1) and adjusted for length."""
    return saturations_of([chunk], terms, length)[0]


def saturations_of(chunks: Iterable[Chunk], terms: Sequence[str], length: float) -> list[dict[str, float]]:
    """The `saturations` of each of several chunks."""
    # Called for every candidate of every search, so words are counted as pieces of text with spaces around them;
    # only where two alike stand side by side, which share a space, are the spaces doubled.
    words = [(term, f" {term} ", f" {term} {term} ") for term in terms]
    mean = max(length, 1.0)
    found: list[dict[str, float]] = []
    for chunk in chunks:
        text = f" {chunk.terms} "
        norm = K1 * (1 - B + B * (text.count(" ") - 1) / mean)
        held: dict[str, float] = {}
        for term, word, twice in words:
            if word in text:
                counted = text.replace(" ", "  ") if twice in text else text
                count = counted.count(word)
                held[term] = count / (count + norm)
        found.append(held)
    return found


def answered(hit: Hit) -> list[str]:
    """Terms of the question that a chunk answers to without holding them: "after 2023", by its document's date."""
    return [term for found in hit.found if found.words for term in analyse(found.words)]


def with_read(saturation: dict[str, float], read: Iterable[str], terms: Sequence[str]) -> dict[str, float]:
    """`saturation` with those of `terms` that were read as a filter which the chunk passes.

    >>> with_read({"cargo": 0.4}, ["after", "2023", "cargo"], ["cargo", "2023"])
    {'cargo': 0.4, '2023': 0.25}
    """
    asked = set(terms)
    return saturation | {term: max(saturation.get(term, 0.0), READ) for term in read if term in asked}


def bm25(saturation: Mapping[str, float], weights: TermWeights) -> float:
    """The BM25 score (less its constant factor k1 + 1)."""
    return sum(weights.idf.get(term, 0.0) * value for term, value in saturation.items())


def shares(terms: Sequence[str], weights: TermWeights) -> dict[str, float]:
    """Each distinct term's part of the question's whole idf; terms no chunk holds count as the rarest."""
    rarest = idf(0, max(weights.chunks, 1))
    raw = {term: weights.idf.get(term, rarest) for term in dict.fromkeys(terms)}
    total = sum(raw.values()) or 1.0
    return {term: value / total for term, value in raw.items()}
