"""What of a question no fact covers yet, by rules, and what to search for next.

parts of the question that no fact answers to -> names and words that no fact holds -> where breadth is wanted, names that the facts bring up
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from leadline.analysis.names import names, subjects
from leadline.analysis.terms import analyse
from leadline.analysis.values import codes, dates
from leadline.reasoning.base import Gaps
from leadline.reasoning.covering import Sought, names_and_words, sought
from leadline.reasoning.planning import plan_queries
from leadline.reasoning.reports import wants_report
from leadline.reasoning.topics import above, is_named, parts_of, topic, topic_of
from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import phrase, rarity
from leadline.types import Fact, Query

MOST = 3
COVERED = 0.6
"""A part of a question is covered by a fact that holds this share of its weight."""
SHORT = 40
"""Characters of a topic that can be searched for together with a name."""
DEEP = 3
"""So many facts cover a part of a topic that lists its parts; one that covers so many parts is about none of them."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a fact says, where: its terms and its words as phrases, those of its sources' titles and headings with them."""

    terms: frozenset[str]
    phrases: str


@lru_cache(maxsize=2_000)
def said_by(fact: Fact) -> Said:
    """A fact with the titles and headings that it stands under."""
    over = dict.fromkeys(text for each in fact.citations for text in above(each) if text)
    texts = (fact.statement, *over)
    return Said(frozenset(term for text in texts for term in analyse(text)), "".join(map(phrase, texts)))


def aspects(question: str) -> tuple[Query, ...]:
    """The parts of a question; none where it is one."""
    parts = parts_of(question)
    return tuple(Query(part, "sub") for part in parts.said) if parts else plan_queries(question)[1:]


def wants_breadth(question: str) -> bool:
    """Whether a topic is named, or a report asked for, and not one thing.

    >>> wants_breadth("The harbour of Velden"), wants_breadth("When was the harbour of Velden built?")
    (True, False)
    """
    return wants_report(question) or is_named(question)


def open_gaps(question: str, facts: Sequence[Fact], asked: Sequence[Query], weights: TermWeights) -> Gaps:
    """At most three gaps, each with the query that may close it, unlike any that was asked."""
    seen = sought(topic_of(question), weights)
    said = [said_by(fact) for fact in facts]
    number = max((query.round for query in asked), default=1) + 1
    before = {_like(query.text): query.kind for query in asked}
    listed = parts_of(question)
    wider = {_like(part) for part in listed.said} if listed else set[str]()
    found: dict[str, tuple[str, Query]] = {}
    for gap, text in (
        *_parts(question, said, before, weights),
        # A part that is covered need not be named by its word.
        *(() if listed else _words(seen, said)),
        *_names(question, seen, facts, weights),
    ):
        key = _like(text)
        if key not in before:
            found.setdefault(key, (gap, Query(text, "follow", number)))
        elif key in wider and before[key] != "widened":
            # A part that stayed thin is worth the results beyond those that were read.
            found.setdefault(key, (gap, Query(text, "widened", number)))
    kept = list(found.values())[:MOST]
    return Gaps(tuple(gap for gap, _ in kept), tuple(query for _, query in kept))


def _parts(
    question: str, said: Sequence[Said], asked: Collection[str], weights: TermWeights
) -> Iterator[tuple[str, str]]:
    """Parts of the question that no fact covers by itself. Of a topic that lists its parts, those that were not asked for
    by themselves, and those that few facts are about; fewest first."""
    parts = [(part.text, sought(part.text, weights)) for part in aspects(question)]
    covered = [[own.share(own.held(text.terms)) >= COVERED for _, own in parts] for text in said]
    broad = parts_of(question) is not None
    if broad:
        covered = [each for each in covered if sum(each) < DEEP]
    counts = [sum(each[place] for each in covered) for place in range(len(parts))]
    for place in sorted(range(len(parts)), key=lambda place: counts[place]):
        part = parts[place][0]
        if counts[place] < (DEEP if broad else 1) or (broad and _like(part) not in asked):
            yield part, part


def _words(seen: Sought, said: Sequence[Said]) -> Iterator[tuple[str, str]]:
    """Names and words of the question that none of the facts holds, as one gap, searched for with what it is about."""
    held = seen.held(term for text in said for term in text.terms)
    absent = names_and_words(seen, "".join(text.phrases for text in said), held)
    if absent and said:
        about = [name for name in seen.names.values() if name not in absent]
        yield " ".join(absent), " ".join((*about[:1], *absent))


def _names(
    question: str, seen: Sought, facts: Sequence[Fact], weights: TermWeights
) -> Iterator[tuple[str, str]]:
    """Names that stand in a sentence about the topic itself and that no page read is about, those of most facts first.

    Where one thing is asked for, only while no fact by itself holds most of the question.
    """
    best = max((seen.share(seen.held(said_by(fact).terms)) for fact in facts), default=0.0)
    if not wants_breadth(question) and best >= COVERED:
        return
    known = phrase(question)
    about = "".join(phrase(each.title) for fact in facts for each in fact.citations)
    its = topic(question, weights)
    counts, written = Counter[str](), dict[str, str]()
    for fact in filter(its.tied, facts):
        for name in subjects(fact.statement):
            key = phrase(name)
            if key not in known and key not in about and _telling(name):
                counts[key] += 1
                written.setdefault(key, name)
    subject = _subject(question)
    for key in sorted(counts, key=lambda key: (-counts[key] * (0.5 + rarity(key, weights)), key)):
        yield written[key], f"{written[key]} {subject}".strip()


def _subject(question: str) -> str:
    """What a name of the topic is searched for with."""
    listed = parts_of(question)
    short = listed.whole if listed else topic_of(question)
    if wants_breadth(question) and short and len(short) <= SHORT:
        return short
    return next(iter(subjects(question)), "")


def _telling(name: str) -> bool:
    letters = sum(map(str.isalpha, name))
    return (
        letters >= 2
        and "_" not in name
        and not dates(name)
        and not codes(name)
        and bool(names(f"The {name}."))
    )


def _like(text: str) -> str:
    return " ".join(sorted(set(analyse(text)))) or text.casefold()
