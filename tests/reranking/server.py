"""A real HTTP server on the loopback that speaks /rerank, as well or as badly as a test wants."""

import json
import socket
import struct
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

from leadline.analysis.terms import analyse


@dataclass
class Server:
    """`reply` says what comes back to a request's JSON and its number, from 1."""

    reply: "Replying"
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    closing: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)


RESET, HANG, DRIP = "reset", "hang", "drip"
"""Instead of (status, body, headers): half a reply and a reset connection, no reply, blanks without end."""

Replying = Callable[[dict[str, Any], int], Any]


def always(status: int, said: Any = b"", headers: dict[str, str] | None = None) -> Replying:
    """The same reply to everything."""
    return lambda body, number: (status, said, headers or {})


def ending(how: str) -> Replying:
    """Every connection ends, or does not end, in the same way."""
    return lambda body, number: how


def overlap(query: str, document: str) -> float:
    """The share of the query's terms that the document holds."""
    asked = set(analyse(query))
    return len(asked & set(analyse(document))) / max(len(asked), 1)


def scored(body: dict[str, Any]) -> list[dict[str, Any]]:
    """A good list of results, best first, as servers send it."""
    rows = [
        {"index": place, "relevance_score": overlap(body["query"], document)}
        for place, document in enumerate(body["documents"])
    ]
    return sorted(rows, key=lambda row: -row["relevance_score"])


def good(body: dict[str, Any], number: int) -> Any:
    """What Jina and Cohere say."""
    return 200, {"model": body["model"], "results": scored(body), "usage": {"total_tokens": 9}}, {}


class _Handler(BaseHTTPRequestHandler):
    said: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.said.lock:
            self.said.requests.append({"path": self.path, **body})
            self.said.headers.append(dict(self.headers.items()))
            number = len(self.said.requests)
        reply = self.said.reply(body, number)
        # A client that has seen enough hangs up, and one that was reset is gone.
        with suppress(OSError):
            if reply == RESET:
                self._reset()
            elif reply in (HANG, DRIP):
                self._never_end(reply)
            else:
                self._send(*reply)

    def _send(self, status: int, said: Any, headers: dict[str, str]) -> None:
        content = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _reset(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "1000")
        self.end_headers()
        self.wfile.write(b'{"results": [')
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _never_end(self, how: str) -> None:
        if how == DRIP:
            self.send_response(200)
            self.end_headers()
        while not self.said.closing.wait(0.02):
            if how == DRIP:
                self.wfile.write(b" ")

    def finish(self) -> None:
        with suppress(OSError):
            super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(reply: Replying = good) -> Generator[Server]:
    """The server, until the block ends."""
    server = Server(reply)
    http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"said": server}))
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        thread.join()
        http.server_close()
