"""The bridge to the next document: which names of the evidence to follow.

In a question that needs several documents, the first names something that the second is about. The best
names are rare, stand in the best evidence, and are not in the question already.
"""

from collections.abc import Sequence
from functools import lru_cache

from leadline.analysis.names import names, parts
from leadline.analysis.values import codes, dates
from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import phrase, rarity, titles
from leadline.types import Evidence, Lead, Query

SEEDS = 20
NAMES_PER_QUERY = 8


def leads(
    question: str, asked: Sequence[Query], evidence: Sequence[Evidence], weights: TermWeights, most: int
) -> list[Lead]:
    """At most `most` names to follow, best first, each with the chunk that names it.

    A name's value is its chunk's score times its rarity squared. Names in the question, names followed
    before, and a chunk's own title are left out.
    """
    known = phrase(question)
    followed = {phrase(lead.name) for query in asked for lead in query.leads}
    best: dict[str, tuple[float, Lead]] = {}
    for item in evidence[:SEEDS]:
        own = titles(item.chunk)
        for name in _mentioned(item.chunk.text):
            key = phrase(name)
            if key in known or key in followed or key in own or not _telling(name):
                continue
            value = item.hit.score * rarity(key, weights) ** 2
            if value > best.get(key, (0.0,))[0]:
                best[key] = (value, Lead(name, item.chunk.id))
    ranked = sorted(best.values(), key=lambda pair: (-pair[0], pair[1].name))
    return [lead for _, lead in ranked[:most]]


def gap_queries(found: Sequence[Lead], number: int, limit: int) -> list[Query]:
    """At most `limit` queries of round `number`, each after up to eight names."""
    size = NAMES_PER_QUERY
    groups = [tuple(found[i : i + size]) for i in range(0, len(found), size)][:limit]
    return [Query("; ".join(lead.name for lead in group), "gap", number, group) for group in groups]


def _telling(name: str) -> bool:
    """Not a date, a number, an identifier or a single letter: following those leads anywhere."""
    letters = sum(map(str.isalpha, name))
    return letters >= 2 and "_" not in name and not dates(name) and not codes(name)


@lru_cache(maxsize=2_000)
def _mentioned(text: str) -> tuple[str, ...]:
    whole = names(text)
    return (*whole, *(part for name in whole for part in parts(name)))
