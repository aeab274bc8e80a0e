"""The web as a retriever: what a round asks is searched for, read and stored, then searched like any collection.

queries -> results of all -> each address once -> pages, snippets of those that cannot be read -> one commit, of long pages one each -> hits
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from leadline.embeddings.base import Embedder
from leadline.errors import BudgetSpent, Cancelled, LeadlineError
from leadline.retrieval import bringing
from leadline.retrieval.base import Context, Results, TermWeights
from leadline.retrieval.hybrid import HybridRetriever
from leadline.run import Run, done_in_time
from leadline.store.base import Reading
from leadline.types import Chunk, Document, Query
from leadline.web.base import PUBLISHED, Page, WebQuery, WebResult
from leadline.web.providers.wording import clipped
from leadline.web.wanted import Bounds, beginning, dated, snippet_document, wanted
from leadline.web_events import PageRead

LONGEST = 400
"""Characters of a query; search engines refuse longer ones."""

USUAL_TEXT = 100_000
"""Characters of a page; longer ones are made searchable after the others."""


class Listed(Protocol):
    """What was found for one query, best first, what a reader must know of how, and which providers failed."""

    @property
    def results(self) -> tuple[WebResult, ...]: ...

    @property
    def notices(self) -> tuple[str, ...]: ...

    @property
    def failed(self) -> tuple[str, ...]: ...


class Searching(Protocol):
    """Whoever searches the web. Each request to a provider counts as one search of the run."""

    async def __call__(self, query: WebQuery, run: Run) -> Listed: ...


class Opening(Protocol):
    """Whoever reads pages."""

    async def __call__(self, url: str, run: Run, *, known: Page | None = None) -> Page: ...


class Shelving(Protocol):
    """Whoever takes documents into the store of pages, those of a call in one commit."""

    async def __call__(self, documents: Sequence[Document], run: Run) -> None: ...


@dataclass(frozen=True, slots=True)
class WebOptions:
    """How many results of a query are read, in the first round and in later ones, `parallel` at a time, within which
    bounds."""

    results: int = 5
    more_results: int = 3
    parallel: int = 8
    bounds: Bounds = Bounds()


@dataclass(slots=True)
class Seen:
    """What a run has had of the web: addresses, the pages read by id of their document, the
    providers that failed by text of the query, why a round did not get all that
    it asked, and why one got nothing."""

    addresses: set[str] = field(default_factory=set[str])
    pages: dict[str, Page] = field(default_factory=dict[str, Page])
    failed: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    ending: BudgetSpent | Cancelled | None = None
    refused: BudgetSpent | Cancelled | None = None


@dataclass(frozen=True, slots=True)
class WebRetriever:
    """Searches the pages that a run has read, and collections beside them where `inner` has any.

    What a query finds does not depend on which of a round's queries was answered first: `bring` has read the pages of
    all of them before any is searched for. The requests to search providers count as the searches of the run.
    """

    inner: HybridRetriever
    searching: Searching
    opening: Opening
    shelve: Shelving
    options: WebOptions = WebOptions()
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    seen: Seen = field(default_factory=Seen)

    @property
    def store(self) -> Reading:
        return self.inner.store

    @property
    def collections(self) -> tuple[str, ...]:
        return self.inner.collections

    @property
    def embedder(self) -> Embedder | None:
        return self.inner.embedder

    @property
    def ending(self) -> BudgetSpent | Cancelled | None:
        return self.seen.ending

    def knowing(self, text: str, vector: Sequence[float]) -> "WebRetriever":
        """The same, with the vector of a query."""
        return replace(self, inner=self.inner.knowing(text, vector))

    async def search(self, query: Query, k: int, run: Run) -> Results:
        """At most `k` hits for one query; the error of a run that may ask no more."""
        if self.seen.refused is not None:
            raise self.seen.refused
        return await replace(self.inner, counted=False).search(query, k, run)

    async def weights(self, texts: Sequence[str], chunks: Sequence[Chunk] = ()) -> TermWeights:
        return await self.inner.weights(texts, chunks)

    async def context(self, chunks: Sequence[Chunk]) -> Context:
        return await self.inner.context(chunks)

    async def bring(self, queries: Sequence[Query], number: int, run: Run) -> tuple[str, ...]:
        """Read what the web has for the queries of round `number`; return what a reader must know of it.

        Whatever fails or is not done in time costs itself only.
        """
        try:
            run.check("search")
        except (BudgetSpent, Cancelled) as error:
            self.seen.ending = self.seen.refused = error
            return ()
        return await _Round(self, run).of(asked(queries, number, self.options))


@dataclass(slots=True)
class _Round:
    """One round of reading."""

    web: WebRetriever
    run: Run
    documents: dict[str, Document] = field(default_factory=dict[str, Document])
    notices: list[str] = field(default_factory=list[str])
    outside: int = 0
    """Pages that were read and are not of the sites or days asked for."""
    cut: list[str] = field(default_factory=list[str])
    """Where the pages are from that are too long to be searched whole."""

    @property
    def stopped(self) -> bool:
        return isinstance(self.web.seen.ending, Cancelled)

    async def of(self, queries: Sequence[WebQuery]) -> tuple[str, ...]:
        """Search for all queries, read what they lead to, store it. Who failed for a query is not asked it again."""
        web, run, parallel = self.web, self.run, self.web.options.parallel
        failed = web.seen.failed
        queries = [replace(query, passing=failed.get(query.text, ())) for query in queries]
        found = await done_in_time(lambda query: web.searching(query, run), queries, run, limit=parallel)
        listings = [self._listing(query, each) for query, each in zip(queries, found, strict=True)]
        results = wanted(listings, web.seen.addresses, web.options.bounds)
        read = await done_in_time(lambda result: web.opening(result.url, run), results, run, limit=parallel)
        web.seen.ending = self._ending((*found, *read))
        for result, page in zip(results, read, strict=True):
            self._take(result, page)
        self._tell(found, listings, read)
        if self.documents:
            await self._shelve()
        return tuple(dict.fromkeys(self.notices))

    def _listing(self, query: WebQuery, found: Listed | LeadlineError | None) -> tuple[WebResult, ...]:
        if found is None or isinstance(found, BudgetSpent | Cancelled):
            return ()
        if isinstance(found, LeadlineError):
            self.notices.append(f"A search of the web failed: {found}")
            return ()
        self.web.seen.failed[query.text] = (*query.passing, *found.failed)
        self.notices += found.notices
        return found.results

    def _take(self, result: WebResult, page: Page | LeadlineError | None) -> None:
        seen, bounds = self.web.seen, self.web.options.bounds
        if isinstance(page, Page):
            page = dated(page, result)
            document = page.document
            day = str(document.metadata.get(PUBLISHED, ""))
            # Where a redirect led, and the day that the page itself names, are known only now.
            if not bounds.admit(document.source, day):
                self.outside += 1
            elif document.id not in seen.pages:
                seen.pages[document.id] = page
                self.documents[document.id] = short = beginning(document)
                self.cut += [document.source] if short is not document else []
            return
        reason = (
            ("the run was stopped" if self.stopped else "there was no time left")
            if page is None
            else str(page)
        )
        snippet = snippet_document(result, self.web.now())
        self.run.emit(PageRead(result.url, "snippet" if snippet else "failed", reason=reason))
        if snippet is not None and snippet.id not in seen.pages:
            self.documents.setdefault(snippet.id, snippet)

    def _tell(
        self,
        found: Sequence[Listed | LeadlineError | None],
        listings: Sequence[Sequence[WebResult]],
        read: Sequence[Page | LeadlineError | None],
    ) -> None:
        """What a reader must know: that nothing came is never silent."""
        cut = sum(each is None for each in (*found, *read))
        refused = [each for each in found if isinstance(each, BudgetSpent | Cancelled)]
        kept = list(self.documents.values())
        if found and not any(listings) and not self.notices and not cut and not refused:
            self.notices.append("The search of the web found nothing.")
        self.notices += bringing.unread(read, kept)
        self.notices += bringing.outside(self.outside, read, self.web.options.bounds)
        self.notices += bringing.undated(kept, self.web.options.bounds)
        self.notices += bringing.shortened(self.cut)
        if refused:
            told = f"{len(refused)} of {len(found)} searches of the web were not made"
            self.notices.append(f"{told} ({refused[0]}).")
        self.notices += bringing.unfinished(cut, self.stopped)

    def _ending(self, settled: Sequence[object]) -> BudgetSpent | Cancelled | None:
        """Why gathering has to end, where a search or a page was refused or left off for it."""
        refused = (each for each in settled if isinstance(each, BudgetSpent | Cancelled))
        if (first := next(refused, None)) is not None or None not in settled:
            return first
        try:
            self.run.check()
        except (BudgetSpent, Cancelled) as error:
            return error
        return None

    async def _shelve(self) -> None:
        """Store what was read, in the time that is left to the whole run: all that is of usual length, then what is
        long, the shortest first, so that one page never costs the others."""
        usual = [each for each in self.documents.values() if len(each.text) <= USUAL_TEXT]
        long = [each for each in self.documents.values() if len(each.text) > USUAL_TEXT]
        done = 0
        try:
            async with asyncio.timeout(self.run.seconds_left()):
                for part in (usual, *([each] for each in sorted(long, key=lambda each: len(each.text)))):
                    if part:
                        await self.web.shelve(part, self.run)
                        done += len(part)
        except TimeoutError:
            total = len(self.documents)
            self.notices.append(bringing.unshelved(total - done, total))
        except LeadlineError as error:
            self.notices.append(f"The pages that were read cannot be searched: {error}")


def asked(queries: Sequence[Query], number: int, options: WebOptions) -> list[WebQuery]:
    """What the web is searched for in round `number`: each text once. A passage that might answer is only embedded."""
    usual = options.results if number == 1 else options.more_results
    limits: dict[str, int] = {}
    for query in queries:
        if query.kind != "hyde" and (text := clipped(query.text, LONGEST)):
            # The results beyond those that were read when the same was asked before.
            limit = options.results + options.more_results if query.kind == "widened" else usual
            limits[text] = max(limit, limits.get(text, 0))
    bounds = options.bounds
    return [
        WebQuery(text, limit, bounds.sites, bounds.without, bounds.since, bounds.until)
        for text, limit in limits.items()
    ]
