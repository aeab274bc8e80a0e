"""The sentences an answer could quote, each with what it holds of the question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from leadline.analysis.names import names
from leadline.analysis.sentences import sentences
from leadline.analysis.terms import analyse
from leadline.analysis.values import dates, numbers
from leadline.reasoning.base import Passage
from leadline.reasoning.covering import Sought
from leadline.reasoning.dating import asked_times, of_another_time
from leadline.retrieval.phrases import phrase
from leadline.retrieval.scoring import answered
from leadline.types import Chunk, Evidence

LONGEST = 300
RELATED, FOCUS, KIND, OPENING, ASKS = 0.9, 0.6, 0.35, 0.25, 1.5
_CLAUSE_END = re.compile(r"[,;:](?=\s)|[，；：、،؛]")
"""Not the comma of 1,200 and not the colon of 06:40: a cut there would quote another figure."""
_PLACED = re.compile(r"\b(?:in|at|from|near|of)\s+(?:the\s+)?[A-Z]|[在于]|(?:في|من)\s")
_RULE = re.compile(r"^[\s|:+-]*-{2,}[\s|:+-]*$")
_LINE = re.compile(r"\S(?:[^\n]*\S)?")
_BULLET = re.compile(r"(?:(?:[-*+•·▪●>]|\d{1,3}[.)、])\s+)+(?=\S)")
_PICTURE = re.compile(r"!\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])")
_HEADING = re.compile(r"^#{1,6}\s")


@dataclass(frozen=True, slots=True)
class Candidate:
    """`evidence.chunk.text[start:end]`. `direct` tells that its own words answer to some of the question. `held` are the question's terms it (or its title) answers to,
    `names` the phrases it names beyond the question, `value` how much it looks like an answer by itself. `header` is
    that of the table whose row it is. `another_time` tells that it speaks of another time than the question."""

    evidence: Evidence
    start: int
    end: int
    score: float
    value: float
    held: frozenset[str]
    names: frozenset[str]
    direct: bool
    header: str = ""
    another_time: bool = False

    @property
    def text(self) -> str:
        return self.evidence.chunk.text[self.start : self.end]

    @property
    def length(self) -> int:
        return self.end - self.start


def candidates(seen: Sought, passages: Sequence[Passage]) -> list[Candidate]:
    """Every sentence of the passages' evidence that is not a heading or a table's header."""
    asked = asked_times(seen.question, (item.hit for passage in passages for item in passage.evidence))
    found = [
        _candidate(seen, passage, item, span, position == 0, header)
        for passage in passages
        for item in passage.evidence
        for position, (span, header) in enumerate(_sentences(item.chunk, passage))
    ]
    return [replace(one, another_time=of_another_time(one.text, asked)) for one in found] if asked else found


def _sentences(chunk: Chunk, passage: Passage) -> Iterator[tuple[tuple[int, int], str]]:
    """Each sentence's span in the chunk, and the header that stands above it if it is a table's row."""
    text = chunk.text
    if chunk.kind == "table" and not text.startswith("|") and "\n\n" not in text:
        yield from _rows(chunk)
        return
    spans = sentences(text)
    header = chunk.context if chunk.kind == "table" else ""
    for index, (start, end) in enumerate(spans):
        following = text[slice(*spans[index + 1])] if index + 1 < len(spans) else ""
        if _RULE.match(following):
            header = text[start:end]
        elif not _RULE.match(text[start:end]) and not _is_heading(chunk, passage, start, end):
            bullet, picture = _BULLET.match(text, start, end), _PICTURE.fullmatch(text, start, end)
            span = picture.span(1) if picture else (bullet.end() if bullet else start, end)
            yield span, header if text[start] == "|" else ""


def _rows(chunk: Chunk) -> Iterator[tuple[tuple[int, int], str]]:
    """The lines of a table that is not drawn with bars at its edges (a CSV file), without its header."""
    found = list(_LINE.finditer(chunk.text))
    header = chunk.context or found[0].group()
    for row in found if chunk.context else found[1:]:
        if not _RULE.match(row.group()):
            yield row.span(), header


def _is_heading(chunk: Chunk, passage: Passage, start: int, end: int) -> bool:
    if _HEADING.match(chunk.text[start:end]):
        return True
    begin, stop = chunk.start + start, chunk.start + end
    return any(
        begin <= first and last <= stop and stop - begin - (last - first) < 8
        for first, last in passage.headings
    )


def _candidate(
    seen: Sought, passage: Passage, item: Evidence, span: tuple[int, int], opening: bool, header: str
) -> Candidate:
    start, end = _clipped(seen, item.chunk.text, *span)
    text = item.chunk.text[start:end]
    own = frozenset(phrase(name) for name in names(text)) - seen.names.keys()
    held = frozenset(seen.held([*analyse(f"{item.chunk.title}\n{header}\n{text}"), *answered(item.hit)]))
    value = answer_likeness(seen, f"{header}\n{text}") + OPENING * opening
    direct = bool(seen.held(analyse(f"{header}\n{text}")))
    return Candidate(item, start, end, passage.score, value, held, own, direct, header)


def answer_likeness(seen: Sought, sentence: str) -> float:
    """How much a sentence looks like an answer: the question's words, words related to them, the kind of
    value the question asks for."""
    terms = frozenset(analyse(sentence))
    value = seen.share(term for term in seen.shares if term in terms)
    related = seen.wanted.related
    value += RELATED * sum(not terms.isdisjoint(words) for words in related.values()) / max(len(related), 1)
    value -= ASKS * sentence.rstrip("*_\"'” )）").endswith(("?", "？", "؟"))
    focus = seen.wanted.focus
    value += FOCUS * len(seen.wanted.answering(terms, focus)) / max(len(focus), 1)
    kinds = seen.wanted.kinds
    value += KIND * ("date" in kinds and bool(dates(sentence)))
    value += KIND * ("number" in kinds and bool(numbers(sentence)))
    value += KIND * ("person" in kinds and bool(names(sentence)))
    value += KIND * ("place" in kinds and bool(_PLACED.search(sentence)))
    return value


def _word_end(text: str, begin: int, end: int) -> int:
    """Where a clause too long itself can end: behind its last whole word that still fits."""
    stop = min(begin + LONGEST, end)
    space = max(text.rfind(" ", begin, stop), text.rfind("\n", begin, stop))
    return space if stop < end and space > begin + LONGEST // 2 else stop


def _clipped(seen: Sought, text: str, start: int, end: int) -> tuple[int, int]:
    """A long sentence cut at clause ends, to the run of clauses that looks most like an answer."""
    if end - start <= LONGEST:
        return start, end
    ends = [mark.end() for mark in _CLAUSE_END.finditer(text, start, end)] + [end]
    best = (-1.0, start, start + LONGEST)
    for index, begin in enumerate([start, *ends[:-1]]):
        stop = max((e for e in ends[index:] if e - begin <= LONGEST), default=0) or _word_end(
            text, begin, end
        )
        value = answer_likeness(seen, text[begin:stop])
        if value > best[0]:
            best = (value, begin, stop)
    piece = text[best[1] : best[2]]
    return best[1] + len(piece) - len(piece.lstrip()), best[1] + len(piece.rstrip())
