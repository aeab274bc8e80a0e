"""Whether a question in other words still asks the same: what it must keep, and what it must not bring in.

A rewrite loses no number, date, code, quoted text or name of the question, and adds none that neither the question nor the
evidence has. Where a script has no capitals, a name is what is rare in the collection.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from leadline.analysis.fold import bare, fold
from leadline.analysis.names import CONNECTORS, name_spans
from leadline.analysis.scripts import CASED, RANGES, UNSPACED, script
from leadline.analysis.sentences import sentences
from leadline.analysis.spelled import spelled
from leadline.analysis.stopwords import CHINESE
from leadline.analysis.terms import analyse
from leadline.analysis.values import codes, dates, numbers
from leadline.reasoning.planning import stripped
from leadline.retrieval.base import TermWeights
from leadline.retrieval.scoring import idf

RARE = 0.002
"""A term that at most this share of all chunks holds (or one chunk) is rare: it may be a name."""

LONGEST = 400
"""Characters of a rewrite; a longer one is no question any more."""

_NAMED_BY_CAPITALS = CASED | {"other"}
_SPAN = dict(RANGES)
_RUN = re.compile(f"[{''.join(_SPAN[name] for name in sorted(UNSPACED))}]+")
_WORD = re.compile(r"[^\W\d_]+")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_CUTS = re.compile("|".join(CHINESE))
_QUOTED = re.compile(
    r"《([^》\n]+)》|「([^」\n]+)」|『([^』\n]+)』|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|\"([^\"\n]+)\"|`([^`\n]+)`"
    r"|(?<![^\W_])[‘']([^‘’'\n]{2,})[’'](?![^\W_])"
)
_AFFIXED = re.compile(r"[^\W\d_]+(?:\+\+|#)|(?<!\w)\.[a-z]{2,5}\b|\b\d{1,3}0s\b", re.IGNORECASE)
"""What else is one word: C++, C#, .NET, the 1980s."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What of a text may be neither lost nor made up."""

    quoted: tuple[str, ...]
    dates: frozenset[str]
    numbers: frozenset[str]
    codes: frozenset[str]


def marks(text: str) -> Marks:
    """The quoted texts, dates, numbers and codes of `text`, alike however they are written."""
    values = {*numbers(text), *spelled(text)}
    coded = {*codes(text), *(match.group().lower() for match in _AFFIXED.finditer(text))}
    return Marks(quoted(text), frozenset(dates(text)), frozenset(values), frozenset(coded))


def quoted(text: str) -> tuple[str, ...]:
    """What stands in quotation marks, folded.

    >>> quoted("who wrote “The Long Watch” and 《海港志》, the captain's log?")
    ('the long watch', '海港志')
    """
    found = (fold(match[match.lastindex or 0]) for match in _QUOTED.finditer(text))
    return tuple(dict.fromkeys(one for one in found if one))


def why_not(question: str, rewrite: str, weights: TermWeights, evidence: Sequence[str] = ()) -> str:
    """The reason to discard a rewrite, "" when it may be searched for.

    `weights` are those of the terms of both.

    >>> why_not("refund policy", "7-day refund policy", TermWeights())
    'adds the number 7'
    >>> why_not("Who owns the XR-2000?", "owner of the Mirren machine", TermWeights())
    'loses the code xr-2000'
    """
    if not analyse(rewrite):
        return "says nothing"
    if len(rewrite) > LONGEST:
        return f"is longer than {LONGEST} characters"
    if set(analyse(rewrite)) == set(analyse(question)):
        return "says the same"
    return lost(question, rewrite, weights) or added((question, *evidence), rewrite, weights)


def like(question: str) -> str:
    """The same text for questions that differ in case, filler and punctuation alone; never where a number, code or
    quoted text differs.

    >>> like("Hi, could you tell me who owns the XR-2000? Thanks!") == like("Who owns the XR-2000")
    True
    >>> like("owners of XR-2000") == like("owners of XR-2100"), like("release 2.5") == like("release 25")
    (False, False)
    """
    text = stripped(question)
    found = marks(text)
    values = (sorted(values) for values in (found.dates, found.numbers, found.codes, found.quoted))
    words = " ".join(re.findall(r"[^\W_]+", fold(text).replace("'s ", " ")))
    return "; ".join([words, *(", ".join(one) for one in values)])


def lost(question: str, rewrite: str, weights: TermWeights) -> str:
    """What the question has that its rewrite has not, "" when nothing is lost."""
    asked, said, text = marks(question), marks(rewrite), fold(rewrite)
    for one in asked.quoted:
        if one not in text:
            return f"loses the quoted “{one}”"
    gone = (
        ("date", asked.dates - said.dates),
        ("code", asked.codes - said.codes),
        ("number", asked.numbers - said.numbers - _digits(asked.dates & said.dates)),
    )
    for kind, values in gone:
        if values:
            return f"loses the {kind} {min(values)}"
    names = [*_named(question), *_alone(question, weights), *_rare(question, weights)]
    gone_names = [name for name in names if not _has(rewrite, name)]
    return f"loses the name {gone_names[0]}" if gone_names else ""


def added(known: Sequence[str], rewrite: str, weights: TermWeights) -> str:
    """What a rewrite has that none of the `known` texts has, "" when it adds nothing of account."""
    if value := added_value(known, rewrite):
        return value
    everything = "\n".join(known)
    for name in _named(rewrite):
        capitals = [word for word in name.split() if word != word.lower()]
        if strange := [word for word in capitals if not _has(everything, word)]:
            return f"adds the name {' '.join(strange)}"
    for name in _rare(rewrite, weights, known):
        return f"adds the name {name}"
    return ""


def added_value(known: Sequence[str], text: str) -> str:
    """The number, date or code of a text that none of the `known` texts has, "" when there is none.

    >>> added_value(["Who built the XR-2000, and when?"], "XR-2000 built in 1999"), added_value(["mill of 1887"], "1887")
    ('adds the number 1999', '')
    """
    said = marks(text)
    have = [marks(text) for text in known]
    allowed = {value for one in have for value in one.numbers} | _digits(_all(one.dates for one in have))
    numerals = said.numbers - allowed - _digits(said.dates & _all(one.dates for one in have))
    new = (
        ("number", numerals),
        ("date", {date for date in said.dates if not any(_within(date, one.dates) for one in have)}),
        ("code", said.codes - _all(one.codes for one in have)),
    )
    for kind, values in new:
        if values:
            return f"adds the {kind} {min(values)}"
    return ""


def rare(term: str, weights: TermWeights) -> bool:
    """Whether so few chunks hold a term that it may be a name; one that no chunk holds is rare too."""
    value = weights.idf.get(term)
    return value is None or value >= idf(max(1, int(RARE * weights.chunks)), weights.chunks)


def _all(sets: Iterable[Iterable[str]]) -> set[str]:
    return {value for one in sets for value in one}


def _within(date: str, dates: Iterable[str]) -> bool:
    """A date is known where it, or a finer one, is: the year of a day that was named is nothing new."""
    return any(one == date or one.startswith(f"{date}-") for one in dates)


def _digits(dates: Iterable[str]) -> set[str]:
    """The numbers that a written date is made of."""
    return {str(int(part)) for date in dates for part in date.split("-")}


def _has(text: str, name: str) -> bool:
    """Whether a text has all words of a name, or the name as it stands: "US" is a stop word to a search."""
    words = _words(name)
    if words and words <= _words(text):
        return True
    edge = r"(?<![^\W_])" if name.isascii() else ""
    return re.search(f"{edge}{re.escape(bare(name))}{edge.replace('?<!', '?!')}", bare(text)) is not None


def _words(text: str) -> set[str]:
    return set(analyse(text))


def _named(text: str) -> list[str]:
    """Capitalised names, without the word that opens a sentence where a connector follows: its capital says nothing."""
    openers = {start for start, _ in sentences(text)}
    found: list[str] = []
    for start, end in name_spans(text):
        first, *rest = text[start:end].split()
        uncertain = start in openers and rest and rest[0].lower() in CONNECTORS
        found.append(" ".join(rest[1:] if uncertain else [first, *rest]))
    # "US" and "IT" are stop words, and names.
    capitals = [] if text.isupper() else _CAPITALS.findall(text)
    return [name for name in (*found, *capitals) if any(map(str.isupper, name))]


def _alone(text: str, weights: TermWeights) -> Iterator[str]:
    """The capitalised word that opens the question, where it is rare enough to be a name: "Kestrel sails where?"."""
    word = re.match(r"\W*([^\W\d_]+)", text)
    if word and word[1][0].isupper() and weights.chunks:
        terms = _words(word[1])
        if terms and all(rare(term, weights) for term in terms) and terms & weights.idf.keys():
            yield word[1]


def _rare(text: str, weights: TermWeights, known: Sequence[str] = ()) -> list[str]:
    """Names in scripts without capitals: what no common term covers, and no `known` text has."""
    if not weights.chunks:
        return []
    seen = [bare(one) for one in known]
    folded = bare(text)
    found = [
        name
        for run in _RUN.findall(folded)
        for piece in _CUTS.split(run)
        for name in _uncovered(piece or "", weights, seen)
    ]
    words = [
        word
        for word in _WORD.findall(folded)
        if script(word) not in _NAMED_BY_CAPITALS | UNSPACED
        and (terms := _words(word))
        and all(rare(term, weights) for term in terms)
    ]
    held = {word for one in known for word in _words(one)}
    return found + [word for word in words if not _words(word) <= held]


def _uncovered(run: str, weights: TermWeights, seen: Sequence[str]) -> list[str]:
    """Runs of at least two characters that stand in no bigram which is common in the collection or seen elsewhere.

    A single one is what is left between two words: bigrams go over their edges.
    """
    covered = [False] * len(run)
    for place in range(len(run) - 1):
        pair = run[place : place + 2]
        if not rare(pair, weights) or any(pair in text for text in seen):
            covered[place] = covered[place + 1] = True
    open_ = "".join(" " if done else character for done, character in zip(covered, run, strict=True))
    return [name for name in open_.split() if len(name) > 1]
