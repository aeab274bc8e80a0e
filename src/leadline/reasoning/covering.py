"""How much of a question a set of chunks answers to, term by term and name by name."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from leadline.analysis.names import subjects
from leadline.analysis.terms import alone, analyse, stem
from leadline.analysis.values import dates, numbers
from leadline.reasoning.cues import Wanted, wanted
from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import phrase, rarity, titles, whole
from leadline.retrieval.scoring import answered, shares
from leadline.types import Chunk, Evidence

_ASKING = frozenset(map(stem, ("differ", "difference", "compare", "comparison", "respective", "common")))
"""What a question does with its subjects; a text that answers it need not say so."""
_FUNCTION = frozenset("有是的了在和与或及后前里为被把将会能可几多少吗呢么")
"""Characters that mostly stand between words."""
_AUXILIARY = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could|should)\b", re.IGNORECASE
)
_NEXT_WORD = re.compile(r"[\s\"'”’]+([a-z]{2,})(?![\w-])")
_WORD = re.compile(r"\w+(?:[-./'’]\w+)*")


@dataclass(frozen=True, slots=True)
class Sought:
    """A question, read once: each term's share, its names as phrases, what its answer looks like; the one character, if it
    is no more than that."""

    question: str
    shares: dict[str, float]
    names: dict[str, str]
    wanted: Wanted
    alone: str = ""

    def held(self, terms: Iterable[str]) -> set[str]:
        """The question's terms that a text with these terms answers to."""
        if self.alone:
            return {self.alone} if any(self.alone in term for term in terms) else set()
        return self.wanted.answering(frozenset(terms), self.shares)

    def share(self, terms: Iterable[str]) -> float:
        """The part of the question's weight that these of its terms make up, 0 to 1."""
        # Exact, since a set has another order in each process.
        return fsum(self.shares[term] for term in set(terms))


def sought(question: str, weights: TermWeights) -> Sought:
    """Read a question against the collection's term weights."""
    named = {phrase(name): name for name in subjects(question)}
    # A single Han character is what is left between question words, unless there is nothing else; texts hold it inside
    # bigrams.
    terms = [t for t in analyse(question) if (len(t) > 1 or t.isascii()) and t not in _ASKING]
    terms = [t for t in terms if not (t in weights.unknown and _across_words(t))]
    character = alone(question)
    return Sought(question, shares(terms or list(character), weights), named, wanted(question), character)


def _across_words(term: str) -> bool:
    """Whether a pair of Han characters is none of a word's own, as 假有 in 年假有多少天: no text need hold it."""
    return len(term) == 2 and not _FUNCTION.isdisjoint(term)


def chain_coverage(sought: Sought, evidence: Sequence[Evidence]) -> float:
    """What the best connected piece of evidence covers, 0 to 1.

    A chunk counts together with the chunk that led to it. A question about several names is covered by one
    such piece per name, together. Terms scattered over unconnected chunks don't add up to an answer.
    """
    by_id = {item.chunk.id: item for item in evidence}
    pieces = [(_terms(item, by_id), _texts(item, by_id)) for item in evidence]
    total: set[str] = set()
    for name in sought.names or {"": ""}:
        about = [sought.held(terms) for terms, text in pieces if name in text]
        total |= max(about, key=sought.share, default=set[str]())
    return sought.share(total)


def names_found(sought: Sought, chunks: Sequence[Chunk], weights: TermWeights) -> float:
    """The part of the question's names, by rarity, that the chunks hold; 1 when it has none."""
    if not sought.names:
        return 1.0
    text = "".join(whole(chunk) for chunk in chunks)
    own = {title for chunk in chunks for title in titles(chunk)}
    size = {name: 0.2 + rarity(name, weights) if name in text else 1.0 for name in sought.names}
    there = sum(size[name] for name in sought.names if name in text or name in own)
    return there / sum(size.values())


def understood(sought: Sought, row: str) -> set[str]:
    """The question's verbs that a table's row (with its header) answers to without having one.

    "How much did Marlow spend on dredging?" is answered by "Marlow, dredging, 4200": a row that holds all else of the
    question, and what is asked for: the kind of value, or the column it names.
    """
    verbs = _verbs(sought)
    terms = frozenset(analyse(row))
    if not verbs or not sought.shares.keys() - verbs <= sought.held(terms):
        return set()
    named = {term for name in sought.names.values() for term in analyse(name)}
    column = sought.wanted.focus - verbs - named
    if column:
        return verbs if sought.wanted.answering(terms, column) else set()
    kinds = sought.wanted.kinds
    return verbs if ("number" in kinds and numbers(row)) or ("date" in kinds and dates(row)) else set()


def _verbs(sought: Sought) -> set[str]:
    """Terms of the word behind each name that stands behind an auxiliary: "did Marlow spend", "was Ada hired"."""
    asks = _AUXILIARY.search(sought.question)
    found: set[str] = set()
    for name in sought.names.values() if asks else ():
        at = sought.question.find(name, asks.end() if asks else 0)
        word = _NEXT_WORD.match(sought.question, at + len(name)) if at >= 0 else None
        found.update(analyse(word[1]) if word else ())
    return found & sought.shares.keys()


def missing(sought: Sought, chunks: Sequence[Chunk], also: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Names and words of the question that none of the chunks holds, as the question writes them.

    `also` are terms answered to without being held.
    """
    text = "".join(whole(chunk) for chunk in chunks)
    held = sought.held(term for chunk in chunks for term in chunk.terms.split()) | also
    return names_and_words(sought, text, held)


def names_and_words(sought: Sought, phrases: str, held: set[str]) -> tuple[str, ...]:
    """Names of the question that are not among `phrases`, and words of it none of whose terms is `held`."""
    absent = [written for name, written in sought.names.items() if name not in phrases]
    inside = " ".join(absent).casefold()
    for word in _WORD.findall(sought.question):
        terms = [term for term in analyse(word) if term in sought.shares]
        if terms and not held.intersection(terms) and word.casefold() not in inside:
            absent.append(word)
    return tuple(dict.fromkeys(absent))


def _terms(item: Evidence, by_id: dict[str, Evidence]) -> list[str]:
    parent = by_id.get(item.hit.parent)
    whole_chain = (item, parent) if parent else (item,)
    return [term for one in whole_chain for term in (*one.chunk.terms.split(), *answered(one.hit))]


def _texts(item: Evidence, by_id: dict[str, Evidence]) -> str:
    parent = by_id.get(item.hit.parent)
    return "".join(whole(c) for c in (item.chunk, *([parent.chunk] if parent else [])))
