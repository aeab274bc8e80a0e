"""DeepSearch: plan, then search, judge, reflect, and search again until there is a reason to stop.

question -> queries -> hits -> evidence -> gaps? -> more queries ... -> answer
"""

from dataclasses import dataclass

from leadline.agents.answering import answer
from leadline.agents.gathering import Gathering, SearchAgent
from leadline.agents.state import SearchState
from leadline.run import Run
from leadline.types import Answer


@dataclass(frozen=True, slots=True)
class DeepSearch(SearchAgent):
    """Answers questions whose answer is spread over several documents."""

    async def __call__(self, question: str, run: Run) -> Answer:
        work = self.gathering()
        state = await work.step(work.plan, SearchState(question), run)
        state = await rounds(work, state, run)
        return await answer(work, state, run, "deep")


async def rounds(work: Gathering, state: SearchState, run: Run) -> SearchState:
    """Search, judge and reflect until there is a reason to stop."""
    while state.stop is None:
        state = await work.search(state, run)
        state = await work.judge(state, run)
        if state.stop is None:
            state = await work.step(work.reflect, state, run)
    return state
