"""The fact loop without a model: facts are sentences of the sources, gaps are what of the question no fact covers.

passages -> sentences that state something -> the best of each document -> facts -> uncovered aspects -> queries
"""

from collections.abc import Sequence

from leadline.analysis.terms import analyse
from leadline.reasoning.base import Draft, Passage
from leadline.reasoning.candidates import Candidate, candidates
from leadline.reasoning.covering import Sought, sought
from leadline.reasoning.offline_gaps import aspects, said_by
from leadline.reasoning.quoting import ANSWERED, quoted
from leadline.reasoning.verifiable import has_values, verifiable
from leadline.retrieval.base import TermWeights
from leadline.types import Claim, Fact

PER_DOCUMENT = 4
"""Sentences of one document that a round takes as facts."""
WORTH = 0.3
"""A further sentence must be worth at least this share of its document's first one."""
VALUES, TOLD = 0.4, 0.5
"""What a name, number or date adds to a sentence's worth, and how much of a word's share is left once it was said."""


def quoted_facts(question: str, passages: Sequence[Passage], weights: TermWeights) -> list[Claim]:
    """At most four sentences of each document, best documents first, each document's in the order of its text."""
    seen = sought(question, weights)
    by_document: dict[str, list[Candidate]] = {}
    for one in candidates(seen, passages):
        if verifiable(one.text):
            by_document.setdefault(one.evidence.chunk.document_id, []).append(one)
    return [quoted(one, "") for pool in by_document.values() for one in _best(seen, pool)]


def _best(seen: Sought, pool: list[Candidate]) -> list[Candidate]:
    """Greedy: each next sentence is the one worth most beside those already taken, given in the order of the text."""
    taken: list[Candidate] = []
    first = 0.0
    left = list({(one.evidence.chunk.start + one.start, one.text): one for one in pool}.values())
    while left and len(taken) < PER_DOCUMENT:
        said = {term for one in taken for term in one.held}
        best = max(left, key=lambda one: _worth(seen, one, said))
        worth = _worth(seen, best, said)
        first = first or worth
        if worth <= 0 or worth < WORTH * first:
            break
        left.remove(best)
        taken.append(best)
    return sorted(taken, key=lambda one: one.evidence.chunk.start + one.start)


def _worth(seen: Sought, one: Candidate, said: set[str]) -> float:
    new = seen.share(one.held - said) + (1 - TOLD) * seen.share(one.held & said)
    return new + one.value + VALUES * has_values(one.text)


def listed(
    question: str, facts: Sequence[Fact], open: Sequence[str], weights: TermWeights, enough: float = ANSWERED
) -> Draft:
    """All facts as they stand, in sections by aspect of the question, else by source.

    Confidence is the part of the question's weight that the facts hold, times the part of its names.
    """
    seen = sought(question, weights)
    said = [said_by(fact) for fact in facts]
    held = seen.held(term for text in said for term in text.terms)
    named = [name for name in seen.names if any(name in text.phrases for text in said)]
    confidence = seen.share(held) * (len(named) / len(seen.names) if seen.names else 1.0)
    parts = [query.text for query in aspects(question)]
    topics: list[str] = []
    for place, fact in enumerate(facts):
        # Those that disagree stay in one section.
        first = min(fact.against, default=place + 1) - 1
        topics.append(topics[first] if first < place else _topic(fact, parts))
    claims = [
        stated(fact, topic)
        for topic in dict.fromkeys(topics)
        for fact, its in zip(facts, topics, strict=True)
        if its == topic
    ]
    return Draft(tuple(claims), bool(claims) and confidence >= enough, confidence, tuple(open))


def stated(fact: Fact, topic: str = "") -> Claim:
    """A fact as a claim of an answer: quoted where it is what its source says, word for word."""
    bare = " ".join(fact.statement.split())
    is_quote = any(bare == " ".join(each.quote.split()) for each in fact.citations)
    return Claim(bare, fact.citations, "quoted" if is_quote else "stated", topic=topic)


def _topic(fact: Fact, parts: Sequence[str]) -> str:
    """The part of the question that the fact shares most terms with, else the title of its first source."""
    mine = said_by(fact).terms
    shares = [(len(mine & terms) / len(terms), part) for part in parts if (terms := set(analyse(part)))]
    share, part = max(shares, key=lambda pair: pair[0], default=(0.0, ""))
    return part if share >= 0.5 else fact.citations[0].title if fact.citations else ""
