"""The final order of a set of candidates: links raise what a good passage leads to, then coverage decides.

scores -> a chunk rises to just below the one that leads to it -> the first ten chosen for what each adds
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.retrieval.base import Link

Floats = npt.NDArray[np.float64]

GAIN = 3.0
CAP, CAP_STEP = 0.95, 0.05
PROMOTED = 20
CONSIDERED = 100
LED = 1.5
"""A chunk is said to be found through a phrase when that raised its score by half or more."""
COVERED_POOL = 30
COVERED = 10
COVERAGE_WEIGHT = 1.2


@dataclass(frozen=True, slots=True)
class Placed:
    """A chunk's final score, and the link that decided it."""

    id: str
    score: float
    link: Link | None = None


def arranged(
    scores: Mapping[str, float],
    held: Mapping[str, Mapping[str, float]],
    shares: Mapping[str, float],
    links: Sequence[Link],
    *,
    cover: bool = True,
) -> list[Placed]:
    """All of `scores`, best first.

    `held` are the saturated frequencies of the question's terms in each chunk, `shares` each term's part of
    the question. A link's value is its parent's score x strength x (1 + 3 x what the child adds to the
    parent's coverage of the question). A chunk can never pass its parent, and each further one promoted gets a
    lower ceiling, so that plain good hits keep their place.
    """
    ids = sorted(scores, key=lambda one: (-scores[one], one))
    base = np.array([scores[one] for one in ids])
    weight = np.array(list(shares.values()))
    covers = np.array([[held[one].get(term, 0.0) for term in shares] for one in ids]).reshape(
        len(ids), len(weight)
    )
    best, value = _best_links(ids, base, covers, weight, links)
    final, via = _promoted(base, best, value, links, ids)
    order = np.lexsort((np.arange(len(ids)), -final))
    if cover:
        order = _covering(order, final, covers, weight)
    return [
        Placed(
            ids[at], float(final[at]), links[via[at]] if at in via and final[at] > LED * base[at] else None
        )
        for at in map(int, order)
    ]


def _best_links(
    ids: Sequence[str], base: Floats, covers: Floats, weight: Floats, links: Sequence[Link]
) -> tuple[dict[int, int], dict[int, float]]:
    """For each child (by place) the best of its links, and that link's value."""
    place = {one: at for at, one in enumerate(ids)}
    usable = [
        (at, place[link.parent], place[link.child])
        for at, link in enumerate(links)
        if link.parent in place and link.child in place
    ]
    if not usable:
        return {}, {}
    which, parent, child = (np.array(each, np.int64) for each in zip(*usable, strict=True))
    gain = np.maximum(0.0, covers[child] - covers[parent]) @ weight
    strength = np.array([links[at].strength for at, _, _ in usable])
    value = base[parent] * strength * (1 + GAIN * gain)
    best: dict[int, int] = {}
    values: dict[int, float] = {}
    for at in np.argsort(-value, kind="stable").tolist():
        if value[at] > 0 and int(child[at]) not in best:
            best[int(child[at])] = int(which[at])
            values[int(child[at])] = float(value[at])
    return best, values


def _promoted(
    base: Floats,
    best: Mapping[int, int],
    value: Mapping[int, float],
    links: Sequence[Link],
    ids: Sequence[str],
) -> tuple[Floats, dict[int, int]]:
    place = {one: at for at, one in enumerate(ids)}
    final, via = base.copy(), dict[int, int]()
    for at in sorted(best, key=lambda at: (-(base[at] + value[at]), ids[at]))[:CONSIDERED]:
        ceiling = (CAP - CAP_STEP * len(via)) * base[place[links[best[at]].parent]]
        raised = min(base[at] + value[at], ceiling)
        if raised > base[at]:
            final[at] = raised
            via[at] = best[at]
        if len(via) == PROMOTED:
            break
    return final, via


def _covering(
    order: npt.NDArray[np.intp], final: Floats, covers: Floats, weight: Floats
) -> npt.NDArray[np.intp]:
    """The first ten chosen one by one for score and what each adds to the coverage; the rest as they are."""
    left = order[:COVERED_POOL].tolist()
    chosen: list[int] = []
    covered = np.zeros(covers.shape[1])
    while left and len(chosen) < COVERED:
        worth = final[left] + COVERAGE_WEIGHT * (np.maximum(0.0, covers[left] - covered) @ weight)
        at = left.pop(int(np.argmax(worth)))
        chosen.append(at)
        covered = np.maximum(covered, covers[at])
    taken = set(chosen)
    return np.array([*chosen, *(at for at in order.tolist() if at not in taken)], np.intp)
