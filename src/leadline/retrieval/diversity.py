"""Near-duplicates out of a ranked list."""

from collections.abc import Sequence

from leadline.analysis.fold import fold
from leadline.types import Chunk, Hit

ALIKE = 0.9
"""Two texts are near-duplicates when this share of their distinct terms (Jaccard) is common to both."""


def without_duplicates(hits: Sequence[Hit], k: int) -> list[Hit]:
    """The first `k` hits, those too like an earlier one left out.

    Texts that differ in a number are never alike. Compares each hit with the kept ones only.
    """
    kept: list[Hit] = []
    seen: list[tuple[str, frozenset[str]]] = []
    for hit in hits:
        if len(kept) == k:
            break
        mine = signature(hit.chunk)
        if any(alike(mine, other) for other in seen):
            continue
        kept.append(hit)
        seen.append(mine)
    return kept


def signature(chunk: Chunk) -> tuple[str, frozenset[str]]:
    """What `alike` compares: the folded text and the distinct terms."""
    return fold(chunk.text), frozenset(chunk.terms.split(" "))


def alike(one: tuple[str, frozenset[str]], other: tuple[str, frozenset[str]]) -> bool:
    """Whether two (folded text, terms) say the same."""
    if one[0] == other[0]:
        return True
    small, large = sorted((one[1], other[1]), key=len)
    if not small or len(small) < ALIKE * len(large):
        return False
    if len(small & large) < ALIKE * len(small | large):
        return False
    return not any(any(map(str.isdigit, term)) for term in small ^ large)
