"""A page of the web as a document.

url -> allowed? -> kept? -> closed by robots.txt? -> fetched, or still the same -> what is it? -> read in a worker -> described
"""

import asyncio
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from leadline.documents.base import Extracted
from leadline.documents.describing import describe
from leadline.documents.identity import content_hash
from leadline.documents.kinds import kind_of_name
from leadline.documents.walking import FoundFile
from leadline.errors import Cancelled, DocumentError
from leadline.run import Run
from leadline.settings import Settings
from leadline.types import Document, MetaValue
from leadline.web.base import FETCHED, PUBLISHED, SITE, URL, Page, Readers
from leadline.web.fetching import Fetched, Fetcher, checked, shown
from leadline.web.guard import Resolve, resolved
from leadline.web.turns import Turns
from leadline.web_events import PageRead, PageStatus

SUFFIXES: Mapping[str, str] = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/xml": ".xml",
    "text/xml": ".xml",
}


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How pages are read; the settings `web` say what each is. `allow_hosts` are as a file that somebody named has them."""

    page_seconds: float = 20.0
    page_mb: int = 20
    parallel: int = 8
    per_host: int = 2
    robots: bool = True
    cache_hours: float = 24.0
    without: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    ocr: bool = True


def page_options(settings: Settings) -> PageOptions:
    """As the settings say. A file that nobody named opens no host."""
    web = settings.web
    return PageOptions(
        page_seconds=web.page_seconds,
        page_mb=web.page_mb,
        parallel=web.parallel,
        per_host=web.per_host,
        robots=web.robots,
        cache_hours=web.cache_hours,
        without=web.without,
        allow_hosts=() if settings.is_stray("web.allow_hosts") else web.allow_hosts,
        ocr=settings.load.ocr,
    )


class PageReader:
    """Reads pages, each within its bounds. Use it in `async with`; one for a run, so that its bounds hold for all of it."""

    def __init__(
        self,
        options: PageOptions,
        readers: Readers,
        *,
        clock: Callable[[], float] = time.time,
        resolve: Resolve = resolved,
    ) -> None:
        self.options = options
        self._readers = readers
        self._clock = clock
        self._fetch = Fetcher(
            options.allow_hosts,
            seconds=options.page_seconds,
            largest=options.page_mb << 20,
            resolve=resolve,
            turns=Turns(options.parallel, options.per_host),
        )

    async def __aenter__(self) -> "PageReader":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._fetch.__aexit__()

    async def __call__(self, url: str, run: Run, *, known: Page | None = None) -> Page:
        """The page at `url`; `known` itself where the server says that it is still the same. Its event says that it was
        read, or kept; DocumentError says why it cannot be, which is for the caller to tell of (`snippet`, `failed`)."""
        started = self._clock()
        left = run.seconds_left("gather")
        if run.cancelled:
            raise Cancelled("cancelled: answering with what was found so far")
        try:
            async with asyncio.timeout(left):
                page, status = await self._page(url, known)
        except TimeoutError:
            raise DocumentError(f"`{shown(url)}` did not come in the time that was left") from None
        milliseconds = (self._clock() - started) * 1_000
        run.emit(PageRead(page.document.source, status, page.size, milliseconds))
        return page

    async def _page(self, url: str, known: Page | None) -> tuple[Page, PageStatus]:
        address = checked(url)
        etag, modified = (known.etag, known.modified) if known else ("", "")
        fetched = await self._fetch(str(address), etag=etag, modified=modified)
        if known and fetched.unchanged:
            return known, "kept"
        return await self._read(fetched), "read"

    async def _read(self, fetched: Fetched) -> Page:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / file_name(fetched)
            await asyncio.to_thread(path.write_bytes, fetched.data)
            (found,) = await self._readers.read_many([path], ocr=self.options.ocr)
        if isinstance(found, DocumentError):
            raise DocumentError(f"`{shown(fetched.url)}` {found.reason}.", found.remedy)
        if not found.text.strip():
            raise DocumentError(f"`{shown(fetched.url)}` holds no text.")
        document = await asyncio.to_thread(document_of, fetched, found, self._clock())
        return Page(document, fetched.etag, fetched.modified, (), len(fetched.data))


def document_of(fetched: Fetched, found: Extracted, now: float) -> Document:
    """The document of a page that was fetched at `now`."""
    given: dict[str, MetaValue] = {
        URL: fetched.url,
        SITE: urlsplit(fetched.url).hostname or "",
        FETCHED: datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds"),
    }
    content = content_hash(f"{found.title}\n{found.text}".encode("utf-8", "surrogatepass"))
    file = FoundFile(Path("page"), fetched.url, len(fetched.data), 0)
    made = describe(file, found, content, given)
    metadata = {k: v for k, v in made.metadata.items() if k != "modified" or "modified" in found.metadata}
    day = str(metadata.get(PUBLISHED) or metadata.get("date") or "")
    return replace(made, metadata={**metadata, PUBLISHED: day})


def file_name(page: Fetched) -> str:
    """A name whose suffix says what the page is: by its media type, else by its address."""
    if page.kind in SUFFIXES:
        return f"page{SUFFIXES[page.kind]}"
    named = Path(urlsplit(page.url).path).name
    return f"page{Path(named).suffix}" if kind_of_name(named) else "page.html"
