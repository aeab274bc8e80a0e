"""The HTTP client of models: what it sends where, no proxy to this machine, and no reply that goes on without end."""

import logging
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import httpx2

from leadline.endpoints import is_here
from leadline.llm.options import ModelOptions

# They tell of every request, and a library of another room has everything told be printed.
for _name in ("google_genai", "httpx", "httpx2", "openai"):
    logging.getLogger(_name).setLevel(logging.WARNING)

LARGEST = 16 << 20
"""Bytes of one reply. A whole answer has some thousand."""

CONNECT = 10.0
"""Most seconds to open a connection."""

SENT = frozenset(
    {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"}
)
"""Headers that go to a server that speaks OpenAI's protocol. OpenAI's library adds others from the environment: the
account at OpenAI, whole headers."""


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends in an error where it is larger than any reply."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self.inner = inner

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        size = 0
        async for part in self.inner:
            size += len(part)
            if size > LARGEST:
                raise httpx2.ReadError(f"the reply is larger than {LARGEST >> 20} MiB")
            yield part

    async def aclose(self) -> None:
        await self.inner.aclose()


async def _bound(response: httpx2.Response) -> None:
    # What is compressed can be a thousand times as large as it looks, and nobody asked for it.
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.DecodingError("the reply is compressed")
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


@dataclass(frozen=True, slots=True)
class _OnlyThere:
    """Sends to the configured server alone, with the key for it alone. Called for every hop of a redirect."""

    url: httpx2.URL
    key: tuple[str, str] | None

    async def __call__(self, request: httpx2.Request) -> None:
        asked, own = request.url, self.url
        if (asked.scheme, asked.host, asked.port) != (own.scheme, own.host, own.port):
            raise httpx2.UnsupportedProtocol("the server redirects to another one")
        for name in [name for name in request.headers if name.lower() not in SENT]:
            del request.headers[name]
        if self.key:
            name, value = self.key
            request.headers[name] = value


def model_client(options: ModelOptions) -> httpx2.AsyncClient:
    """A client for the server at `options.url`, or for the provider's own."""
    url = httpx2.URL(options.url) if options.url else None
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(options.seconds, connect=min(CONNECT, options.seconds)),
        headers={"Accept-Encoding": "identity"},
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=20),
        trust_env=not (url and is_here(url.host)),
        event_hooks={"response": [_bound]},
    )


def guard(client: httpx2.AsyncClient, url: str, options: ModelOptions) -> None:
    """Have it send to the server at `url` alone, and there nothing but the request and the key for it."""
    client.event_hooks = {
        **client.event_hooks,
        "request": [_OnlyThere(httpx2.URL(url), _key_header(options))],
    }


def _key_header(options: ModelOptions) -> tuple[str, str] | None:
    if not options.key:
        return None
    return (
        ("api-key", options.key)
        if options.provider == "azure"
        else ("authorization", f"Bearer {options.key}")
    )


def shown(url: str) -> str:
    """An address without what may be a key in it.

    >>> shown("http://secret@127.0.0.1:8000/v1?key=secret")
    'http://127.0.0.1:8000/v1'
    """
    return re.sub(r"//[^/@]*@", "//", url).partition("?")[0].partition("#")[0]
