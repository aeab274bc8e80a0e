"""Who goes before the judge, and what is kept of a judgement that was cut short.

hits of the round's queries -> those without a verdict, and rejected ones that a new query finds -> judge -> verdicts
"""

from collections.abc import Mapping, Sequence

from leadline.agents.options import AskOptions
from leadline.agents.stopping import Decision, interrupted
from leadline.errors import BudgetSpent, Cancelled
from leadline.reasoning.base import Reasoner
from leadline.reasoning.unjudged import NOT_JUDGED, by_score
from leadline.retrieval.base import TermWeights
from leadline.run import Run
from leadline.types import Hit, Query, Verdict

AGAIN = 10
"""An earlier rejected hit has another chance with a query that has it among so many of its best."""
WIDER = 3
"""A widened query asks for this many times as many hits."""
ALL = Verdict(True, 1.0, "judging is off")


def to_judge(
    new: Sequence[str],
    found: Sequence[tuple[Query, Sequence[Hit]]],
    verdicts: Mapping[str, Verdict],
    options: AskOptions,
    *,
    reranked: bool,
) -> list[str]:
    """Chunk ids in the order of their queries, each once.

    `new` are those first seen in this round. Where `judge_hits` is set, only so many of a query's best are judged; the
    rest have their chance with a query that ranks them higher. What a reranker has narrowed is narrow enough.
    """
    ids = list(new)
    if options.judge_hits and not reranked:
        ids = [
            hit.chunk.id
            for query, hits in found
            for hit in hits[: options.judge_hits * (WIDER if query.kind == "widened" else 1)]
            if hit.chunk.id not in verdicts
        ]
    again = [
        hit.chunk.id
        for query, hits in found
        for hit in hits[: options.judge_hits or AGAIN]
        # Asked wider is asked the same: whoever said no then would say no again.
        if query.kind != "widened" and hit.chunk.id in verdicts and not verdicts[hit.chunk.id].keep
    ]
    return list(dict.fromkeys([*ids, *again]))


async def judged(
    reasoner: Reasoner,
    question: str,
    queries: Sequence[Query],
    hits: Sequence[Hit],
    before: Mapping[str, Verdict],
    weights: TermWeights,
    run: Run,
) -> tuple[list[Verdict], Decision | None]:
    """The verdicts, and why gathering must end when judging was cut short.

    Good scores are kept then, so that nothing found is lost; a verdict of an earlier round stands.
    """
    try:
        verdicts = await reasoner.judge(question, queries, hits, weights, run)
    except (BudgetSpent, Cancelled) as error:
        return _standing(hits, by_score(hits), before), interrupted(error)
    cut: Decision | None = None
    if any(verdict.reason == NOT_JUDGED for verdict in verdicts):
        try:
            run.check()
        except (BudgetSpent, Cancelled) as error:
            cut = interrupted(error)
    return _standing(hits, verdicts, before), cut


def _standing(
    hits: Sequence[Hit], verdicts: Sequence[Verdict], before: Mapping[str, Verdict]
) -> list[Verdict]:
    """An earlier verdict in place of one that is by score alone."""
    return [
        before.get(hit.chunk.id, verdict) if verdict.reason == NOT_JUDGED else verdict
        for hit, verdict in zip(hits, verdicts, strict=True)
    ]
