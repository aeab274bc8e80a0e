"""Answer with the sources' own sentences: which ones, in which order, and whether they are enough.

passages in final order -> every sentence of their evidence -> the one that adds most, then the next ...
  -> at most five sentences and 800 characters
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.analysis.terms import analyse
from leadline.reasoning.base import Draft, Known, Passage
from leadline.reasoning.candidates import Candidate, candidates
from leadline.reasoning.covering import Sought, missing, names_found, sought, understood
from leadline.reasoning.placing import citation_of
from leadline.reasoning.verifiable import for_models
from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import phrase, whole
from leadline.retrieval.scoring import answered
from leadline.types import Claim, Query

ANSWERED = 0.5
"""Quotes that hold so much of the question's weight, and of its names, are called an answer."""
SENTENCES = 5
CHARACTERS = 800
WORTH = 0.3
"""A further sentence must be worth at least this share of the first one."""

LIKELY = 0.4
"""A sentence that adds no word of the question must look this much like the likeliest answer taken."""

PASSAGE, MARGINAL, OWN = 0.6, 0.6, 0.4
LINKED = 0.25
SAME_SECTION, SAME_DOCUMENT = 0.15, 0.05
ELSEWHERE = 0.3


@dataclass(slots=True)
class Chosen:
    """The sentences taken so far, and what they hold between them."""

    taken: list[Candidate]
    held: set[str]
    names: set[str]
    left: int = CHARACTERS


def quote_answer(
    question: str,
    asked: Sequence[Query],
    passages: Sequence[Passage],
    weights: TermWeights,
    enough: float = ANSWERED,
    known: Sequence[Known] = (),
) -> Draft:
    """At most five quoted sentences. `found` is False when they cover less than `enough` of the question.

    What a chain found comes first, the last step's before the others': the sentences that have its short answers, in the
    chunks that support them. Confidence is the part of the question's term weight that the quoted passages hold, times the part of
    its names they hold: a question about something no passage names is not answered by its other words.
    """
    seen = sought(question, weights)
    # Who asks about such words gets them.
    all_ = for_models(question)
    pool = _of_its_time([one for one in candidates(seen, passages) if all_ or not for_models(one.text)])
    noted = _noted(pool, known)
    chosen = _choose(seen, passages, pool, noted)
    chunks = [candidate.evidence.chunk for candidate in chosen]
    also = frozenset[str]().union(*(understood(seen, _row(one)) for one in chosen if one.header))
    also |= seen.held(term for one in chosen for term in answered(one.evidence.hit))
    held = seen.held(term for chunk in chunks for term in chunk.terms.split()) | also
    confidence = seen.share(held) * names_found(seen, chunks, weights)
    open_points = missing(seen, chunks, also)
    if not chosen or (confidence < enough and not noted):
        return Draft((), False, confidence, open_points)
    return Draft(tuple(_claims(chosen, asked)), True, confidence, open_points)


def _of_its_time(pool: Sequence[Candidate]) -> list[Candidate]:
    """Without sentences of another time than the question asks for, unless no other answers to it."""
    if any(one.direct and not one.another_time for one in pool):
        return [one for one in pool if not one.another_time]
    return list(pool)


def _noted(pool: Sequence[Candidate], known: Sequence[Known]) -> list[Candidate]:
    """For each step of a chain, the last first, a sentence that has its answer in a chunk that supports it."""
    found: list[Candidate] = []
    for step in reversed(known):
        said = phrase(step.answer)
        holding = (
            one for one in pool if one.evidence.chunk.id in step.supported and said in phrase(one.text)
        )
        best = next(holding, None) if said.strip() else None
        if best is not None and best not in found:
            found.append(best)
    return found[:SENTENCES]


def _choose(
    seen: Sought, passages: Sequence[Passage], pool: list[Candidate], noted: Sequence[Candidate]
) -> list[Candidate]:
    """Greedy: each next sentence is the one worth most beside those already taken, those `noted` before all."""
    best = max((passage.score for passage in passages), default=0.0) or 1.0
    chosen = Chosen([], set(), set())
    for candidate in noted:
        _take(candidate, pool, chosen)
    first = 0.0
    while len(chosen.taken) < SENTENCES:
        usable = [one for one in pool if one.length <= chosen.left and _says_something(one, chosen)]
        if not usable:
            break
        candidate = max(usable, key=lambda one: _worth(seen, one, chosen, best))
        worth = _worth(seen, candidate, chosen, best)
        first = first or worth
        if worth < WORTH * first:
            break
        _take(candidate, pool, chosen)
    return chosen.taken


def _take(candidate: Candidate, pool: list[Candidate], chosen: Chosen) -> None:
    pool.remove(candidate)
    chosen.taken.append(candidate)
    chosen.held |= candidate.held
    chosen.names |= candidate.names
    chosen.left -= candidate.length + 1


def _says_something(candidate: Candidate, chosen: Chosen) -> bool:
    """Whether it answers to the question in its own words, or goes on from a name in a sentence taken.

    A further sentence of a document already quoted must add a word of the question, or look like an answer. One that
    does not pass the question's own filter, such as "after 2023", must add a word where another one passes.
    """
    unlinked = candidate.names.isdisjoint(chosen.names)
    if unlinked and not candidate.direct:
        return False
    outside = not answered(candidate.evidence.hit) and any(answered(one.evidence.hit) for one in chosen.taken)
    if outside and unlinked:
        return bool(candidate.held - chosen.held)
    if candidate.held - chosen.held or _document(candidate) not in map(_document, chosen.taken):
        return True
    return candidate.value >= LIKELY * max(other.value for other in chosen.taken)


def _worth(seen: Sought, candidate: Candidate, chosen: Chosen, best: float) -> float:
    value = PASSAGE * candidate.score / best + OWN * candidate.value
    value += MARGINAL * seen.share(candidate.held - chosen.held)
    value += LINKED * (not candidate.names.isdisjoint(chosen.names))
    value -= ELSEWHERE * _is_elsewhere(seen, candidate)
    value -= SAME_SECTION * any(_section(candidate) == _section(other) for other in chosen.taken)
    value -= SAME_DOCUMENT * any(_document(candidate) == _document(other) for other in chosen.taken)
    return value


def _is_elsewhere(seen: Sought, candidate: Candidate) -> bool:
    """Whether nothing says that the sentence is of what the question names: neither its chunk nor a link to it."""
    evidence = candidate.evidence
    if not seen.names or evidence.hit.parent:
        return False
    text = whole(evidence.chunk)
    return not any(name in text for name in seen.names)


def _row(candidate: Candidate) -> str:
    return f"{candidate.evidence.chunk.title}\n{candidate.header}\n{candidate.text}"


def _section(candidate: Candidate) -> str:
    return candidate.evidence.chunk.section_id


def _document(candidate: Candidate) -> str:
    return candidate.evidence.chunk.document_id


def _claims(chosen: Sequence[Candidate], asked: Sequence[Query]) -> Iterator[Claim]:
    """Claims grouped by sub-query, in the order in which the groups first come up."""
    topics = [_topic(candidate, asked) for candidate in chosen]
    for topic in dict.fromkeys(topics):
        yield from (quoted(one, topic) for one, its in zip(chosen, topics, strict=True) if its == topic)


def _topic(candidate: Candidate, asked: Sequence[Query]) -> str:
    """The subject that the sentence, else its chunk, names; else the sub-question whose terms it answers most.

    What names none of several subjects is filed under none, unless a name led to it.
    """
    subs = [query for query in asked if query.kind == "sub"]
    chunk = candidate.evidence.chunk
    for text in (f"{chunk.title} {candidate.text}", f"{chunk.title} {chunk.text}"):
        said = phrase(text)
        named = [query for query in subs if any(phrase(lead.name) in said for lead in query.leads)]
        if named:
            return named[0].leads[0].name if len(named) == 1 else _nearest(candidate, named)
    led = bool(candidate.evidence.hit.parent)
    return _nearest(candidate, [query for query in subs if led or not query.leads])


def _nearest(candidate: Candidate, subs: Sequence[Query]) -> str:
    """The sub-query whose terms the sentence has most of, by its subject or its words; "" when there is none."""
    terms = set(analyse(f"{candidate.evidence.chunk.title} {candidate.text}"))
    best = max(subs, key=lambda query: len(terms.intersection(analyse(query.text))), default=None)
    if best is None:
        return ""
    return best.leads[0].name if best.leads else best.text


def quoted(candidate: Candidate, topic: str) -> Claim:
    """The sentence as a claim."""
    chunk = candidate.evidence.chunk
    start, end = chunk.start + candidate.start, chunk.start + candidate.end
    named = candidate.evidence.hit.name
    citation = citation_of(chunk, candidate.text, start, end, via=named, context=candidate.header)
    return Claim(" ".join(candidate.text.split()), (citation,), "quoted", topic=topic)
