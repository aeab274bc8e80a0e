"""Near-duplicates out of a ranked list."""

from collections.abc import Iterable
from dataclasses import replace

from leadline.types import Hit

NEGATIONS = frozenset(
    """no not nor never none neither cannot without isn aren wasn weren don doesn didn won wouldn shouldn couldn
    haven hasn hadn لا لم لن ليس غير не нет ни без""".split()
)
"""As terms: "isn't" is indexed as "isn"."""

ALIKE = 0.9
"""Two texts are near-duplicates when this share of their distinct terms (Jaccard) is common to both."""


Signature = tuple[str, frozenset[str]]


def without_duplicates(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The first `k` hits, those too like an earlier one left out; that one remembers their sources.

    Texts that differ in a number or in a "not" are never alike. Compares each hit with the kept ones only.
    """
    kept: list[Hit] = []
    seen: list[Signature] = []
    by_size: dict[int, list[int]] = {}
    for hit in hits:
        if len(kept) == k:
            break
        mine = signature(hit.chunk.terms)
        size = len(mine[1])
        # Those of any other size are too long or too short to be alike: most need not be compared.
        near = range(int(ALIKE * size), int(size / ALIKE) + 2)
        places = sorted(place for one in near if one in by_size for place in by_size[one])
        twin = next((place for place in places if alike(mine, seen[place])), None)
        if twin is not None:
            kept[twin] = with_copies(kept[twin], (hit.chunk.source, *hit.copies))
            continue
        by_size.setdefault(size, []).append(len(kept))
        kept.append(hit)
        seen.append(mine)
    return kept


def with_copies(hit: Hit, sources: Iterable[str]) -> Hit:
    """The hit with other sources of its text."""
    every = dict.fromkeys((*hit.copies, *sources))
    every.pop(hit.chunk.source, None)
    return replace(hit, copies=tuple(every)) if tuple(every) != hit.copies else hit


def signature(terms: str) -> Signature:
    """What `alike` compares: a text's terms in order, and as a set."""
    return terms, frozenset(terms.split(" "))


def alike(one: Signature, other: Signature) -> bool:
    """Whether two signatures say the same: equal, or nearly so with no number and no "not" between them."""
    if one[0] == other[0]:
        return True
    small, large = sorted((one[1], other[1]), key=len)
    if len(small) < ALIKE * len(large):
        return False
    common = len(small & large)
    if common < ALIKE * (len(small) + len(large) - common):
        return False
    return not any(_telling(term) for term in small ^ large)


def _telling(term: str) -> bool:
    return term in NEGATIONS or any(mark in term for mark in "不没無无未") or any(map(str.isdigit, term))
