"""Questions in another script than the passages: keywords cannot match, so what they do match must not lead."""

from collections.abc import Sequence

from leadline.analysis.scripts import script
from leadline.store.base import Scored

CROSSING = 0.7
"""The dense share then: what is left to keywords are numbers and names in the other script.

Over 240 passages 0.5 to 0.7 measured alike and more lower. It is the upper end because the larger a collection,
the more of its passages hold a year that a question names.
"""

LOOKED_AT = 10
SAMPLE = 400


def across(question: str, dense: Sequence[Scored], weight: float) -> float:
    """The dense share for a question whose nearest passages are mostly in another script; else `weight`.

    The nearest passages tell, not the collection: one of several languages answers each question in its own.
    """
    if not 0 < weight < CROSSING or not dense:
        return weight
    asked = script(question)
    nearest = [script(scored.chunk.text[:SAMPLE]) for scored in dense[:LOOKED_AT]]
    return CROSSING if sum(each != asked for each in nearest) > len(nearest) / 2 else weight
