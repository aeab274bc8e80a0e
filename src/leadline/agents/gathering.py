"""The steps of a search: plan, search, judge, reflect. Each takes a state and returns the next one.

Results live in a `Pool`; the state holds their ids.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from leadline.agents.judging import ALL, WIDER, judged, to_judge
from leadline.agents.options import AskOptions
from leadline.agents.places import Places
from leadline.agents.reranking import as_judged, narrowed, ordered
from leadline.agents.rewriting import first_queries
from leadline.agents.state import SearchState
from leadline.agents.stopping import Decision, after_reflection, after_round, fresh, interrupted
from leadline.errors import BudgetSpent, Cancelled, LeadlineError
from leadline.events import Judged, Notice, Planned, Reflected, RoundStarted, Searched, SearchFailed, Stopped
from leadline.reasoning.base import Reasoner
from leadline.reranking.base import Reranker
from leadline.reranking.stage import Stage
from leadline.retrieval.base import Bringing, Results, Retriever, TermWeights
from leadline.retrieval.pooling import Pool, rank, worths
from leadline.run import Run, settle
from leadline.types import Evidence, Hit, Query, StopReason, Verdict

READ = 20
"""The best pieces of evidence whose words are weighed for the next round."""
BEST = 10

Step = Callable[[SearchState, Run], Awaitable[SearchState]]


@dataclass(slots=True)
class Gathering:
    """One run's work in progress. `latest` is what the last round's queries found, each by itself, `worth` what those of
    them count that are but a clause of the question."""

    reasoner: Reasoner
    retriever: Retriever
    options: AskOptions
    pool: Pool = field(default_factory=Pool)
    verdicts: dict[str, Verdict] = field(default_factory=dict[str, Verdict])
    weights: TermWeights = field(default_factory=TermWeights)
    notices: list[str] = field(default_factory=list[str])
    order: list[Hit] | None = None
    stage: Stage = field(default_factory=Stage)
    judged_in: dict[str, int] = field(default_factory=dict[str, int])
    places: Places | None = None
    latest: list[tuple[Query, Sequence[Hit]]] = field(default_factory=list[tuple[Query, Sequence[Hit]]])
    worth: dict[str, float] = field(default_factory=dict[str, float])

    async def step(self, work: Step, state: SearchState, run: Run) -> SearchState:
        """One step; a budget or a cancel that ends it midway ends gathering, never the run."""
        try:
            return await work(state, run)
        except (BudgetSpent, Cancelled) as error:
            return stopped(state, interrupted(error), run)

    async def plan(self, state: SearchState, run: Run) -> SearchState:
        """The first queries. With rewriting off, the question as it stands."""
        self.weights = await self.retriever.weights([state.question])
        known = [item.chunk.text for item in self.evidence(state.question)[:BEST]]
        queries = await first_queries(
            self.reasoner, self.retriever, state.question, self.weights, self.options, run, known
        )
        run.emit(Planned(state.question, queries))
        return replace(state, queries=queries)

    async def search(self, state: SearchState, run: Run) -> SearchState:
        """Ask all open queries at once. One that fails loses nothing of the others."""
        where = await self.where(state.question, state.queries, state.round + 1, run)
        found = await settle(
            lambda query: self.find(query, where, run), state.queries, limit=self.options.parallel
        )
        return await self.take(state, found, run)

    async def where(self, question: str, queries: Sequence[Query], number: int, run: Run) -> Retriever:
        """Where round `number`, which begins here, looks for its queries."""
        run.emit(RoundStarted(number, tuple(queries)))
        if isinstance(self.retriever, Bringing):
            for notice in await self.retriever.bring(queries, number, run):
                run.emit(Notice(notice))
                self.notices += [notice] if notice not in self.notices else []
        if self.places is None:
            return self.retriever
        return await self.places.of(question, queries, number, run)

    async def take(
        self, state: SearchState, found: Sequence[Results | LeadlineError], run: Run
    ) -> SearchState:
        """Take in what each open query found, or why it found nothing."""
        new: list[str] = []
        hits = self.latest = list[tuple[Query, Sequence[Hit]]]()
        decision: Decision | None = None
        self.worth = await self._worth(state)
        for query, results in zip(state.queries, found, strict=True):
            if isinstance(results, LeadlineError):
                ended = interrupted(results)
                decision = decision or ended
                run.emit(SearchFailed(query, str(results)))
                if ended is None:
                    self.notices.append(f"A search failed: {results}")
            else:
                worth = self.worth.get(query.text, 1.0)
                new += self.pool.add(query, results.hits, results.links, results.scores or None, worth)
                hits.append((query, results.hits))
                self.notices += [text for text in results.notices if text not in self.notices]
        reranked = self.stage.reranker is not None and "rerank" in self.options.layers
        if reranked:
            new = await narrowed(self.stage, state.question, hits, self.verdicts, self.options, run)
        new = to_judge(new, hits, self.verdicts, self.options, reranked=reranked)
        if decision is None and isinstance(self.retriever, Bringing) and self.retriever.ending:
            decision = interrupted(self.retriever.ending)
        asked = (*state.asked, *state.queries)
        state = replace(state, round=state.round + 1, queries=(), asked=asked, new=tuple(new))
        return stopped(state, decision, run)

    async def _worth(self, state: SearchState) -> dict[str, float]:
        """What the parts of the question count that this round asked, by how rare their words are in what there is now."""
        if not any(query.kind == "sub" for query in state.queries):
            return {}
        weights = await self.retriever.weights([state.question])
        return worths(state.question, state.queries, weights)

    async def judge(self, state: SearchState, run: Run) -> SearchState:
        """Judge what this round brought; keep the order of the whole pool up to date."""
        return await self.decide(state, *await self.judged(state, run), run)

    async def judged(self, state: SearchState, run: Run) -> tuple[list[Verdict], Decision | None]:
        """A verdict for each of this round's new hits, and why gathering must end if judging was cut short."""
        hits = [self.pool.hits[key] for key in state.new]
        if not hits or "judge" not in self.options.layers:
            return [ALL] * len(hits), None
        queries = in_round(state)
        return await judged(self.reasoner, state.question, queries, hits, self.verdicts, self.weights, run)

    async def decide(
        self, state: SearchState, verdicts: Sequence[Verdict], cut: Decision | None, run: Run
    ) -> SearchState:
        """Take in the verdicts on this round's new hits; say whether the search is over."""
        self.verdicts |= dict(zip(state.new, verdicts, strict=True))
        self.judged_in |= dict.fromkeys(state.new, state.round)
        told = [(key, v.keep, v.score, v.reason) for key, v in zip(state.new, verdicts, strict=True)]
        run.emit(Judged(state.round, tuple(told)))
        await self.weigh(state.question)
        evidence = self.evidence(state.question)
        kept = tuple(item.chunk.id for item in evidence)
        barren = self._barren(in_round(state))
        state = stopped(replace(state, kept=kept, barren=barren), cut, run)
        if state.stop:
            return state
        decision = after_round(state, _gain(evidence, set(state.new)), self.options)
        return stopped(state, decision, run)

    async def reflect(self, state: SearchState, run: Run) -> SearchState:
        """What to ask next: gap queries unlike those asked, and barren queries once more, wider."""
        evidence = self.evidence(state.question)
        proposed: list[Query] = []
        if "reflect" in self.options.layers:
            thought = await self.reasoner.reflect(
                state.question, state.questions, evidence, self.weights, run
            )
            state = replace(state, coverage=thought.coverage, missing=thought.missing)
            proposed = list(thought.queries)[: self.options.gap_queries]
        wider = [Query(q.text, "widened", state.round + 1) for q in state.asked if q.text in state.barren]
        queries, dropped = fresh([*proposed, *wider], state.asked)
        decision = after_reflection(state, queries, len(dropped), self.options)
        shown = () if decision else tuple(queries)
        run.emit(Reflected(state.round, state.coverage, state.missing, shown, tuple(dropped)))
        return stopped(replace(state, queries=shown), decision, run)

    def evidence(self, question: str) -> list[Evidence]:
        """What the judge kept, in the order there is so far."""
        return as_judged(self._evidence(question), self.judged_in)

    async def final(self, question: str, run: Run, *, by_document: bool = False) -> list[Evidence]:
        """The evidence of all rounds, reranked once more where there is a reranker.

        `by_document`: documents in which the question itself finds much come before others.
        """
        if by_document:
            self.order = self._rank(question, by_document=True)
        evidence = self._evidence(question)
        if self.stage.reranker is not None and "rerank" in self.options.layers:
            evidence = await ordered(self.stage, question, evidence, self.options, run)
        return as_judged(evidence, self.judged_in)

    def _evidence(self, question: str) -> list[Evidence]:
        return [
            Evidence(hit, self.verdicts[hit.chunk.id]) for hit in self.ranked(question) if self._kept(hit)
        ]

    def ranked(self, question: str) -> list[Hit]:
        """Everything found, in final order."""
        if self.order is None:
            self.order = self._rank(question)
        return self.order

    def _rank(self, question: str, *, by_document: bool = False) -> list[Hit]:
        cover = "rerank" in self.options.layers
        return rank(question, self.pool, self.weights, cover=cover, by_document=by_document)

    def _kept(self, hit: Hit) -> bool:
        verdict = self.verdicts.get(hit.chunk.id)
        return verdict is not None and verdict.keep

    def _barren(self, queries: Sequence[Query]) -> tuple[str, ...]:
        fruitful = {found.query for hit in self.pool.hits.values() if self._kept(hit) for found in hit.found}
        return tuple(q.text for q in queries if q.kind in ("original", "sub") and q.text not in fruitful)

    async def find(self, query: Query, retriever: Retriever, run: Run) -> Results:
        """What one query finds there, by the deadline."""
        started = time.perf_counter()
        k = self.options.recall * (WIDER if query.kind == "widened" else 1)
        results = await _by_deadline(retriever.search(query, k, run), run)
        milliseconds = (time.perf_counter() - started) * 1000
        run.emit(Searched(query, results.paths, results.hits, milliseconds, results.asked))
        for notice in results.notices:
            run.emit(Notice(notice))
        return results

    async def weigh(self, question: str) -> None:
        """Weigh the words of the best evidence for the next round."""
        self.order = None
        best = [item.chunk for item in self.evidence(question)[:READ]]
        self.weights = await self.retriever.weights([question], best)
        self.order = None


def in_round(state: SearchState) -> list[Query]:
    """What this round asked, without the same in other words."""
    return [query for query in state.questions if query.round == state.round]


async def _by_deadline(work: Awaitable[Results], run: Run) -> Results:
    limit = run.budget.seconds
    if limit is None:
        return await work
    left = max(limit - (run.clock() - run.started), 0.001)
    try:
        return await asyncio.wait_for(work, left)
    except TimeoutError:
        raise BudgetSpent(f"deadline: {limit:.4g} seconds are over", "deadline") from None


def _gain(evidence: Sequence[Evidence], new: set[str]) -> float:
    best = evidence[:BEST]
    total = sum(item.hit.score for item in best)
    return sum(item.hit.score for item in best if item.chunk.id in new) / total if total else 0.0


def stopped(state: SearchState, decision: Decision | None, run: Run) -> SearchState:
    """The state with the decision, if there is one and none before it; told as an event."""
    if decision is None or state.stop is not None:
        return state
    reason, detail = decision
    run.emit(Stopped(state.round, reason, detail))
    return replace(state, stop=StopReason(reason), detail=detail)


@dataclass(frozen=True, slots=True)
class SearchAgent:
    """What every agent that searches works with."""

    reasoner: Reasoner
    retriever: Retriever
    options: AskOptions = AskOptions()
    reranker: Reranker | None = None
    places: Places | None = None

    def gathering(self, options: AskOptions | None = None) -> Gathering:
        """The work on one question."""
        stage = Stage(self.reranker, self.options.rerank_seconds)
        return Gathering(
            self.reasoner, self.retriever, options or self.options, stage=stage, places=self.places
        )
