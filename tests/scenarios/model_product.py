"""The whole product asked one question, with a scripted model behind real HTTP, and what must hold of every answer."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.model_world import FACTS, QUESTION, ROUNDS, write
from leadline.config import Settings
from leadline.events import Called, Defaulted, Event, Repaired
from leadline.run import Budget, Run
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.said import Answering, Asked, Said
from leadline.testing.thinking import Thinker
from leadline.types import Answer, Support
from leadline.workspace import Workspace
from tests.scenarios.model_rows import SECRET, Shape, Step

KEY = "sk-of-a-test-5580"
PLAIN = Step("plan")
LEAKS = (SECRET, KEY, "Traceback", "Error code", "Error:", "Exception", "pydantic", "httpx", "object at 0x")
"""None of it may be found in an answer."""

THINKER = Thinker(
    ROUNDS,
    dict(FACTS),
    follow_ups={
        "Which engine drives the ferry Sable Heron?": "driven by a Tarn 40 diesel",
        "Who drew the Tarn 40?": "The Tarn 40 was drawn by Ines Calloway",
        "Whose pupil was Ines Calloway?": "Ines Calloway was bound to Osric Brandt",
    },
    choices=("deep", "default", "coast"),
    expanded=("Which motor powers the ferry Sable Heron, and who built it?",),
    passage="The Sable Heron has a diesel engine, which was drawn by an engineer of the coast.",
)
COLLECTIONS: Mapping[str, str] = {
    "default": "",
    "coast": "Ferries, engines and lighthouses of the coast",
    "north": "Fish markets of the north",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run: what it answered, what it told, what the model was asked."""

    answer: Answer
    events: list[Event]
    asked: list[Asked]

    def told(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def stood_in(self) -> list[tuple[str, str]]:
        """What was repaired or defaulted: (step, kind)."""
        kinds = (Repaired, Defaulted)
        return [(each.step, type(each).__name__) for each in self.events if isinstance(each, kinds)]


async def loaded(folder: Path) -> Path:
    """The data folder with three collections of the invented world."""
    write(folder / "documents")
    data = folder / "data"
    async with await Workspace.open(Settings(data=data)) as workspace:
        for name, description in COLLECTIONS.items():
            files = sorted((folder / "documents").glob("*.md"))
            await workspace.load(files if name == "default" else files[:6], collection=name)
            await workspace.describe(name, description)
    return data


def settings(data: Path, server: ModelServer | str, **more: Any) -> Settings:
    """A model at the server; nothing is kept, and a call that fails is not waited for long before it is made again.

    A reply has more time than a machine under load may take: a run whose replies are cut short is another run.
    """
    url = server if isinstance(server, str) else server.url
    llm = {"cache": False, "wait": 0.02, "seconds": 600, **more.pop("llm", {})}
    given = {"data": data, "model": f"openai:{MODEL}", "base_url": url, "api_key": KEY}
    return Settings.model_validate({**given, "llm": llm, "search": {"recall": 5}, **more})


@dataclass(slots=True)
class Product:
    """A workspace and the server that its model is at, for one run after another."""

    workspace: Workspace
    server: ModelServer

    async def ask(
        self,
        step: Step = PLAIN,
        script: Answering = THINKER,
        *,
        question: str = QUESTION,
        budget: Budget | None = None,
    ) -> Outcome:
        """One question, in the way that makes `step` happen."""
        self.server.script = script
        self.server.forget()
        events: list[Event] = []
        answer = await self.workspace.ask(
            question,
            run=Run(budget or Budget(), events.append),
            agent=step.agent,
            collections=step.collections,
            layers={"expand": step.expand},
        )
        return Outcome(answer, events, list(self.server.asked))


@asynccontextmanager
async def product(data: Path, script: Answering = THINKER, **more: Any) -> AsyncGenerator[Product]:
    """The product over the loaded world, a scripted model behind it."""
    with ModelServer(script) as server:
        async with await Workspace.open(settings(data, server, **more)) as workspace:
            yield Product(workspace, server)


async def ask(
    server: ModelServer,
    data: Path,
    step: Step = PLAIN,
    *,
    question: str = QUESTION,
    budget: Budget | None = None,
    **more: Any,
) -> Outcome:
    """One question to a workspace of its own; `more` are settings."""
    async with await Workspace.open(settings(data, server, **more)) as workspace:
        return await Product(workspace, server).ask(step, server.script, question=question, budget=budget)


def script(step: Step, shape: Shape, *, times: int | None = None) -> Answering:
    """Good replies, but for those of `step`: all of them, or its first `times`."""
    left = times

    def answer(asked: Asked) -> Said | str:
        nonlocal left
        good = THINKER(asked)
        if asked.step != step.name or left == 0:
            return good
        left = None if left is None else left - 1
        return shape(good)

    return answer


def sound(outcome: Outcome) -> None:
    """What holds of every run: it ends in an answer that says why, quotes are where they are said to be, and nothing
    of an error's own text is in it."""
    answer = outcome.answer
    assert answer.stop
    assert answer.found == any(claim.support is not Support.UNSUPPORTED for claim in answer.claims)
    for claim in answer.claims:
        for citation in claim.citations:
            text = Path(citation.source).read_text(encoding="utf-8")
            assert citation.quote in text
            assert text[citation.start : citation.end] == citation.quote
    said = repr(answer)
    assert [leak for leak in LEAKS if leak in said] == []
    paid = [each for each in outcome.events if isinstance(each, Called) and not each.cached]
    assert answer.usage.calls >= len(paid)
    assert answer.usage.tokens >= sum(each.input_tokens + each.output_tokens for each in paid)
