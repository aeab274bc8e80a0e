"""Filtered recall: passages that pass what the question itself names, such as "after 2023" or "in the Q3 report".

question + the collection's fields -> filters, together with the explicit one -> both searches once more, inside them
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from leadline.retrieval.asked_filters import asked_filters, together
from leadline.retrieval.asked_parts import AskedFilter
from leadline.store.base import Reading, Scored
from leadline.store.filters import And, Filter

POOL = 30
"""Chunks taken from each search inside the filters."""

Search = Callable[[str, int, Filter], Awaitable[tuple[Sequence[Scored], Sequence[Scored]]]]
"""Searches one collection for so many chunks that pass a filter: what dense and keyword search give."""


@dataclass(slots=True)
class Filtered:
    """What was found inside the filters that the question names, those filters, and each chunk's words in it."""

    dense: list[Scored] = field(default_factory=list[Scored])
    keyword: list[Scored] = field(default_factory=list[Scored])
    asked: list[AskedFilter] = field(default_factory=list[AskedFilter])
    words: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, other: "Filtered") -> None:
        """Take in what another search found."""
        self.dense += other.dense
        self.keyword += other.keyword
        self.asked += [part for part in other.asked if part not in self.asked]
        for key, words in other.words.items():
            self.words[key] = f"{self.words[key]}, {words}" if key in self.words else words


async def filtered(
    store: Reading, names: Sequence[str], question: str, where: Filter | None, today: date, search: Search
) -> Filtered:
    """Chunks of the collections that pass `where` and the question's own filters.

    Where all of these together find nothing, each alone is tried: one of them may have been read wrongly.
    """
    found = Filtered()
    for one in await asyncio.gather(
        *(_in_one(store, name, question, where, today, search) for name in names)
    ):
        found.add(one)
    return found


async def _in_one(
    store: Reading, name: str, question: str, where: Filter | None, today: date, search: Search
) -> Filtered:
    parts = asked_filters(question, await store.fields(name), today)
    found = await _passing(name, parts, where, search)
    if found.asked or len(parts) < 2:
        return found
    for part in parts:
        found.add(await _passing(name, [part], where, search))
    return found


async def _passing(name: str, parts: Sequence[AskedFilter], where: Filter | None, search: Search) -> Filtered:
    inside = together(parts)
    if inside is None:
        return Filtered()
    dense, keyword = await search(name, POOL, inside if where is None else And((where, inside)))
    words = ", ".join(part.words for part in parts)
    said = {one.chunk.id: words for one in (*keyword, *dense)}
    return Filtered(list(dense), list(keyword), list(parts) if said else [], said)
