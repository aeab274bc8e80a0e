"""ChainOfRAG: one simple question after the other, each with the answers so far put in.

question -> follow-up -> hits -> short answer and what supports it -> follow-up ... -> answer from what was supported
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from leadline.agents.answering import answer
from leadline.agents.gathering import Gathering, SearchAgent, stopped
from leadline.agents.state import SearchState
from leadline.agents.stopping import fresh, interrupted
from leadline.analysis.names import names
from leadline.errors import BudgetSpent, Cancelled
from leadline.events import ChainStep, Defaulted, Judged, Planned
from leadline.reasoning.base import FollowUp, Known
from leadline.reasoning.unjudged import NOT_JUDGED, by_score
from leadline.retrieval.phrases import phrase, whole
from leadline.run import Run
from leadline.types import Answer, Evidence, Hit, Lead, Query, StopReason, Verdict

NOTED = 10
"""Most passages a short answer is read from."""
NEAREST = 10
UNSURE = 0.3
"""Confidence in an answer is at most this when no step found what supports it."""
_UNSUPPORTED = "No step found a passage that supports it: what is answered rests on what scored best."


@dataclass(slots=True)
class Chain:
    """What a chain knows so far, over the work it does."""

    work: Gathering
    known: list[Known] = field(default_factory=list[Known])

    @property
    def supported(self) -> bool:
        """Whether any step found something that supports its answer."""
        return any(step.supported for step in self.known)

    async def ask(self, state: SearchState, run: Run) -> SearchState:
        """The next question, or why there is none."""
        work, options = self.work, self.work.options
        if state.round == 0:
            work.weights = await work.retriever.weights([state.question])
        evidence = work.evidence(state.question)
        run.check("search")
        try:
            told = await work.reasoner.follow_up(state.question, self.known, evidence, work.weights, run)
        except BudgetSpent as error:
            if state.round:
                raise
            run.emit(Defaulted("follow_up", str(error), "the question is searched for as it stands"))
            told = FollowUp("")
        if told.enough and self.supported and (options.early_stop or not told.question):
            return stopped(state, (StopReason.ANSWERED, "what is known answers the question"), run)
        text = told.question or (state.question if not self.known else "")
        if not text:
            return stopped(state, self._nothing_left(), run)
        query = Query(text, "follow", state.round + 1, self._leads(state.question, text))
        if text == state.question:
            query = Query(text, round=state.round + 1)
        queries, dropped = fresh([query], state.asked)
        if not queries:
            why = f"“{text}” is {dropped[0][1]}, which was asked already"
            return stopped(state, (StopReason.REPEATED_QUERIES, why), run)
        original = () if state.round or text == state.question else (Query(state.question),)
        if state.round == 0:
            run.emit(Planned(state.question, (*original, *queries)))
        return replace(state, queries=(*original, *queries))

    async def note(self, state: SearchState, run: Run) -> SearchState:
        """A short answer from what the round found; only what supports it is evidence."""
        if not state.asked:
            return state
        asked, hits = state.asked[-1].text, self._noted(state)
        work = self.work
        try:
            step = await work.reasoner.note(asked, hits, work.weights, run) if hits else Known(asked, "")
        except (BudgetSpent, Cancelled) as error:
            self._judge(state, hits, by_score(hits), run)
            return stopped(state, interrupted(error), run)
        self.known.append(step)
        run.emit(ChainStep(state.round, step.question, step.answer, step.supported))
        self._judge(state, hits, [self._verdict(hit, step) for hit in hits], run)
        await work.weigh(state.question)
        kept = tuple(item.chunk.id for item in work.evidence(state.question))
        state = replace(state, kept=kept)
        if state.stop is None and state.round >= work.options.steps:
            used = f"{state.round} of {work.options.steps} questions asked"
            reason = StopReason.MAX_ROUNDS if self.supported else StopReason.NOTHING_FOUND
            return stopped(state, (reason, used), run)
        return state

    def _leads(self, question: str, text: str) -> tuple[Lead, ...]:
        """Names that a follow-up has and the question has not, each with the supporting chunk that names it."""
        asked = phrase(question)
        there = [hit.chunk for hit in self._supporting()]
        found: list[Lead] = []
        for name in names(text):
            key = phrase(name)
            parent = next((chunk.id for chunk in there if key in whole(chunk)), "")
            if parent and key not in asked:
                found.append(Lead(name, parent))
        return tuple(found)

    def _supporting(self) -> list[Hit]:
        ids = dict.fromkeys(key for step in self.known for key in step.supported)
        return [self.work.pool.hits[key] for key in ids if key in self.work.pool.hits]

    def _noted(self, state: SearchState) -> list[Hit]:
        """The best hits of the round: the follow-up's, and beside them some of the question's in the first round.

        Where a reranker chose, what it left out is left out; what an earlier round has shown may be shown again.
        """
        work = self.work
        reranked = work.stage.reranker is not None and "rerank" in work.options.layers
        place = {key: at for at, key in enumerate(state.new)}
        lists: list[list[Hit]] = []
        for _, hits in reversed(work.latest):
            seen = [
                hit for hit in hits if not reranked or hit.chunk.id in place or hit.chunk.id in work.verdicts
            ]
            if reranked:
                seen.sort(key=lambda hit: place.get(hit.chunk.id, len(place)))
            lists.append(seen)
        share = [NOTED] if len(lists) == 1 else [NOTED * 3 // 5, NOTED]
        chosen: dict[str, Hit] = {}
        for hits, upto in zip(lists, share, strict=False):
            for hit in hits:
                if len(chosen) < upto:
                    chosen.setdefault(hit.chunk.id, hit)
        return list(chosen.values())

    def _verdict(self, hit: Hit, step: Known) -> Verdict:
        if "judge" not in self.work.options.layers:
            return Verdict(True, 1.0, "judging is off")
        if hit.chunk.id in step.supported:
            return Verdict(True, 1.0, f"supports “{step.answer}”")
        return Verdict(False, 0.0, "does not support the short answer" if step.answer else "nothing useful")

    def _judge(self, state: SearchState, hits: Sequence[Hit], verdicts: Sequence[Verdict], run: Run) -> None:
        """Take in verdicts; what once supported an answer goes on doing so."""
        work = self.work
        told: list[tuple[str, bool, float, str]] = []
        for hit, verdict in zip(hits, verdicts, strict=True):
            before = work.verdicts.get(hit.chunk.id)
            if before is None or not before.keep:
                work.verdicts[hit.chunk.id] = verdict
                told.append((hit.chunk.id, verdict.keep, verdict.score, verdict.reason))
        work.order = None
        run.emit(Judged(state.round, tuple(told)))

    def _nothing_left(self) -> tuple[StopReason, str]:
        if self.supported:
            return StopReason.ANSWERED, "nothing is left to ask"
        return StopReason.NOTHING_FOUND, "no passage was supported and nothing is left to ask"


@dataclass(frozen=True, slots=True)
class ChainOfRAG(SearchAgent):
    """Answers questions whose parts must be found out in turn. The short answers between are unverified."""

    async def __call__(self, question: str, run: Run) -> Answer:
        work = self.gathering()
        chain = Chain(work)
        state = SearchState(question)
        while state.stop is None:
            state = await work.step(chain.ask, state, run)
            if state.stop is None:
                state = await work.step(work.search, state, run)
                state = await work.step(chain.note, state, run)
        written = await answer(work, state, run, "chain", chain.known)
        return honest(written, chain)


def honest(written: Answer, chain: Chain) -> Answer:
    """An answer that no step supports is never a confident one; what was nearest is shown where nothing is."""
    if chain.supported:
        return written
    notices = (*written.notices, _UNSUPPORTED) if written.found else written.notices
    nearest = [
        Evidence(hit, chain.work.verdicts.get(hit.chunk.id) or Verdict(False, 0.0, NOT_JUDGED))
        for hit in chain.work.ranked(written.question)[:NEAREST]
    ]
    return replace(
        written,
        confidence=min(written.confidence, UNSURE),
        notices=notices,
        evidence=written.evidence or tuple(nearest),
    )
