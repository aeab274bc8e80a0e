"""A web site on loopback, as a test sees it: pages that can be asked for again, and addresses that misbehave.

It keeps a log of what was asked for. Names of hosts do not matter to it: what comes to its port is answered.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from hashlib import sha256
from typing import Literal

from leadline.testing.loopback import Call, Loopback, head, send

SITE = "{site}"
"""In a page's bytes: where the site is, put in when it is sent."""

HUGE = 2 << 30
_PIECE = b"<p>and so the tape goes on</p>\n" * 2_048

Behaviour = Literal["page", "error", "tarpit", "redirect", "moved", "stream"]


@dataclass(frozen=True, slots=True)
class Served:
    """What stands at `path`. `kind` is the whole Content-Type, "" for none; `day` (ISO) is when it was last changed.

    `error` answers 500, `tarpit` sends a byte a second, `redirect` leads to `to` (`{site}` in it is the site's own
    address), `moved` does so for good, `stream` sends two gigabytes, made while they are sent.
    """

    path: str
    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    day: str = ""
    behaviour: Behaviour = "page"
    to: str = ""

    @property
    def etag(self) -> str:
        return f'"{sha256(self.body).hexdigest()[:16]}"'

    @property
    def modified(self) -> str:
        """The day as HTTP has it, "" where there is none."""
        return (
            format_datetime(datetime.fromisoformat(self.day).replace(tzinfo=UTC), usegmt=True)
            if self.day
            else ""
        )


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: whether it was conditional, and how it was answered (0 where the reply has no end)."""

    path: str
    status: int
    conditional: bool = False
    agent: str = ""


class WebSite(Loopback):
    """`with WebSite(pages) as site:` serves them at `site.url`, and keeps in `visits` what was asked for.

    A request with `If-None-Match` or `If-Modified-Since` gets 304 where the page is still the same. `put` replaces a
    page, or adds one, while the site is up. `sent` counts the bytes of streams that have no end.
    """

    def __init__(self, pages: Iterable[Served]) -> None:
        super().__init__()
        self.pages = {page.path: page for page in pages}
        self.visits: list[Visit] = []
        self.sent = 0
        self.open = 0
        self.most = 0

    @property
    def host(self) -> str:
        """What goes into the setting `web.allow_hosts`."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def put(self, page: Served) -> None:
        """Let `page` stand at its path from now on."""
        self.pages[page.path] = page

    def paths(self) -> list[str]:
        """What was asked for, in order of arrival."""
        return [visit.path for visit in self.visits]

    async def answer(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            return await self._answer(call, writer)
        finally:
            self.open -= 1

    async def _answer(self, call: Call, writer: asyncio.StreamWriter) -> bool:
        page = self.pages.get(call.path)
        status = 404 if page is None else _status(page, call.headers)
        conditional = bool({"if-none-match", "if-modified-since"} & set(call.headers))
        self.visits.append(Visit(call.path, status, conditional, call.headers.get("user-agent", "")))
        if page is None or status in (404, 500):
            return await send(writer, b"<h1>That did not work</h1>", status, "text/html")
        if page.behaviour in ("tarpit", "stream"):
            return await self._endless(page, writer)
        if status in (301, 302):
            return await send(writer, b"", status, "text/html", {"Location": page.to.replace(SITE, self.url)})
        told = {"ETag": page.etag} | ({"Last-Modified": page.modified} if page.modified else {})
        body = b"" if status == 304 else page.body.replace(SITE.encode(), self.url.encode())
        if page.kind:
            return await send(writer, body, status, page.kind, told)
        writer.write(head(status, {"Content-Length": str(len(body)), **told}) + body)
        await writer.drain()
        return True

    async def _endless(self, page: Served, writer: asyncio.StreamWriter) -> bool:
        writer.write(head(200, {"Content-Type": page.kind or "text/html", "Content-Length": str(HUGE)}))
        piece, pause = (b"<", 1.0) if page.behaviour == "tarpit" else (_PIECE, 0.0)
        for _ in range(HUGE // len(piece)):
            writer.write(piece)
            await writer.drain()
            self.sent += len(piece)
            await asyncio.sleep(pause)
        return False


def _status(page: Served, headers: Mapping[str, str]) -> int:
    if page.behaviour != "page":
        return {"error": 500, "redirect": 302, "moved": 301}.get(page.behaviour, 0)
    tags = headers.get("if-none-match")
    if tags is not None:
        return 304 if page.etag in tags else 200
    since = headers.get("if-modified-since")
    return 304 if since is not None and since == page.modified else 200
