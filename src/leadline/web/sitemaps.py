"""What a site says it has: its sitemaps, and indexes of sitemaps, read in bounds.

address -> fetched -> unpacked -> addresses of pages | further sitemaps -> ... -> addresses, in order, each once

What a sitemap holds was written by somebody else: it is read piece by piece, and one that declares a document type (and with
it entities) is refused. When pages were changed is not believed: the server is asked about each.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit
from xml.parsers import expat

from leadline.documents.decoding import declared_encoding, decode
from leadline.errors import DocumentError
from leadline.web.fetching import Bounds, Fetched, checked, shown

BOUNDS = Bounds(30.0, 50 << 20)
MOST_ADDRESSES = 50_000
"""Of one sitemap, and of all that one index leads to."""

MOST_SITEMAPS = 100
DEEPEST = 3
_PIECE = 1 << 16
_LONGEST = 8_192
_NESTED = 100
"""Elements inside each other; a sitemap has four, and one that goes on and on would fill the memory."""

Fetch = Callable[[str, Bounds], Awaitable[Fetched]]
"""Fetches an address that may be read, or raises DocumentError."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file names. Both are empty for one that is no sitemap."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    known: bool = False
    """Whether it is a sitemap at all."""


@dataclass(slots=True)
class Listed:
    """The addresses that sitemaps lead to, and (address, why) of those that could not be read."""

    pages: list[str] = field(default_factory=list[str])
    failed: list[tuple[str, DocumentError]] = field(default_factory=list[tuple[str, DocumentError]])
    cut: bool = False
    """Whether there is more than was read."""


def may_be(url: str) -> bool:
    """Whether an address looks like that of a sitemap, so that it is worth finding out.

    >>> may_be("https://site.example/sitemap.xml"), may_be("https://site.example/map.xml.gz"), may_be("https://site.example/a")
    (True, True, False)
    """
    path = urlsplit(url).path.lower()
    return path.endswith((".xml", ".xml.gz")) or ("sitemap" in path and path.endswith((".txt", ".gz")))


async def listed(url: str, fetch: Fetch) -> Listed | None:
    """All pages that the sitemap at `url` leads to; None where something else stands there. DocumentError: nothing does."""
    first = await _read(url, fetch)
    if not first.known:
        return None
    found = Listed()
    seen, waiting = {url}, [(each, 1) for each in first.sitemaps]
    pages = dict.fromkeys(first.pages)
    while waiting and len(pages) < MOST_ADDRESSES:
        address, depth = waiting.pop(0)
        if address in seen:
            continue
        if len(seen) >= MOST_SITEMAPS or depth > DEEPEST:
            found.cut = True
            continue
        seen.add(address)
        try:
            one = await _read(address, fetch)
        except DocumentError as error:
            found.failed.append((address, error))
            continue
        pages.update(dict.fromkeys(one.pages))
        waiting = [*((each, depth + 1) for each in one.sitemaps), *waiting]
    found.cut = found.cut or bool(waiting) or len(pages) >= MOST_ADDRESSES
    found.pages = list(pages)[:MOST_ADDRESSES]
    return found


async def _read(url: str, fetch: Fetch) -> Sitemap:
    fetched = await fetch(url, BOUNDS)
    return await asyncio.to_thread(parsed, fetched.data, fetched.url)


def parsed(data: bytes, url: str) -> Sitemap:
    """What a file says that was fetched from `url`.

    >>> parsed(b"https://site.example/a\\nno address\\nhttps://site.example/b", "https://site.example/sitemap.txt").pages
    ('https://site.example/a', 'https://site.example/b')
    """
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data, url)
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _Reader(url).read(data)
    rows = data.decode("utf-8", "replace").splitlines()[:MOST_ADDRESSES]
    found = tuple(address for row in rows if (address := _address(row)))
    return Sitemap(found, known=True) if found and may_be(url) else Sitemap()


def _unpacked(data: bytes, url: str) -> bytes:
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(data, BOUNDS.largest)
    except zlib.error:
        raise DocumentError(f"`{shown(url)}` is packed and damaged.") from None
    if unpacker.unconsumed_tail:
        raise DocumentError(f"`{shown(url)}` unpacks to more than {BOUNDS.largest:,} bytes.")
    return unpacked


def _address(text: str) -> str:
    """An address that may be asked for, "" for anything else."""
    try:
        return str(checked(text.strip()))
    except DocumentError:
        return ""


class _Done(Exception):
    """Enough was read."""


class _Reader:
    """Reads XML piece by piece: of each `url` or `sitemap` its `loc`, whatever else stands there."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._path: list[str] = []
        self._text = ""
        self._found: dict[str, list[str]] = {"url": [], "sitemap": []}
        self._root = ""

    def read(self, data: bytes) -> Sitemap:
        """DocumentError for one that is meant to be a sitemap and breaks off before its first address."""
        # Whatever encoding it names, there is one way of reading text that is never at a loss.
        data = decode(data, declared_encoding(data)).encode("utf-8", "replace")
        parser = expat.ParserCreate("utf-8")
        parser.StartDoctypeDeclHandler = self._refused
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._said
        try:
            for start in range(0, len(data), _PIECE):
                parser.Parse(data[start : start + _PIECE], False)
            parser.Parse(b"", True)
        except expat.ExpatError:
            if self._root and not any(self._found.values()):
                raise DocumentError(f"`{shown(self._url)}` is damaged.") from None
        except _Done:
            pass
        if not self._root:
            return Sitemap()
        return Sitemap(tuple(self._found["url"]), tuple(self._found["sitemap"]), known=True)

    def _refused(self, *_: object) -> None:
        """A page of the web declares its type as well: that is no sitemap, and nothing of it is used."""
        raise _Done

    def _start(self, name: str, _: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if len(self._path) >= _NESTED:
            raise _Done
        if not self._path:
            if local not in ("urlset", "sitemapindex"):
                raise _Done
            self._root = local
        self._path.append(local)
        self._text = ""

    def _said(self, text: str) -> None:
        if self._path[-1] == "loc" and len(self._text) <= _LONGEST:
            self._text += text

    def _end(self, _: str) -> None:
        name = self._path.pop()
        around = self._path[-1] if self._path else ""
        if name != "loc" or around not in self._found:
            return
        if address := _address(self._text):
            found = self._found[around]
            found.append(address)
            if len(found) >= MOST_ADDRESSES:
                raise _Done
