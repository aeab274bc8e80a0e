"""Serper: Google's results.

Tested in its protocol only: against a server of our own that speaks it as Serper's documentation says.
"""

from datetime import date
from typing import Any, cast

from leadline.providers import SEARCHES
from leadline.web.base import Listing, SearchOptions, WebQuery
from leadline.web.providers.asking import Asking, good_key
from leadline.web.providers.replies import LONGEST_HINT, Row, plain, results, rows
from leadline.web.providers.wording import worded

NAME = "serper"
LONGEST_QUERY = 1_000
MOST_WORDS = 32
REMEDY = "Set SERPER_API_KEY to a valid key, and check `web.serper_url` where it is set."


class Serper:
    """Searches with Serper. Days are a filter of its own, hosts are operators in the query."""

    def __init__(self, options: SearchOptions) -> None:
        key = good_key(NAME, SEARCHES[NAME].key, options.key)
        self._asking = Asking(NAME, options.url or SEARCHES[NAME].address, REMEDY, {"X-API-KEY": key})

    @property
    def name(self) -> str:
        return NAME

    async def search(self, query: WebQuery, seconds: float) -> Listing:
        text, ignored = worded(query, LONGEST_QUERY, MOST_WORDS)
        body: dict[str, object] = {"q": text, "num": query.limit}
        if query.since or query.until:
            bounds = (("cd_min", query.since), ("cd_max", query.until))
            body["tbs"] = ",".join(["cdr:1", *(f"{name}:{_american(day)}" for name, day in bounds if day)])
        said = await self._asking.post("/search", body, seconds)
        found = (
            (row.get("link"), row.get("title"), row.get("snippet"), row.get("date"))
            for row in rows(NAME, said.get("organic"))
        )
        return Listing(tuple(results(NAME, found, query.limit)), _hint(said), ignored)

    async def close(self) -> None:
        """Nothing is held between searches."""


def _american(day: str) -> str:
    read = date.fromisoformat(day)
    return f"{read.month}/{read.day}/{read.year}"


def _hint(said: Row) -> str:
    box: object = said.get("answerBox")
    told = cast(dict[str, Any], box) if isinstance(box, dict) else {}
    return plain(told.get("answer"), LONGEST_HINT) or plain(told.get("snippet"), LONGEST_HINT)


def build(options: SearchOptions) -> Serper:
    """The registry's entry."""
    return Serper(options)
