"""FastSearch: one round, for questions that one search answers.

question -> hits -> evidence -> answer
"""

from dataclasses import dataclass, replace

from leadline.agents.answering import answer
from leadline.agents.gathering import Gathering
from leadline.agents.options import AskOptions
from leadline.agents.state import SearchState
from leadline.reasoning.base import Reasoner
from leadline.reranking.base import Reranker
from leadline.reranking.stage import Stage
from leadline.retrieval.base import Retriever
from leadline.run import Run
from leadline.types import Answer


@dataclass(frozen=True, slots=True)
class FastSearch:
    """One round of the same steps as `DeepSearch`."""

    reasoner: Reasoner
    retriever: Retriever
    options: AskOptions = AskOptions()
    reranker: Reranker | None = None

    async def __call__(self, question: str, run: Run) -> Answer:
        stage = Stage(self.reranker, self.options.rerank_seconds)
        work = Gathering(self.reasoner, self.retriever, replace(self.options, rounds=1), stage=stage)
        state = await work.step(work.plan, SearchState(question), run)
        if state.stop is None:
            state = await work.search(state, run)
            state = await work.judge(state, run)
        return await answer(work, state, run, "fast")
