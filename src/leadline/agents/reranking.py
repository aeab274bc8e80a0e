"""The two-stage step: a reranker narrows what each query found, the judge decides, and the last order follows.

hits of a query -> best 30 -> reranker -> best 8 -> judge
evidence of all rounds -> reranker, against the question -> the judge's own order, where it gave one
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from leadline.agents.options import AskOptions
from leadline.reranking.base import Reranker
from leadline.reranking.stage import Stage
from leadline.retrieval.base import Results, Retriever
from leadline.run import Run, each
from leadline.types import Evidence, Found, Hit, Query

PATH = "rerank"
"""What the reranker is called among the ways a hit of a plain search was found."""


async def narrowed(
    stage: Stage,
    question: str,
    found: Sequence[tuple[Query, Sequence[Hit]]],
    judged: Container[str],
    options: AskOptions,
    run: Run,
) -> list[str]:
    """The ids of the hits that go to the judge, each once, in the order of their queries.

    Of a query whose hits could not be reranked all do. A hit that was left behind in an earlier round has
    another chance with a query that finds it again.
    """

    async def one(asked: tuple[Query, Sequence[Hit]]) -> Sequence[Hit]:
        query, hits = asked
        fresh = [hit for hit in hits if hit.chunk.id not in judged]
        if len(fresh) <= options.rerank_keep:
            return fresh
        candidates = fresh[: options.rerank_candidates]
        ordered = await stage.order(wording(query, question), candidates, run, options.rerank_keep)
        return fresh if ordered is None else ordered[: options.rerank_keep]

    kept = await each(one, found, limit=options.parallel)
    return list(dict.fromkeys(hit.chunk.id for hits in kept for hit in hits))


def wording(query: Query, question: str) -> str:
    """What a passage is scored against. A list of names to follow means nothing without the question."""
    return f"{question} ({query.text})" if query.leads and query.kind != "follow" else query.text


async def ordered(
    stage: Stage, question: str, evidence: Sequence[Evidence], options: AskOptions, run: Run
) -> list[Evidence]:
    """The evidence of all rounds by the reranker; what it did not read follows, with lower scores."""
    head, tail = evidence[: options.rerank_candidates], evidence[options.rerank_candidates :]
    hits = await stage.order(question, [item.hit for item in head], run)
    if hits is None:
        return list(evidence)
    pieces = {item.chunk.id: item for item in evidence}
    placed = [*hits, *_below(hits[-1].score, [item.hit for item in tail])]
    return [replace(pieces[hit.chunk.id], hit=hit) for hit in placed]


def as_judged(evidence: Sequence[Evidence], rounds: Mapping[str, int]) -> list[Evidence]:
    """The evidence in the judge's order, where it gave one.

    `rounds` tells which pieces were judged together. Those of one round share the places, and the scores
    of those places, that they have between them: the judge says who takes which.
    """
    order = list(evidence)
    groups: dict[int, list[int]] = {}
    for place, item in enumerate(evidence):
        groups.setdefault(rounds.get(item.chunk.id, 0), []).append(place)
    for places in groups.values():
        group = [evidence[place] for place in places]
        if all(item.verdict.rank is None for item in group):
            continue
        scores = sorted((item.hit.score for item in group), reverse=True)
        group.sort(key=_rank)
        for place, item, score in zip(places, group, scores, strict=True):
            order[place] = replace(item, hit=replace(item.hit, score=score))
    return order


def _rank(item: Evidence) -> tuple[bool, int]:
    rank = item.verdict.rank
    return rank is None, rank or 0


async def searched(
    retriever: Retriever, query: Query, limit: int, reranker: Reranker | None, options: AskOptions, run: Run
) -> Results:
    """One search, its best hits read by the reranker where there is one."""
    if reranker is None or "rerank" not in options.layers:
        return await retriever.search(query, limit, run)
    stage = Stage(reranker, options.rerank_seconds)
    results = await retriever.search(query, max(limit, options.rerank_candidates), run)
    head, tail = results.hits[: options.rerank_candidates], results.hits[options.rerank_candidates :]
    ranked = await stage.order(query.text, head, run)
    if ranked is None:
        return replace(results, hits=results.hits[:limit], notices=(*results.notices, *stage.notices))
    best = [
        replace(hit, found=(*hit.found, Found(PATH, rank, hit.score, query.text)))
        for rank, hit in enumerate(ranked, start=1)
    ]
    return replace(results, hits=(*best, *_below(ranked[-1].score, tail))[:limit])


def _below(lowest: float, hits: Sequence[Hit]) -> list[Hit]:
    """What the reranker did not read, its scores made to end where the reranker's end."""
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    return [replace(hit, score=lowest * hit.score / best) for hit in hits]
