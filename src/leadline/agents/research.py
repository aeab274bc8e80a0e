"""Research: a loop over facts. Search and rank, take facts from what was found, ask what they leave open, search for that.

topic -> queries -> the best passages of each page -> facts, checked and said once -> gaps? -> more queries ... -> report
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leadline.agents.answering import around
from leadline.agents.best_passages import best_passages
from leadline.agents.facts import Facts
from leadline.agents.gathering import Gathering, SearchAgent, stopped
from leadline.agents.reporting import reported
from leadline.agents.research_stopping import after_facts, after_queries, last_round
from leadline.agents.sameness import Sameness
from leadline.agents.state import SearchState
from leadline.agents.stopping import fresh, interrupted
from leadline.errors import BudgetSpent, Cancelled
from leadline.events import GapsFound
from leadline.reasoning.base import Passage
from leadline.reasoning.offline_facts import quoted_facts
from leadline.retrieval.base import Encoding
from leadline.run import Run
from leadline.types import Answer, Claim, Evidence, Verdict

PASSAGE = 2_000
"""Characters that are read around a passage."""


@dataclass(frozen=True, slots=True)
class Research(SearchAgent):
    """Answers what needs many facts, from files, the web, or both."""

    async def __call__(self, question: str, run: Run) -> Answer:
        # The rules of a fact loop stop it, not those of a deep search.
        work = self.gathering(
            replace(self.options, rounds=self.options.research.rounds + 1, gain=0.0, report=True)
        )
        embedder = self.retriever.embedder if isinstance(self.retriever, Encoding) else None
        loop = FactLoop(work, Facts(Sameness(embedder), most=self.options.research.facts))
        state = await work.step(work.plan, SearchState(question), run)
        while state.stop is None:
            state = await work.search(state, run)
            state = await loop.read(state, run)
            if state.stop is None:
                state = await work.step(loop.ask_next, state, run)
        loop.facts.fill(state.round, run)
        return await reported(work, state, loop.facts.kept, run)


@dataclass(slots=True)
class FactLoop:
    """One run's facts. `new` are those of the last round."""

    work: Gathering
    facts: Facts
    new: int = 0

    async def read(self, state: SearchState, run: Run) -> SearchState:
        """Take facts from the best passages that this round has found."""
        chosen = best_passages(self.work.latest, set(state.new), self.work.worth)
        read = [hit.chunk.id for hit in chosen]
        verdicts = [_verdict(key in read, self.work.pool.hits[key].score) for key in state.new]
        state = await self.work.decide(state, verdicts, None, run)
        evidence = [Evidence(hit, self.work.verdicts[hit.chunk.id]) for hit in chosen]
        context = await self.work.retriever.context([hit.chunk for hit in chosen])
        state, claims = await self._stated(state, around(evidence, context, PASSAGE), run)
        left = self.work.options.research.rounds - state.round
        rounds = max(left, 0) if state.stop is None and self.work.reasoner.ranks(state.question) else None
        self.new = await self.facts.take(claims, context.documents, state.round, run, rounds=rounds)
        return state

    async def _stated(
        self, state: SearchState, passages: Sequence[Passage], run: Run
    ) -> tuple[SearchState, list[Claim]]:
        """What the passages state; quotes, where the run may ask nobody any more."""
        if not passages:
            return state, []
        try:
            return state, await self.work.reasoner.extract(state.question, passages, self.work.weights, run)
        except (BudgetSpent, Cancelled) as error:
            self.work.notices.append(f"The facts of round {state.round} are quoted as they stand ({error}).")
            state = stopped(state, interrupted(error), run)
            return state, quoted_facts(state.question, passages, self.work.weights)

    async def ask_next(self, state: SearchState, run: Run) -> SearchState:
        """What is still open, and whether to go on for it."""
        how, count = self.work.options.research, len(self.facts.kept)
        if decision := last_round(count, state.round, how):
            return stopped(state, decision, run)
        # Rules ask nobody whether there is time left, as a model's calls do.
        run.check()
        gaps = await self.work.reasoner.gaps(
            state.question, self.facts.known, state.questions, self.work.weights, run
        )
        decision = after_facts(len(gaps.open), count, self.new, state.round, how)
        proposed = [replace(query, round=state.round + 1) for query in gaps.queries]
        queries, dropped = fresh(proposed, state.asked)
        queries = queries[: how.queries]
        decision = decision or after_queries(queries, len(dropped))
        shown = () if decision else tuple(queries)
        texts = tuple(query.text for query in shown)
        run.emit(GapsFound(state.round, gaps.open, texts, tuple(dropped)))
        return stopped(replace(state, missing=gaps.open, queries=shown), decision, run)


def _verdict(read: bool, score: float) -> Verdict:
    return Verdict(read, score, "read for facts" if read else "not among the best passages of its document")
