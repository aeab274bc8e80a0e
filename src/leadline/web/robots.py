"""What a site lets be read: its robots.txt, asked for once and remembered for a while.

address -> its site's robots.txt (fetched once, in parts) -> open or closed for us

As RFC 9309 has it: none there (4xx) opens everything, a server that fails (5xx) closes everything. A server that is not
reached opens everything, since it says so itself when the page is asked for.
"""

import asyncio
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import httpx2

from leadline.documents.decoding import decode
from leadline.errors import DocumentError
from leadline.web.fetching import AGENT, Bounds, Fetcher, Refused, shown

if TYPE_CHECKING:
    from protego import Protego

LARGEST = 500 << 10
"""Bytes of a robots.txt that count; what comes after them does not."""

SECONDS = 10.0
REMEMBERED = 3_600.0
MOST_SITES = 2_000
_MOST_LINES = 20_000


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a site; None is closed."""

    rules: "Protego | None"
    until: float


class Robots:
    """Knows of each site whether an address of it may be read. `clock` counts seconds."""

    def __init__(self, fetch: Fetcher, clock: Callable[[], float]) -> None:
        self._fetch = fetch
        self._clock = clock
        self._sites: dict[str, asyncio.Task[Protego | None]] = {}
        self._known: dict[str, _Known] = {}

    async def admit(self, url: str) -> None:
        """Raise DocumentError for an address that its site's robots.txt closes."""
        rules = await self._rules(url)
        if rules is None:
            raise DocumentError(
                f"`{shown(url)}` is closed: its site's robots.txt cannot be had.", "Try later."
            )
        if not rules.can_fetch(url, AGENT):
            raise DocumentError(
                f"`{shown(url)}` is closed by its site's robots.txt.",
                "Set `web.robots` to false where you may read it all the same.",
            )

    async def delay(self, url: str) -> float:
        """Seconds that the site asks for between two pages, at most 30."""
        rules = await self._rules(url)
        return min((rules.crawl_delay(AGENT) if rules else None) or 0.0, 30.0)

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """Addresses of the sitemaps that the site names."""
        rules = await self._rules(url)
        return tuple(rules.sitemaps)[:100] if rules else ()

    async def _rules(self, url: str) -> "Protego | None":
        site = str(httpx2.URL(url).join("/robots.txt"))
        known = self._known.get(site)
        if known is None or known.until < self._clock():
            known = self._known[site] = _Known(await self._once(site), self._clock() + REMEMBERED)
            while len(self._known) > MOST_SITES:
                del self._known[next(iter(self._known))]
        return known.rules

    async def _once(self, site: str) -> "Protego | None":
        """Whoever comes while it is being asked for waits for the same answer."""
        task = self._sites.get(site)
        if task is None:
            task = self._sites[site] = asyncio.create_task(self._asked(site))
            task.add_done_callback(lambda _: self._sites.pop(site, None))
        return await asyncio.shield(task)

    async def _asked(self, site: str) -> "Protego | None":
        try:
            found = await self._fetch(site, bounds=Bounds(SECONDS, LARGEST, cut=True))
        except Refused as error:
            return None if error.status >= 500 else _parsed(b"")
        except DocumentError:
            return _parsed(b"")
        return await asyncio.to_thread(_parsed, found.data)

    async def close(self) -> None:
        """End what is still being asked for."""
        tasks = tuple(self._sites.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _parsed(data: bytes) -> "Protego":
    # Whoever asks files alone needs no rules of sites.
    rules = cast("type[Protego]", importlib.import_module("protego").Protego)
    return rules.parse("\n".join(decode(data, "utf-8").splitlines()[:_MOST_LINES]))
