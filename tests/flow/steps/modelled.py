"""A workspace with a scripted model over real HTTP."""

from collections.abc import Sequence
from pathlib import Path

from leadline.config import Settings
from leadline.events import Event
from leadline.flow.base import DeadLetter, Operator, Row, Scope
from leadline.flow.operators.streams import through
from leadline.run import Budget, Run
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.running import go
from leadline.workspace import Workspace

KEY = "sk-of-a-test-7731"


def settings(data: Path, server: ModelServer) -> Settings:
    """A model at the server; no reply is kept, and nothing waited for long."""
    llm = {"cache": False, "wait": 0.01, "seconds": 60.0}
    given = {"data": data, "model": f"openai:{MODEL}", "base_url": server.url, "api_key": KEY}
    return Settings.model_validate({**given, "llm": llm})


def made(
    step: Operator,
    rows: Sequence[Row],
    settings: Settings,
    *,
    budget: Budget | None = None,
    lost: list[DeadLetter] | None = None,
    told: list[Event] | None = None,
) -> list[Row]:
    """What a step makes of rows in a workspace."""
    watched = Run(budget or Budget(), (told if told is not None else list[Event]()).append)

    async def work() -> list[Row]:
        async with await Workspace.open(settings) as workspace:
            letters = lost if lost is not None else list[DeadLetter]()
            scope = Scope(watched, workspace=workspace, lose=letters.append)
            return await through(step, rows, scope)

    return go(work())
