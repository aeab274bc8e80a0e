"""A small site on this machine, written page by page by the tests that read it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leadline.documents.base import Extracted
from leadline.documents.reading import read
from leadline.errors import DocumentError
from leadline.testing.loopback import Call, Loopback, head, send


@dataclass
class Reply:
    """What stands at a path. `etag`: asked with it, the server says that nothing has changed. `slow` is between bytes,
    `busy` before the first one."""

    body: bytes = b""
    kind: str = "text/html"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    etag: str = ""
    slow: float = 0.0
    busy: float = 0.0
    raw: bytes = b""


class Site(Loopback):
    """Serves `pages`, and remembers who came: `asked` are the calls, `most` the greatest number of them at once."""

    def __init__(self, pages: Mapping[str, Reply] | None = None) -> None:
        super().__init__()
        self.pages = dict(pages or {})
        self.asked: list[Call] = []
        self.now = 0
        self.most = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def paths(self) -> list[str]:
        """What was asked for, without robots.txt."""
        return [call.path for call in self.asked if call.path != "/robots.txt"]

    async def answer(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        self.asked.append(call)
        reply = self.pages.get(call.path, Reply(b"not here", status=404))
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(reply.busy)
            return await self._reply(call, reply, writer)
        finally:
            self.now -= 1

    async def _reply(self, call: Call, reply: Reply, writer: asyncio.StreamWriter) -> bool:
        if reply.raw:
            writer.write(reply.raw)
            await writer.drain()
            return False
        headers = {**reply.headers, **({"ETag": reply.etag} if reply.etag else {})}
        if reply.etag and call.headers.get("if-none-match") == reply.etag:
            return await send(writer, b"", 304, reply.kind, headers)
        if reply.slow:
            writer.write(head(200, {"Content-Type": reply.kind}))
            while True:
                writer.write(b"a")
                await writer.drain()
                await asyncio.sleep(reply.slow)
        return await send(writer, reply.body, reply.status, reply.kind, headers)


class Here:
    """Reads files in this process, as the workers do."""

    async def read_many(
        self,
        paths: Sequence[Path],
        passwords: tuple[str, ...] = (),
        *,
        ocr: bool = True,
        pictures: bool = False,
    ) -> list[Extracted | DocumentError]:
        return [await asyncio.to_thread(_one, path, ocr) for path in paths]


def _one(path: Path, ocr: bool) -> Extracted | DocumentError:
    try:
        return read(path, ocr=ocr)
    except DocumentError as error:
        return error


def html(body: str, head: str = "") -> bytes:
    """A page."""
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()
