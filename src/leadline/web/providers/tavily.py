"""Tavily, through its own client.

Its direct answer is kept as a hint, never as evidence.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator
from typing import Any, cast

import httpx
from tavily import AsyncTavilyClient
from tavily.errors import TimeoutError as TavilyTimeout

from leadline.endpoints import is_here
from leadline.providers import SEARCHES
from leadline.web.base import Listing, SearchOptions, WebQuery, late
from leadline.web.providers.asking import base, good_key, too_large, unreachable
from leadline.web.providers.replies import (
    LARGEST,
    LONGEST_HINT,
    Row,
    other_form,
    plain,
    refusal,
    results,
    rows,
)
from leadline.web.providers.wording import clipped

NAME = "tavily"
LONGEST_QUERY = 400
MOST = 20
REMEDY = "Set TAVILY_API_KEY to a valid key, and check `web.tavily_url` where it is set."


class Tavily:
    """Searches with Tavily. Hosts and days are filters of its own."""

    def __init__(self, options: SearchOptions) -> None:
        self._key = good_key(NAME, SEARCHES[NAME].key, options.key)
        self._url = base(NAME, options.url or SEARCHES[NAME].address)
        self._depth = options.depth
        self._trust: ssl.SSLContext | None = None

    @property
    def name(self) -> str:
        return NAME

    async def search(self, query: WebQuery, seconds: float) -> Listing:
        if self._trust is None:
            # It reads every certificate: once, not per request.
            self._trust = await asyncio.to_thread(httpx.create_ssl_context)
        http = httpx.AsyncClient(
            headers={"Accept-Encoding": "identity"},
            base_url=self._url,
            event_hooks={"response": [_bounded]},
            timeout=seconds,
            verify=self._trust,
            trust_env=not is_here(httpx.URL(self._url).host),
        )
        try:
            async with asyncio.timeout(seconds), http:
                said = await self._asked(AsyncTavilyClient(self._key, client=http), query, seconds)
        except (TimeoutError, TavilyTimeout):
            raise late(NAME, seconds) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(NAME, error) from None
        except (ValueError, RecursionError, AttributeError, TypeError):
            # Its client reads the reply without a look at what it is.
            raise other_form(NAME) from None
        found = (
            (row.get("url"), row.get("title"), row.get("content"), row.get("published_date"))
            for row in rows(NAME, said.get("results"))
        )
        return Listing(tuple(results(NAME, found, query.limit)), plain(said.get("answer"), LONGEST_HINT))

    async def close(self) -> None:
        """Nothing is held between searches."""

    async def _asked(self, client: AsyncTavilyClient, query: WebQuery, seconds: float) -> Row:
        wishes: dict[str, Any] = {
            "include_domains": list(query.sites) or None,
            "exclude_domains": list(query.without) or None,
            "start_date": query.since or None,
            "end_date": query.until or None,
        }
        said: Row = await cast(Any, client).search(
            clipped(query.text, LONGEST_QUERY),
            search_depth=self._depth,
            max_results=min(query.limit, MOST),
            include_answer="basic",
            timeout=seconds,
            **wishes,
        )
        return said


async def _bounded(response: httpx.Response) -> None:
    """Before a reply is read: a refusal, as its client would not tell when to come back, and an end to what is endless."""
    if response.status_code != 200:
        waits = response.headers.get("retry-after", "")
        raise refusal(NAME, response.status_code, waits, REMEDY)
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise other_form(NAME)
    assert isinstance(response.stream, httpx.AsyncByteStream)
    response.stream = _Measured(response.stream)


class _Measured(httpx.AsyncByteStream):
    def __init__(self, inner: httpx.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._inner:
            size += len(part)
            if size > LARGEST:
                raise too_large(NAME)
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


def build(options: SearchOptions) -> Tavily:
    """The registry's entry."""
    return Tavily(options)
