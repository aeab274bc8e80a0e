"""Answer with the sources' own sentences: which passages, which sentence of each, and whether it is enough.

passages in final order -> the sentence of each that answers most -> at most five, 800 characters
"""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.analysis.names import names
from leadline.analysis.sentences import sentences
from leadline.analysis.terms import analyse
from leadline.analysis.values import dates, numbers
from leadline.reasoning.base import Draft, Passage
from leadline.reasoning.covering import Sought, missing, names_found, sought
from leadline.retrieval.base import TermWeights
from leadline.types import Citation, Claim, Evidence, Query

SENTENCES = 5
CHARACTERS = 800
LONGEST = 300
RELATED_BONUS = 0.35
KIND_BONUS = 0.15
OPENING_BONUS = 0.1
_CLAUSE_ENDS = ",;:，；：、،؛"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a piece of evidence, `evidence.chunk.text[start:end]`, and how much it answers."""

    evidence: Evidence
    start: int
    end: int
    value: float

    @property
    def text(self) -> str:
        return self.evidence.chunk.text[self.start : self.end]


def quote_answer(
    question: str,
    asked: Sequence[Query],
    passages: Sequence[Passage],
    weights: TermWeights,
    enough: float,
) -> Draft:
    """At most five quoted sentences. `found` is False when they cover less than `enough` of the question.

    Confidence is the part of the question's term weight that the quoted passages hold, times the part of
    its names they hold: a question about something no passage names is not answered by its other words.
    """
    seen = sought(question, weights)
    chosen = _choose(seen, passages)
    chunks = [candidate.evidence.chunk for candidate in chosen]
    held = seen.held(term for chunk in chunks for term in chunk.terms.split())
    confidence = seen.share(held) * names_found(seen, chunks, weights)
    if not chosen or confidence < enough:
        return Draft((), False, confidence, missing(seen, chunks))
    claims = tuple(_claim(candidate, _topic(candidate, asked)) for candidate in chosen)
    return Draft(claims, True, confidence, missing(seen, chunks))


def _choose(seen: Sought, passages: Sequence[Passage]) -> list[Candidate]:
    chosen: list[Candidate] = []
    left = CHARACTERS
    for passage in passages:
        candidate = _best(seen, passage)
        if candidate is None or len(chosen) == SENTENCES:
            continue
        if candidate.end - candidate.start <= left:
            chosen.append(candidate)
            left -= candidate.end - candidate.start + 1
    return chosen


def _best(seen: Sought, passage: Passage) -> Candidate | None:
    best: Candidate | None = None
    for item in passage.evidence:
        text = item.chunk.text
        for position, span in enumerate(sentences(text)):
            start, end = _clipped(seen, text, *span)
            value = _value(seen, text[start:end]) + (OPENING_BONUS if position == 0 else 0.0)
            if best is None or value > best.value:
                best = Candidate(item, start, end, value)
    return best


def _value(seen: Sought, sentence: str) -> float:
    terms = frozenset(analyse(sentence))
    value = seen.share(term for term in seen.shares if term in terms)
    related = [term for term, words in seen.wanted.related.items() if not terms.isdisjoint(words)]
    value += RELATED_BONUS * len(related) / max(len(seen.wanted.related), 1)
    kinds = seen.wanted.kinds
    value += KIND_BONUS * ("date" in kinds and bool(dates(sentence)))
    value += KIND_BONUS * ("number" in kinds and bool(numbers(sentence)))
    value += KIND_BONUS * (bool(kinds & {"person", "place"}) and bool(names(sentence)))
    return value


def _clipped(seen: Sought, text: str, start: int, end: int) -> tuple[int, int]:
    """A long sentence cut at clause ends, to the run of clauses that answers most."""
    if end - start <= LONGEST:
        return start, end
    ends = [i + 1 for i in range(start, end) if text[i] in _CLAUSE_ENDS] + [end]
    begins = [start, *ends[:-1]]
    best = (-1.0, start, min(end, start + LONGEST))
    for index, begin in enumerate(begins):
        stop = max((e for e in ends[index:] if e - begin <= LONGEST), default=min(begin + LONGEST, end))
        value = _value(seen, text[begin:stop])
        if value > best[0]:
            best = (value, begin, stop)
    piece = text[best[1] : best[2]]
    left = len(piece) - len(piece.lstrip())
    return best[1] + left, best[1] + len(piece.rstrip())


def _topic(candidate: Candidate, asked: Sequence[Query]) -> str:
    """The sub-query whose terms the sentence answers most, "" when there is none or it is the question."""
    subs = [query for query in asked if query.kind == "sub"]
    terms = set(analyse(f"{candidate.evidence.chunk.title} {candidate.text}"))
    best = max(subs, key=lambda query: len(terms.intersection(analyse(query.text))), default=None)
    return best.text if best else ""


def _claim(candidate: Candidate, topic: str) -> Claim:
    chunk = candidate.evidence.chunk
    citation = Citation(
        document_id=chunk.document_id,
        chunk_id=chunk.id,
        source=chunk.source,
        title=chunk.title,
        quote=candidate.text,
        start=chunk.start + candidate.start,
        end=chunk.start + candidate.end,
        page=chunk.page,
        heading_path=chunk.heading_path,
        via=candidate.evidence.hit.name,
    )
    return Claim(" ".join(candidate.text.split()), (citation,), "quoted", topic=topic)
