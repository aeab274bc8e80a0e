"""A harbour in four documents, and retrievers that misbehave on purpose."""

import asyncio
from dataclasses import dataclass, field
from typing import TypeVar

from leadline.agents.deep import DeepSearch
from leadline.agents.options import AskOptions
from leadline.events import Event
from leadline.reasoning.base import Reasoner, Reflection
from leadline.retrieval.base import Results
from leadline.run import Budget, Run
from leadline.testing.builders import chunks, document
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Answer, Query

OSPREY = document("The ferry Osprey was built at the Mirren Yard.", "osprey.md", "Osprey")
YARD = document("The Mirren Yard was founded by Ada Brandt.", "yard.md", "Mirren Yard")
BRANDT = document("Ada Brandt was born in Velden.", "brandt.md", "Ada Brandt")
QUAY = document("The quay is made of granite.", "quay.md", "Quay")
HARBOUR = (OSPREY, YARD, BRANDT, QUAY)
QUESTION = "Where was the founder of the yard that built the ferry Osprey born?"
USUAL = AskOptions()

E = TypeVar("E")


def gap(*texts: str, coverage: float = 0.5, round: int = 2) -> Reflection:
    """A reflection that asks for more."""
    return Reflection(coverage, (), tuple(Query(text, "gap", round) for text in texts))


@dataclass(slots=True)
class Clock:
    """A clock that a test moves."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(slots=True)
class OddRetriever(ListRetriever):
    """Remembers how many hits each query asked for; on the text `at` it cancels, hangs or takes time."""

    at: str = ""
    does: str = ""
    clock: Clock = field(default_factory=Clock)
    wanted: list[int] = field(default_factory=list[int])

    async def search(self, query: Query, k: int, run: Run) -> Results:
        self.wanted.append(k)
        results = await ListRetriever.search(self, query, k, run)
        if query.text == self.at:
            if self.does == "cancel":
                run.cancel()
            elif self.does == "hang":
                await asyncio.sleep(3600)
            else:
                self.clock.now += 1000.0
        return results


@dataclass(slots=True)
class Asked:
    """An answer, and everything that happened on the way."""

    answer: Answer
    events: list[Event]
    run: Run

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


def ask(
    reasoner: Reasoner,
    retriever: ListRetriever | None = None,
    *,
    question: str = QUESTION,
    options: AskOptions = USUAL,
    budget: Budget | None = None,
    clock: Clock | None = None,
) -> Asked:
    """Ask a deep search."""
    events: list[Event] = []
    run = Run(budget or Budget(), events.append, clock or Clock())
    search = DeepSearch(reasoner, retriever or harbour(), options)
    return Asked(go(search(question, run)), events, run)


def harbour() -> ListRetriever:
    return ListRetriever(chunks(*HARBOUR), HARBOUR)
