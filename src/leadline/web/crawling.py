"""From some addresses to the pages that they lead to, one after the other, several being read at once.

given -> sitemaps? -> frontier -> closed by robots.txt? -> as often as the site likes -> read, or still the same -> links -> frontier

Each page that was read before is asked about with what its server called it then, and its links are followed as they were.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2

from leadline.errors import DocumentError
from leadline.run import Run
from leadline.web.base import Page
from leadline.web.frontier import Frontier, Stop, site_of
from leadline.web.limits import Pace
from leadline.web.links import MOST_LINKS, followed
from leadline.web.pages import PageReader
from leadline.web.sitemaps import Listed, listed, may_be

AHEAD = 8
"""Pages that are read, or waited for, at once."""

_LOOK = 0.1
"""Seconds between two looks at whether the run was stopped."""


@dataclass(frozen=True, slots=True)
class Visited:
    """What became of one address: `page`, or `error`, why there is none. `known` is the page as it was read before, `by` what
    led there. A `copy` was read already, at another address."""

    url: str
    page: Page | None = None
    error: DocumentError | None = None
    known: Page | None = None
    by: str = ""
    copy: bool = False


@dataclass(slots=True)
class Crawl:
    """Goes to what `frontier` says and to what that leads to. `closed` counts links that robots.txt closes, `copies` those
    that lead to a page that was read already, `read` the pages that were asked for."""

    frontier: Frontier
    reader: PageReader
    run: Run
    closed: int = 0
    copies: int = 0
    read: int = 0
    broken_off: int = 0
    """Pages that were under way when the run was stopped."""

    cut: bool = False
    """Whether sitemaps name more than was read of them."""
    _paces: dict[str, Pace] = field(default_factory=dict[str, Pace])

    @property
    def left(self) -> int:
        """How many addresses there was no getting to."""
        return len(self.frontier) + self.frontier.beyond + self.broken_off

    async def __call__(self, addresses: Sequence[str], held: Sequence[str] = ()) -> AsyncGenerator[Visited]:
        """Every page, in an order that depends on the pages alone. `held` are addresses that are asked for at the end,
        where nothing led to them and they are of the sites that were gone to. It ends early when the run is stopped."""
        for address in addresses:
            begun = asyncio.create_task(self._begun(address))
            try:
                if not await self._ready(begun):
                    return
            finally:
                begun.cancel()
                await asyncio.gather(begun, return_exceptions=True)
            for visited in begun.result():
                yield visited
        under_way: deque[tuple[Stop, asyncio.Task[Visited | None]]] = deque()
        try:
            while True:
                self._start(under_way)
                if not under_way and held:
                    self.frontier.ask((url for url in held if self.frontier.inside(url)), self._deepest)
                    held = ()
                    continue
                if not under_way or not await self._ready(under_way[0][1]):
                    return
                stop, task = under_way.popleft()
                if (visited := self._seen(stop, task.result())) is not None:
                    yield visited
        finally:
            self.broken_off = len(under_way)
            for _, task in under_way:
                task.cancel()
            await asyncio.gather(*(task for _, task in under_way), return_exceptions=True)

    @property
    def _deepest(self) -> int:
        return self.frontier.options.depth

    def _start(self, under_way: deque[tuple[Stop, asyncio.Task[Visited | None]]]) -> None:
        while len(under_way) < AHEAD and self.read < self.frontier.options.pages:
            stop = self.frontier.next()
            if stop is None:
                return
            self.read += 1
            under_way.append((stop, asyncio.create_task(self._visit(stop))))

    async def _ready(self, task: asyncio.Task[Any]) -> bool:
        """Whether something came before the run was stopped or its time was over."""
        while not (self.run.cancelled or self.run.seconds_left("gather") == 0):
            if task.done():
                return True
            await asyncio.wait({task}, timeout=_LOOK)
        return False

    async def _visit(self, stop: Stop) -> Visited | None:
        """None for a link that is closed."""
        try:
            if self.reader.options.robots:
                await self.reader.admit(stop.url)
        except DocumentError as error:
            return Visited(stop.url, error=error) if stop.given else None
        try:
            await self._turn(stop.url)
            known = await self.reader.known(stop.url)
            return Visited(stop.url, await self.reader(stop.url, self.run, known=known), known=known)
        except DocumentError as error:
            return Visited(stop.url, error=error)

    async def _turn(self, url: str) -> None:
        """Wait as long as the site asks for between two pages."""
        seconds = await self.reader.robots.delay(url) if self.reader.options.robots else 0
        if seconds > 0:
            pace = self._paces.setdefault(httpx2.URL(url).host, Pace(1 / seconds, time.monotonic))
            await asyncio.sleep(pace.wait())

    def _seen(self, stop: Stop, visited: Visited | None) -> Visited | None:
        """What there is to tell of a page; its links are followed. A copy is told of where it has moved there for good."""
        if visited is None:
            self.closed += 1
            self.read -= 1
            return None
        if visited.page is None:
            return replace(visited, by=stop.by)
        source = visited.page.document.source
        if not self.frontier.arrive(stop, source):
            self.copies += 1
            return replace(visited, copy=True) if visited.page.moved else None
        if not self.frontier.inside(source):
            return Visited(stop.url, error=_elsewhere())
        if stop.depth < self._deepest:
            self.frontier.lead(visited.page.links[:MOST_LINKS], stop.depth + 1, source)
        return visited

    async def _begun(self, address: str) -> list[Visited]:
        """Take an address as given, or what its sitemap names, and what its site's do where that is wanted."""
        told: list[Visited] = []
        maps = [address] if may_be(address) else []
        found = await self._listed(address, told) if maps else None
        if found is None and not told:
            self.frontier.give(address)
        if self.frontier.options.sitemaps:
            for named in await self._named(address):
                await self._listed(named, told, within=address)
        return told

    async def _named(self, address: str) -> list[str]:
        """The sitemaps that a site names, else the one where they usually are."""
        named = await self.reader.robots.sitemaps(address)
        return list(followed(named or ("/sitemap.xml",), address))

    async def _listed(self, url: str, told: list[Visited], *, within: str = "") -> Listed | None:
        """What a sitemap names goes to the frontier; what of it cannot be read is told."""
        try:
            found = await listed(url, self.reader.raw)
        except DocumentError as error:
            told.append(Visited(url, error=error))
            return None
        if found is not None:
            self.frontier.sites.add(site_of(within or url))
            self.frontier.lead(found.pages, 0, url)
            self.cut = self.cut or found.cut
            told += [Visited(address, error=error) for address, error in found.failed]
        elif within:
            told.append(Visited(url, error=DocumentError("is no sitemap")))
        return found


def _elsewhere() -> DocumentError:
    return DocumentError("leads to another site", "`--any-site` goes there too.")
