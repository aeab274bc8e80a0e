"""Put several ranked lists into one.

Normalised scores where they can be compared, reciprocal rank (Cormack, Clarke and Buettcher, 2009)
where they cannot.
"""

from collections.abc import Mapping, Sequence

RRF_K = 60

BACKGROUND = 50
"""The rank whose cosine is taken for that of passages which are merely of the same kind. It does not depend on how many
candidates there are: with their median, twice as many of them made each dense hit count more."""


def reciprocal_rank(
    rankings: Sequence[Sequence[str]], weights: Sequence[float] | None = None, k: int = RRF_K
) -> dict[str, float]:
    """Sum over rankings of weight / (k + rank), rank from 1.

    >>> reciprocal_rank([["a", "b"], ["b"]], k=1)
    {'a': 0.5, 'b': 0.8333333333333333}
    """
    scores: dict[str, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return scores


def normalised(
    keyword: Mapping[str, float], dense: Mapping[str, float], dense_weight: float
) -> dict[str, float]:
    """(1 - w) * keyword / max + w * relu((cosine - background) / (max - background)).

    The background is the cosine at rank 50, or the least. An item one path did not give has 0 there. When one path is
    empty the other stands alone.

    >>> normalised({"a": 4.0, "b": 1.0}, {"b": 0.9, "c": 0.5}, 0.25)
    {'a': 0.75, 'b': 0.4375, 'c': 0.0}
    """
    weight = dense_weight if keyword else 1.0
    if not dense:
        weight = 0.0
    best = max(keyword.values(), default=0.0) or 1.0
    scores = {item: (1 - weight) * score / best for item, score in keyword.items()}
    if weight:
        nearest = sorted(dense.values(), reverse=True)[:BACKGROUND]
        top, background = nearest[0], nearest[-1]
        for item, cosine in dense.items():
            relative = max(0.0, cosine - background) / (top - background) if top > background else 1.0
            scores[item] = scores.get(item, 0.0) + weight * relative
    return scores
