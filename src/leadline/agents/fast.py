"""FastSearch: one round, for questions that one search answers; and the same going on as a deep search when it does not.

question -> hits -> evidence -> answer -> (not sure: gaps -> more rounds -> answer)
"""

from dataclasses import dataclass, replace

from leadline.agents.answering import answer, ended
from leadline.agents.deep import rounds
from leadline.agents.gathering import Gathering, SearchAgent
from leadline.agents.state import SearchState
from leadline.events import Routed
from leadline.run import Run
from leadline.types import Answer

SURE = 0.5
"""An answer of the first round with less confidence goes on as a deep search."""


@dataclass(frozen=True, slots=True)
class FastSearch(SearchAgent):
    """One round of the same steps as `DeepSearch`."""

    async def __call__(self, question: str, run: Run) -> Answer:
        work = self.gathering(replace(self.options, rounds=1))
        return await answer(work, await first_round(work, question, run), run, "fast")


@dataclass(frozen=True, slots=True)
class FastThenDeep(SearchAgent):
    """A fast search that goes on as a deep one, in the same run and with its evidence, when it is not sure."""

    async def __call__(self, question: str, run: Run) -> Answer:
        work = self.gathering()
        state = await first_round(work, question, run)
        if state.stop is not None:
            return await answer(work, state, run, "fast")
        first = await answer(work, state, run, "fast") if state.kept else None
        if first is not None and first.found and first.confidence >= SURE:
            return first
        run.emit(Routed("deep", unsure(first), "rule"))
        state = await rounds(work, await work.step(work.reflect, state, run), run)
        return await better(first, work, state, run)


async def first_round(work: Gathering, question: str, run: Run) -> SearchState:
    """Plan, search and judge once."""
    state = await work.step(work.plan, SearchState(question), run)
    if state.stop is None:
        state = await work.search(state, run)
        state = await work.judge(state, run)
    return state


def unsure(first: Answer | None) -> str:
    """Why the first round is not enough."""
    if first is None:
        return "the first round kept no passage"
    if not first.found:
        return "the first round does not answer the question"
    return f"the first round is not sure: confidence {first.confidence:.2f}, less than {SURE:.2f}"


async def better(first: Answer | None, work: Gathering, state: SearchState, run: Run) -> Answer:
    """The answer of all rounds. It is not written again where they added nothing, and one found is not lost."""
    before = {key for item in first.evidence for key in (item.chunk.id, *item.also)} if first else set[str]()
    whole = None
    if first is None or not before.issuperset(state.kept):
        whole = await answer(work, state, run, "deep")
    taken = whole if first is None or (whole and (whole.found or not first.found)) else first
    assert taken is not None
    return replace(
        taken,
        stop=ended(state, taken.found),
        rounds=state.round,
        queries=state.asked,
        usage=run.usage(),
        agent="deep",
    )
