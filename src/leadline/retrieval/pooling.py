"""Everything one run has found, and its one final order.

hits of all queries and rounds -> one entry a chunk -> base score for the question
  -> a chunk reached through a name rises to just below the chunk that names it -> coverage of the question
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest

from leadline.analysis.phrases import bare_title, surfaces
from leadline.analysis.phrases import key as phrase_key
from leadline.analysis.terms import analyse
from leadline.retrieval.base import Link, TermWeights
from leadline.retrieval.diversity import with_copies
from leadline.retrieval.ordering import Placed, arranged
from leadline.retrieval.phrases import aboutness, phrase, rarity, titles
from leadline.retrieval.scoring import answered, bm25, saturations, shares, with_read
from leadline.types import Chunk, Hit, Lead, Query

QUESTION_TITLE = 0.15
SUBORDINATE = 0.95
"""What a sub-query's score is worth next to the question's own."""

REWRITTEN = 0.7
"""The same for a rewrite's: other words may mean something else."""

BARE = 0.5
"""A part of the question that holds less of it than this share of what the largest part holds counts as much less."""

OF_DOCUMENT, COUNTED = 0.3, 5
"""What a chunk gains by its document, and how many of that one's chunks tell how much the question finds there."""


@dataclass(frozen=True, slots=True)
class Led:
    """`child` was reached from `parent` because `parent` names `name`; `about` says how much it is about it."""

    parent: str
    child: str
    name: str
    about: float


@dataclass(slots=True)
class Pool:
    """One entry per chunk, over all queries and rounds of a run.

    `asked` holds a chunk's best score for the question itself, `subs` for a part of it.
    """

    hits: dict[str, Hit] = field(default_factory=dict[str, Hit])
    asked: dict[str, float] = field(default_factory=dict[str, float])
    subs: dict[str, float] = field(default_factory=dict[str, float])
    links: dict[tuple[str, str], Link] = field(default_factory=dict[tuple[str, str], Link])
    led: list[Led] = field(default_factory=list[Led])

    def add(
        self,
        query: Query,
        hits: Iterable[Hit],
        links: Iterable[Link] = (),
        scores: Mapping[str, float] | None = None,
        worth: float = 1.0,
    ) -> list[str]:
        """Take in one query's hits, best first; return the ids of chunks not seen before.

        `scores` are the hits' own scores where links and coverage have changed those in the hits; `worth` is what the
        query counts among the parts of the question.
        """
        new: list[str] = []
        followed = [(lead, phrase(lead.name)) for lead in query.leads]
        for hit in hits:
            key = hit.chunk.id
            before = self.hits.get(key)
            if before is None:
                new.append(key)
                self.hits[key] = hit
            else:
                found = tuple(dict.fromkeys((*before.found, *hit.found)))
                self.hits[key] = with_copies(replace(before, found=found), hit.copies)
            own = hit.score if scores is None else scores.get(key, 0.0)
            self._score(query, hit, worth * own, [name for _, name in followed])
            if query.kind in ("gap", "follow"):
                self._lead(hit, followed)
        for link in links:
            ends = (link.parent, link.child)
            if ends not in self.links or self.links[ends].strength < link.strength:
                self.links[ends] = link
        return new

    def _score(self, query: Query, hit: Hit, own: float, names: Sequence[str]) -> None:
        key = hit.chunk.id
        if query.kind in ("original", "widened"):
            self.asked[key] = max(self.asked.get(key, 0.0), own)
        elif query.kind == "follow" or (
            query.kind == "sub" and (not names or not titles(hit.chunk).isdisjoint(names))
        ):
            self.subs[key] = max(self.subs.get(key, 0.0), own)
        elif query.kind in ("expanded", "hyde"):
            self.subs[key] = max(self.subs.get(key, 0.0), REWRITTEN * own)

    def _lead(self, hit: Hit, followed: Sequence[tuple[Lead, str]]) -> None:
        for lead, name in followed:
            about = aboutness(name, hit.chunk)
            if about and lead.parent != hit.chunk.id:
                self.led.append(Led(lead.parent, hit.chunk.id, lead.name, about))


def worths(question: str, queries: Sequence[Query], weights: TermWeights) -> dict[str, float]:
    """What each part of the question counts beside the largest one, by its text.

    Every query's best hit has score 1, also that of a clause that asks nothing ("according to the annual report").
    What is about a name, or has words of its own, is no mere clause.
    """
    part = shares(analyse(question), weights)
    words = {
        query.text: set(analyse(query.text)) for query in queries if query.kind == "sub" and not query.leads
    }
    held = {text: sum(part[term] for term in terms) for text, terms in words.items() if terms <= part.keys()}
    largest = max(held.values(), default=0.0) or 1.0
    return {text: min(1.0, share / (BARE * largest)) for text, share in held.items()}


def base_scores(question: str, pool: Pool, weights: TermWeights) -> dict[str, float]:
    """Each chunk's score for the question itself, its maximum 1.

    What the original query ranked keeps its own score; the rest has its keyword score for the question over the
    pool's best, with a bonus for a title that stands in the question, the rarer the higher. A sub-query's hit
    counts nearly as much (when the sub-query is about a name: if that is the hit's title).
    """
    terms = list(dict.fromkeys(analyse(question)))
    words = {key: bm25(_held(hit, terms, weights), weights) for key, hit in pool.hits.items()}
    best = max(words.values(), default=0.0) or 1.0
    asked = phrase(question)
    scores: dict[str, float] = {}
    for key, hit in pool.hits.items():
        own = pool.asked.get(key)
        if own is None:
            named = [rarity(title, weights) for title in titles(hit.chunk) if title in asked]
            own = words[key] / best + QUESTION_TITLE * max(named, default=0.0) ** 2
        scores[key] = max(own, SUBORDINATE * pool.subs.get(key, 0.0))
    top = max(scores.values(), default=0.0) or 1.0
    return {key: score / top for key, score in scores.items()}


def rank(
    question: str, pool: Pool, weights: TermWeights, *, cover: bool = True, by_document: bool = False
) -> list[Hit]:
    """All of the pool, best first, with final scores (`retrieval.ordering`).

    `by_document`: documents in which the question itself finds much come before others.
    """
    scores = base_scores(question, pool, weights)
    if by_document:
        scores = _with_documents(scores, pool)
    part = shares(analyse(question), weights)
    held = {key: _held(hit, list(part), weights) for key, hit in pool.hits.items()}
    links = [*pool.links.values(), *(_link(led, weights) for led in pool.led)]
    placed = arranged(scores, held, part, links, cover=cover)
    return [
        shown(pool.hits[one.id], one, pool.hits[one.link.parent].chunk if one.link else None)
        for one in placed
    ]


def _with_documents(scores: Mapping[str, float], pool: Pool) -> dict[str, float]:
    """The scores with a share of what the question finds in each one's document, the maximum 1 again."""
    found: dict[str, list[float]] = {}
    for key, score in pool.asked.items():
        found.setdefault(pool.hits[key].chunk.document_id, []).append(score)
    whole = {document: sum(nlargest(COUNTED, parts)) for document, parts in found.items()}
    most = max(whole.values(), default=0.0) or 1.0
    gained = {
        key: score + OF_DOCUMENT * whole.get(pool.hits[key].chunk.document_id, 0.0) / most
        for key, score in scores.items()
    }
    top = max(gained.values(), default=0.0) or 1.0
    return {key: score / top for key, score in gained.items()}


def _held(hit: Hit, terms: Sequence[str], weights: TermWeights) -> dict[str, float]:
    return with_read(saturations(hit.chunk, terms, weights.length), answered(hit), terms)


def _link(led: Led, weights: TermWeights) -> Link:
    return Link(led.parent, led.child, rarity(phrase(led.name), weights) ** 2 * led.about, led.name)


def shown(hit: Hit, placed: Placed, parent: Chunk | None) -> Hit:
    """The hit with its final score, and with the chunk and the name that led to it."""
    link = placed.link
    if link is None or parent is None:
        return replace(hit, score=placed.score, parent="", name="")
    name = link.name or written(link.phrase, hit.chunk, parent)
    return replace(hit, score=placed.score, parent=link.parent, name=name)


def written(key: int, child: Chunk, parent: Chunk) -> str:
    """A phrase as it is written: as the child's title where it is that, else as the parent has it."""
    for name in (bare_title(child.title), child.title, *child.heading_path):
        if phrase_key(name) == key:
            return name
    return surfaces(parent.text, parent.title, parent.heading_path).get(key, "")
