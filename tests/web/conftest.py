"""A server that plays the search providers."""

from collections.abc import Iterator

import pytest

from leadline.testing.search_server import SearchServer
from tests.web.search_wishes import KEYS, find


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SearchServer]:
    # The library that speaks to DuckDuckGo takes the proxy of the environment even to this machine.
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    with SearchServer(find, keys=KEYS, hint="Ada Rook lit it.") as started:
        yield started
