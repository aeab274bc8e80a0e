"""Where a deep search stands, as fields of a row, so that its steps can be steps of a flow.

row -> who searches, from the workspace + pool, verdicts, state, from the row -> a step of `Gathering` -> row

  original_query   the question
  gap_queries      what is asked next: texts or queries
  all_sub_queries  what was asked
  chunks           those to judge in this round, each with the `sub_query` that found it
  all_chunks       everything found, each with its `verdict` and the `round` it was judged in
  search           the rest: scores, links, weights of words, notices, and why it has stopped
"""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import cast

from leadline.agents.asking import Asking
from leadline.agents.gathering import Gathering
from leadline.agents.state import SearchState
from leadline.arguments import AskChoices, Layers, refuse_strange
from leadline.embeddings.base import Embedder
from leadline.errors import FlowError, UsageError
from leadline.flow.base import FieldKind, Row, Scope, workspace_of
from leadline.flow.steps.values import hit_of, hit_plain, list_at, made, plain, query_of, text_at, verdict_of
from leadline.reasoning.reports import wants_report
from leadline.reranking.stage import Stage
from leadline.retrieval.base import Knowing, Link, TermWeights
from leadline.retrieval.pooling import Led, Pool
from leadline.store.filters import parse_filter
from leadline.types import Hit, Query, StopReason

FIELDS: Mapping[str, FieldKind] = {
    "original_query": "text",
    "gap_queries": "list",
    "all_sub_queries": "list",
    "chunks": "list",
    "all_chunks": "list",
    "search": "mapping",
}
"""What a row of a deep search has, from `plan` on."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Where to look and how; what is left out follows the settings."""

    collections: tuple[str, ...] = ()
    where: str | None = None
    rounds: int | None = None
    layers: Mapping[str, bool] = field(default_factory=dict[str, bool])


@dataclass(frozen=True, slots=True)
class Progress:
    """The field `search`. `asked` and `subs` are the pool's scores."""

    round: int = 0
    coverage: float = 0.0
    missing: tuple[str, ...] = ()
    barren: tuple[str, ...] = ()
    stop: StopReason | None = None
    detail: str = ""
    notices: tuple[str, ...] = ()
    reranker_notices: tuple[str, ...] = ()
    reranker_failed: bool = False
    asked: Mapping[str, float] = field(default_factory=dict[str, float])
    subs: Mapping[str, float] = field(default_factory=dict[str, float])
    links: tuple[Link, ...] = ()
    led: tuple[Led, ...] = ()
    weights: TermWeights = TermWeights()
    choices: Choices = Choices()


async def asking_of(scope: Scope, step: str, choices: Choices) -> Asking:
    """Who plans, searches, judges and writes; the retriever is made once for the whole run of a flow."""
    workspace, told = workspace_of(scope, step), asked_for(choices)

    @asynccontextmanager
    async def made_once() -> AsyncGenerator[Asking]:
        async with workspace.asking(**told) as asking:
            yield asking

    kept = await scope.kept.get(("asking", json.dumps(plain(choices), sort_keys=True)), made_once)
    return replace(kept, reasoner=await workspace.reasoner())


async def encoder_of(row: Row, scope: Scope) -> Embedder | None:
    """The encoder of what a deep search looks into; None where no vectors are searched for."""
    asking = await asking_of(scope, "embed", progress_in(row).choices)
    return asking.retriever.embedder if isinstance(asking.retriever, Knowing) else None


def check(choices: Choices) -> None:
    """Refuse before any row is read what could be used for none."""
    try:
        refuse_strange(asked_for(choices), AskChoices)
        if choices.where is not None:
            parse_filter(choices.where)
    except UsageError as error:
        raise FlowError(" ".join(str(error).split())) from error


def asked_for(choices: Choices) -> AskChoices:
    """The choices as the workspace takes them."""
    return {
        "collections": choices.collections,
        "where": choices.where,
        "rounds": choices.rounds,
        "layers": cast(Layers, choices.layers),
    }


def begun(asking: Asking, question: str) -> Gathering:
    """The work on a question of which nothing is known yet."""
    options = replace(asking.options, report=wants_report(question))
    stage = Stage(asking.reranker, options.rerank_seconds)
    return Gathering(asking.reasoner, asking.retriever, options, stage=stage, places=asking.places)


async def opened(row: Row, scope: Scope, step: str) -> tuple[Gathering, SearchState]:
    """The work as `row` has it, with what is open in the state's `queries` and to be judged in `new`."""
    progress = progress_in(row)
    question = text_at(row, "original_query")
    asking = await asking_of(scope, step, progress.choices)
    work = begun(asking, question)
    kept = _pooled(work, row, progress)
    work.notices = list(progress.notices)
    work.stage.notices, work.stage.broken = list(progress.reranker_notices), progress.reranker_failed
    work.weights = progress.weights
    asked = tuple(query_of(one, "all_sub_queries") for one in list_at(row, "all_sub_queries"))
    number = progress.round + 1
    state = SearchState(
        question,
        progress.round,
        queries=tuple(query_of(one, "gap_queries", "follow", number) for one in list_at(row, "gap_queries")),
        asked=asked,
        kept=kept,
        new=tuple(hit_of(one, "chunks").chunk.id for one in list_at(row, "chunks")),
        barren=progress.barren,
        coverage=progress.coverage,
        missing=progress.missing,
        stop=progress.stop,
        detail=progress.detail,
    )
    return work, state


def _pooled(work: Gathering, row: Row, progress: Progress) -> tuple[str, ...]:
    """Fill the pool; return the ids of what the judge kept, in order."""
    work.pool = Pool(
        asked=dict(progress.asked),
        subs=dict(progress.subs),
        links={(link.parent, link.child): link for link in progress.links},
        led=list(progress.led),
    )
    for at, piece in enumerate(list_at(row, "all_chunks")):
        place = f"all_chunks[{at}]"
        hit, verdict = hit_of(piece, place), verdict_of(piece, place)
        work.pool.hits[hit.chunk.id] = hit
        if verdict is not None:
            work.verdicts[hit.chunk.id] = verdict
            work.judged_in[hit.chunk.id] = int(cast(Mapping[str, int], piece).get("round") or 0)
    return tuple(key for key, verdict in work.verdicts.items() if verdict.keep)


def shown(row: Row, work: Gathering, state: SearchState, choices: Choices) -> Row:
    """The row with the work as it stands now."""
    pool = work.pool
    progress = Progress(
        round=state.round,
        coverage=state.coverage,
        missing=state.missing,
        barren=state.barren,
        stop=state.stop,
        detail=state.detail,
        notices=tuple(work.notices),
        reranker_notices=tuple(work.stage.notices),
        reranker_failed=work.stage.broken,
        asked=pool.asked,
        subs=pool.subs,
        links=tuple(pool.links.values()),
        led=tuple(pool.led),
        weights=work.weights,
        choices=choices,
    )
    pieces = [
        hit_plain(
            hit,
            verdict=plain(work.verdicts[key]) if key in work.verdicts else None,
            round=work.judged_in.get(key),
        )
        for key, hit in pool.hits.items()
    ]
    return {
        **row,
        "gap_queries": queries_plain(() if state.stop else state.queries),
        "all_sub_queries": queries_plain(state.asked),
        "chunks": [_to_judge(pool.hits[key], state) for key in state.new],
        "all_chunks": pieces,
        "search": plain(progress),
    }


def progress_in(row: Row) -> Progress:
    """The field `search`."""
    if "search" not in row:
        raise UsageError("field `search` is not there: `plan` begins a deep search")
    return made(Progress, row["search"], "search")


def queries_plain(queries: Sequence[Query]) -> list[dict[str, object]]:
    """Queries as plain values."""
    return [plain(query) for query in queries]


def _to_judge(hit: Hit, state: SearchState) -> dict[str, object]:
    """A hit with the query of this round that found it first."""
    own = [query.text for query in state.asked if query.round == state.round]
    found = {one.query for one in hit.found}
    return hit_plain(hit, sub_query=next((text for text in own if text in found), ""))
