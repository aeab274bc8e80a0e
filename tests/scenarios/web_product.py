"""The product with some of the invented world in a collection and the rest of it on a web site."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from benchmarks.model_world import DOCUMENTS, QUESTION
from leadline.arguments import AskChoices
from leadline.config import Settings
from leadline.events import Event
from leadline.run import Budget, Run
from leadline.testing.model_server import ModelServer
from leadline.testing.page_search import Listed, PageSearch
from leadline.testing.said import Answering
from leadline.testing.search_server import SearchServer
from leadline.testing.web_site import Served, WebSite
from leadline.workspace import Workspace
from tests.scenarios.model_product import THINKER, Outcome, settings

PRIVATE = ("sable_heron", "brandt", "prizes", "school")
"""Documents of the collection; the others are pages."""


def title_of(name: str) -> str:
    return name.replace("_", " ").capitalize()


def page_of(name: str, text: str, title: str = "") -> Served:
    """A document as a page with what stands around pages."""
    shown = title or title_of(name)
    body = (
        f"<html><head><title>{shown}</title></head><body><nav><a href='/'>Home</a> <a href='/all'>All</a></nav>"
        f"<main><article><h1>{shown}</h1><p>{text}</p></article></main><footer>We use cookies.</footer></body></html>"
    )
    return Served(f"/{name}", body.encode())


@dataclass(slots=True)
class Mixed:
    """A workspace, the site and the search server it finds pages with, and the model's server."""

    workspace: Workspace
    site: WebSite
    search: SearchServer
    server: ModelServer

    async def ask(
        self,
        question: str = QUESTION,
        *,
        script: Answering = THINKER,
        budget: Budget | None = None,
        **choices: Unpack[AskChoices],
    ) -> Outcome:
        """One question."""
        self.server.script = script
        self.server.forget()
        events: list[Event] = []
        answer = await self.workspace.ask(question, run=Run(budget or Budget(), events.append), **choices)
        return Outcome(answer, events, list(self.server.asked))


@asynccontextmanager
async def mixed(
    folder: Path,
    *,
    private: tuple[str, ...] = PRIVATE,
    pages: Mapping[str, Served] | None = None,
    model: bool = True,
    **more: Any,
) -> AsyncGenerator[Mixed]:
    """`private` documents in the collection `default`; on the site the others, of which `pages` take the place."""
    (folder / "documents").mkdir(parents=True)
    for name in private:
        text = f"# {title_of(name)}\n\n{DOCUMENTS[name]}\n"
        (folder / "documents" / f"{name}.md").write_text(text, encoding="utf-8")
    served = {name: page_of(name, text) for name, text in DOCUMENTS.items() if name not in private}
    served |= pages or {}
    with WebSite(served.values()) as site, ModelServer(THINKER) as server:
        listed = [Listed(f"{site.url}/{name}", title_of(name), DOCUMENTS.get(name, name)) for name in served]
        with SearchServer(PageSearch(listed)) as search:
            web = {
                "searches": ["searxng"],
                "searxng_url": search.url("searxng"),
                "searches_per_second": 100,
                "allow_hosts": [site.host],
                **more.pop("web", {}),
            }
            data = folder / "data"
            chosen = (
                settings(data, server, web=web, **more)
                if model
                else Settings.model_validate({"data": data, "web": web, **more})
            )
            async with await Workspace.open(chosen) as workspace:
                if private:
                    await workspace.load([folder / "documents"])
                yield Mixed(workspace, site, search, server)
