"""Everything one run has found, and its one final order.

hits of all queries and rounds -> one entry a chunk -> base score for the question
  -> a chunk reached through a name rises to just below the chunk that names it -> coverage of the question
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
    ) -> list[str]:
        """Take in one query's hits, best first; return the ids of chunks not seen before.

        `scores` are the hits' own scores where links and coverage have changed those in the hits.
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
            self._score(query, hit, own, [name for _, name in followed])
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


def rank(question: str, pool: Pool, weights: TermWeights, *, cover: bool = True) -> list[Hit]:
    """All of the pool, best first, with final scores (`retrieval.ordering`)."""
    scores = base_scores(question, pool, weights)
    part = shares(analyse(question), weights)
    held = {key: _held(hit, list(part), weights) for key, hit in pool.hits.items()}
    links = [*pool.links.values(), *(_link(led, weights) for led in pool.led)]
    placed = arranged(scores, held, part, links, cover=cover)
    return [
        shown(pool.hits[one.id], one, pool.hits[one.link.parent].chunk if one.link else None)
        for one in placed
    ]


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
