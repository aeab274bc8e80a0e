"""Who made a thing, and which country something is from, as the sources state it."""

import re
from collections.abc import Iterable, Iterator

from leadline.analysis.countries import Named, countries
from leadline.analysis.names import subjects
from leadline.reasoning.comparative_words import WORK
from leadline.reasoning.stated import Sentence, Value

FAR = 140
"""Characters behind "directed by" in which the names stand."""
FIRST_SENTENCES = 4
STORY = 60
"""So far behind "is a" the country of a film or a book stands."""

_BY = {
    "director": r"direct(?:ed|ion)(?:[ ,]+(?:and|co-)?\s*\w+){0,3}?\s+by(?:\s+and\s+starring)?|director\b(?:\s+is|\s+was|:)?|(?:film|made) by",
    "producer": r"produced(?:[ ,]+and\s+\w+)?\s+by|producer\b(?:\s+is|\s+was|:)?",
    "writer": r"(?:written|screenplay|script)(?:[ ,]+and\s+\w+)?\s+by|by",
    "composer": r"(?:composed|music|scored|written)\b.{0,20}?\bby",
    "performer": r"(?:by|recorded by|performed by|sung by|singer|artist)",
    "founder": r"(?:founded|established|formed|created|set up)\b.{0,20}?\bby|founder\b",
    "designer": r"(?:designed|drawn|built)\b.{0,20}?\bby|architect\b",
    "builder": r"(?:built|constructed)\b.{0,20}?\bby|builder\b",
    "owner": r"(?:owned|bought|run)\b.{0,20}?\bby|owner\b",
    "captain": r"(?:captained|commanded)\b.{0,20}?\bby|captain\b",
}
_LIKE = {
    "author": "writer",
    "screenwriter": "writer",
    "singer": "performer",
    "architect": "designer",
    "creator": "founder",
}
_ENDS = re.compile(
    r"[;(（]|,\s|\b(?:starring|featuring|stars|written|produced|from|based|for|with|that|which|who|in)\b"
)
_COPULA = re.compile(r"\b(?:is|was|are|were)\b|是|هو|هي|كان")
_BORN = re.compile(r"\b(?:born|native)\b|出生|ولد")
_JOINED = re.compile(r"[\s–-]*(?:born[\s–-]+)?(?:and\s+)?-?")


def people_of(role: str, said: Iterable[Sentence]) -> Iterator[tuple[str, Sentence]]:
    """Who has the role, by what the sentences say; each name once."""
    pattern = re.compile(rf"\b(?:{_BY[_LIKE.get(role, role)]})\s", re.IGNORECASE)
    seen: set[str] = set()
    for sentence in said:
        for match in pattern.finditer(sentence.text):
            behind = sentence.text[match.end() : match.end() + FAR]
            for name in _names(behind):
                if name not in seen:
                    seen.add(name)
                    yield name, sentence


def _names(behind: str) -> list[str]:
    end = _ENDS.search(behind)
    # A name that opens a sentence is not told from a common word: something has to stand before it.
    return subjects(f"by {behind[: end.start()] if end else behind}")


def countries_of(said: Iterable[Sentence]) -> list[Value]:
    """The country of the first sentence that has one, or several where they are joined ("Italian-American")."""
    for sentence in _opening(said):
        named = _told(sentence.text)
        if named:
            group = _joined(sentence.text, named)
            start, end = sentence.start + group[0].start, sentence.start + group[-1].end
            value = "|".join(dict.fromkeys(one.country for one in group))
            return [Value(value, sentence.passage.text[start:end], sentence, start, end)]
    return []


def _told(text: str) -> list[Named]:
    """The countries behind "is a", or behind "born in"; those further on in what is said of a film are its story."""
    named = countries(text)
    copula = _COPULA.search(text)
    begin = copula.end() if copula else 0
    reach = begin + STORY if WORK.search(text) else len(text)
    born = _BORN.search(text)
    return [one for one in named if begin <= one.start <= reach] or [
        one for one in named if born and one.start >= born.end()
    ]


def _opening(said: Iterable[Sentence]) -> Iterator[Sentence]:
    taken: dict[str, int] = {}
    for sentence in said:
        document = sentence.passage.document_id
        taken[document] = taken.get(document, 0) + 1
        if sentence.about and taken[document] <= FIRST_SENTENCES:
            yield sentence


def _joined(text: str, named: list[Named]) -> list[Named]:
    group = named[:1]
    for one in named[1:]:
        if not _JOINED.fullmatch(text[group[-1].end : one.start]):
            break
        group.append(one)
    return group
