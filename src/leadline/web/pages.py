"""A page of the web as a document.

url -> allowed? -> kept? -> closed by robots.txt? -> fetched, or still the same -> what is it? -> read in a worker -> described
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from leadline.documents.base import Extracted, Readers
from leadline.documents.describing import describe
from leadline.documents.identity import content_hash
from leadline.documents.walking import FoundFile
from leadline.errors import Cancelled, DocumentError
from leadline.run import Run
from leadline.scratch import Scratch
from leadline.settings import Settings
from leadline.types import Document, MetaValue
from leadline.web.base import FETCHED, PUBLISHED, SITE, SNIPPET, URL, Page
from leadline.web.cache import Kept, PageCache
from leadline.web.fetching import Bounds, Fetched, Fetcher, checked, shown
from leadline.web.guard import Allowed, Resolve, place_of, resolved
from leadline.web.limits import Turns
from leadline.web.links import apart, followed, indexable
from leadline.web.robots import Robots
from leadline.web.sniffing import as_file
from leadline.web_events import PageRead, PageStatus


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How pages are read; the settings `web` say what each is. `allow_hosts` are as a file that somebody named has them;
    `remedy` is what to do about a host that is closed, where nobody named the file that opens hosts."""

    page_seconds: float = 20.0
    page_mb: int = 20
    parallel: int = 8
    per_host: int = 2
    robots: bool = True
    cache_hours: float = 24.0
    without: tuple[str, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    ocr: bool = True
    remedy: str = ""


UNNAMED = (
    "`web.allow_hosts` in the configuration file of this folder opens no host, since nobody named that file: "
    "name it with --config, or set LEADLINE_WEB_ALLOW_HOSTS."
)


def opens_none(settings: Settings) -> bool:
    """Whether hosts are opened in a file that happens to be there, which counts for nothing."""
    return bool(settings.web.allow_hosts) and settings.is_stray("web.allow_hosts")


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
        remedy=UNNAMED if opens_none(settings) else "",
    )


class PageReader:
    """Reads pages, each within its bounds. Use it in `async with`; one for a run, so that its bounds hold for all of it."""

    def __init__(
        self,
        options: PageOptions,
        readers: Readers,
        cache: PageCache | None = None,
        *,
        clock: Callable[[], float] = time.time,
        resolve: Resolve = resolved,
    ) -> None:
        self.options = options
        self._readers = readers
        self._cache = cache if options.cache_hours > 0 else None
        self._clock = clock
        self._allowed = Allowed(options.allow_hosts)
        self._fetch = Fetcher(
            options.allow_hosts,
            seconds=options.page_seconds,
            largest=options.page_mb << 20,
            resolve=resolve,
            turns=Turns(options.parallel, options.per_host),
            remedy=options.remedy,
        )
        self.robots = Robots(self._fetch, clock)

    async def __aenter__(self) -> "PageReader":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.robots.close()
        await self._fetch.__aexit__()

    async def __call__(self, url: str, run: Run, *, known: Page | None = None) -> Page:
        """The page at `url`. With `known`, what was read there before, the server is asked whether it is still that, and
        then it is what comes back, itself; else one that was read lately is taken as it was.

        Its event says that it was read, or kept. DocumentError says why it cannot be, which is for the caller to tell of
        (`snippet`, `failed`).
        """
        started = time.perf_counter()
        if run.cancelled:
            raise Cancelled("cancelled: answering with what was found so far")
        try:
            async with asyncio.timeout(run.seconds_left("gather")):
                page, status = await self._page(checked(url), known)
        except TimeoutError:
            raise DocumentError(f"`{shown(url)}` did not come in the time that was left.") from None
        milliseconds = (time.perf_counter() - started) * 1_000
        run.emit(PageRead(page.document.source, status, page.size, milliseconds))
        return page

    async def known(self, url: str) -> Page | None:
        """The page as it was read at `url` last, however long ago: something to ask its server about, and no more."""
        kept = await asyncio.to_thread(self._cache.find, str(checked(url))) if self._cache else None
        return kept.page if kept else None

    async def admit(self, url: str) -> None:
        """Raise DocumentError for an address that the settings or its site leave out."""
        await self._admit(url)

    async def raw(self, url: str, bounds: Bounds) -> Fetched:
        """What stands at `url`, as it came: for files about pages, such as sitemaps. It is not kept."""
        return await self._fetch(url, admit=self._admit, bounds=bounds)

    async def _page(self, url: httpx2.URL, known: Page | None) -> tuple[Page, PageStatus]:
        self._not_left_out(url)
        kept = None if known else await self._found(url)
        if kept and self._clock() - kept.read < self.options.cache_hours * 3_600:
            return kept.page, "kept"
        before = known or (kept.page if kept else None)
        etag, modified = (before.etag, before.modified) if before else ("", "")
        of = before.document.source if before else ""
        fetched = await self._fetch(str(url), etag=etag, modified=modified, of=of, admit=self._admit)
        if before and fetched.unchanged:
            return (known or await self._still(url, before)), "kept"
        page = await self._read(fetched)
        await self._keep(url, page)
        return page, "read"

    def _not_left_out(self, url: httpx2.URL) -> None:
        host = place_of(url)[0]
        if any(host == name or host.endswith(f".{name}") for name in self._without()):
            raise DocumentError(f"`{host}` is left out by the setting `web.without`.")

    def _without(self) -> Iterator[str]:
        return (name.lower().strip(".") for name in self.options.without)

    async def _admit(self, url: str) -> None:
        """Every address on the way to a page is one that may be read."""
        self._not_left_out(httpx2.URL(url))
        if self.options.robots:
            await self.robots.admit(url)

    def _opened(self, url: httpx2.URL, page: Page) -> bool:
        return any(self._allowed(*place_of(each)) for each in (url, httpx2.URL(page.document.source)))

    async def _found(self, url: httpx2.URL) -> Kept | None:
        """The page as it was kept; not one that a setting opened then and does not now."""
        kept = await asyncio.to_thread(self._cache.find, str(url)) if self._cache else None
        if kept is None or (kept.opened and not self._opened(url, kept.page)):
            return None
        return kept

    async def _still(self, url: httpx2.URL, page: Page) -> Page:
        """A kept page that is the same today."""
        metadata = {**page.document.metadata, FETCHED: _moment(self._clock())}
        page = replace(page, document=replace(page.document, metadata=metadata))
        await self._keep(url, page)
        return page

    async def _keep(self, url: httpx2.URL, page: Page) -> None:
        if self._cache is not None:
            kept = Kept(page, self._clock(), self._opened(url, page))
            await asyncio.to_thread(self._cache.keep, str(url), kept)

    async def _read(self, fetched: Fetched) -> Page:
        with Scratch("page") as folder:
            path = await asyncio.to_thread(_written, fetched, folder.path)
            (found,) = await self._readers.read_many([path], ocr=self.options.ocr)
        if isinstance(found, DocumentError):
            raise DocumentError(f"`{shown(fetched.url)}` {found.reason}.", found.remedy)
        if not found.text.strip():
            raise DocumentError(f"`{shown(fetched.url)}` holds no text.")
        return await asyncio.to_thread(_page_of, fetched, found, self._clock())


def _page_of(fetched: Fetched, found: Extracted, now: float) -> Page:
    found, links, base, told = apart(found)
    robots = f"{fetched.robots}, {told}"
    return Page(
        document_of(fetched, found, now),
        fetched.etag,
        fetched.modified,
        followed(links, fetched.url, base, robots),
        len(fetched.data),
        indexable(robots),
        fetched.moved,
    )


def document_of(fetched: Fetched, found: Extracted, now: float) -> Document:
    """The document of a page that was fetched at `now`."""
    given: dict[str, MetaValue] = {
        URL: fetched.url,
        SITE: urlsplit(fetched.url).hostname or "",
        FETCHED: _moment(now),
    }
    if found.kind == "webpage":
        found = replace(found, kind="html")
    content = content_hash(f"{found.title}\n{found.text}".encode("utf-8", "surrogatepass"))
    file = FoundFile(Path("page"), fetched.url, len(fetched.data), int(now * 1e9))
    made = describe(file, found, content, given)
    # A file that was written just now says nothing of when its page was changed.
    unsaid = {SNIPPET} if "modified" in found.metadata else {SNIPPET, "modified"}
    metadata = {name: value for name, value in made.metadata.items() if name not in unsaid}
    day = next((day for name in (PUBLISHED, "date") if (day := _past(metadata.get(name), now))), "")
    return replace(made, metadata={**metadata, PUBLISHED: day})


def _past(day: MetaValue | None, now: float) -> str:
    """A day as ISO has it, if it is one and no later than tomorrow: a page that is newer than the present says nothing.

    >>> _past("2020-05-03", 1.7e9), _past("2999-01-01", 1.7e9), _past("spring", 1.7e9)
    ('2020-05-03', '', '')
    """
    try:
        read = date.fromisoformat(str(day))
    except ValueError:
        return ""
    return read.isoformat() if read.toordinal() <= datetime.fromtimestamp(now, UTC).toordinal() + 1 else ""


def _moment(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")


def _written(fetched: Fetched, folder: Path) -> Path:
    name, data = as_file(fetched)
    path = folder / name
    path.write_bytes(data)
    return path
