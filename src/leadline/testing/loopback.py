"""An HTTP server on loopback for tests, written by hand so that it can misbehave anywhere in a reply.

It runs in a thread and a loop of its own, so that a test that blocks, or runs a command, does not stop it.
"""

import asyncio
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True, slots=True)
class Call:
    """A request as it came. `path` is without its query, names of headers are in lower case."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    at: float = field(default_factory=time.monotonic)


class Loopback:
    """`with` serves `answer` at `port`. A mistake of the server's own is raised when the `with` ends."""

    def __init__(self) -> None:
        self.port = 0
        self.failures: list[BaseException] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until either side has enough."""
        while (call := await received(reader)) is not None:
            if not await self.answer(call, reader, writer):
                break

    async def answer(self, call: Call, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Write the reply; False when the connection cannot be used again."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if error is None and self.failures:
            raise self.failures[0]

    def close(self) -> None:
        """Stop serving; what is under way is cut off."""
        if self._loop is not None and self._stop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(10)

    def _run(self) -> None:
        asyncio.run(self._serve())  # noqa: TID251 - a thread of its own, which nothing else runs in

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        tasks: set[asyncio.Task[None]] = set()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._talk(reader, writer))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        server = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=2_048)
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, closed in the end."""
        try:
            await self.talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the client went away, as a client that was cut off does
        except Exception as error:  # noqa: BLE001 - a mistake of the server is raised in the test, by `__exit__`
            self.failures.append(error)
        except asyncio.CancelledError:
            # A client that is gone without a word would be waited for.
            writer.transport.abort()
            raise
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def received(reader: asyncio.StreamReader) -> Call | None:
    """The next request, or None where the client sends no more."""
    first = await reader.readline()
    if not first.strip():
        return None
    method, target, *_ = first.decode("latin-1").split()
    headers: dict[str, str] = {}
    while (line := (await reader.readline()).decode("latin-1").strip()) != "":
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    split = urlsplit(target)
    return Call(method, split.path, dict(parse_qsl(split.query)), headers, body)


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """The first lines of a reply."""
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Unknown"
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def send(
    writer: asyncio.StreamWriter,
    body: bytes,
    status: int = 200,
    kind: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> bool:
    """Write a whole reply."""
    told = {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}
    writer.write(head(status, told) + body)
    await writer.drain()
    return True
