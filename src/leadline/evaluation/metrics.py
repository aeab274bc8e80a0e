"""How good a ranking is, given the set of ids that should be in it. Pure functions, each 0..1.

A ranking that names an id twice counts its first place only. Every function wants at least one gold id.
"""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet


def distinct(ids: Iterable[str]) -> tuple[str, ...]:
    """Each id once, at its first place.

    >>> distinct(["b", "a", "b"])
    ('b', 'a')
    """
    return tuple(dict.fromkeys(ids))


def recall_at(ranking: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """The share of the gold ids among the first `k`.

    >>> recall_at(["a", "x", "b"], {"a", "b"}, 2)
    0.5
    """
    return len(gold & set(distinct(ranking)[:k])) / len(gold)


def all_gold_at(ranking: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """1 if every gold id is among the first `k`, else 0."""
    return float(gold <= set(distinct(ranking)[:k]))


def hit_at(ranking: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """1 if any gold id is among the first `k`, else 0."""
    return float(not gold.isdisjoint(distinct(ranking)[:k]))


def reciprocal_rank_at(ranking: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """1 / the place of the first gold id, 0 if it is not among the first `k`."""
    places = (place for place, name in enumerate(distinct(ranking)[:k], start=1) if name in gold)
    return 1 / next(places, math.inf)


def ndcg_at(ranking: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """Discounted gain of the first `k`, over that of a perfect ranking; every gold id is worth the same."""
    gain = sum(
        1 / math.log2(place + 1) for place, name in enumerate(distinct(ranking)[:k], start=1) if name in gold
    )
    best = sum(1 / math.log2(place + 1) for place in range(1, min(k, len(gold)) + 1))
    return gain / best


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0
