"""How good an answer is, given the expected text and the passages it should rest on. Pure functions."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from leadline.analysis.fold import bare
from leadline.analysis.scripts import UNSPACED, script
from leadline.analysis.sentences import sentences

ARTICLES = re.compile(r"\b(a|an|the)\b")
UNBOUND = UNSPACED | {"arabic"}
"""Scripts in which a name may stand inside a longer word (Arabic writes "and" and "the" on to it)."""


def normalise(text: str) -> str:
    """Case, accents, punctuation and English articles removed, one space between words.

    >>> normalise("The  Mirren-River,")
    'mirren river'
    """
    folded = "".join(" " if unicodedata.category(char)[0] in "PS" else char for char in bare(text))
    return " ".join(ARTICLES.sub(" ", folded).split())


def exact_match(text: str, golds: Iterable[str]) -> bool:
    """Whether the whole text is one of the expected ones."""
    given = normalise(text)
    return any(given == wanted for gold in golds if (wanted := normalise(gold)))


def contains(text: str, golds: Iterable[str]) -> bool:
    """Whether an expected text stands in `text`, as whole words where words have spaces between them."""
    given = normalise(text)
    return any(_stands_in(wanted, given) for gold in golds if (wanted := normalise(gold)))


def _stands_in(wanted: str, given: str) -> bool:
    if script(wanted) in UNBOUND:
        wanted, given = wanted.replace(" ", ""), given.replace(" ", "")
    start = given.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not _joined(given[start - 1 : start + 1]) and not _joined(given[end - 1 : end + 1]):
            return True
        start = given.find(wanted, start + 1)
    return False


def _joined(pair: str) -> bool:
    return len(pair) == 2 and pair.isalnum() and not any(script(char) in UNBOUND for char in pair)


def token_f1(text: str, golds: Iterable[str]) -> float:
    """How many words the text and an expected one share, of both: the best over all expected ones.

    >>> token_f1("The Mirren River", ["Mirren"]), token_f1("", ["Mirren"])
    (0.6666666666666666, 0.0)
    """
    given = _words(text)
    return max((_f1(given, _words(gold)) for gold in golds), default=0.0)


def _words(text: str) -> Counter[str]:
    """Words; single characters where words have no spaces between them."""
    plain = normalise(text)
    return Counter(plain.replace(" ", "")) if script(plain) in UNSPACED else Counter(plain.split())


def _f1(given: Counter[str], wanted: Counter[str]) -> float:
    shared = (given & wanted).total()
    return 2 * shared / (given.total() + wanted.total()) if shared else 0.0


def is_yes_no(gold: str) -> bool:
    """Whether a question wants yes or no: an answer made of quotes alone cannot hold that word."""
    return normalise(gold) in {"yes", "no"}


def citation_recall(cited: AbstractSet[str], gold: AbstractSet[str]) -> float:
    """The share of the supporting passages that are cited."""
    return len(cited & gold) / len(gold) if gold else 0.0


def citation_precision(cited: AbstractSet[str], gold: AbstractSet[str]) -> float:
    """The share of the cited passages that are supporting ones."""
    return len(cited & gold) / len(cited) if cited else 0.0


def sentence_count(claims: Sequence[str]) -> int:
    """Sentences over all claims; a claim that runs over several counts each."""
    return sum(max(1, len(sentences(claim))) for claim in claims)
