"""The phrases by which passages are linked: what a chunk is about, and what it names.

A phrase is known by a number made of its terms, so that every run of terms in a text can be looked up at once.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from leadline.analysis.names import names, parts
from leadline.analysis.stopwords import ALL as STOP_WORDS
from leadline.analysis.terms import sequence, stem
from leadline.analysis.values import codes

Keys = npt.NDArray[np.uint64]

TITLE, LEAD, BODY = 3, 2, 1
"""How much a chunk is about a phrase: it is its title or heading; in its title or first words; anywhere else.

The first words of a chunk without any title count as one.
"""

LONGEST = 16
"""Terms in a phrase. Eight words; of scripts without spaces, seventeen characters."""

LEAD_TERMS = 6
_STOPS = frozenset(STOP_WORDS) | frozenset(stem(word) for word in STOP_WORDS)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]\s*")


def chunk_phrases(text: str, title: str, headings: Sequence[str] = ()) -> dict[int, int]:
    """The phrases of a chunk and how much it is about each: key -> `TITLE`, `LEAD` or `BODY`.

    >>> found = chunk_phrases("Built by Ada Brandt in 1980.", "Mirren Star (ship)")
    >>> [found.get(key(name)) for name in ("Mirren Star", "Ada Brandt", "1980")]
    [3, 2, None]
    """
    found: dict[int, int] = {}

    def add(surface: str, about: int) -> None:
        one = key(surface)
        if one and found.get(one, 0) < about:
            found[one] = about

    for name in (title, bare_title(title), *headings[-1:]):
        add(name, TITLE)
    for name in (*headings[:-1], *_named(title)):
        add(name, LEAD)
    lead, first = _lead_end(text), LEAD if title or headings else TITLE
    for name in _named(text):
        add(name, first if text.find(name, 0, lead + len(name)) >= 0 else BODY)
    return found


@lru_cache(maxsize=2_000)
def surfaces(text: str, title: str, headings: tuple[str, ...] = ()) -> dict[int, str]:
    """The phrases of a chunk as they stand in it, by key."""
    written = (title, bare_title(title), *headings, *_named(title), *_named(text))
    return {one: name for name in reversed(written) if (one := key(name))}


def bare_title(title: str) -> str:
    """A title without what is in brackets."""
    return _BRACKETS.sub(" ", title).strip()


@lru_cache(maxsize=100_000)
def key(surface: str) -> int:
    """The phrase's number, 0 when it is none: too long, only stop words, or one short word or number."""
    terms = sequence(surface)
    if not 0 < len(terms) <= LONGEST or all(term in _STOPS for term in terms):
        return 0
    if len(terms) == 1 and (len(terms[0]) < 3 and terms[0].isascii() or terms[0][0].isdigit()):
        return 0
    whole = 0
    for term in terms:
        whole = (whole * int(_FACTOR) + number(term)) % (1 << 64)
    return whole


def keys_in(text: str, longest: int = LONGEST) -> Keys:
    """The numbers of every run of up to `longest` terms of `text`, each once."""
    return np.unique(runs(sequence(text), longest))


def runs(terms: Sequence[str], longest: int, telling: int = 0) -> Keys:
    """The numbers of all runs of 1 to `longest` terms, of which `telling` or more are no stop words; shorter ones first."""
    single = np.fromiter((number(term) for term in terms), np.uint64)
    counted = np.cumsum([0, *(term not in _STOPS for term in terms)])
    found, current = list[Keys](), single
    for length in range(1, min(longest, len(single)) + 1):
        if length > 1:
            current = current[:-1] * _FACTOR + single[length - 1 :]
        enough = counted[length:] - counted[:-length] >= telling
        found.append(current[enough] if telling else current)
    return np.concatenate([single[:0], *found])


def _named(text: str) -> list[str]:
    whole = names(text)
    pieces = [part for name in whole for part in parts(name)]
    return list(dict.fromkeys((*whole, *pieces, *codes(text))))


def _lead_end(text: str) -> int:
    """Where the first words of a text end."""
    end = 0
    for _, word in zip(range(LEAD_TERMS), re.finditer(r"\S+", text), strict=False):
        end = word.end()
    return end


@lru_cache(maxsize=500_000)
def number(term: str) -> int:
    """A term's own number, the same in every process."""
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
