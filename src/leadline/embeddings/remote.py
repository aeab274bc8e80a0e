"""Any server with an OpenAI-compatible `/embeddings`; what it replies is checked before it is used.

texts -> batches, a few requests at once -> retry what may pass -> check number, order, dimension, values
"""

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import numpy as np

from leadline.embeddings.base import EncoderOptions, Strength, Vectors, encodable, unit
from leadline.embeddings.coverage import strength
from leadline.endpoints import MAY_PASS, address, is_here, pause
from leadline.errors import EmbeddingFailed

KEY = "LEADLINE_EMBEDDING_KEY"
PER_REQUEST = 32
AT_ONCE = 4
ATTEMPTS = 4
LONGEST_WAIT = 20.0
LARGEST_REPLY = 64 << 20


class RemoteEmbedder:
    """Asks the server once when it is made, to learn the dimension. `name` is the model's, as the server has it."""

    def __init__(self, options: EncoderOptions) -> None:
        self._url = address("embedding", "remote", options.url, options.model, "/embeddings")
        self._options = options
        headers = {"Authorization": f"Bearer {options.key}"} if options.key else {}
        self._client = httpx2.Client(
            headers=headers, timeout=options.timeout, trust_env=not is_here(self._url.host)
        )
        self._dimension = 0
        self._dimension = self.embed_queries(["a"]).shape[1]

    @property
    def name(self) -> str:
        return f"remote-{self._options.model}"

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def strength(self) -> Strength:
        return strength(self._options.scripts or None)

    @property
    def slow(self) -> bool:
        return True

    @property
    def batch(self) -> int:
        return PER_REQUEST * AT_ONCE

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(encodable(self._options.query_prefix, texts))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed(encodable(self._options.passage_prefix, texts))

    def _embed(self, texts: list[str]) -> Vectors:
        # Servers refuse an empty text, which has no meaning anyway.
        asked = [row for row, text in enumerate(texts) if text.strip()]
        parts = [asked[start : start + PER_REQUEST] for start in range(0, len(asked), PER_REQUEST)]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            replies = list(pool.map(self._ask, ([texts[row] for row in rows] for rows in parts)))
        found = np.zeros((len(texts), replies[0].shape[1] if replies else self._dimension), np.float32)
        for rows, reply in zip(parts, replies, strict=True):
            found[rows] = reply
        return found

    def _ask(self, texts: list[str]) -> Vectors:
        body: dict[str, object] = {"model": self._options.model, "input": texts, "encoding_format": "float"}
        for attempt in range(1, ATTEMPTS + 1):
            last = attempt == ATTEMPTS
            try:
                status, retry_after, reply = self._post(body)
            except httpx2.RequestError as error:
                if last or isinstance(error, httpx2.UnsupportedProtocol):
                    raise self._failed(f"cannot be reached: {str(error) or type(error).__name__}") from error
                retry_after = ""
            else:
                if status == 200:
                    return self._checked(reply, len(texts))
                if last or status not in MAY_PASS:
                    raise self._refused(status, reply)
            time.sleep(pause(attempt, retry_after, LONGEST_WAIT))
        raise AssertionError("the last attempt returns or raises")

    def _post(self, body: dict[str, object]) -> tuple[int, str, bytes]:
        """Status, Retry-After and body of one reply."""
        with self._client.stream("POST", self._url, json=body) as response:
            parts: list[bytes] = []
            size = 0
            for part in response.iter_bytes():
                size += len(part)
                if size > LARGEST_REPLY:
                    raise self._failed(f"sent more than {LARGEST_REPLY >> 20} MiB for {PER_REQUEST} texts")
                parts.append(part)
            return response.status_code, response.headers.get("retry-after", ""), b"".join(parts)

    def _checked(self, reply: bytes, count: int) -> Vectors:
        """The vectors of a reply in the order of the texts."""
        try:
            rows: list[dict[str, Any]] = json.loads(reply)["data"]
            placed = {int(row.get("index", place)): row["embedding"] for place, row in enumerate(rows)}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise self._failed("sent no reply of the form of OpenAI's /embeddings") from error
        if len(rows) != count or set(placed) != set(range(count)):
            raise self._failed(f"sent {len(rows)} vectors for {count} texts, or not one for each")
        try:
            vectors = np.array([placed[place] for place in range(count)], dtype=np.float32)
        except (ValueError, TypeError, OverflowError) as error:
            raise self._failed(
                "sent vectors of different lengths, or of something else than numbers"
            ) from error
        if vectors.ndim != 2 or not vectors.shape[1]:
            raise self._failed("sent something else than one list of numbers for each text")
        if not np.isfinite(vectors).all():
            raise self._failed("sent a vector with a number that is not finite")
        if self._dimension and vectors.shape[1] != self._dimension:
            raise self._failed(f"sent {vectors.shape[1]} dimensions where it had {self._dimension} before")
        return unit(vectors)

    def _refused(self, status: int, reply: bytes) -> EmbeddingFailed:
        said = " ".join(reply[:300].decode("utf-8", "replace").split())
        if self._options.key:
            said = said.replace(self._options.key, "***")
        remedy = ""
        if status in (401, 403):
            remedy = f" Set the environment variable {self._options.variable or KEY} to a valid key."
        elif status == 404:
            remedy = " Check `embedding_url` (it ends where `/embeddings` is added) and `embedding_model`."
        return self._failed(f"answered {status}: {said or 'nothing'}.{remedy}")

    def _failed(self, what: str) -> EmbeddingFailed:
        return EmbeddingFailed(f"The embedding server {self._url} {what.rstrip('.')}.")


def build(options: EncoderOptions | None = None) -> RemoteEmbedder:
    """The registry's entry."""
    return RemoteEmbedder(options or EncoderOptions())
