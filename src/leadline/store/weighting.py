"""BM25 inside a store, for engines that have none: a term's weight in a question and in a chunk."""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Mapping

from leadline.store.base import Statistics

K1 = 1.2
B = 0.75

PLAIN = re.compile(r"[a-z0-9]{1,24}")
CODED = "x0"


def idf_of(statistics: Statistics) -> dict[str, float]:
    """Inverse document frequency of the terms that any chunk holds, the rarest first."""
    found = {
        term: math.log(1 + (statistics.chunks - count + 0.5) / (count + 0.5))
        for term, count in statistics.frequency.items()
        if count
    }
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def saturations(terms: str, length: float) -> dict[str, float]:
    """What each of a chunk's terms is worth, `length` being the mean number of terms of a chunk."""
    words = terms.split()
    norm = K1 * (1 - B + B * len(words) / max(length, 1.0))
    return {term: count * (K1 + 1) / (count + norm) for term, count in Counter(words).items()}


def bm25(terms: str, idf: Mapping[str, float], length: float) -> float:
    """A chunk's score for a question."""
    worth = saturations(terms, length)
    return sum(weight * worth.get(term, 0.0) for term, weight in idf.items())


def coded(term: str) -> str:
    """The term as one word that no engine's tokeniser splits, folds or drops.

    >>> coded("harbour"), coded("XR-2000")
    ('harbour', 'x0oqisia3gjn')
    """
    if PLAIN.fullmatch(term) and not term.startswith(CODED):
        return term
    return CODED + _letters(hashlib.blake2b(term.encode(), digest_size=7).digest())


def numbered(term: str) -> int:
    """The term as a number of 32 bits, as sparse vectors have them."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest())


def _letters(digest: bytes) -> str:
    """Ten letters and digits."""
    rest, found = int.from_bytes(digest), ""
    for _ in range(10):
        rest, digit = divmod(rest, 32)
        found += "abcdefghijklmnopqrstuvwxyz234567"[digit]
    return found
