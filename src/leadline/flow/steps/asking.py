"""Ask: a whole answer to a question, by any agent. Search: passages for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.agents.asking import AgentChoice
from leadline.agents.reranking import searched
from leadline.arguments import AskChoices
from leadline.citing.render.json import event_to_json
from leadline.events import Event
from leadline.flow.base import FieldKind, Row, Scope, Shape, workspace_of
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.answers import answered
from leadline.flow.steps.progress import Choices, asked_for, asking_of, check
from leadline.flow.steps.values import hit_plain, text_at
from leadline.run import Budget, Run
from leadline.types import Query

_TIMED = frozenset({"milliseconds"})


@dataclass(frozen=True, slots=True)
class Ask(Step):
    """Answers a question with an agent, every sentence with what it rests on.

    question: the field with the question.
    into: the field for the answer: `text`, `found`, `claims` and the `sources` they cite, `confidence`, `stop`, `rounds`,
      `missing`, `notices`.
    evidence: the field for the evidence, best first; "" for none.
    trace: the field for what happened on the way, step by step; "" for none.
    agent: fast, deep, chain, research, or auto: by the question.
    collections: where to search; none is the collection of the settings.
    where: a filter on the documents, such as "year >= 2023".
    rounds: the most rounds, else as the settings say.
    layers: parts of the search to turn on or off: rewrite, expand, rerank, judge, reflect, verify.
    web: search the web too; where no collections are named, nothing else.

    Example:
        ask:
          question: question
          into: answer
          agent: deep
    """

    question: str = "question"
    into: str = "answer"
    evidence: str = "evidence"
    trace: str = ""
    agent: AgentChoice = "auto"
    collections: Sequence[str] = ()
    where: str | None = None
    rounds: int | None = None
    layers: Mapping[str, bool] = field(default_factory=dict[str, bool])
    web: bool = False

    def __post_init__(self) -> None:
        check(self._choices())
        if not isinstance(self.web, bool):  # pyright: ignore[reportUnnecessaryIsInstance] - a flow file may say anything
            raise ValueError("`web` is true or false")

    def _choices(self) -> Choices:
        return Choices(tuple(self.collections), self.where, self.rounds, self.layers)

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.question, kind="text")

    def after(self, before: Shape) -> Shape:
        lists: dict[str, FieldKind] = {name: "list" for name in (self.evidence, self.trace) if name}
        return having(before, {self.into: "mapping", **lists})

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        events: list[dict[str, Any]] = []
        run = _watched(scope.run, events) if self.trace else scope.run
        question = text_at(row, self.question).strip()
        if self.web:
            # Each question has pages of its own.
            told: AskChoices = {**asked_for(self._choices()), "web": True, "agent": self.agent}
            answer = await workspace_of(scope, "ask").ask(question, run=run, **told)
        else:
            asking = await asking_of(scope, "ask", self._choices())
            answer = await asking(question, run, self.agent)
        made = answered(row, answer, self.into, self.evidence)
        return [{**made, self.trace: events} if self.trace else made]


def _watched(run: Run, told: list[dict[str, Any]]) -> Run:
    """A run inside `run` whose events are kept too, without what they took."""

    def emit(event: Event) -> None:
        told.append({name: value for name, value in event_to_json(event).items() if name not in _TIMED})
        run.emit(event)

    return Run(Budget(searches=None), emit, run.clock, parent=run)


@dataclass(frozen=True, slots=True)
class Search(Step):
    """Finds passages for a question, best first, read by the reranker where there is one.

    query: the field with what to search for.
    into: the field for the passages, each with its `text`, `source`, `title`, `score` and how it was found.
    limit: the most passages.
    collections: where to search; none is the collection of the settings.
    where: a filter on the documents, such as "year >= 2023".

    Example:
        search:
          query: question
          into: chunks
          limit: 5
    """

    query: str = "question"
    into: str = "chunks"
    limit: int = 10
    collections: Sequence[str] = ()
    where: str | None = None

    def __post_init__(self) -> None:
        check(self._choices())
        if self.limit < 1:
            raise ValueError("`limit` must be at least 1")

    def _choices(self) -> Choices:
        return Choices(tuple(self.collections), self.where)

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.query, kind="text")

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "list"})

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        asking = await asking_of(scope, "search", self._choices())
        query = Query(text_at(row, self.query).strip())
        results = await searched(
            asking.retriever, query, self.limit, asking.reranker, asking.options, scope.run
        )
        return [{**row, self.into: [hit_plain(hit) for hit in results.hits]}]
