"""The results of several providers as one list: reciprocal rank, one result per page, one per text.

Two pages that say the same are one; two that differ in a number are two, since one of them may be the newer copy.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz.fuzz import ratio

from leadline.web.base import WebResult
from leadline.web.canonical import canonical

K = 60
ALIKE = 95.0
"""Of a hundred: how like each other two texts are that say the same."""
SHORTEST = 60
"""Characters below which two texts may be alike by chance."""


@dataclass(slots=True)
class _Place:
    result: WebResult
    score: float
    first: tuple[int, int]


def merged(lists: Sequence[Sequence[WebResult]], limit: int) -> tuple[WebResult, ...]:
    """The best `limit` results of all lists, each of which has its best first. What is listed by several rises; where
    they are equal, the earlier list goes first."""
    places: dict[str, _Place] = {}
    for number, results in enumerate(lists):
        seen: set[str] = set()
        for rank, result in enumerate(results, 1):
            key = canonical(result.url)
            if key in seen:
                continue
            seen.add(key)
            if key in places:
                places[key] = _joined(places[key], result, rank)
            else:
                places[key] = _Place(result, 1 / (K + rank), (rank, number))
    ranked = sorted(places.values(), key=lambda place: (-place.score, place.first))
    return tuple(_apart([place.result for place in ranked], limit))


def _joined(place: _Place, result: WebResult, rank: int) -> _Place:
    kept = place.result
    told = replace(
        kept,
        title=kept.title or result.title,
        snippet=kept.snippet or result.snippet,
        published=kept.published or result.published,
        provider=_named(kept.provider, result.provider),
    )
    return _Place(told, place.score + 1 / (K + rank), place.first)


def _named(first: str, second: str) -> str:
    return ", ".join(dict.fromkeys(name for name in (*first.split(", "), second) if name))


def _apart(results: Sequence[WebResult], limit: int) -> list[WebResult]:
    kept: list[tuple[WebResult, str]] = []
    for result in results:
        text = folded(f"{result.title} {result.snippet}")
        if len(kept) < limit and not any(same(text, other) for _, other in kept):
            kept.append((result, text))
    return [result for result, _ in kept]


def folded(text: str) -> str:
    """Its letters and digits, in small letters."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(words)


def same(one: str, other: str) -> bool:
    """Whether two folded texts say the same.

    >>> lamp = folded("The lamp of the harbour was lit for the first time on a winter night in 1889.")
    >>> same(lamp, lamp.replace("winter night", "winternight")), same(lamp, lamp.replace("1889", "1898"))
    (True, False)
    """
    if min(len(one), len(other)) < SHORTEST or re.findall(r"\d+", one) != re.findall(r"\d+", other):
        return False
    return ratio(one, other, score_cutoff=ALIKE) > 0
