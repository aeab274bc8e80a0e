"""A real HTTP server on the loopback that speaks OpenAI's /embeddings, as well or as badly as a test wants."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

Reply = tuple[int, Any] | tuple[int, Any, dict[str, str]]


@dataclass
class Server:
    """`reply` makes a reply (status, body, headers) from a request's JSON and its number, from 1."""

    reply: Callable[[dict[str, Any], int], Reply]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])


def vector(text: str) -> list[float]:
    """Three numbers that follow from the text."""
    return [float(len(text)), float(text.count("a")), 1.0]


def good(body: dict[str, Any], number: int) -> Reply:
    """What a server should say, in an order of its own."""
    rows = [{"index": place, "embedding": vector(text)} for place, text in enumerate(body["input"])]
    return 200, {"data": rows[::-1], "model": body["model"]}


@contextmanager
def serving(reply: Callable[[dict[str, Any], int], Reply] = good) -> Generator[Server]:
    server = Server(reply)
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                server.requests.append({"path": self.path, **body})
                server.headers.append(dict(self.headers.items()))
                number = len(server.requests)
            status, said, *more = server.reply(body, number)
            content = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            for name, value in (more[0] if more else {}).items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        thread.join()
        http.server_close()
