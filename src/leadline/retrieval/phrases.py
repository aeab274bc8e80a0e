"""Phrases as runs of terms: whether a text holds one, and how much it is about it."""

import math
import re
from functools import lru_cache

from leadline.analysis.terms import sequence
from leadline.retrieval.base import TermWeights
from leadline.types import Chunk

TITLE, LEAD, BODY = 1.0, 0.6, 0.4
"""How much a chunk is about a name: its title; in its title or first words; anywhere else."""

LEAD_TERMS = 6
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]\s*")


@lru_cache(maxsize=20_000)
def phrase(text: str) -> str:
    """`text` as terms between spaces (stop words kept), so that containment is a substring test.

    >>> phrase("The Mirren Star") in phrase("They sold the Mirren Star in 1980.")
    True
    """
    return f" {' '.join(sequence(text))} "


def whole(chunk: Chunk) -> str:
    """Title and text of a chunk as phrases, not running into each other."""
    return phrase(chunk.title) + phrase(chunk.text)


def titles(chunk: Chunk) -> set[str]:
    """The phrases that name this chunk as a whole: its title, also without what is in brackets."""
    return {phrase(chunk.title), phrase(_BRACKETS.sub(" ", chunk.title))} - {"  "}


def aboutness(name: str, chunk: Chunk) -> float:
    """How much `chunk` is about the phrase `name`, 0 when it does not hold it."""
    if name in titles(chunk):
        return TITLE
    if name in phrase(" ".join((chunk.title, *chunk.heading_path))):
        return LEAD
    place = phrase(chunk.text).find(name)
    if place < 0:
        return 0.0
    return LEAD if phrase(chunk.text).count(" ", 0, place + 1) <= LEAD_TERMS else BODY


def rarity(name: str, weights: TermWeights) -> float:
    """ln(N/df)/ln(N) of the phrase's rarest term, 0 to 1; terms without a weight count as unknown (0)."""
    if weights.chunks < 2:
        return 1.0
    known = [weights.idf[term] for term in name.split() if term in weights.idf]
    if not known:
        return 0.0
    return min(1.0, max(known) / math.log(weights.chunks + 1))
