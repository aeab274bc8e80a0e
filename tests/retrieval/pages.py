"""A small web in memory, behind the real retriever over a real store of pages."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from leadline.documents.splitting import SplitOptions
from leadline.errors import DocumentError, LeadlineError
from leadline.ingest.entries import embedded_in, prepare
from leadline.retrieval.hybrid import HybridRetriever, RetrievalOptions
from leadline.retrieval.web import WebOptions, WebRetriever
from leadline.run import Run
from leadline.store.lance import open_store
from leadline.testing.builders import document
from leadline.types import Collection, Document
from leadline.web.base import FETCHED, PAGES, PUBLISHED, URL, Page, WebQuery, WebResult

HARBOUR = "https://harbour.example"
SHELF = "shelf"


@dataclass(frozen=True, slots=True)
class Listed:
    results: tuple[WebResult, ...] = ()
    notices: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


def page(url: str, text: str, title: str = "", published: str = "") -> Document:
    """A page as a reader gives it."""
    made = document(text, url, title or "A page")
    metadata = {URL: url, FETCHED: "2025-03-02T10:00:00+00:00", PUBLISHED: published}
    return replace(made, metadata={key: value for key, value in metadata.items() if value})


@dataclass(slots=True)
class Web:
    """`finds` are the results of a query, or why there are none; `pages` what stands at an address. `slow` addresses and
    queries take so many seconds, and so does making searchable what is at `SHELF ADDRESS`. `failing` are the providers that fail for a query."""

    finds: Mapping[str, Sequence[WebResult] | LeadlineError]
    pages: Mapping[str, Document] = field(default_factory=dict[str, Document])
    slow: Mapping[str, float] = field(default_factory=dict[str, float])
    failing: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    asked: list[WebQuery] = field(default_factory=list[WebQuery])
    errors: Mapping[str, LeadlineError] = field(default_factory=dict[str, LeadlineError])
    read: list[str] = field(default_factory=list[str])
    commits: list[int] = field(default_factory=list[int])

    async def found(self, query: WebQuery, run: Run) -> Listed:
        run.check("search")
        run.search_spent()
        self.asked.append(query)
        await asyncio.sleep(self.slow.get(query.text, 0))
        found = self.finds.get(query.text, ())
        if isinstance(found, LeadlineError):
            raise found
        return Listed(tuple(found[: query.limit]), failed=self.failing.get(query.text, ()))

    async def __call__(self, url: str, run: Run, *, known: Page | None = None) -> Page:
        self.read.append(url)
        await asyncio.sleep(self.slow.get(url, 0))
        if url in self.errors:
            raise self.errors[url]
        if url not in self.pages:
            raise DocumentError(f"`{url}` answered 500")
        return Page(self.pages[url])


def results(*paths: str, snippet: str = "") -> list[WebResult]:
    """Results that lead to paths of the harbour's site."""
    return [WebResult(f"{HARBOUR}/{path}", path, snippet) for path in paths]


@asynccontextmanager
async def retriever_over(
    web: Web, folder: Path, options: WebOptions | None = None
) -> AsyncGenerator[WebRetriever]:
    """The web alone as a retriever."""
    store = await open_store(folder)
    await store.create(Collection(PAGES))

    async def shelve(documents: Sequence[Document], run: Run) -> None:
        await asyncio.sleep(sum(web.slow.get(f"{SHELF} {each.source}", 0) for each in documents))
        prepared = [prepare(each, SplitOptions(), each.content_hash) for each in documents]
        await store.replace(PAGES, await embedded_in(run, prepared, None))
        web.commits.append(len(documents))

    inner = HybridRetriever(store, (PAGES,), None, RetrievalOptions())
    yield WebRetriever(inner, web.found, web, shelve, options or WebOptions())
    await store.close()
