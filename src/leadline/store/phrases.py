"""The phrase index: which chunks hold which phrases.

chunks of one commit -> a segment; segments of like size are merged as they gather, so that adding stays
cheap. What is removed is only marked, and left out when its segment is next merged. A new file never
changes what is stored of an old one: which phrases are worth following is decided when they are asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from leadline.analysis.phrases import TITLE, Keys, number
from leadline.store.phrase_segments import Bytes, Mask, Numbers, PhraseSegment, Places, lengths, spread


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """Who holds what, one element each: a place in what was asked, a chunk's row, and how much it is about the phrase."""

    asked: Places
    rows: Places
    about: Bytes


def joined(parts: Sequence[Mentions]) -> Mentions:
    """All elements of several, in order."""
    if not parts:
        return Mentions(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint8))
    return Mentions(
        np.concatenate([one.asked for one in parts]),
        np.concatenate([one.rows for one in parts]),
        np.concatenate([one.about for one in parts]),
    )


@dataclass(frozen=True, eq=False)
class PhraseIndex:
    """All segments of a collection at one commit. Rows count through the segments in order.

    `gone` marks (True) the removed rows of each segment.
    """

    segments: tuple[PhraseSegment, ...] = ()
    gone: tuple[Mask, ...] = ()

    @property
    def size(self) -> int:
        """How many rows there are, those of removed chunks included."""
        return sum(one.size for one in self.segments)

    @property
    def chunks(self) -> int:
        """How many chunks it holds."""
        return self.size - sum(self.removed)

    @cached_property
    def removed(self) -> tuple[int, ...]:
        """How many rows of each segment are removed; counting a million marks takes longer than a lookup."""
        return tuple(int(mask.sum()) for mask in self.gone)

    @cached_property
    def titles(self) -> Keys:
        """The phrases that are the title of a chunk, sorted."""
        found = [np.zeros(0, np.uint64)]
        for _, segment, gone in self._parts():
            owner = np.repeat(
                np.arange(len(segment.phrases)), lengths(segment.ends, np.arange(len(segment.phrases)))
            )
            titles = owner[(segment.about == TITLE) & ~gone[segment.rows]]
            found.append(segment.phrases[titles])
        return np.unique(np.concatenate(found))

    def are_titles(self, phrases: Keys) -> Mask:
        """Which of `phrases` are the title of a chunk."""
        return _places(self.titles, phrases)[1]

    def rows_of(self, ids: Sequence[str]) -> Places:
        """The rows of chunks, -1 for those it does not hold."""
        keys = np.array([number(one) for one in ids], np.uint64)
        found = np.full(len(keys), -1, np.int64)
        for base, segment, gone in self._parts():
            places, there = _places(segment.id_keys, keys)
            rows = segment.id_rows[places[there]]
            alive = ~gone[rows]
            found[np.flatnonzero(there)[alive]] = base + rows[alive]
        return found

    def ids_of(self, rows: Places) -> list[str]:
        """The ids of the chunks at `rows`."""
        names = [""] * len(rows)
        for base, segment, _ in self._parts():
            for place in np.flatnonzero((rows >= base) & (rows < base + segment.size)):
                names[place] = segment.id_of(int(rows[place]) - base).decode("utf-8", "surrogatepass")
        return names

    def held(self, rows: Places) -> tuple[Places, Keys, Bytes]:
        """The phrases of chunks: for each (which of `rows`, the phrase, how much it is about it)."""
        parts: list[tuple[Places, Keys, Bytes]] = []
        for base, segment, _ in self._parts():
            here = np.flatnonzero((rows >= base) & (rows < base + segment.size))
            owner, places = spread(segment.own_ends, rows[here] - base)
            parts.append((here[owner], segment.phrases[segment.own[places]], segment.own_about[places]))
        if not parts:
            return np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.uint8)
        owners, phrases, about = zip(*parts, strict=True)
        return np.concatenate(owners), np.concatenate(phrases), np.concatenate(about)

    def mentions(self, phrases: Keys, limit: int) -> tuple[Mentions, Places]:
        """The chunks that hold `phrases`, and the number of those for each phrase.

        A phrase of more than `limit` chunks is too common to lead anywhere: its chunks are left out, and its
        number may count removed ones.
        """
        numbers = self._numbers(phrases, limit)
        rare = np.flatnonzero((numbers > 0) & (numbers <= limit))
        found = [
            (rare[asked], base + rows.astype(np.int64), about)
            for base, asked, rows, about in self._holding(phrases[rare])
        ]
        return joined([Mentions(*one) for one in found]), numbers

    def logical(self) -> Iterator[tuple[str, int, int]]:
        """Every mention as (chunk id, phrase, about), whatever segments it lies in."""
        for base, segment, gone in self._parts():
            kept = np.flatnonzero(~gone)
            names = self.ids_of(base + kept)
            owner, places = spread(segment.own_ends, kept)
            for which, place in zip(owner.tolist(), places.tolist(), strict=True):
                yield names[which], int(segment.phrases[segment.own[place]]), int(segment.own_about[place])

    def _numbers(self, phrases: Keys, limit: int) -> Places:
        numbers = np.zeros(len(phrases), np.int64)
        removed = sum(self.removed)
        for _, segment, _ in self._parts():
            places, there = _places(segment.phrases, phrases)
            held = np.flatnonzero(there)
            numbers[held] += lengths(segment.ends, places[held])
        if removed:
            doubtful = np.flatnonzero((numbers > 0) & (numbers <= limit + removed))
            counted = np.zeros(len(doubtful), np.int64)
            for _, asked, _, _ in self._holding(phrases[doubtful]):
                counted += np.bincount(asked, minlength=len(doubtful))
            numbers[doubtful] = counted
        return numbers

    def _holding(self, phrases: Keys) -> Iterator[tuple[int, Places, Numbers, Bytes]]:
        """For each segment: its first row, and (which phrase, row, about) of what is not removed."""
        for base, segment, gone in self._parts():
            places, there = _places(segment.phrases, phrases)
            which = np.flatnonzero(there)
            owner, flat = spread(segment.ends, places[which])
            rows = segment.rows[flat]
            alive = ~gone[rows]
            yield base, which[owner[alive]], rows[alive], segment.about[flat[alive]]

    def _parts(self) -> Iterator[tuple[int, PhraseSegment, Mask]]:
        base = 0
        for segment, gone in zip(self.segments, self.gone, strict=True):
            if segment.size:
                yield base, segment, gone
            base += segment.size


def _places(keys: Keys, wanted: Keys) -> tuple[Places, Mask]:
    """Where in the sorted `keys` each wanted one stands, and whether it is there at all."""
    if not len(keys):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return places, keys[places] == wanted
