"""DuckDuckGo, by the page of results that its readers get; no key is needed.

The request and the reading of the page are those of the library ddgs. Tested in its protocol only: against a server of
our own whose page is built like DuckDuckGo's.
"""

import asyncio
import time
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import primp
from ddgs.engines.duckduckgo import Duckduckgo
from lxml.etree import LxmlError

from leadline.errors import ProviderFailed
from leadline.providers import SEARCHES
from leadline.web.base import Listing, SearchOptions, WebQuery, late
from leadline.web.providers.asking import base, too_large, unreachable
from leadline.web.providers.replies import other_form, refusal, results
from leadline.web.providers.wording import worded

NAME = "duckduckgo"
LONGEST_QUERY = 480
LARGEST = 1 << 20
"""Bytes of a page of results; to read one takes longer than to read as much JSON."""
EVERYWHERE = "wt-wt"
EARLIEST, LATEST = "1970-01-01", "2999-12-31"
NOTHING = "no-results"
"""Marks the page of a search that finds nothing; any other page without results is a riddle for robots, or a new layout."""
RIDDLE = 202
PAUSE = 30.0
REMEDY = "Check `web.duckduckgo_url` where it is set, or use another provider."


class DuckDuckGo:
    """Searches with DuckDuckGo. It gives no dates; hosts are operators in the query."""

    def __init__(self, options: SearchOptions) -> None:
        self._url = f"{base(NAME, options.url or SEARCHES[NAME].address)}/html/"

    @property
    def name(self) -> str:
        return NAME

    async def search(self, query: WebQuery, seconds: float) -> Listing:
        text, ignored = worded(query, LONGEST_QUERY)
        days = f"{query.since or EARLIEST}..{query.until or LATEST}" if query.since or query.until else None
        found = await asyncio.to_thread(self._searched, text, days, seconds)
        rows = ((_led(each.href), each.title, each.body, None) for each in found)
        return Listing(tuple(results(NAME, rows, query.limit)), ignored=ignored)

    async def close(self) -> None:
        """Nothing is held between searches."""

    def _searched(self, text: str, days: str | None, seconds: float) -> list["_Row"]:
        engine = _Page(seconds, self._url)
        try:
            found = engine.search(text, EVERYWHERE, timelimit=days)
        except (ValueError, LxmlError, AttributeError, TypeError, RecursionError):
            raise other_form(NAME) from None
        if not found and not engine.empty:
            raise ProviderFailed(NAME, "sent a page without results that can be read", wait=PAUSE)
        return [each for each in found or () if isinstance(each, _Row)]


@dataclass(slots=True)
class _Row:
    """A result as it stands on the page: the library's own would decode addresses that are encoded for a reason."""

    title: str = ""
    href: str = ""
    body: str = ""


class _Page(Duckduckgo):
    """The library's reading of the page, with bounds, and without its silence about what is refused."""

    def __init__(self, seconds: float, url: str) -> None:
        super().__init__()
        self._seconds = seconds
        self.search_url = url
        self.empty = False

    @property
    def result_type(self) -> type[Any]:
        return _Row

    def request(self, *args: Any, **kwargs: Any) -> str:
        """The page at an address."""
        started = time.monotonic()
        try:
            response = self.http_client.client.request(
                *args, **kwargs, timeout=self._seconds, follow_redirects=False, stream=True
            )
            with closing(response):
                page = self._page(response, started).decode("utf-8", "replace")
        except primp.TimeoutError:
            raise late(NAME, self._seconds) from None
        except primp.PrimpError as error:
            raise unreachable(NAME, error) from None
        self.empty = NOTHING in page
        return page

    def _page(self, response: primp.Response, started: float) -> bytes:
        if response.status_code == RIDDLE:
            raise ProviderFailed(NAME, "takes this machine for a robot (202)", wait=PAUSE)
        if response.status_code != 200:
            waits = response.headers.get("retry-after", "")
            raise refusal(NAME, response.status_code, waits, REMEDY)
        parts: list[bytes] = []
        size = 0
        for part in response.iter_bytes():
            parts.append(part)
            size += len(part)
            if size > LARGEST:
                raise too_large(NAME, LARGEST)
            if time.monotonic() - started > self._seconds:
                raise late(NAME, self._seconds)
        return b"".join(parts)

    def post_extract_results(self, results: list[Any]) -> list[Any]:
        """Without advertisements."""
        return [each for each in results if "/y.js?" not in each.href]


def _led(href: str) -> str:
    """Where a link of the page leads in the end.

    >>> _led("//duckduckgo.example/l/?uddg=https%3A%2F%2Fa.example%2Fx%253Fb&rut=1"), _led("https://a.example/x")
    ('https://a.example/x%3Fb', 'https://a.example/x')
    """
    try:
        split = urlsplit(href)
    except ValueError:
        return ""
    if split.path == "/l/" and not split.scheme:
        return parse_qs(split.query).get("uddg", [""])[0]
    return href


def build(options: SearchOptions) -> DuckDuckGo:
    """The registry's entry."""
    return DuckDuckGo(options)
