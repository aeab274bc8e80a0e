"""Linked recall: from what a search found to what that names, and to what names that. No model.

best hits -> their phrases, less those of the question -> chunks that hold them too -> links

A link is strong when its phrase is rare and the chunk it leads to is about it: has it as its title, most
of all. The method is measured in docs/evaluation.md.
"""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.analysis.headings import generic
from leadline.analysis.phrases import BODY, LEAD, TITLE, Keys, runs
from leadline.analysis.scripts import CASED, script
from leadline.analysis.terms import sequence
from leadline.retrieval.base import Link
from leadline.store.phrase_segments import Mask, Places, spread
from leadline.store.phrases import Mentions, PhraseIndex, joined

SEEDS = 12
"""The best hits whose phrases are followed."""

READ = 3
"""The best of them in whose whole text titles are looked for, however they are written there."""

TITLE_TERMS = 12

TELLING = 2
"""Terms of such a title that are no stop words, in scripts with capitals: there a name of one word has one and is known
by it, while the more titles there are, the more of them are a plain word of any text ("Comedy", "The Times")."""

COMMON_SHARE = 0.02
COMMON = (50, 100)
"""A phrase in more chunks than this share of all (at least and at most so many) leads nowhere."""

CANDIDATES = 80
"""Chunks a search looks at because of a link; the strongest links decide which."""

PATHS = 4
"""Links kept for each of them."""

NAMED = 20
"""Chunks looked at because their title stands in the question."""

_ABOUT = np.zeros(max(TITLE, LEAD, BODY) + 1)
_ABOUT[[TITLE, LEAD, BODY]] = 1.0, 0.6, 0.4


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PhraseGraph:
    """The phrase indexes of all collections searched, as one; rows count through them in order."""

    indexes: tuple[PhraseIndex, ...]

    @property
    def chunks(self) -> int:
        return sum(index.chunks for index in self.indexes)

    @property
    def common(self) -> int:
        """The number of chunks above which a phrase is too common."""
        least, most = COMMON
        return int(min(max(least, COMMON_SHARE * self.chunks), most))

    def links(self, asked: Keys, seeds: Mapping[str, float], texts: Sequence[str] = ()) -> list[Link]:
        """What `seeds` (chunk id -> score, best first) lead to, by phrases that are not among those `asked`.

        Nor by what is a heading of any document. In `texts`, those of the first seeds, titles of the collection are followed, in quotes and capitals or not: in
        scripts without capitals there may be no other trace of one. In others it has two telling words or more.
        """
        ids = list(seeds)[:SEEDS]
        rows = self._rows(ids)
        beside = {*asked.tolist(), *generic().tolist()}
        owner, phrases = self._with_titles(*self._held(rows, beside), texts, beside)
        unique, which = np.unique(phrases, return_inverse=True)
        mentions, rarity = self._mentions(unique)
        mention, pair = _pairs(which, mentions.asked, len(unique))
        seed, row = owner[pair], mentions.rows[mention]
        edge = (rarity[mentions.asked] ** 2 * _ABOUT[mentions.about])[mention]
        kept = np.flatnonzero((row != rows[seed]) & (edge > 0))
        scores = np.array([seeds[one] for one in ids])
        kept = kept[_strongest(row[kept], (scores[seed] * edge)[kept])]
        children, place = np.unique(row[kept], return_inverse=True)
        names = self._ids(children)
        parents: list[int] = seed[kept].tolist()
        led: list[int] = place.tolist()
        strengths: list[float] = edge[kept].tolist()
        by: list[int] = phrases[pair[kept]].tolist()
        return [
            Link(ids[parent], names[child], strength, phrase=phrase)
            for parent, child, strength, phrase in zip(parents, led, strengths, by, strict=True)
        ]

    def named(self, asked: Keys) -> dict[str, float]:
        """Chunks whose title stands in the question, with how rare it is (0..1), the rarest first.

        Not those whose title any document may have as a heading.
        """
        own = np.setdiff1d(asked, generic())
        mentions, rarity = self._mentions(own[self._are_titles(own)])
        titles = np.flatnonzero((mentions.about == TITLE) & (rarity[mentions.asked] > 0))
        values = rarity[mentions.asked[titles]]
        best = np.argsort(-values, kind="stable")[:NAMED]
        found: dict[str, float] = {}
        for one, value in zip(self._ids(mentions.rows[titles[best]]), values[best].tolist(), strict=True):
            found.setdefault(one, value)
        return found

    def _rows(self, ids: Sequence[str]) -> Places:
        rows = np.full(len(ids), -1, np.int64)
        for base, index in self._parts():
            here = index.rows_of(ids)
            rows = np.where(here >= 0, base + here, rows)
        return rows

    def _ids(self, rows: Places) -> list[str]:
        names = [""] * len(rows)
        for base, index in self._parts():
            inside = np.flatnonzero((rows >= base) & (rows < base + index.size))
            for at, name in zip(inside.tolist(), index.ids_of(rows[inside] - base), strict=True):
                names[at] = name
        return names

    def _held(self, rows: Places, asked: Collection[int]) -> tuple[Places, Keys]:
        """The phrases of the chunks at `rows`, without those of the question: (which of `rows`, phrase)."""
        owners, found = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)]
        for base, index in self._parts():
            inside = np.flatnonzero((rows >= base) & (rows < base + index.size))
            owner, phrases, _ = index.held(rows[inside] - base)
            owners.append(inside[owner])
            found.append(phrases)
        owner, phrases = np.concatenate(owners), np.concatenate(found)
        free = np.array([one not in asked for one in phrases.tolist()], np.bool_)
        return owner[free], phrases[free]

    def _with_titles(
        self, owner: Places, phrases: Keys, texts: Sequence[str], asked: Collection[int]
    ) -> tuple[Places, Keys]:
        """What seeds hold, and the titles of other chunks that stand in the seeds' texts."""
        owners, found = [owner], [phrases]
        for seed, titles in enumerate(self._titles_in(texts)):
            known = phrases[owner == seed].tolist()
            new = np.array(sorted(titles.difference(asked, known)), np.uint64)
            owners.append(np.full(len(new), seed, np.int64))
            found.append(new)
        return np.concatenate(owners), np.concatenate(found)

    def _titles_in(self, texts: Sequence[str]) -> list[set[int]]:
        """The titles of the collections that stand in each text."""
        keys = [runs(sequence(text), TITLE_TERMS, TELLING if script(text) in CASED else 0) for text in texts]
        every = np.concatenate([np.zeros(0, np.uint64), *keys])
        ends = np.cumsum([len(part) for part in keys]).tolist()
        there = self._are_titles(every)
        return [
            set(part[there[end - len(part) : end]].tolist()) for part, end in zip(keys, ends, strict=True)
        ]

    def _are_titles(self, phrases: Keys) -> Mask:
        there = np.zeros(len(phrases), np.bool_)
        for index in self.indexes:
            there |= index.are_titles(phrases)
        return there

    def _mentions(self, phrases: Keys) -> tuple[Mentions, Floats]:
        """Where `phrases` are held, and how rare each is: ln(N / df) / ln(N), 0 when it is too common."""
        common, total = self.common, np.zeros(len(phrases), np.int64)
        parts: list[Mentions] = []
        for base, index in self._parts():
            found, numbers = index.mentions(phrases, common)
            parts.append(Mentions(found.asked, base + found.rows, found.about))
            total += numbers
        chunks = max(self.chunks, 2)
        rarity = np.log(chunks / np.clip(total, 1, chunks)) / math.log(chunks)
        return joined(parts), np.where(total <= common, rarity, 0.0)

    def _parts(self) -> Iterator[tuple[int, PhraseIndex]]:
        base = 0
        for index in self.indexes:
            yield base, index
            base += index.size


@dataclass(frozen=True, slots=True)
class Asked:
    """A question before a phrase index: the keys of its phrases, and the chunks `named` in it by their titles."""

    graph: PhraseGraph
    keys: Keys
    named: Mapping[str, float]

    @classmethod
    def of(cls, graph: PhraseGraph, keys: Keys, *, titles: bool) -> "Asked":
        return cls(graph, keys, graph.named(keys) if titles else {})


def _pairs(which: Places, asked: Places, phrases: int) -> tuple[Places, Places]:
    """Every holder of a phrase with every seed that names it: (place in `asked`, place in `which`) of each pair."""
    by_phrase = np.argsort(which, kind="stable")
    numbers = np.bincount(which, minlength=phrases)
    ends = np.cumsum(numbers).astype(np.uint32)
    mention, place = spread(ends, asked)
    return mention, by_phrase[place]


def _strongest(rows: Places, values: Floats) -> Places:
    """Of the rows with the highest values, the places of each one's best few."""
    order = np.lexsort((-values, rows))
    sorted_rows = rows[order]
    first = (
        np.flatnonzero(np.r_[True, sorted_rows[1:] != sorted_rows[:-1]])
        if len(rows)
        else np.zeros(0, np.int64)
    )
    ends = np.r_[first[1:], len(rows)]
    best = np.argsort(-values[order[first]], kind="stable")[:CANDIDATES]
    lengths = np.minimum(ends[best] - first[best], PATHS)
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return order[np.repeat(first[best], lengths) + within]
