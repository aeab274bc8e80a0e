"""Pages to be found, and the providers that find them at a server that plays them."""

from collections.abc import Sequence

from leadline import registry
from leadline.testing.search_server import SearchServer
from leadline.web.base import SearchOptions, SearchProvider, WebResult

NAMES = ("tavily", "searxng", "brave", "serper", "duckduckgo")
KEYS = {"tavily": "tvly-k", "brave": "brave-k", "serper": "serper-k"}
PAGES = (
    WebResult(
        "https://harbour.example/lamp", "The lamp & its keeper", "Lit in <1889> by Ada Rook.", "2024-05-15"
    ),
    WebResult(
        "https://news.example/mole?a=%26b&c=1", "The mole", "Rebuilt in 1931 after a storm.", "2023-01-02"
    ),
    WebResult("https://灯塔.example/灯", "灯塔", "1889年第一次点亮的灯塔。"),
    WebResult("https://old.harbour.example/lamp", "An old page", "The lamp was lit in 1888.", "2001-03-04"),
)
"""Results as a search function finds them."""


def find(query: str, limit: int) -> Sequence[WebResult]:
    return PAGES[:limit]


def played(server: SearchServer, name: str, key: str | None = None) -> SearchProvider:
    """A provider as it is built, its address that of the server."""
    options = SearchOptions(server.url(name), KEYS.get(name, "") if key is None else key)
    provider: SearchProvider = registry.find("search", name)(options)
    return provider
