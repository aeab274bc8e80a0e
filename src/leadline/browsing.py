"""The web for the length of a run: searched, read, and stored apart from the collections until the run has ended.

settings -> search providers, page reader, a store in a folder of its own -> WebRetriever -> pages worth keeping
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from leadline.arguments import LoadChoices, SearchChoices, collection_name, day_of, is_address, texts
from leadline.config import Settings
from leadline.documents.pool import ReaderPool
from leadline.documents.splitting import SplitOptions
from leadline.embeddings.base import Embedder
from leadline.errors import DocumentError, UsageError
from leadline.events import Notice
from leadline.ingest import LoadOptions, LoadReport
from leadline.ingest.configured import LOCAL, load_options, processes
from leadline.ingest.crawled import crawl
from leadline.ingest.entries import Prepared, described, embedded_in, prepare
from leadline.retrieval.base import Retriever
from leadline.retrieval.configured import retrieval_options
from leadline.retrieval.hybrid import HybridRetriever
from leadline.retrieval.web import WebOptions, WebRetriever
from leadline.run import Run
from leadline.scratch import Scratch, sweep
from leadline.searches import web_search
from leadline.store.base import Store
from leadline.store.beside import Beside
from leadline.store.filters import Filter
from leadline.stores import EMBEDDED, Place, open_place
from leadline.types import Document
from leadline.web.base import PAGES, Page
from leadline.web.cache import FILE, PageCache
from leadline.web.fetching import checked
from leadline.web.frontier import CrawlOptions
from leadline.web.pages import PageReader, page_options
from leadline.web.searching import WebSearch
from leadline.web.wanted import Bounds

CRAWLING = ("depth", "same_site", "max_pages", "sitemaps")
"""Choices of a load that say something of addresses alone."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Takes documents into a collection, split and embedded, all in one commit. It is not cut short by the run: that
    has ended gathering by then, and what was read is to be searched."""

    store: Store
    collection: str
    embedder: Embedder | None
    split: SplitOptions

    async def __call__(self, documents: Sequence[Document], run: Run) -> None:
        prepared = await asyncio.to_thread(self._prepared, documents)
        entries = await embedded_in(Run(emit=run.emit), prepared, self.embedder)
        await self.store.replace(self.collection, entries)

    def _prepared(self, documents: Sequence[Document]) -> list[Prepared]:
        return [prepare(each, self.split, each.content_hash) for each in documents]


def addresses_of(
    given: Sequence[str | Path], choices: LoadChoices
) -> tuple[tuple[str, ...], tuple[str | Path, ...]]:
    """What of the things to load are addresses, each one that may be asked for, and what are paths."""
    named = [str(each) for each in given if is_address(each)]
    try:
        addresses = tuple(dict.fromkeys(str(checked(each)) for each in named))
    except DocumentError as error:
        raise UsageError(str(error)) from None
    if not addresses and (alone := [name for name in CRAWLING if choices.get(name) is not None]):
        raise UsageError(f"`{alone[0]}` is about addresses of the web, and none was given.")
    if addresses and choices.get("engine", LOCAL) != LOCAL:
        raise UsageError("addresses are read by this process: leave `engine` out.")
    return addresses, tuple(each for each in given if each not in named)


class Browser:
    """What a workspace has of the web. It is built when it is first needed; what is known of a search provider lasts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.kept = PageCache(settings.data / FILE)
        self._search: WebSearch | None = None
        self._readers = ReaderPool(processes(settings), settings.load.seconds, settings.load.memory_mb)
        self._opening = asyncio.Lock()

    async def close(self) -> None:
        """Let go of the search providers, of the processes that read pages and of the file of kept ones."""
        await self._readers.close()
        await asyncio.to_thread(self.kept.close)
        search, self._search = self._search, None
        if search is not None:
            await search.close()

    @asynccontextmanager
    async def opened(
        self, files: HybridRetriever | None, embedder: Embedder | None, bounds: Bounds, where: Filter | None
    ) -> AsyncGenerator[WebRetriever]:
        """The web as a retriever, beside `files` where there are any. Its pages are gone when the block ends."""
        search = await self._searching()
        async with AsyncExitStack() as stack:
            await asyncio.to_thread(sweep)
            folder = await asyncio.to_thread(Scratch, "pages")
            stack.push_async_callback(asyncio.to_thread, folder.close)
            store = await open_place(Place(EMBEDDED, folder.path))
            stack.push_async_callback(store.close)
            await store.create(described(PAGES, embedder))
            pages = await stack.enter_async_context(
                PageReader(page_options(self.settings), self._readers, self.kept)
            )
            shelf = Shelf(store, PAGES, embedder, split_of(self.settings))
            inner = self._inner(files, store, embedder, where)
            yield WebRetriever(inner, search, pages, shelf, self._options(bounds))

    async def crawl(
        self,
        addresses: Sequence[str],
        choices: LoadChoices,
        options: LoadOptions,
        store: Store,
        embedder: Embedder | None,
        run: Run,
    ) -> LoadReport:
        """Load pages, and those they lead to, into a collection."""
        usual = CrawlOptions()
        how = CrawlOptions(
            choices.get("depth", usual.depth),
            choices.get("same_site", usual.same_site),
            choices.get("max_pages", usual.pages),
            choices.get("sitemaps", usual.sitemaps),
        )
        await asyncio.to_thread(sweep)
        if self.settings.load.describe_pictures:
            run.emit(Notice("Pictures inside pages of the web are not described."))
        async with PageReader(page_options(self.settings), self._readers, self.kept) as reader:
            return await crawl(addresses, how, options, store, embedder, reader, run)

    async def _searching(self) -> WebSearch:
        async with self._opening:
            if self._search is None:
                # Off the loop, since the first use of a library imports it, which can take a second.
                self._search = await asyncio.to_thread(web_search, self.settings)
            return self._search

    def _inner(
        self, files: HybridRetriever | None, store: Store, embedder: Embedder | None, where: Filter | None
    ) -> HybridRetriever:
        if files is None:
            return HybridRetriever(store, (PAGES,), embedder, retrieval_options(self.settings, where))
        both = Beside(files.store, {PAGES: store})
        return replace(files, store=both, collections=(*files.collections, PAGES))

    def _options(self, bounds: Bounds) -> WebOptions:
        how = self.settings.web
        return WebOptions(how.results, how.more_results, how.parallel, bounds)


def split_of(settings: Settings) -> SplitOptions:
    """How pages become chunks: as files do."""
    return SplitOptions(settings.load.chunk_size, settings.load.section_size)


def bounds_of(settings: Settings, choices: SearchChoices) -> Bounds:
    """Of which sites and days pages are read, as this call says, else as the settings say."""
    sites = texts(choices.get("sites") or ()) or settings.web.sites
    since, until = choices.get("since") or "", choices.get("until") or ""
    bounds = Bounds(sites, settings.web.without, day_of(since), day_of(until, last=True))
    if bounds.since and bounds.until and bounds.since > bounds.until:
        raise UsageError(f"`since` {since} is after `until` {until}.")
    return bounds


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where the pages of a run are kept: a collection, with its encoder."""

    collection: str
    embedder: Embedder | None

    async def keep(self, pages: Sequence[Page], store: Store, settings: Settings, run: Run) -> str:
        """Store the pages, each in the place of what was read of it before; return what there is to say of that."""
        documents = [page.document for page in pages]
        if not documents:
            return f"No page could be read, so none was saved in collection `{self.collection}`."
        options = load_options(settings, self.collection, {}, False, (), ())
        await store.create(described(self.collection, self.embedder, options.index))
        await Shelf(store, self.collection, self.embedder, split_of(settings))(documents, run)
        await store.optimise(self.collection)
        told = "1 page was" if len(documents) == 1 else f"{len(documents)} pages were"
        return f"{told} saved in collection `{self.collection}`."


def saving_in(name: str) -> str:
    """The collection that pages are saved in; not one that a run's own pages would hide."""
    collection = collection_name(name)
    if collection == PAGES:
        raise UsageError(
            f"`{PAGES}` is what the pages of one run are called. Save them in another collection."
        )
    return collection


def pages_of(retriever: Retriever) -> tuple[Page, ...]:
    """The pages that were read for a run."""
    return tuple(retriever.seen.pages.values()) if isinstance(retriever, WebRetriever) else ()
