"""SearXNG: an instance that somebody runs, asked for JSON, which its `settings.yml` must allow.

It asks other engines, and says which of them did not answer.
"""

from typing import Any, cast

from leadline.errors import ConfigError, ProviderFailed
from leadline.web.base import Listing, SearchOptions, WebQuery
from leadline.web.providers.asking import Asking
from leadline.web.providers.replies import LONGEST_HINT, Row, plain, results, rows
from leadline.web.providers.wording import worded

NAME = "searxng"
LONGEST_QUERY = 1_000
REMEDY = (
    "Check `web.searxng_url`; its `settings.yml` must list `json` under `search.formats`, and its limiter must let this "
    "machine through."
)


class SearXNG:
    """Searches with a SearXNG of your own. Which of its engines understand `site:` is up to them."""

    def __init__(self, options: SearchOptions) -> None:
        if not options.url:
            raise ConfigError(
                "`searxng` needs `web.searxng_url`: set it to where yours is, as `http://localhost:8888`."
            )
        self._asking = Asking(NAME, options.url, REMEDY)

    @property
    def name(self) -> str:
        return NAME

    async def search(self, query: WebQuery, seconds: float) -> Listing:
        text, ignored = worded(query, LONGEST_QUERY)
        said = await self._asking.get("/search", {"q": text, "format": "json"}, seconds)
        found = results(
            NAME,
            (
                (row.get("url"), row.get("title"), row.get("content"), row.get("publishedDate"))
                for row in rows(NAME, said.get("results"))
            ),
            query.limit,
        )
        silent: object = said.get("unresponsive_engines")
        if not found and isinstance(silent, list) and silent:
            count = len(cast(list[Any], silent))
            raise ProviderFailed(NAME, f"found nothing, and {count} of its engines did not answer")
        if query.since or query.until:
            ignored = (*ignored, "the days")
        return Listing(tuple(found), _hint(said), ignored)

    async def close(self) -> None:
        """Nothing is held between searches."""


def _hint(said: Row) -> str:
    """A direct answer: a text in older versions, an object in newer ones."""
    answers: object = said.get("answers")
    first = cast(list[object], answers)[0] if isinstance(answers, list) and answers else None
    told = cast(dict[str, object], first).get("answer") if isinstance(first, dict) else first
    return plain(told, LONGEST_HINT)


def build(options: SearchOptions) -> SearXNG:
    """The registry's entry."""
    return SearXNG(options)
