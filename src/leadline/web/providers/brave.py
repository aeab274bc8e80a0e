"""Brave Search.

Tested in its protocol only: against a server of our own that speaks it as Brave's documentation says.
"""

from typing import Any, cast

from leadline.providers import SEARCHES
from leadline.web.base import Listing, SearchOptions, WebQuery
from leadline.web.providers.asking import Asking, good_key
from leadline.web.providers.replies import other_form, results, rows
from leadline.web.providers.wording import worded

NAME = "brave"
LONGEST_QUERY = 400
MOST_WORDS = 50
MOST = 20
EARLIEST, LATEST = "1970-01-01", "2999-12-31"
REMEDY = "Set BRAVE_API_KEY to a valid key, and check `web.brave_url` where it is set."


class Brave:
    """Searches with Brave. Days are a filter of its own, hosts are operators in the query."""

    def __init__(self, options: SearchOptions) -> None:
        key = good_key(NAME, SEARCHES[NAME].key, options.key)
        self._asking = Asking(
            NAME, options.url or SEARCHES[NAME].address, REMEDY, {"X-Subscription-Token": key}
        )

    @property
    def name(self) -> str:
        return NAME

    async def search(self, query: WebQuery, seconds: float) -> Listing:
        text, ignored = worded(query, LONGEST_QUERY, MOST_WORDS)
        params = {"q": text, "count": str(min(query.limit, MOST)), "text_decorations": "false"}
        if query.since or query.until:
            params["freshness"] = f"{query.since or EARLIEST}to{query.until or LATEST}"
        said = await self._asking.get("/res/v1/web/search", params, seconds)
        # A search that finds nothing has no part of the web.
        web: object = said.get("web", {"results": []})
        if not isinstance(web, dict):
            raise other_form(NAME)
        found = (
            (row.get("url"), row.get("title"), row.get("description"), row.get("page_age"))
            for row in rows(NAME, cast(dict[str, Any], web).get("results"))
        )
        return Listing(tuple(results(NAME, found, query.limit)), ignored=ignored)

    async def close(self) -> None:
        """Nothing is held between searches."""


def build(options: SearchOptions) -> Brave:
    """The registry's entry."""
    return Brave(options)
