"""A reasoner whose model is a script behind real HTTP, for one piece of work."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from leadline.config import Settings
from leadline.events import Event
from leadline.models import Models
from leadline.reasoning.base import Passage, Reasoner
from leadline.run import Budget, Run
from leadline.testing.builders import evidence
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.running import go
from leadline.testing.said import Answering, Asked
from leadline.types import Chunk

T = TypeVar("T")
E = TypeVar("E")


@dataclass(slots=True)
class Done(Generic[T]):
    """What came of it, what was told, what the model was asked."""

    value: T
    events: list[Event]
    asked: list[Asked]
    at_once: int

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


def modelled(
    script: Answering,
    work: Callable[[Reasoner, Run], Awaitable[T]],
    *,
    budget: Budget | None = None,
    latency: float = 0.0,
    context: int | None = None,
    **ask: Any,
) -> Done[T]:
    """`work` done with a reasoner that has the scripted model in both roles."""
    events: list[Event] = []
    run = Run(budget or Budget(), events.append)
    with ModelServer(script, latency=latency) as server:
        chosen = Settings.model_validate(
            {
                "model": f"openai:{MODEL}",
                "base_url": server.url,
                "api_key": "key",
                "llm": {"cache": False, "wait": 0.01, "attempts": 2, "seconds": 5, "context": context},
                "ask": ask,
            }
        )

        async def whole() -> T:
            models = Models(chosen)
            try:
                return await work(await models.reasoner(), run)
            finally:
                await models.close()

        value = go(whole(), seconds=30)
        return Done(value, events, list(server.asked), server.most)


def passages(*chunks: Chunk) -> Sequence[Passage]:
    """One passage for each chunk, holding all of it."""
    return [
        Passage(one.document_id, one.start, one.text, (evidence(one, 1 / rank),), 1 / rank)
        for rank, one in enumerate(chunks, start=1)
    ]
