"""Deep searches over a harbour, by the agent and by the steps of a flow, on the same scripted reasoner."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack

from leadline.agents.asking import Asking
from leadline.agents.options import AskOptions
from leadline.arguments import AskChoices
from leadline.config import Settings
from leadline.flow.base import Chain, Operator, Row, Scope
from leadline.flow.files.reading import read_flow
from leadline.flow.operators.aggregates import Values
from leadline.flow.operators.control import Each, Fork
from leadline.flow.operators.editing import Remove
from leadline.flow.operators.grouping import Collect, Group
from leadline.flow.operators.looping import While
from leadline.flow.operators.mapping import Filter, Flat
from leadline.flow.operators.streams import through
from leadline.flow.steps.answers import answered
from leadline.flow.steps.judging import Judge
from leadline.flow.steps.planning import Plan
from leadline.flow.steps.pooling import Pool
from leadline.flow.steps.reflecting import Reflect
from leadline.flow.steps.retrieving import Retrieve
from leadline.flow.steps.writing import Write
from leadline.reasoning.base import Reasoner
from leadline.reranking.base import Reranker
from leadline.retrieval.base import Retriever
from leadline.run import Budget, Run
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.running import go
from leadline.types import Collection
from leadline.workspace import Workspace
from tests.agents.harbour import QUESTION, USUAL, Clock, harbour

ROUNDS = 10
"""The cap of the loop, above that of the search, so that the search decides."""


class Scripted(Workspace):
    """A workspace whose reasoner and retriever a test brings; a new reasoner for each question, as always."""

    def __init__(
        self,
        reasoner: Callable[[], Reasoner],
        retriever: Retriever | None = None,
        options: AskOptions = USUAL,
        reranker: Reranker | None = None,
    ) -> None:
        super().__init__(Settings(data=Path("nowhere")))
        self.make, self.retriever = reasoner, retriever or harbour()
        self.options, self.read = options, reranker

    async def collections(self) -> list[Collection]:
        return [Collection("default")]

    async def reasoner(self) -> Reasoner:
        return self.make()

    @asynccontextmanager
    async def asking(self, **choices: Unpack[AskChoices]) -> AsyncGenerator[Asking]:
        yield Asking(self.make(), self.retriever, self.options, self.read)


def each_flow(rounds: int = ROUNDS) -> Operator:
    """A deep search whose brackets are `Each`."""
    return Plan() >> While(_each_body(), "gap_queries", rounds) >> Write()


def _each_body() -> Operator:
    return (
        Each("gap_queries", Retrieve(), into="found", as_="sub_query", whole=True)
        >> Pool()
        >> Each("chunks", Judge() >> Filter("selected"), into="chunks_selected", as_="chunk")
        >> Reflect()
    )


def plain_flow(rounds: int = ROUNDS) -> Operator:
    """The same with plain operators."""
    found = Flat("gap_queries", "sub_query") >> Retrieve() >> Collect({"found": "found"})
    judged = Flat("chunks", "chunk") >> Judge() >> Filter("selected")
    by_query = Group(["chunk.sub_query"], {"chunks_selected": Values("chunk")})
    selected = Fork([Chain(), judged >> by_query]) >> Collect(
        {"chunks_selected": "chunks_selected"}, flat=True
    )
    body = found >> Pool() >> selected >> Remove(["sub_query"]) >> Reflect()
    return Plan() >> While(body, "gap_queries", rounds) >> Write()


def shipped_flow(name: str) -> Operator:
    """The steps of a shipped flow."""
    values = {"questions": "unread.jsonl", "field": "original_query", "rounds": ROUNDS}
    return read_flow(name, values, Settings(data=Path("nowhere"))).steps


def by_agent(
    reasoner: Reasoner,
    retriever: Retriever,
    options: AskOptions = USUAL,
    *,
    question: str = QUESTION,
    budget: Budget | None = None,
    reranker: Reranker | None = None,
) -> Row:
    """The agent's answer as a row."""
    run = Run(budget or Budget(), clock=Clock())
    found = go(Asking(reasoner, retriever, options, reranker)(question, run, "deep"))
    return told(answered({}, found, "answer", "evidence"))


def by_flow(
    flow: Operator, workspace: Workspace, *, question: str = QUESTION, budget: Budget | None = None
) -> Row:
    """The flow's row for one question."""
    scope = Scope(Run(budget or Budget(), clock=Clock()), workspace=workspace, concurrency=4)
    (row,) = go(through(flow, [{"original_query": question}], scope))
    return told(row)


def told(row: Row) -> Row:
    """What must be the same: the answer and the evidence in its order, as they are written down."""
    return json.loads(json.dumps({name: row[name] for name in ("answer", "evidence")}))


@dataclass(slots=True)
class Case:
    """One question with everything that decides what becomes of it; both sides get a fresh copy of each."""

    reasoner: Callable[[], Reasoner]
    retriever: Callable[[], Retriever] = harbour
    options: AskOptions = USUAL
    question: str = QUESTION
    budget: Callable[[], Budget] = Budget
    reranker: Callable[[], Reranker | None] = lambda: None

    def agree(self, flow: Operator) -> Row:
        """The flow's row, which is the agent's; and they have thought the same, in the same order."""
        mine, its = self.reasoner(), self.reasoner()
        agent = by_agent(
            mine,
            self.retriever(),
            self.options,
            question=self.question,
            budget=self.budget(),
            reranker=self.reranker(),
        )
        workspace = Scripted(lambda: its, self.retriever(), self.options, self.reranker())
        row = by_flow(flow, workspace, question=self.question, budget=self.budget())
        assert row == agent
        if isinstance(mine, ScriptedReasoner) and isinstance(its, ScriptedReasoner):
            assert its.asked == mine.asked
        return row


@dataclass(slots=True)
class ByQuestion:
    """A reasoner that hands each question to one of its own, so that many can be asked at once."""

    make: Callable[[str], ScriptedReasoner]
    own: dict[str, ScriptedReasoner] = field(default_factory=dict[str, ScriptedReasoner])
    notice: str = ""

    def of(self, question: str) -> ScriptedReasoner:
        return self.own.setdefault(question, self.make(question))

    def __getattr__(self, name: str) -> Any:
        async def thought(question: str, *given: Any, **named: Any) -> Any:
            await asyncio.sleep(0)
            return await getattr(self.of(question), name)(question, *given, **named)

        return thought
