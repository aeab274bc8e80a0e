"""How good a ranking is, given the places of what should be in it. Pure functions, each 0..1.

A place counts from 1; infinity stands for what was not found. Every function wants at least one place.
"""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

NOWHERE = math.inf

Places = Sequence[float]
"""Of each gold thing, the place at which it was found."""


def distinct(ids: Iterable[str]) -> tuple[str, ...]:
    """Each id once, at its first place.

    >>> distinct(["b", "a", "b"])
    ('b', 'a')
    """
    return tuple(dict.fromkeys(ids))


def places_of(ranking: Sequence[str], gold: AbstractSet[str]) -> list[float]:
    """The place of each gold id; one that is named twice counts at its first place.

    >>> places_of(["a", "x", "b", "b"], {"a", "b", "c"})
    [1.0, 3.0, inf]
    """
    at = {name: float(place) for place, name in enumerate(distinct(ranking), start=1)}
    return sorted(at.get(name, NOWHERE) for name in gold)


def recall_at(places: Places, k: int) -> float:
    """The share of the gold among the first `k`.

    >>> recall_at([1, 3], 2)
    0.5
    """
    return sum(place <= k for place in places) / len(places)


def all_gold_at(places: Places, k: int) -> float:
    """1 if all of the gold is among the first `k`, else 0."""
    return float(max(places) <= k)


def hit_at(places: Places, k: int) -> float:
    """1 if any of the gold is among the first `k`, else 0."""
    return float(min(places) <= k)


def reciprocal_rank_at(places: Places, k: int) -> float:
    """1 / the first place, 0 if it is not among the first `k`."""
    return 1 / min(places) if min(places) <= k else 0.0


def ndcg_at(places: Places, k: int) -> float:
    """Discounted gain of the first `k`, over that of a perfect ranking; all of the gold is worth the same.

    Where one result holds two gold things both have its place, which is better than perfect, and counts as perfect.
    """
    gain = math.fsum(1 / math.log2(place + 1) for place in places if place <= k)
    best = math.fsum(1 / math.log2(place + 1) for place in range(1, min(k, len(places)) + 1))
    return min(1.0, gain / best)


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0
