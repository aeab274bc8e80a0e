"""From what a model cites to a place in a passage.

the quote as it stands -> with other case and white space -> the sentence that says most of it -> the quote as given
"""

import re
from collections.abc import Iterator, Sequence

from leadline.analysis.sentences import sentences
from leadline.analysis.terms import analyse
from leadline.reasoning.base import Passage
from leadline.reasoning.placing import citation_of
from leadline.types import Chunk, Citation, Evidence

SAYS = 0.6
"""A sentence stands for a quote, or for a claim without one, that shares this part of its terms."""
_LONGEST_WORDS = 400
_EDGE = " \t\n\"'“”‘’«»「」….,;:"

Span = tuple[int, int]


def cited(passages: Sequence[Passage], numbers: Sequence[int], quote: str, claim: str) -> list[Citation]:
    """The citations of one quote, in the passages numbered (from 1) or, where it is in none of those, in any other.

    Without a quote each numbered passage gives the sentence that says most of the claim. A quote that stands nowhere
    is kept as it is: the check of claims compares more leniently, and drops what is invented.
    """
    chosen = [passages[number - 1] for number in numbers]
    if quote.strip(_EDGE):
        others = [passage for passage in passages if passage not in chosen]
        placed = [(passage, span) for passage in chosen if (span := _quoted(passage.text, quote))]
        placed = placed or [(p, span) for p in others if (span := _quoted(p.text, quote))][:1]
        placed = placed or _saying(chosen or passages, quote, 1)
        if placed:
            return [_citation(passage, span) for passage, span in placed]
        if chosen:
            first = chosen[0]
            return [_citation(first, (0, len(first.text)), quote)]
    placed = _saying(chosen, claim, len(chosen)) if chosen else _saying(passages, claim, 1)
    return [_citation(passage, span) for passage, span in placed]


def _quoted(text: str, quote: str) -> Span | None:
    """Where a quote stands, whatever its letter case, white space and the marks around it."""
    bare = quote.strip(_EDGE)
    for needle in (quote.strip(), bare):
        at = text.find(needle) if needle else -1
        if at >= 0:
            return at, at + len(needle)
    words = bare.split()
    if not words or len(words) > _LONGEST_WORDS:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return match.span() if match else None


def _saying(passages: Sequence[Passage], said: str, most: int) -> list[tuple[Passage, Span]]:
    """The sentences that share most of the terms of `said`, one a passage, at most `most`."""
    terms = frozenset(analyse(said))
    found = [best for passage in passages if (best := max(_shares(passage, terms), default=None))]
    found.sort(key=lambda one: -one[0])
    places = {id(passage): passage for passage in passages}
    return [(places[key], span) for share, _, span, key in found[:most] if share >= SAYS]


def _shares(passage: Passage, terms: frozenset[str]) -> Iterator[tuple[float, int, Span, int]]:
    for start, end in sentences(passage.text) if terms else ():
        held = terms.intersection(analyse(passage.text[start:end]))
        if held:
            # Of equal ones the earlier, so its place counts the other way round.
            yield len(held) / len(terms), -start, (start, end), id(passage)


def _citation(passage: Passage, span: Span, quote: str = "") -> Citation:
    start, end = passage.start + span[0], passage.start + span[1]
    evidence = _around(passage, start, end)
    chunk: Chunk = evidence.chunk
    header = chunk.context if chunk.kind == "table" else ""
    said = quote or passage.text[span[0] : span[1]]
    return citation_of(chunk, said, start, end, via=evidence.hit.name, context=header)


def _around(passage: Passage, start: int, end: int) -> Evidence:
    """The piece of evidence that the span stands in, else the one next to it."""

    def distance(item: Evidence) -> int:
        return max(item.chunk.start - end, start - item.chunk.end)

    return min(passage.evidence, key=distance)
