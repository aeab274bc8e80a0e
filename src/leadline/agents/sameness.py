"""Whether two statements say the same: equal in every number, date and name, and alike in meaning as the encoder sees it.

Where nothing is known of their vectors, alike in their words.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from leadline.agents.fact_values import name_words, subject_matter, unnamed, values, words
from leadline.agents.limiting import reordered, units_in_writing
from leadline.analysis.names import names
from leadline.analysis.scripts import script
from leadline.analysis.terms import analyse
from leadline.citing.negation import contradicts
from leadline.embeddings.base import Embedder, Vectors
from leadline.types import Fact

OVERLAP = 0.8
"""Share of their terms that two statements have in common which say the same, where no vector tells."""

COPIED = 9
"""Words of a sentence that two pages share only where one is a copy of the other: its "it" is the same, too."""

_POINTS_BACK = re.compile(
    r"^\W*(?:it|its|he|she|his|her|they|their|this|that|these|those)\b|^\W*[他她它其这该此]|^\W*(?:هو|هي|هم|هذا|هذه|كان|كانت)\s",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby\b|[被由]|من قبل", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|was|are|were)\b|是", re.IGNORECASE)


@dataclass(slots=True)
class Sameness:
    """Compares facts; remembers the vector of each statement. Without an encoder by their words alone."""

    embedder: Embedder | None = None
    _vectors: dict[str, Vectors] = field(default_factory=dict[str, Vectors])

    async def learn(self, statements: Sequence[str]) -> None:
        """Embed what is going to be compared, all at once."""
        new = [text for text in dict.fromkeys(statements) if text not in self._vectors and self._tells(text)]
        if self.embedder is None or not new:
            return
        rows = await asyncio.to_thread(self.embedder.embed_documents, new)
        self._vectors.update(zip(new, rows, strict=True))

    def same(self, one: Fact, other: Fact) -> bool:
        """Whether `one` says what `other` says."""
        left, right = one.statement, other.statement
        literal = words(left) == words(right) and bool(words(left))
        if differ(left, right) or (_points_back(one, other) and not (literal and len(words(left)) >= COPIED)):
            return False
        shared = overlap(left, right)
        if literal or shared == 1.0:
            return True
        known = self._vectors.get(left), self._vectors.get(right)
        if self.embedder is None or known[0] is None or known[1] is None:
            return shared >= OVERLAP
        alike = self.embedder.strength.alike
        return float(np.dot(known[0], known[1])) > alike.cosine and shared >= alike.overlap

    def _tells(self, text: str) -> bool:
        """Whether the encoder knows the script."""
        return self.embedder is not None and self.embedder.strength.weight(script(text)) > 0


def differ(one: str, other: str) -> bool:
    """Whether two statements differ in a value, whatever else they share.

    >>> differ("The pier was rebuilt in 1987.", "The pier was rebuilt in 1978."), differ("12 ships called.", "Twelve ships called.")
    (True, False)
    """
    mine, its = values(one), values(other)
    if (mine.numbers, frozenset(mine.years), mine.dates, mine.codes) != (
        its.numbers,
        frozenset(its.years),
        its.dates,
        its.codes,
    ):
        return True
    if mine.apart != its.apart or mine.limits != its.limits or mine.denied != its.denied:
        return True
    if _units_differ(one, other) or units_in_writing(one, other) or reordered(one, other):
        return True
    if unnamed(one, other) or unnamed(other, one):
        return True
    return _places_differ(one, other) or contradicts(one, other)


def overlap(one: str, other: str) -> float:
    """The share of their terms that two statements have in common, 0 to 1."""
    left, right = set(analyse(one)), set(analyse(other))
    return len(left & right) / len(left | right) if left | right else 0.0


def _units_differ(one: str, other: str) -> bool:
    """Whether a number has another unit; one that has none says nothing of it."""
    mine, its = (_units(text) for text in (one, other))
    return any(mine[number].isdisjoint(its[number]) for number in mine.keys() & its.keys())


def _units(statement: str) -> dict[str, set[str]]:
    """The units that a number stands with, by number."""
    found: dict[str, set[str]] = {}
    for number, unit in values(statement).units:
        found.setdefault(number, set()).add(unit)
    return found


def _places_differ(one: str, other: str) -> bool:
    """Whether the same numbers, or the same names, have changed places: who sold to whom, which year had how many."""
    mine, its = values(one), values(other)
    for left, right in ((mine.digits, its.digits), (mine.years, its.years)):
        if left != right and sorted(left) == sorted(right):
            return True
    named = {word for text in (one, other) for name in names(text) for word in name_words(name)}
    order = [[word for word in dict.fromkeys(words(text)) if word in named] for text in (one, other)]
    if len(named) < 2 or order[0] == order[1]:
        return False
    by = [bool(_BY.search(text)) for text in (one, other)]
    return by[0] == by[1] and not all(_IS.search(text) for text in (one, other))


def _points_back(one: Fact, other: Fact) -> bool:
    """Whether a statement says what it speaks of only by its page ("It opened in 1907."), and the pages differ."""
    if not any(_POINTS_BACK.search(fact.statement) for fact in (one, other)):
        return False
    titles = [{subject_matter(each.title) for each in fact.citations} for fact in (one, other)]
    return titles[0].isdisjoint(titles[1])
