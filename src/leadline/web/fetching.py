"""One page: asked for, redirected, bounded in size and time.

url -> checked -> admitted? -> its turn -> request -> redirect? -> checked again ... -> body, up to a limit
"""

import asyncio
import re
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import aclosing
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import httpx2

from leadline.errors import DocumentError
from leadline.web.guard import GuardedTransport, Resolve, resolved
from leadline.web.limits import Turns

REDIRECTS = 5
LONGEST_URL = 4_096
AGENT = "leadline (document loader)"
NOT_MODIFIED = 304
FOR_GOOD = (301, 308)
"""Redirects that say that the page is at the other address from now on."""

_HOST = re.compile(rb"[a-z0-9_.-]+|[0-9a-f:.]+(?:%.+)?")

Admit = Callable[[str], Awaitable[None]]
"""Raises DocumentError for an address that is not to be asked for: the first one and each that it redirects to."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came; `url` is where the last redirect led, `kind` its media type and `charset` what goes with it.

    `etag` and `modified` are what the server calls this state of it, `robots` what it lets be done with it (its header).
    `unchanged`: it is still what the caller knows, and `data` is empty. `moved`: it is not at the address that was asked for
    any more, and its server says that this is for good.
    """

    url: str
    kind: str
    data: bytes
    charset: str = ""
    etag: str = ""
    modified: str = ""
    robots: str = ""
    unchanged: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True)
class _Led:
    """Where a redirect leads, and whether for good."""

    url: httpx2.URL
    moved: bool


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of one page: seconds on the wire, bytes; `cut`: what is larger is cut off there and not refused."""

    seconds: float = 30.0
    largest: int = 20 << 20
    cut: bool = False


async def anything(url: str) -> None:
    """Admits every address."""


class Fetcher:
    """Fetches pages of the open web, and of hosts in `allow`. Use it in `async with`."""

    def __init__(
        self,
        allow: Collection[str] = (),
        *,
        seconds: float = 30.0,
        largest: int = 20 << 20,
        resolve: Resolve = resolved,
        turns: Turns | None = None,
        remedy: str = "",
    ) -> None:
        self._bounds = Bounds(seconds, largest)
        self._turns = turns or Turns()
        self._client = httpx2.AsyncClient(
            transport=GuardedTransport(allow, resolve, remedy=remedy),
            headers={"Accept-Encoding": "identity", "User-Agent": AGENT},
            timeout=seconds,
            trust_env=False,
        )

    async def __aenter__(self) -> "Fetcher":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def __call__(
        self,
        url: str,
        *,
        etag: str = "",
        modified: str = "",
        of: str = "",
        admit: Admit = anything,
        bounds: Bounds | None = None,
    ) -> Fetched:
        """The page at `url`, unless it is still the one that `etag` or `modified` names; they were given by `of`, where
        the page was ("" for `url`), and no other address is told them. DocumentError says why there is none. Waiting for
        its turn takes none of its seconds."""
        bounds = bounds or self._bounds
        asked = {"If-None-Match": etag, "If-Modified-Since": modified}
        headers = {name: value for name, value in asked.items() if value.isascii() and value.isprintable()}
        known = _Known(str(checked(of or url)), {k: v for k, v in headers.items() if v})
        try:
            return await self._fetched(checked(url), known, admit, bounds)
        except (TimeoutError, httpx2.TimeoutException):
            raise DocumentError(f"`{shown(url)}` did not come within {bounds.seconds:g} seconds") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise DocumentError(f"`{shown(url)}` cannot be fetched: {_why(error)}") from None

    async def _fetched(self, url: httpx2.URL, known: "_Known", admit: Admit, bounds: Bounds) -> Fetched:
        left = bounds.seconds
        moved = True
        loop = asyncio.get_running_loop()
        for hop in range(REDIRECTS + 1):
            await admit(str(url))
            async with self._turns(url.host):
                started = loop.time()
                async with asyncio.timeout(left):
                    found = await self._step(url, known.headers if str(url) == known.url else {}, bounds)
                left -= loop.time() - started
            if isinstance(found, Fetched):
                return replace(found, moved=moved and hop > 0)
            url, moved = found.url, moved and found.moved
        raise DocumentError(f"`{shown(str(url))}` redirects more than {REDIRECTS} times")

    async def _step(self, url: httpx2.URL, headers: dict[str, str], bounds: Bounds) -> Fetched | _Led:
        """The page, or where it redirects to."""
        request = self._client.build_request("GET", url, headers=headers)
        try:
            response = await self._client.send(request, stream=True)
        except ValueError:
            # The client itself looks at where a redirect leads.
            raise DocumentError(f"`{shown(str(url))}` leads to what is no address") from None
        # Nobody is to be recognised from one page to the next.
        self._client.cookies.clear()
        async with aclosing(response):
            if response.has_redirect_location:
                to = checked(joined(url, response.headers["location"]))
                return _Led(to, response.status_code in FOR_GOOD)
            if response.status_code == NOT_MODIFIED and headers:
                return _described(response, b"", unchanged=True)
            if response.status_code >= 300:
                raise Refused(
                    f"`{shown(str(url))}` answered {response.status_code}", response.status_code, str(url)
                )
            return _described(response, await _body(response, bounds))


@dataclass(frozen=True, slots=True)
class _Known:
    """What a page was called where it was, as the headers that ask whether it is still that."""

    url: str
    headers: dict[str, str]


class Refused(DocumentError):
    """A server answered that there is no page for us: `status` is its code, `url` what it was asked for, which a redirect
    may have led to."""

    def __init__(self, reason: str, status: int, url: str) -> None:
        self.status = status
        self.url = url
        super().__init__(reason)


def _described(response: httpx2.Response, data: bytes, unchanged: bool = False) -> Fetched:
    kind, charset = _content_type(response.headers.get("content-type", ""))
    etag, modified, robots = (
        response.headers.get(name, "").strip()[:500] for name in ("etag", "last-modified", "x-robots-tag")
    )
    return Fetched(str(response.url), kind, data, charset, etag, modified, robots.lower(), unchanged)


def _content_type(value: str) -> tuple[str, str]:
    """
    >>> _content_type('Text/HTML; Charset="UTF-8"; x=y'), _content_type("")
    (('text/html', 'utf-8'), ('', ''))
    """
    kind, *parameters = (part.strip().lower() for part in value.split(";"))
    pairs = (part.partition("=") for part in parameters)
    return kind, next((value.strip(" \"'") for name, _, value in pairs if name.strip() == "charset"), "")


async def _body(response: httpx2.Response, bounds: Bounds) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in _unpacked(response, bounds.largest):
        size += len(part)
        parts.append(part)
        if size > bounds.largest:
            if bounds.cut:
                return b"".join(parts)[: bounds.largest]
            raise DocumentError(f"`{shown(str(response.url))}` is larger than {bounds.largest:,} bytes")
    return b"".join(parts)


async def _unpacked(response: httpx2.Response, largest: int) -> AsyncIterator[bytes]:
    """The body in parts. One that a server has packed unasked is unpacked, no more of it at once than may come in all."""
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise DocumentError(f"`{shown(str(response.url))}` is packed in a way that is not known")
    unpacker = None
    async for part in response.aiter_raw():
        if packing in ("", "identity"):
            yield part
            continue
        try:
            unpacker = unpacker or zlib.decompressobj(_window(packing, part))
            yield unpacker.decompress(part, largest + 1)
        except zlib.error:
            raise DocumentError(f"`{shown(str(response.url))}` is damaged on the way") from None


def _window(packing: str, first: bytes) -> int:
    """How a body that begins so is unpacked. `deflate` means a head around it, and many servers leave that out."""
    headed = first[:2] == b"\x1f\x8b" or (
        first[0] & 15 == zlib.DEFLATED and int.from_bytes(first[:2]) % 31 == 0
    )
    return zlib.MAX_WBITS | 32 if headed or packing != "deflate" else -zlib.MAX_WBITS


def _why(error: Exception) -> str:
    """In our own words: what a server says stands in no message."""
    if isinstance(error, httpx2.ConnectError):
        return "no connection"
    if isinstance(error, httpx2.InvalidURL):
        return "it leads to what is no address"
    if isinstance(error, httpx2.NetworkError):
        return "the connection broke"
    return "what came is no answer of a web server"


def checked(url: str) -> httpx2.URL:
    """An address that may be asked for; where it leads is checked when it is connected to."""
    if len(url) > LONGEST_URL or not url.isprintable():
        raise DocumentError(f"`{url[:80]!r}` is no address of a page")
    found, host = _parsed(url.strip())
    if found.scheme not in ("http", "https") or not host:
        raise DocumentError(
            f"`{shown(url)}` is no address of a page.", "It begins with `https://` or `http://`."
        )
    if not _HOST.fullmatch(host):
        raise DocumentError(f"`{shown(url)}` is no address of a page: no host is called that.")
    if found.port is not None and not 0 < found.port < 65_536:
        raise DocumentError(f"`{shown(url)}` names a port that there is none of.")
    if found.userinfo:
        raise DocumentError(f"`{shown(url)}` holds a name or a password.", "Leave them out.")
    return found.copy_with(fragment=None)


def _parsed(url: str) -> tuple[httpx2.URL, bytes]:
    """An address that everything can read that will, and its host."""
    try:
        found = httpx2.URL(url)
        # A host turns out to be none only where somebody asks for it, and the standard library has rules of its own.
        there = found.host and urlsplit(str(found)).hostname
        return found, found.raw_host.lower() if there else b""
    except httpx2.InvalidURL as error:
        raise DocumentError(f"`{shown(url)}` is no address of a page: {error}") from None
    except ValueError:
        raise DocumentError(f"`{shown(url)}` is no address of a page: no host is called that.") from None


def joined(start: httpx2.URL, link: str) -> str:
    """The address that a page or a redirect at `start` means; DocumentError where it means none."""
    try:
        return str(start.join(link))
    except (httpx2.InvalidURL, ValueError):
        raise DocumentError(f"`{shown(str(start))}` leads to what is no address") from None


def shown(url: str) -> str:
    """An address for a message, without what may be secret in it.

    >>> shown("https://word@site.example/a?key=secret#b")
    'https://site.example/a'
    """
    scheme, colon, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{colon}{host.rpartition('@')[2]}{slash}{path}".partition("?")[0].partition("#")[0][:200]
