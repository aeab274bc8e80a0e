"""A language model behind an address, as a test sees it: an OpenAI-compatible server on loopback that follows a script.

It runs in a thread and a loop of its own, so that a test that blocks, or runs a command, does not stop it.
"""

import asyncio
import json
import socket
import time
import zlib
from http import HTTPStatus

from leadline.testing.loopback import Loopback
from leadline.testing.model_wire import failed, request, send, stream, whole
from leadline.testing.said import Answering, Asked, Said

MODEL = "scripted"
DIMENSION = 64

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class ModelServer(Loopback):
    """`with ModelServer(script, latency=0.2) as server:` serves at `server.url`, and keeps in `asked` what it was asked.

    `asked` has the chat requests, in order of arrival, `other` those for models and embeddings. `most` is how many
    chat requests were under way at once. `script` may be replaced at any time. With a `key` every request must
    carry it; `models` are the names that exist, `context` their size in tokens, told as vLLM tells it. With `streams`
    False a whole reply is sent where a stream is asked for.
    """

    def __init__(
        self,
        script: Answering,
        *,
        latency: float = 0.0,
        key: str = "",
        models: tuple[str, ...] = (MODEL,),
        context: int | None = None,
        dimension: int = DIMENSION,
        streams: bool = True,
    ) -> None:
        super().__init__()
        self.script = script
        self.latency = latency
        self.key = key
        self.models = models
        self.context = context
        self.dimension = dimension
        self.streams = streams
        self.asked: list[Asked] = []
        self.other: list[Asked] = []
        self.open = 0
        self.most = 0

    @property
    def url(self) -> str:
        """What goes into `LEADLINE_BASE_URL`."""
        return f"http://127.0.0.1:{self.port}/v1"

    def steps(self) -> list[str]:
        """What each chat request was for, in order of arrival."""
        return [each.step for each in self.asked]

    def forget(self) -> None:
        """Count from here."""
        self.asked.clear()
        self.other.clear()
        self.most = self.open

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until either side has enough."""
        while (asked := await request(reader)) is not None:
            if not await self._answer(asked, (reader, writer)):
                break

    async def _answer(self, asked: Asked, connection: Connection) -> bool:
        """Whether the connection can be used again."""
        _, writer = connection
        if self.key and asked.headers.get("authorization") != f"Bearer {self.key}":
            self.other.append(asked)
            return await send(writer, failed(401, "Incorrect API key provided"), 401)
        if not asked.path.endswith("/chat/completions"):
            self.other.append(asked)
            status, body = self._plain(asked)
            return await send(writer, body, status)
        self.asked.append(asked)
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            return await self._chat(asked, connection)
        finally:
            self.open -= 1
            asked.ended = time.monotonic()

    def _plain(self, asked: Asked) -> tuple[int, str]:
        if asked.path.endswith("/models"):
            size = {} if self.context is None else {"max_model_len": self.context}
            data = [{"id": name, "object": "model", "owned_by": "test", **size} for name in self.models]
            return 200, json.dumps({"object": "list", "data": data})
        if asked.path.endswith("/embeddings"):
            given = asked.body.get("input", [])
            texts: list[str] = [given] if isinstance(given, str) else list(given)
            rows = [
                {"object": "embedding", "index": n, "embedding": _vector(text, self.dimension)}
                for n, text in enumerate(texts)
            ]
            return 200, json.dumps({"object": "list", "data": rows, "model": asked.body.get("model", "")})
        return 404, failed(404, f"no such address: {asked.path}")

    async def _chat(self, asked: Asked, connection: Connection) -> bool:
        reader, writer = connection
        if asked.body.get("model") not in self.models:
            text = f"The model {asked.body.get('model')!r} does not exist"
            return await send(writer, failed(404, text), 404)
        said = self.script(asked)
        said = Said(said) if isinstance(said, str) else said
        await asyncio.sleep(self.latency if said.seconds is None else said.seconds)
        if said.silent:
            await reader.read()
            return False
        if said.status != HTTPStatus.OK:
            return await send(writer, failed(said.status, said.text or ""), said.status, said.headers)
        if said.raw is not None:
            return await send(writer, said.raw, 200, said.headers)
        if asked.streams and self.streams:
            return await stream(asked, said, writer)
        return await whole(asked, said, writer)


def unused_port() -> int:
    """A port of loopback that nobody listens at, so that a connection is refused."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _vector(text: str, dimension: int) -> list[float]:
    """Words in common make vectors alike."""
    vector = [0.0] * dimension
    for word in text.lower().split():
        vector[zlib.crc32(word.encode()) % dimension] += 1.0
    return vector
