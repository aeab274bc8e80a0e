"""Which addresses a crawl goes to, and in what order: breadth first, in order of the links, each page once, within bounds."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import httpx2

from leadline.errors import DocumentError
from leadline.web.canonical import canonical, host_of
from leadline.web.fetching import checked
from leadline.web.links import MOST_LINKS

_REMEMBERED = 10
"""Addresses that are remembered for each page that may be read, so that a site without end does not fill the memory."""

_NOT_PAGES = frozenset(
    ".7z .apk .avi .avif .bin .bmp .bz2 .css .deb .dmg .eot .exe .flac .gif .gz .ico .iso .jar .jpeg .jpg .js .json .m4a .m4v "
    ".map .mjs .mkv .mov .mp3 .mp4 .mpeg .mpg .msi .ogg .ogv .otf .png .rar .rpm .svg .tar .tgz .tif .tiff .ttf .wasm .wav "
    ".webm .webp .wmv .woff .woff2 .xz .zip".split()
)
"""What a link can lead to that is no text: named by somebody it is read, but not followed to."""


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """`depth` links away from what is given (0: that alone); `same_site`: no further than its hosts and their `www` twins;
    at most `pages` pages. `sitemaps`: those that the sites name count as given."""

    depth: int = 0
    same_site: bool = True
    pages: int = 200
    sitemaps: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """An address to go to. `given`: somebody named it; `depth` counts the links that led there, the last of them on the page
    `by`. `held`: it is asked for since something is kept of it."""

    url: str
    depth: int = 0
    given: bool = False
    by: str = ""
    held: bool = False


def nothing(url: str) -> bool:
    """Leaves no address out."""
    return False


@dataclass(slots=True)
class Frontier:
    """Addresses to go to. `leaves_out` tells those that nobody wants. `beyond` counts those there was no room to remember."""

    options: CrawlOptions
    leaves_out: Callable[[str], bool] = nothing
    sites: set[str] = field(default_factory=set[str])
    beyond: int = 0
    _waiting: deque[Stop] = field(default_factory=deque[Stop])
    _seen: set[str] = field(default_factory=set[str])
    _arrived: set[str] = field(default_factory=set[str])
    _been: set[str] = field(default_factory=set[str])

    def __len__(self) -> int:
        return len(self._waiting)

    def give(self, url: str) -> None:
        """Go to an address that somebody named, and let links lead to its site."""
        self.sites.add(site_of(url))
        self._add(Stop(url, 0, given=True))

    def lead(self, urls: Iterable[str], depth: int, by: str = "") -> None:
        """Go to addresses that the page or the sitemap `by` names, as far as they are wanted."""
        for url in urls:
            if self._wanted(url):
                self._add(Stop(url, depth, by=by))

    def ask(self, urls: Iterable[str], depth: int) -> None:
        """Go to addresses that something is kept of, unless they were gone to: also where the same page was read at another
        address, which may be where it has moved."""
        for url in urls:
            if self._wanted(url) and url not in self._been:
                self._waiting.append(Stop(url, depth, held=True))

    def next(self) -> Stop | None:
        """Where to go now; None for nowhere."""
        while self._waiting:
            stop = self._waiting.popleft()
            if stop.held or canonical(stop.url) not in self._arrived:
                self._been.add(stop.url)
                return stop
        return None

    def arrive(self, stop: Stop, url: str) -> bool:
        """Whether the page that a stop led to is a new one; a redirect of what somebody named takes its site with it."""
        if stop.given:
            self.sites.add(site_of(url))
        self._been.add(url)
        page = canonical(url)
        self._seen.add(page)
        if page in self._arrived:
            return False
        self._arrived.update((page, canonical(stop.url)))
        return True

    def inside(self, url: str) -> bool:
        """Whether an address is of a site that the crawl may go to."""
        return not self.options.same_site or site_of(url) in self.sites

    def _wanted(self, url: str) -> bool:
        suffix = PurePosixPath(urlsplit(url).path).suffix.lower()
        return self.inside(url) and suffix not in _NOT_PAGES and not self.leaves_out(url)

    def _add(self, stop: Stop) -> None:
        try:
            url = str(checked(stop.url))
        except DocumentError:
            return
        page = canonical(url)
        if page in self._seen:
            return
        if len(self._seen) >= _REMEMBERED * self.options.pages + MOST_LINKS:
            self.beyond += 1
            return
        self._seen.add(page)
        self._waiting.append(stop)


def site_of(url: str) -> str:
    """What all addresses of one site have in common: the host without `www`, and the port where it is an unusual one;
    "" for what is no address.

    >>> site_of("https://www.harbour.example/a"), site_of("http://harbour.example:8080/?b")
    ('harbour.example', 'harbour.example:8080')
    """
    try:
        port = httpx2.URL(url).port
    except (httpx2.InvalidURL, ValueError):
        return ""
    host = host_of(url).removeprefix("www.")
    return f"{host}:{port}" if port and host else host
