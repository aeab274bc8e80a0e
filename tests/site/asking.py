"""The town asked about: its site, a search server that lists it, and a workspace that sees nothing but the two."""

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.config import Settings
from leadline.events import Event
from leadline.run import Budget, Run
from leadline.testing.model_server import MODEL, ModelServer
from leadline.testing.said import Answering
from leadline.testing.search_server import SearchServer
from leadline.testing.web_site import WebSite
from leadline.types import Answer
from leadline.workspace import Workspace
from tests.site.town import search, served

KEY = "key-of-a-test-8841"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run: its answer, what it told, and what site, search server and model were asked."""

    answer: Answer
    events: list[Event]
    site: WebSite
    server: SearchServer
    model: ModelServer | None

    def told(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


@contextmanager
def town(data: Path, provider: str, script: Answering | None = None, **more: Any) -> Generator["Town"]:
    """The town behind a search provider, with a scripted model or without; `more` are settings."""
    with ExitStack() as stack:
        site = stack.enter_context(WebSite(served()))
        server = stack.enter_context(SearchServer(search(site)))
        model = stack.enter_context(ModelServer(script)) if script else None
        yield Town(data, provider, site, server, model, more)


@dataclass(frozen=True, slots=True)
class Town:
    """What `town` gives; each `ask` has a workspace of its own."""

    data: Path
    provider: str
    site: WebSite
    server: SearchServer
    model: ModelServer | None
    more: Mapping[str, Any]

    @property
    def settings(self) -> Settings:
        web = {
            "searches": [self.provider],
            f"{self.provider}_url": self.server.url(self.provider),
            "allow_hosts": [self.site.host],
            "searches_per_second": 100,
            "per_host": 8,
            "page_seconds": 2,
            "page_mb": 1,
            "cache_hours": 0,
            **self.more.get("web", {}),
        }
        llm = {"cache": False, "wait": 0.02, "seconds": 20, **self.more.get("llm", {})}
        given: dict[str, Any] = {"data": self.data, **self.more, "web": web, "llm": llm}
        if self.model is not None:
            given |= {"model": f"openai:{MODEL}", "base_url": self.model.url, "api_key": KEY}
        return Settings.model_validate(given)

    async def ask(
        self,
        question: str,
        budget: Budget | None = None,
        clock: Callable[[], float] = time.monotonic,
        **choices: Any,
    ) -> Outcome:
        """One question, on the web."""
        events: list[Event] = []
        async with await Workspace.open(self.settings) as workspace:
            given: dict[str, Any] = {"agent": "research", "web": True, **choices}
            answer = await workspace.ask(question, run=Run(budget or Budget(), events.append, clock), **given)
        return Outcome(answer, events, self.site, self.server, self.model)
