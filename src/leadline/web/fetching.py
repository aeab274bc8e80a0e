"""One page: asked for, redirected, bounded in size and time.

url -> checked -> request -> redirect? -> checked again ... -> body, up to a limit
"""

import asyncio
import zlib
from collections.abc import AsyncIterator, Collection
from contextlib import aclosing
from dataclasses import dataclass

import httpx2

from leadline.errors import DocumentError
from leadline.web.guard import GuardedTransport, Resolve, resolved

REDIRECTS = 5
LONGEST_URL = 4_096
AGENT = "leadline (document loader)"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came; `url` is where the last redirect led, `kind` its media type without parameters."""

    url: str
    kind: str
    data: bytes


class Fetcher:
    """Fetches pages of the open web, and of hosts in `allow`. Use it in `async with`."""

    def __init__(
        self,
        allow: Collection[str] = (),
        *,
        seconds: float = 30.0,
        largest: int = 20 << 20,
        resolve: Resolve = resolved,
    ) -> None:
        self._seconds = seconds
        self._largest = largest
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(allow, resolve),
            headers={"Accept-Encoding": "identity", "User-Agent": AGENT},
            timeout=seconds,
            trust_env=False,
        )

    async def __aenter__(self) -> "Fetcher":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def __call__(self, url: str) -> Fetched:
        """The page at `url`. DocumentError says why there is none."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._fetched(checked(url))
        except (TimeoutError, httpx2.TimeoutException):
            raise DocumentError(f"`{shown(url)}` did not come within {self._seconds:g} seconds") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            told = str(error) or type(error).__name__
            raise DocumentError(f"`{shown(url)}` cannot be fetched: {told}") from None

    async def _fetched(self, url: httpx2.URL) -> Fetched:
        for _ in range(REDIRECTS + 1):
            request = self._client.build_request("GET", url)
            response = await self._client.send(request, stream=True)
            # Nobody is to be recognised from one page to the next.
            self._client.cookies.clear()
            async with aclosing(response):
                if response.is_redirect:
                    url = checked(str(url.join(response.headers.get("location", ""))))
                    continue
                if response.status_code >= 400:
                    raise DocumentError(f"`{shown(str(url))}` answered {response.status_code}")
                kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
                return Fetched(str(url), kind, await self._body(response))
        raise DocumentError(f"`{shown(str(url))}` redirects more than {REDIRECTS} times")

    async def _body(self, response: httpx2.Response) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in _unpacked(response, self._largest):
            size += len(part)
            if size > self._largest:
                raise DocumentError(f"`{shown(str(response.url))}` is larger than {self._largest:,} bytes")
            parts.append(part)
        return b"".join(parts)


async def _unpacked(response: httpx2.Response, largest: int) -> AsyncIterator[bytes]:
    """The body in parts. One that a server has packed unasked is unpacked, no more of it at once than may come in all."""
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("identity", "gzip", "x-gzip", "deflate"):
        raise DocumentError(
            f"`{shown(str(response.url))}` is packed in a way that is not known ({packing:.20})"
        )
    unpacker = None if packing == "identity" else zlib.decompressobj(zlib.MAX_WBITS | 32)
    async for part in response.aiter_raw():
        if unpacker is None:
            yield part
            continue
        try:
            yield unpacker.decompress(part, largest + 1)
        except zlib.error:
            raise DocumentError(f"`{shown(str(response.url))}` is damaged on the way") from None


def checked(url: str) -> httpx2.URL:
    """An address that may be asked for; where it leads is checked when it is connected to."""
    if len(url) > LONGEST_URL or not url.isprintable():
        raise DocumentError(f"`{url[:80]!r}` is no address of a page")
    try:
        found = httpx2.URL(url.strip())
    except httpx2.InvalidURL as error:
        raise DocumentError(f"`{shown(url)}` is no address of a page: {error}") from None
    if found.scheme not in ("http", "https") or not found.host:
        raise DocumentError(
            f"`{shown(url)}` is no address of a page.", "It begins with `https://` or `http://`."
        )
    if found.userinfo:
        raise DocumentError(f"`{shown(url)}` holds a name or a password.", "Leave them out.")
    return found


def shown(url: str) -> str:
    """An address for a message, without what may be secret in it.

    >>> shown("https://word@site.example/a?key=secret#b")
    'https://site.example/a'
    """
    scheme, colon, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{colon}{host.rpartition('@')[2]}{slash}{path}".partition("?")[0].partition("#")[0][:200]
