"""Load pages of the web into a collection, incrementally; whatever stops it, what was committed stays whole.

addresses -> crawl -> the same content, loaded the same way? -> split -> batches, one commit each -> gone? -> optimise -> report

What a page was called by its server and where it leads lies in the file of kept pages; what of it is in the collection, in
the collection. A page that is not kept any more is fetched whole, and is unchanged where its content is.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from leadline.documents.identity import document_id
from leadline.documents.walking import FoundFile, excluding
from leadline.embeddings.base import Embedder
from leadline.events import FileLoaded, LoadStarted, Notice
from leadline.ingest.entries import prepare
from leadline.ingest.reading import Outcome
from leadline.ingest.report import LoadOptions, LoadReport
from leadline.ingest.revision import Revision, how_loaded, is_as
from leadline.ingest.writing import Writer, known_in
from leadline.run import Run
from leadline.store.base import Store
from leadline.types import Document
from leadline.web.base import Page
from leadline.web.crawling import Crawl, Visited
from leadline.web.fetching import Refused, shown
from leadline.web.frontier import CrawlOptions, Frontier, site_of
from leadline.web.pages import PageReader

GONE = (404, 410)
Known = Mapping[str, tuple[str, str]]


async def crawl(
    addresses: Sequence[str],
    how: CrawlOptions,
    options: LoadOptions,
    store: Store,
    embedder: Embedder | None,
    reader: PageReader,
    run: Run,
) -> LoadReport:
    """Load the pages at `addresses`, and those they lead to, into a collection, which is made if it is not there.

    A page that cannot be read ends in a line of the report. With `prune`, pages of the same sites that the collection holds
    and nothing led to are asked for too, and those whose server says that they are gone are removed.
    """
    begun = run.clock()
    known = await known_in(store, options.collection, embedder)
    writer = Writer(options.collection, options.index, store, embedder, run, exists=known is not None)
    matched = excluding(options.exclude)
    crawled = Crawl(Frontier(how, lambda url: matched(urlsplit(url).path)), reader, run)
    taker = _Taker(options, known or {}, how_loaded(options.metadata, options.split), crawled, writer)
    try:
        async with aclosing(crawled(addresses, taker.held() if options.prune else ())) as visits:
            async for visited in visits:
                await taker.take(visited)
        await writer.flush()
        if options.prune and not run.cancelled:
            await writer.remove(taker.gone)
        if writer.wrote and not run.cancelled:
            await store.optimise(options.collection)
        for said in (*_left_out(crawled), writer.coverage.notice(options.collection)):
            if said:
                run.emit(Notice(said))
    finally:
        await writer.close()
    files = sorted(writer.files, key=lambda file: file.source)
    return LoadReport(tuple(files), run.clock() - begun, taker.bytes, 0, run.cancelled)


class _Taker:
    """Decides what becomes of each page, and remembers those that are gone (id -> source)."""

    def __init__(self, options: LoadOptions, known: Known, how: str, crawled: Crawl, writer: Writer) -> None:
        self.gone: dict[str, str] = {}
        self.bytes = 0
        self._options, self._known, self._how = options, known, how
        self._crawled, self._writer = crawled, writer
        self._told = 0

    def held(self) -> list[str]:
        """The addresses of pages that the collection holds."""
        sources = (source for source, _ in self._known.values())
        return sorted(
            source for source in sources if source.startswith(("http://", "https://")) and site_of(source)
        )

    async def take(self, visited: Visited) -> None:
        """Store a page, or tell why not."""
        self._expect()
        page = visited.page
        if page is not None and page.moved and document_id(visited.url) in self._known:
            await self._writer.take(self._moved(visited.url, page.document.source))
        if visited.copy:
            return
        outcome = self._failed(visited) if page is None else await self._read(page)
        self.bytes += outcome.file.size
        await self._writer.take(outcome)

    def _expect(self) -> None:
        """Say how many addresses there are by now."""
        there = min(self._crawled.read + self._crawled.left, self._crawled.frontier.options.pages)
        if there > self._told:
            self._writer.run.emit(LoadStarted(there - self._told, 0))
            self._told = there

    def _failed(self, visited: Visited) -> Outcome:
        error, remedy = visited.error, visited.error.remedy if visited.error else ""
        file = FoundFile(Path("page"), visited.url, 0, 0)
        reason = error.reason.removeprefix(f"`{shown(visited.url)}` ") if error else "was not read"
        if isinstance(error, Refused) and error.status in GONE:
            reason += f"; `{shown(visited.by)}` leads there" if visited.by else ""
            # Another site, which this one redirects to for a while, knows nothing of its pages.
            if site_of(error.url) == site_of(visited.url):
                remedy = self._goes(document_id(visited.url), visited.url)
        return Outcome(file, said=FileLoaded(visited.url, "failed", 0, 0, reason, remedy))

    def _moved(self, url: str, to: str) -> Outcome:
        """A page that is held and is at another address now."""
        remedy = self._goes(document_id(url), url)
        said = FileLoaded(url, "skipped", 0, 0, f"has moved to `{shown(to)}`", remedy)
        return Outcome(FoundFile(Path("page"), url, 0, 0), said=said)

    def _goes(self, key: str, source: str) -> str:
        """Have a page that is held and ought not to be removed in the end; what to do where that is not wanted."""
        if key not in self._known:
            return ""
        if not self._options.prune:
            return "It stays in the collection: `--prune` removes what is gone."
        self.gone[key] = source
        return ""

    async def _read(self, page: Page) -> Outcome:
        source = page.document.source
        file = FoundFile(Path("page"), source, page.size, 0)
        if not page.indexable:
            reason = "asks not to be kept (noindex)"
            remedy = self._goes(page.document.id, source)
            return Outcome(file, said=FileLoaded(source, "skipped", 0, page.size, reason, remedy))
        if self._same(page):
            return Outcome(file, said=FileLoaded(source, "unchanged", bytes=page.size))
        document = self._given(page.document)
        fingerprint = str(Revision("web", self._how, document.content_hash))
        prepared = await asyncio.to_thread(prepare, document, self._options.split, fingerprint)
        return Outcome(file, prepared)

    def _same(self, page: Page) -> bool:
        _, fingerprint = self._known.get(page.document.id, ("", ""))
        there = Revision.parse(fingerprint)
        return is_as(there.how, self._how) and there.content == page.document.content_hash

    def _given(self, document: Document) -> Document:
        """The document with what the caller says of it, which wins."""
        given = self._options.metadata
        title = str(given.get("title") or document.title)
        metadata = {**document.metadata, **given, "title": title}
        return replace(document, title=title, metadata=metadata)


def _left_out(crawled: Crawl) -> list[str]:
    said: list[str] = []
    most = crawled.frontier.options.pages
    if crawled.left and crawled.read >= most:
        more = f"at least {crawled.left:,} addresses were not gone to"
        said.append(f"The crawl ended at {most:,} pages; {more}. `--max-pages` lets it go on.")
    elif crawled.left and not crawled.run.cancelled:
        said.append(f"The time was over; {crawled.left:,} addresses were not gone to.")
    if crawled.closed:
        said.append(f"{crawled.closed:,} links lead to what robots.txt closes; they were not followed.")
    if crawled.cut:
        said.append("The sitemaps name more than is read of them.")
    return said
