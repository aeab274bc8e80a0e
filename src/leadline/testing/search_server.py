"""Web search as a test sees it: one server on loopback that speaks the protocols of the search providers Leadline knows.

What it finds is up to a function `(query, limit) -> results`; what goes wrong is told with `fail`.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast
from urllib.parse import parse_qsl

from leadline.testing.loopback import Call, Loopback, head, send
from leadline.testing.search_wire import MADE, Wanted, refusal, wanted
from leadline.web.base import WebResult

Finding = Callable[[str, int], Sequence[WebResult]]
Trouble = Literal[
    "status", "hang", "blank", "empty", "invalid", "nested", "truncated", "wrong", "bytes", "huge", "redirect"
]


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong: an HTTP `status` with `headers`; a reply that never comes (`hang`); one without a byte (`blank`),
    without a result (`empty`), that is no JSON (`invalid`), nested without end (`nested`), cut short (`truncated`), of
    other types than agreed (`wrong`: `value` is the whole reply, `bytes`: the text of it), endless (`huge`), or from elsewhere (`redirect`)."""

    kind: Trouble = "status"
    status: int = 500
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    value: object = None


@dataclass(frozen=True, slots=True)
class Search:
    """A search as the server took it: `wanted` is what was asked for, `call` the request itself."""

    provider: str
    wanted: Wanted
    call: Call

    @property
    def body(self) -> dict[str, Any]:
        """What a JSON request says."""
        return cast(dict[str, Any], json.loads(self.call.body)) if self.call.body else {}


@dataclass(slots=True)
class _Planned:
    fault: Fault
    provider: str
    left: int | None
    query: str


class SearchServer(Loopback):
    """`with SearchServer(find) as server:` plays each provider at `server.url(NAME)`, and keeps in `asked` what came.

    With `keys` (by provider's name) a request without that key is refused with 401. `hint` is the direct answer that
    Tavily, SearXNG and Serper give beside the results. `latency` passes before each reply.
    """

    def __init__(
        self, find: Finding, *, keys: Mapping[str, str] | None = None, hint: str = "", latency: float = 0.0
    ) -> None:
        super().__init__()
        self.find = find
        self.keys = dict(keys or {})
        self.hint = hint
        self.latency = latency
        self.asked: list[Search] = []
        self.open = 0
        self.most = 0
        self._planned: list[_Planned] = []

    def url(self, provider: str) -> str:
        """What goes into the setting `web.PROVIDER_url`."""
        return f"http://127.0.0.1:{self.port}/{provider}"

    def queries(self, provider: str = "") -> list[str]:
        """What was searched for, in order of arrival."""
        return [each.wanted.text for each in self.asked if provider in ("", each.provider)]

    def fail(self, fault: Fault, provider: str = "", *, times: int | None = 1, query: str = "") -> None:
        """Let the next `times` searches (None: all) of `provider` ("": any) whose text has `query` in it go wrong."""
        self._planned.append(_Planned(fault, provider, times, query))

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self._planned.clear()

    async def answer(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        provider, _, path = call.path.removeprefix("/").partition("/")
        made = MADE.get(provider)
        if made is None or f"/{path}" != made.path or call.method != made.method:
            return await send(writer, b'{"detail": "Not Found"}', 404)
        search = Search(provider, wanted(provider, said_in(call)), call)
        self.asked.append(search)
        if self.keys.get(provider, "") != made.key(call.headers) and provider in self.keys:
            return await send(writer, refusal(provider, 401), 401)
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            await asyncio.sleep(self.latency)
            fault = self._next(search)
            if fault is not None:
                return await _go_wrong(fault, self._reply(search), search, reader, writer)
            return await send(writer, self._reply(search), 200, made.kind)
        finally:
            self.open -= 1

    def _reply(self, search: Search, *, empty: bool = False) -> bytes:
        made, asked = MADE[search.provider], search.wanted
        found = [] if empty else [each for each in self.find(asked.text, asked.limit) if asked.takes(each)]
        return made.write(asked, found[: asked.limit], self.hint)

    def _next(self, search: Search) -> Fault | None:
        for planned in self._planned:
            if planned.provider not in ("", search.provider) or planned.query not in search.wanted.text:
                continue
            if planned.left is None:
                return planned.fault
            if planned.left > 0:
                planned.left -= 1
                return planned.fault
        return None


def said_in(call: Call) -> dict[str, Any]:
    """The values that a request gives, in its address, its form or its JSON."""
    if call.method == "GET":
        return dict(call.params)
    if call.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(call.body.decode()))
    return cast(dict[str, Any], json.loads(call.body))


async def _go_wrong(
    fault: Fault,
    whole: bytes,
    search: Search,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> bool:
    made = MADE[search.provider]
    match fault.kind:
        case "hang":
            await reader.read()
            return False
        case "truncated":
            writer.write(head(200, {"Content-Type": made.kind, "Content-Length": str(len(whole))}))
            writer.write(whole[: len(whole) // 2])
            await writer.drain()
            return False
        case "huge":
            writer.write(head(200, {"Content-Type": made.kind, "Content-Length": str(1 << 40)}))
            while True:
                writer.write(b" " * (1 << 16))
                await writer.drain()
        case "status" | "redirect":
            status = 302 if fault.kind == "redirect" and fault.status == 500 else fault.status
            return await send(writer, refusal(search.provider, status), status, headers=fault.headers)
        case _:
            return await send(writer, _broken(fault, search), 200, made.kind)


def _broken(fault: Fault, search: Search) -> bytes:
    match fault.kind:
        case "blank":
            return b""
        case "invalid":
            return b'<html><body>Just a moment...</body></html>{"results": [' + b'{"title": "half'
        case "nested":
            return b"[" * 200_000
        case "bytes":
            return str(fault.value).encode()
        case "wrong":
            return json.dumps(fault.value).encode()
        case _:
            return MADE[search.provider].write(search.wanted, [], "")
