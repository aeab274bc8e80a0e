"""Which scripts a model knows, from the words its tokenizer has for them."""

from collections import Counter
from collections.abc import Iterable

from leadline.analysis.scripts import script
from leadline.embeddings.base import Strength

ENOUGH = 1_000
"""Tokens of a script from which on a vocabulary was made for it.

English BERT has some 500 single characters of Han and 100 of Arabic; XLM-R has thousands of each.
"""

WEIGHTS = {"latin": 0.7, "arabic": 0.5, "han": 0.4}
"""The dense share of real encoders in each script, by score fusion with BM25.

As measured with multilingual-e5-small: on short passages 0.4 to 0.7 is best in English, Arabic and Chinese alike;
English questions over several passages want 0.9, Chinese reports 0.3.
"""

OTHERS = 0.5


def strength(scripts: Iterable[str] | None) -> Strength:
    """The strength of a real encoder that knows these scripts; None stands for all."""
    if scripts is None:
        return Strength(dict(WEIGHTS), default=OTHERS)
    return Strength({name: WEIGHTS.get(name, OTHERS) for name in scripts})


def known_scripts(vocabulary: Iterable[str]) -> tuple[str, ...]:
    """The scripts that a vocabulary has words for; Latin is always one.

    >>> known_scripts(["the", "ship", "灯"])
    ('latin',)
    """
    counts = Counter(script(token) for token in vocabulary)
    known = {name for name, count in counts.items() if count >= ENOUGH and name != "other"}
    return tuple(sorted({"latin", *known}))
