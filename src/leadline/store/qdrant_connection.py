"""One connection to Qdrant: a folder, a server or its cloud. Its client blocks, so every call runs in a thread."""

import asyncio
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from leadline.errors import StoreError, StoreUnreachable
from leadline.store.served_rows import Address

R = TypeVar("R")

LOOPBACK = {"127.0.0.1", "::1", "localhost"}
SECONDS = 60
REFUSED = {401, 403}
NOT_FOUND = 404

_folders: dict[str, tuple[QdrantClient, int]] = {}
"""The client of each folder and its users: a folder can be open once, and Leadline reads while it writes."""

_door = threading.RLock()
"""Only one thread at a time is in a folder's client."""


class MissingTable(StoreError):
    """The server has no such table."""


class QdrantConnection:
    """Connects at the first call."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._client: QdrantClient | None = None
        self._opening = asyncio.Lock()

    @property
    def is_folder(self) -> bool:
        """Whether this is the engine inside its client, without a server."""
        return "://" not in self.address.uri

    @property
    def is_open(self) -> bool:
        """Whether the key goes over the network unencrypted."""
        parts = urlsplit(self.address.uri)
        return bool(self.address.token) and parts.scheme == "http" and parts.hostname not in LOOPBACK

    @property
    def place(self) -> str:
        """The address without user and password."""
        return self.address.place

    async def call(self, work: Callable[[QdrantClient], R]) -> R:
        """What `work` returns, done in a thread."""
        with self._said():
            async with self._opening:
                if self._client is None:
                    self._client = await asyncio.to_thread(self._connect)
            return await asyncio.to_thread(self._do, self._client, work)

    def _do(self, client: QdrantClient, work: Callable[[QdrantClient], R]) -> R:
        if not self.is_folder:
            return work(client)
        with _door:
            return work(client)

    def _connect(self) -> QdrantClient:
        uri = self.address.uri
        if not self.is_folder:
            # A proxy of the environment is no way to this machine.
            near: dict[str, Any] = {"trust_env": False} if urlsplit(uri).hostname in LOOPBACK else {}
            # Given as `api_key`, a key over http makes the client warn with a line of source: see `is_open`.
            head = {"metadata": {"api-key": self.address.token}} if self.address.token else {}
            port = urlsplit(uri).port or (443 if uri.startswith("https:") else 6333)
            return QdrantClient(
                url=uri, port=port, timeout=SECONDS, check_compatibility=False, **head, **near
            )
        Path(uri).parent.mkdir(parents=True, exist_ok=True)
        with _door:
            client, users = _folders.get(uri) or (_opened(uri), 0)
            _folders[uri] = client, users + 1
            return client

    async def close(self) -> None:
        async with self._opening:
            if self._client is not None:
                client, self._client = self._client, None
                await asyncio.to_thread(self._disconnect, client)

    def _disconnect(self, client: QdrantClient) -> None:
        if not self.is_folder:
            client.close()
            return
        with _door:
            users = _folders[self.address.uri][1] - 1
            _folders[self.address.uri] = client, users
            if not users:
                del _folders[self.address.uri]
                client.close()

    @contextmanager
    def _said(self) -> Generator[None]:
        """Turn the client's failures into ones that say what to do, with no key in them."""
        try:
            yield
        except (ApiException, ValueError, RuntimeError) as error:
            raise self._error(error) from None

    def _error(self, error: Exception) -> StoreError:
        text = " ".join(str(error).split())
        if self.address.token:
            text = text.replace(self.address.token, "...")
        short = text[:200]
        status = error.status_code if isinstance(error, UnexpectedResponse) else None
        if status in REFUSED:
            return StoreUnreachable(
                f"Qdrant at {self.place} refuses the key. Set LEADLINE_STORE_TOKEN to an API key that may write."
            )
        if isinstance(error, ResponseHandlingException):
            return StoreUnreachable(
                f"Qdrant at {self.place} does not answer ({short}). Start it, or correct `store_uri`."
            )
        if "already accessed" in text:
            return StoreUnreachable(
                f"The folder {self.place} is open in another process, and Qdrant lets one in at a time. "
                "Close the other one, or run a Qdrant server."
            )
        if status == NOT_FOUND or "not found" in text.lower():
            return MissingTable(
                f"Qdrant at {self.place} has no rows of this collection ({short}). Is `store_uri` the server it was "
                "loaded to? Else `leadline collections drop NAME`, then load again."
            )
        return StoreError(f"Qdrant at {self.place} failed: {short}. `leadline doctor` says what to do.")


def _opened(folder: str) -> QdrantClient:
    return QdrantClient(path=folder, force_disable_check_same_thread=True)
