"""What a search provider is to the rest of Leadline, and what is known of a page.

query -> provider -> results -> pages -> documents
"""

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from leadline.errors import ProviderFailed, UsageError
from leadline.types import Document

PAGES = "web-cache"
"""The collection that the pages of one run are, beside the collections of the data folder."""

URL, SITE, PUBLISHED, FETCHED, SNIPPET = "url", "site", "published", "fetched", "snippet"
"""Metadata of a page's document: its address, its host, the day it names, when it was read (ISO, UTC), and `True` where
only a search engine's snippet of it is there."""


@dataclass(frozen=True, slots=True)
class WebQuery:
    """What to search the web for. `sites` and `without` are host names; `since` and `until` days (ISO, "" for any).
    `passing` are providers that failed for the same text before, and are not asked again."""

    text: str
    limit: int = 5
    sites: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    passing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, day in (("since", self.since), ("until", self.until)):
            if day and not _is_day(day):
                raise UsageError(f"`{name}` must be a day, as `2024-05-15`, and not {day[:40]!r}.")


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class WebResult:
    """One result of a search. `published` is an ISO day, "" where the provider says none."""

    url: str
    title: str = ""
    snippet: str = ""
    published: str = ""
    provider: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """Results best first. `hint` is a provider's own direct answer: something to search for, never evidence. `ignored`
    are the wishes of the query that the provider cannot be told, in words."""

    results: tuple[WebResult, ...]
    hint: str = ""
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a provider is built with. `url` is "" for its own address; `depth` is how thoroughly it searches, where it can
    be told."""

    url: str = ""
    key: str = field(default="", repr=False)
    depth: str = "basic"


class SearchProvider(Protocol):
    """Searches the web for one query at a time."""

    @property
    def name(self) -> str: ...

    async def search(self, query: WebQuery, seconds: float) -> Listing:
        """At most `query.limit` results within `seconds`; `ProviderFailed` says why there are none to be had. A search
        that finds nothing gives an empty listing."""
        ...

    async def close(self) -> None: ...


def late(provider: str, seconds: float) -> ProviderFailed:
    """What is said of a reply that does not come."""
    return ProviderFailed(provider, f"gave no reply within {seconds:.3g} seconds", late=True)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was read. `document.source` is where the last redirect led; `etag` and `modified` are the server's
    own words, to ask it whether the page is still the same. `links` are the addresses it names, in order."""

    document: Document
    etag: str = ""
    modified: str = ""
    links: tuple[str, ...] = ()
    size: int = 0
    indexable: bool = True
    """Whether the page lets itself be kept and found (`noindex`); a crawl leaves it out where it does not."""

    moved: bool = False
    """Whether it was asked for at another address, whose server said that it is not there any more, for good."""
