"""A web server on this machine, with pages that behave well and badly."""

import gzip
import threading
import time
import zlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HTML = b"<html><head><title>Tide mills</title></head><body><h1>Tide mills</h1><p>Built in 1784.</p></body></html>"


@dataclass
class Served:
    """Where the server is, and which requests came: path, Host header, Cookie header."""

    port: int = 0
    asked: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def _page(handler: BaseHTTPRequestHandler) -> None:
    _send(handler, HTML, {"Content-Type": "text/html; charset=utf-8", "Set-Cookie": "who=you"})


def _packed(handler: BaseHTTPRequestHandler) -> None:
    _send(handler, gzip.compress(HTML), {"Content-Type": "text/html", "Content-Encoding": "gzip"})


def _deflated(handler: BaseHTTPRequestHandler) -> None:
    _send(handler, zlib.compress(HTML), {"Content-Type": "text/html", "Content-Encoding": "deflate"})


def _deflated_bare(handler: BaseHTTPRequestHandler) -> None:
    packed = zlib.compress(HTML, wbits=-zlib.MAX_WBITS)
    _send(handler, packed, {"Content-Type": "text/html", "Content-Encoding": "deflate"})


def _bomb(handler: BaseHTTPRequestHandler) -> None:
    _send(handler, gzip.compress(b"a" * (40 << 20)), {"Content-Encoding": "gzip"})


def _endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(10_000):
            handler.wfile.write(b"a" * 65_536)
    except OSError:
        pass


def _slow(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(100):
            handler.wfile.write(b"a")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        pass


def _odd(handler: BaseHTTPRequestHandler) -> None:
    _send(handler, b"x", {"Content-Encoding": "br"})


def _text(handler: BaseHTTPRequestHandler) -> None:
    _send(handler, b"Plain words.", {"Content-Type": "text/plain"})


def _empty(handler: BaseHTTPRequestHandler) -> None:
    _send(handler, b"  ", {"Content-Type": "text/plain"})


PAGES: Mapping[str, Callable[[BaseHTTPRequestHandler], None]] = {
    "/page": _page,
    "/packed": _packed,
    "/deflated": _deflated,
    "/deflated-bare": _deflated_bare,
    "/bomb": _bomb,
    "/endless": _endless,
    "/slow": _slow,
    "/odd": _odd,
    "/text": _text,
    "/empty": _empty,
}


def _send(handler: BaseHTTPRequestHandler, data: bytes, headers: Mapping[str, str]) -> None:
    handler.send_response(200)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    with suppress(OSError):
        handler.wfile.write(data)


class _Handler(BaseHTTPRequestHandler):
    served: Served

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        self.served.asked.append((path, self.headers["Host"], self.headers.get("Cookie", "")))
        if path == "/to":  # /to?URL redirects there
            self.send_response(302)
            self.send_header("Location", query)
            self.end_headers()
        elif path in PAGES:
            PAGES[path](self)
        else:
            self.send_error(404)

    def log_message(self, format: str, *args: object) -> None: ...


@contextmanager
def serving() -> Generator[Served]:
    served = Served()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"served": served}))
    served.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
