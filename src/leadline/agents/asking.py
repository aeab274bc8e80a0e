"""Who answers a question: the caller's choice, a model's, or a rule's; then that agent.

question -> route -> fast (and deep when that is not sure) | deep | chain -> answer
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

from leadline.agents.chain import ChainOfRAG
from leadline.agents.deep import DeepSearch
from leadline.agents.fast import FastSearch, FastThenDeep
from leadline.agents.options import AskOptions
from leadline.agents.places import Places
from leadline.agents.research import Research
from leadline.events import Notice, Routed, Stopped
from leadline.reasoning.base import Reasoner
from leadline.reasoning.reports import wants_report
from leadline.reranking.base import Reranker
from leadline.retrieval.base import Bringing, Retriever
from leadline.routing.agents import routed
from leadline.routing.calls import may_choose
from leadline.routing.complexity import Picked
from leadline.run import Run
from leadline.types import Answer, StopReason

AgentChoice = Literal["auto", "fast", "deep", "chain", "research"]
Agent = Callable[[str, Run], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Asking:
    """Everything an agent needs. `modelled`: a model thinks, so that a chain gains; `picks`: it picks the agent too."""

    reasoner: Reasoner
    retriever: Retriever
    options: AskOptions = AskOptions()
    reranker: Reranker | None = None
    places: Places | None = None
    modelled: bool = False
    picks: bool = False

    async def __call__(self, question: str, run: Run, choice: AgentChoice = "auto") -> Answer:
        """The answer of the agent chosen. What `auto` takes as simple goes on as deep when it turns out not to be."""
        name = await self._chosen(question, choice, run)
        return await self._agent(name, question, going_on=choice == "auto")(question, run)

    async def _chosen(self, question: str, choice: AgentChoice, run: Run) -> Picked:
        if choice != "auto":
            run.emit(Routed(choice, "asked for", "caller"))
            return choice
        picker = self.reasoner if self.picks and may_choose(run) else None
        web = isinstance(self.retriever, Bringing)
        return (await routed(question, picker, run, chains=self.modelled, web=web)).agent

    def _agent(self, name: Picked, question: str, *, going_on: bool) -> Agent:
        options = replace(self.options, report=wants_report(question))
        kind = {
            "fast": FastThenDeep if going_on else FastSearch,
            "deep": DeepSearch,
            "chain": ChainOfRAG,
            "research": Research,
        }[name]
        return kind(self.reasoner, self.retriever, options, self.reranker, self.places)


def unsearched(question: str, why: str, run: Run) -> Answer:
    """The answer where there is nothing to search in."""
    run.emit(Notice(why))
    run.emit(Stopped(0, StopReason.NOTHING_FOUND, "there is no collection"))
    return Answer(
        question=question,
        claims=(),
        evidence=(),
        stop=StopReason.NOTHING_FOUND,
        found=False,
        notices=(why,),
        usage=run.usage(),
    )
