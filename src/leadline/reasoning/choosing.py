"""Which sentences of a round become its facts, by rules: those that tell most, of every document and every part of the topic.

sentences about the topic -> what each tells -> the best of each document -> the further down in its document and its part, the less
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.analysis.values import codes, dates, numbers
from leadline.reasoning.candidates import Candidate, answer_likeness
from leadline.reasoning.covering import Sought
from leadline.reasoning.topics import bare_title
from leadline.reasoning.verifiable import has_values
from leadline.retrieval.phrases import phrase

PER_DOCUMENT, ROWS = 12, 3
"""Sentences of one document that a round takes as facts, and among them rows of tables: further ones tell more of the same."""
WORTH = 0.3
"""A further sentence must be worth at least this share of its document's first one."""
FADED = 0.8
"""What the next sentence of a document, and the next of a part of the topic, counts beside the one before it."""
FIGURE, NAME, SPELLED, TOLD = 0.6, 0.4, 0.3, 0.5
"""What a figure, a name that its page has not in its title, or a number in words adds to a sentence's worth, and how much of
a word's share is left once it was said."""
FRAGMENT = 0.5
"""What a row or a line without an end counts less than a sentence."""

_SPELLED = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|dozen|half|third|quarter|twice)\b"
    r"|[一二三四五六七八九十百千零〇两]{2,}|[二两三四五六七八九十百千][^\W一二三四五六七八九十]",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"[.。!！…؟?\"”’)）\]」』】*_]\s*$")


@dataclass(frozen=True, slots=True)
class Rated:
    """A sentence, the place of the part that it is about, and how much of that it holds with what it stands under."""

    one: Candidate
    part: int
    share: float


def ranked(seen: Sought, found: Sequence[Rated], broad: bool) -> list[Candidate]:
    """The sentences of a round that may be its facts, those to be told first in front."""
    documents: dict[str, list[Rated]] = {}
    for each in found:
        documents.setdefault(each.one.evidence.chunk.document_id, []).append(each)
    parts: dict[int, list[tuple[float, Candidate]]] = {}
    for pool in documents.values():
        for turn, (worth, each) in enumerate(_best(seen, pool, broad)):
            parts.setdefault(each.part, []).append((worth * FADED**turn, each.one))
    told = [
        (worth * FADED**turn, one)
        for own in parts.values()
        for turn, (worth, one) in enumerate(sorted(own, key=lambda pair: -pair[0]))
    ]
    return [one for _, one in sorted(told, key=lambda pair: -pair[0])]


def _best(seen: Sought, pool: Sequence[Rated], broad: bool) -> Iterator[tuple[float, Rated]]:
    """Greedy: each next sentence is the one worth most beside those already taken. Of a page on a topic, what tells nothing
    that can be looked up comes only where nothing else does."""
    places = {(each.one.evidence.chunk.start + each.one.start, each.one.text): each for each in pool}
    left: list[Rated] = list(places.values())
    worth = {id(each): (_on_topic if broad else _answers)(seen, each) for each in left}
    said: set[str] = set()
    first, rows = 0.0, 0
    for count in range(PER_DOCUMENT):
        left = [each for each in left if rows < ROWS or not each.one.header]
        if not left:
            return
        now = [worth[id(each)] + _new(seen, each.one, said) for each in left]
        own = max(now)
        best = left[now.index(own)]
        first = first or own
        if own <= 0 or own < WORTH * first:
            return
        left.remove(best)
        rows += broad and bool(best.one.header)
        said |= best.one.held
        if not broad or not count or telling(best.one):
            yield own, best


def _new(seen: Sought, one: Candidate, said: set[str]) -> float:
    """What it holds of the question that was not said."""
    return seen.share(one.held - said) + (1 - TOLD) * seen.share(one.held & said)


def _answers(seen: Sought, each: Rated) -> float:
    return each.one.value + NAME * has_values(each.one.text)


def _on_topic(seen: Sought, each: Rated) -> float:
    one = each.one
    likeness = answer_likeness(seen, f"{one.header}\n{one.text}")
    return likeness + each.share + telling(one) - FRAGMENT * (not _WHOLE.search(one.text))


def telling(one: Candidate) -> float:
    """What it has that can be looked up."""
    chunk = one.evidence.chunk
    if numbers(one.text) or dates(one.text) or codes(one.text):
        return FIGURE
    known = "".join(map(phrase, (bare_title(chunk.title), *chunk.heading_path)))
    if any(name not in known for name in one.names):
        return NAME
    return SPELLED * bool(_SPELLED.search(one.text))
