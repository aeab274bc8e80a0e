"""The fact loop without a model: facts are sentences of the sources, gaps are what of the question no fact covers.

passages -> sentences that state something -> the best of each document -> facts -> uncovered aspects -> queries
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from leadline.analysis.terms import analyse
from leadline.reasoning.base import Draft, Passage
from leadline.reasoning.candidates import Candidate, candidates
from leadline.reasoning.choosing import Rated, ranked
from leadline.reasoning.covering import sought
from leadline.reasoning.offline_gaps import said_by, wants_breadth
from leadline.reasoning.quoting import ANSWERED, quoted
from leadline.reasoning.topics import bare_title, is_named, listing, parts_of, script, topic, topic_of
from leadline.reasoning.verifiable import verifiable
from leadline.retrieval.base import TermWeights
from leadline.types import Claim, Fact

PER_DOCUMENT = 4
"""Sentences of one document that stand in for what a model would state of it."""

_ASKED = re.compile(r"\*\*[^*]+[?？؟]\*\*\s*")


def quoted_facts(question: str, passages: Sequence[Passage], weights: TermWeights) -> list[Claim]:
    """At most four sentences of each document that are about the topic, best documents first, each document's in the order
    of its text."""
    documents: dict[str, list[Claim]] = {}
    for claim in ranked_facts(question, passages, weights):
        documents.setdefault(claim.citations[0].document_id, []).append(claim)
    places = dict.fromkeys(each.document_id for each in passages)
    return [
        claim
        for place in places
        for claim in sorted(documents.get(place, [])[:PER_DOCUMENT], key=lambda one: one.citations[0].start)
    ]


def ranked_facts(question: str, passages: Sequence[Passage], weights: TermWeights) -> list[Claim]:
    """The sentences that are about the topic and tell something, those that tell most first; the parts of the topic and the
    documents take turns."""
    seen = sought(topic_of(question), weights)
    its = topic(question, weights)
    named = its.named(passages)
    found = (one for one in map(_answering, candidates(seen, passages)) if _is_fact(one))
    rated = [Rated(one, *its.best(_stands(one), named[one.evidence.chunk.document_id])) for one in found]
    broad = is_named(question)
    least = its.least((each.share for each in rated), later=broad and _later(passages))
    about = [each for each in rated if each.share >= least]
    return [quoted(one, "") for one in ranked(seen, about, broad)]


def _later(passages: Sequence[Passage]) -> bool:
    """Whether it is what no first round found."""
    found = [each.round for passage in passages for item in passage.evidence for each in item.hit.found]
    return min(found, default=1) > 1


def _stands(one: Candidate) -> tuple[str, ...]:
    chunk = one.evidence.chunk
    return (bare_title(chunk.title), *chunk.heading_path, one.header, one.text)


def _answering(one: Candidate) -> Candidate:
    """A sentence without the question in bold that it answers."""
    asks = _ASKED.match(one.text)
    return replace(one, start=one.start + asks.end()) if asks else one


def _elsewhere(question: str, text: str) -> bool:
    """Whether a text is in a script that shares no word with the question."""
    return script(question) != script(text)


def _is_fact(one: Candidate) -> bool:
    """Whether it states something: a row needs its header, and a title repeats itself."""
    if one.text.startswith("|") and not one.header:
        return False
    return verifiable(one.text) and set(analyse(one.text)) != set(analyse(one.evidence.chunk.title))


def listed(
    question: str, facts: Sequence[Fact], open: Sequence[str], weights: TermWeights, enough: float = ANSWERED
) -> Draft:
    """The facts about the topic as they stand (all of them, where none is `enough`), in sections by part of the topic, else
    by source; the most telling section first, and in it what only lists things last.

    Confidence is the part of the question's weight that the facts hold, times the part of its names. A topic is answered by
    any fact about it.
    """
    seen = sought(topic_of(question), weights)
    its = topic(question, weights)
    said = [said_by(fact) for fact in facts]
    held = seen.held(term for text in said for term in text.terms)
    named = [name for name in seen.names if any(name in text.phrases for text in said)]
    confidence = seen.share(held) * (len(named) / len(seen.names) if seen.names else 1.0)
    topics: list[str] = []
    for place, fact in enumerate(facts):
        # Those that disagree stay in one section.
        first = min(fact.against, default=place + 1) - 1
        topics.append(topics[first] if first < place else _topic(question, fact))
    shares = [its.of(fact) for fact in facts]
    least = its.least(shares) if enough else 0.0
    told = [
        (fact, topic_)
        for fact, topic_, share in zip(facts, topics, shares, strict=True)
        if share >= least or fact.against
    ]
    told.sort(key=lambda one: listing(one[0].statement))
    claims = [
        stated(fact, topic_)
        for topic_ in _ordered(question, topics, shares)
        for fact, own in told
        if own == topic_
    ]
    about = any(shares) or any(_elsewhere(question, fact.statement) for fact in facts)
    about = about if wants_breadth(question) else confidence >= enough
    return Draft(tuple(claims), bool(claims) and (about or not enough), confidence, tuple(open))


def _ordered(question: str, topics: Sequence[str], shares: Sequence[float]) -> list[str]:
    """Sections: the parts as the topic lists them, then those of which the best facts are about it most."""
    parts = parts_of(question)
    headings = [_heading(part) for part in parts.parts] if parts else []
    best = dict.fromkeys(topics, 0.0)
    for topic_, share in zip(topics, shares, strict=True):
        best[topic_] = max(best[topic_], share)
    places = {heading: at for at, heading in enumerate(headings)}
    return sorted(best, key=lambda each: (places.get(each, len(headings)), -best[each]))


def stated(fact: Fact, topic: str = "") -> Claim:
    """A fact as a claim of an answer: quoted where it is what its source says, word for word."""
    bare = " ".join(fact.statement.split())
    is_quote = any(bare == " ".join(each.quote.split()) for each in fact.citations)
    return Claim(bare, fact.citations, "quoted" if is_quote else "stated", topic=topic)


def _topic(question: str, fact: Fact) -> str:
    """The part of the topic that the fact shares most terms with, as a heading, else the title of its first source."""
    parts = parts_of(question)
    mine = said_by(fact).terms
    own = set(analyse(fact.statement))
    shares = [
        (len(mine & terms) / len(terms) + len(own & terms) / len(terms), part)
        for part in (parts.parts if parts else ())
        if (terms := set(analyse(part)))
    ]
    share, part = max(shares, key=lambda pair: pair[0], default=(0.0, ""))
    if share >= 0.5:
        return _heading(part)
    return _heading(bare_title(fact.citations[0].title)) if fact.citations else ""


def _heading(text: str) -> str:
    return text[:1].upper() + text[1:]
