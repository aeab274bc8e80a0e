"""The chunks that may be hits of one query, and everything that decides their score."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from leadline.analysis.terms import analyse
from leadline.retrieval.base import Link, TermWeights
from leadline.retrieval.fusion import normalised, reciprocal_rank
from leadline.retrieval.ordering import Placed
from leadline.retrieval.pooling import QUESTION_TITLE, shown
from leadline.retrieval.scoring import bm25, saturations_of, with_read
from leadline.types import Chunk, Found, Hit, Query

Fusion = Literal["score", "rrf"]

PASSES = 0.3
"""The bonus of the best chunk that passes the filters which the question names.

Measured, with `scoring.READ`, on 180 notes that differ in nothing but their date and 12 questions that other passages
answer: notes of the right date first for 35 of 35 questions (2 without), the other answers first for 11 and second for one.
With 0.5 and 0.5 two of those are lost, with 0.1 and 0.1 a quarter of the notes is.
"""

TITLE_LIFT = 0.7
"""How far a chunk whose title stands in the question is lifted from its own score to the best one's.

Who asks "which is older, A or B?" asks for both, but the words of the longer name alone make up most of a keyword score.
"""

SHORTLIST = 100
"""So many of the best candidates, and all that links lead to, are put into their final order."""


@dataclass(slots=True)
class Candidates:
    """One query's candidates by chunk id.

    `held` are the saturated frequencies of the question's terms, `words` the keyword scores made of them,
    `cosines` what dense recall gave, `named` how rare the title is of those whose title stands in the question,
    `passing` how good those are among themselves (the best 1) that pass the filters which the question names, `read`
    the words of each that name them.
    """

    terms: Sequence[str]
    by_words: bool = True
    weights: TermWeights = TermWeights()
    read: Mapping[str, str] = field(default_factory=dict[str, str])
    chunks: dict[str, Chunk] = field(default_factory=dict[str, Chunk])
    held: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    words: dict[str, float] = field(default_factory=dict[str, float])
    cosines: dict[str, float] = field(default_factory=dict[str, float])
    named: Mapping[str, float] = field(default_factory=dict[str, float])
    passing: Mapping[str, float] = field(default_factory=dict[str, float])

    def add(self, chunks: Iterable[Chunk]) -> None:
        """Take in chunks, with one keyword score for all, whatever found them. Of two with the same id the first stays."""
        new: dict[str, Chunk] = {}
        for chunk in chunks:
            if chunk.id not in self.chunks:
                new.setdefault(chunk.id, chunk)
        self.chunks.update(new)
        scored = saturations_of(new.values(), self.terms, self.weights.length)
        for key, held in zip(new, scored, strict=True):
            if words := self.read.get(key):
                held = with_read(held, analyse(words), self.terms)
            self.held[key] = held
            if self.by_words and (score := bm25(held, self.weights)) > 0:
                self.words[key] = score

    def passes(self, words: Mapping[str, str], chunks: Iterable[Chunk]) -> None:
        """Take in those that pass the filters which the question names; `words` are those of each that name them."""
        self.read = words
        known = [self.chunks.pop(key) for key in words if key in self.chunks]
        for key in words:
            self.words.pop(key, None)
        self.add([*known, *chunks])

    def fused(self, fusion: Fusion, weight: float) -> dict[str, float]:
        """One score for each chunk, the best 1; `weight` is the dense share."""
        if fusion == "score":
            scores = normalised(self.words, self.cosines, weight)
        else:
            rankings = [best_first(self.words), best_first(self.cosines)]
            scores = reciprocal_rank(rankings, [1 - weight, weight] if self.words else [0.0, 1.0])
        return scaled({key: scores.get(key, 0.0) for key in self.chunks})

    def among(self, ids: Collection[str]) -> "Candidates":
        """Some of them as if there were no others."""
        return replace(
            self,
            chunks={key: self.chunks[key] for key in ids},
            words={key: self.words[key] for key in ids if key in self.words},
            cosines={key: self.cosines[key] for key in ids if key in self.cosines},
        )

    def titled(self, scores: Mapping[str, float]) -> dict[str, float]:
        """`scores` with a bonus for each title and for each filter that stands in the question, the best 1."""
        bonus = {key: PASSES * share for key, share in self.passing.items()}
        for key in self.named.keys() & scores.keys():
            lift = TITLE_LIFT * max(0.0, 1.0 - scores[key])
            bonus[key] = bonus.get(key, 0.0) + (QUESTION_TITLE + lift) * self.named[key] ** 2
        return scaled({key: score + bonus.get(key, 0.0) for key, score in scores.items()})

    def hits(self, query: Query, placed: Sequence[Placed]) -> Iterator[Hit]:
        """The placed chunks as hits, each with how it was found; those that no path gave are left out."""
        paths = (("keyword", self.words), ("dense", self.cosines), ("filtered", self.passing))
        ranks = {
            path: {key: rank for rank, key in enumerate(best_first(scores), start=1)}
            for path, scores in paths
        }
        linked = 0
        for one in placed:
            words = {"filtered": self.read.get(one.id, "")}
            found = [
                Found(path, ranks[path][one.id], scores[one.id], query.text, query.round, words.get(path, ""))
                for path, scores in paths
                if one.id in scores
            ]
            if one.link is not None:
                linked += 1
                found.append(Found("linked", linked, one.link.strength, query.text, query.round))
            if found:
                parent = self.chunks[one.link.parent] if one.link else None
                yield shown(Hit(self.chunks[one.id], one.score, tuple(found)), one, parent)


def shortlist(scores: Mapping[str, float], links: Sequence[Link], most: int) -> dict[str, float]:
    """The best of `scores`, and whatever is at either end of a link."""
    ends = {end for link in links for end in (link.parent, link.child)}
    best = [*best_first(scores)[:most], *sorted(ends & scores.keys())]
    return {key: scores[key] for key in dict.fromkeys(best)}


def best_first(scores: Mapping[str, float]) -> list[str]:
    """Ids by score, equal ones in order of id."""
    return sorted(scores, key=lambda key: (-scores[key], key))


def scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores over their maximum."""
    top = max(scores.values(), default=0.0) or 1.0
    return {key: score / top for key, score in scores.items()}
