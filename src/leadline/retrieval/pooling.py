"""Everything one run has found, and its one final order.

hits of all queries and rounds -> one entry a chunk -> base score for the question
  -> a chunk reached through a name rises to just below the chunk that names it -> coverage of the question
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from leadline.analysis.terms import analyse
from leadline.retrieval.base import TermWeights
from leadline.retrieval.phrases import aboutness, phrase, rarity, titles
from leadline.retrieval.scoring import bm25, saturations, shares
from leadline.types import Hit, Lead, Query

SEEDS = 20
GAIN = 3.0
CAP, CAP_STEP = 0.95, 0.05
PROMOTED = 20
LED = 1.5
"""A chunk is said to be found through a name when the name raised its score by half or more."""
QUESTION_TITLE = 0.15
COVERED_POOL = 30
COVERED = 10
COVERAGE_WEIGHT = 1.2


@dataclass(frozen=True, slots=True)
class Link:
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
    links: list[Link] = field(default_factory=list[Link])

    def add(self, query: Query, hits: Iterable[Hit]) -> list[str]:
        """Take in one query's hits, best first; return the ids of chunks not seen before."""
        new: list[str] = []
        followed = [(lead, phrase(lead.name)) for lead in query.leads]
        for hit in hits:
            key = hit.chunk.id
            before = self.hits.get(key)
            if before is None:
                new.append(key)
                self.hits[key] = hit
            else:
                self.hits[key] = replace(before, found=tuple(dict.fromkeys((*before.found, *hit.found))))
            self._score(query, hit, [name for _, name in followed])
            if query.kind == "gap":
                self._link(hit, followed)
        return new

    def _score(self, query: Query, hit: Hit, names: Sequence[str]) -> None:
        key = hit.chunk.id
        if query.kind in ("original", "widened"):
            self.asked[key] = max(self.asked.get(key, 0.0), hit.score)
        elif query.kind == "sub" and (not names or not titles(hit.chunk).isdisjoint(names)):
            self.subs[key] = max(self.subs.get(key, 0.0), hit.score)

    def _link(self, hit: Hit, followed: Sequence[tuple[Lead, str]]) -> None:
        for lead, name in followed:
            about = aboutness(name, hit.chunk)
            if about and lead.parent != hit.chunk.id:
                self.links.append(Link(lead.parent, hit.chunk.id, lead.name, about))


def base_scores(question: str, pool: Pool, weights: TermWeights) -> dict[str, float]:
    """Each chunk's score for the question itself, its maximum 1.

    What the original query ranked keeps its fused score; the rest has its keyword score for the question
    over the pool's best. A sub-query's hit counts nearly as much (when the sub-query is about a name: if that
    is the hit's title), and a chunk whose title stands in the question gets a bonus that grows with the title's rarity.
    """
    terms = list(dict.fromkeys(analyse(question)))
    words = {k: bm25(saturations(h.chunk, terms, weights.length), weights) for k, h in pool.hits.items()}
    best = max(words.values(), default=0.0) or 1.0
    asked = phrase(question)
    scores: dict[str, float] = {}
    for key, hit in pool.hits.items():
        score = max(pool.asked.get(key, words[key] / best), CAP * pool.subs.get(key, 0.0))
        named = [title for title in titles(hit.chunk) if title in asked]
        if named:
            score += QUESTION_TITLE * max(rarity(title, weights) for title in named) ** 2
        scores[key] = score
    top = max(scores.values(), default=0.0) or 1.0
    return {key: score / top for key, score in scores.items()}


def rank(question: str, pool: Pool, weights: TermWeights, *, cover: bool = True) -> list[Hit]:
    """All of the pool, best first, with final scores.

    A linked chunk's value is its parent's score x rarity² x aboutness x (1 + 3 x what it adds to the
    parent's coverage of the question); it can never pass its parent, and each further one promoted gets a
    lower ceiling, so that plain good hits keep their place. The first ten are then chosen greedily for
    what each adds to the coverage of the question.
    """
    scores = base_scores(question, pool, weights)
    part = shares(analyse(question), weights)
    held = {k: saturations(h.chunk, list(part), weights.length) for k, h in pool.hits.items()}
    promoted = _promote(scores, _link_values(scores, pool, weights, part, held))
    via = {key: link for key, (score, link) in promoted.items() if score > LED * scores[key]}
    final = scores | {key: score for key, (score, _) in promoted.items()}
    order = sorted(final, key=lambda key: (-final[key], key))
    if cover:
        order = _covering(order, final, held, part)
    return [_placed(pool.hits[key], final[key], via.get(key)) for key in order]


def _placed(hit: Hit, score: float, link: Link | None) -> Hit:
    if link is None:
        return replace(hit, score=score, parent="", name="")
    return replace(hit, score=score, parent=link.parent, name=link.name)


def _link_values(
    scores: dict[str, float],
    pool: Pool,
    weights: TermWeights,
    part: dict[str, float],
    held: dict[str, dict[str, float]],
) -> dict[str, tuple[float, Link]]:
    best: dict[str, tuple[float, Link]] = {}
    for link in pool.links:
        if link.parent not in scores:
            continue
        mine = held[link.parent]
        gain = sum(part[t] * max(0.0, s - mine.get(t, 0.0)) for t, s in held[link.child].items())
        value = scores[link.parent] * rarity(phrase(link.name), weights) ** 2 * link.about * (1 + GAIN * gain)
        if value > best.get(link.child, (0.0, link))[0]:
            best[link.child] = (value, link)
    return best


def _promote(
    scores: dict[str, float], values: dict[str, tuple[float, Link]]
) -> dict[str, tuple[float, Link]]:
    order = sorted(values, key=lambda key: (-(scores[key] + values[key][0]), key))
    promoted: dict[str, tuple[float, Link]] = {}
    for key in order[:100]:
        value, link = values[key]
        raised = min(scores[key] + value, (CAP - CAP_STEP * len(promoted)) * scores[link.parent])
        if raised > scores[key]:
            promoted[key] = (raised, link)
        if len(promoted) == PROMOTED:
            break
    return promoted


def _covering(
    order: list[str], final: dict[str, float], held: dict[str, dict[str, float]], part: dict[str, float]
) -> list[str]:
    left = order[:COVERED_POOL]
    chosen: list[str] = []
    covered: dict[str, float] = {}

    def worth(key: str) -> float:
        gain = sum(part[t] * max(0.0, s - covered.get(t, 0.0)) for t, s in held[key].items())
        return final[key] + COVERAGE_WEIGHT * gain

    while left and len(chosen) < COVERED:
        key = max(left, key=worth)
        left.remove(key)
        chosen.append(key)
        for term, value in held[key].items():
            covered[term] = max(covered.get(term, 0.0), value)
    rest = [key for key in order if key not in set(chosen)]
    return chosen + rest
