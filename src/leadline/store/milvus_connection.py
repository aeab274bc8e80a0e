"""One connection to Milvus: a file, a server, a cluster or Zilliz Cloud. The only file that calls pymilvus' client.

The client blocks, and would stop the event loop: every call runs in a thread.
"""

import asyncio
import logging
import socket
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from milvus_lite.server_manager import server_manager_instance as local_servers
from pymilvus import MilvusClient
from pymilvus.exceptions import MilvusException

from leadline.errors import StoreError, StoreUnreachable
from leadline.store.served_rows import Address

# It prints every failure with its traceback, and each becomes an error of ours that says what to do.
logging.getLogger("pymilvus").setLevel(logging.CRITICAL + 1)
logging.getLogger("milvus_lite").setLevel(logging.CRITICAL + 1)

FILE_ENDING = ".db"
NOT_FOUND = 100
REFUSED = ("auth", "token", "permission", "unauthenticated")
SILENT = ("fail connecting", "unavailable", "deadline", "timeout", "connection", "illegal uri", "retry")

LOOPBACK = {"127.0.0.1", "::1", "localhost"}
CONNECT_SECONDS = 10
SECONDS = 120
"""For one call; without a limit pymilvus tries for minutes."""

_users: Counter[str] = Counter()
"""How often each milvus-lite file is open in this process, which may open it once: the last one out closes it."""

_door = threading.Lock()


class MissingTable(StoreError):
    """The server has no such table."""


class MilvusConnection:
    """Connects at the first call."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._client: Any = None
        self._opening = asyncio.Lock()

    @property
    def is_file(self) -> bool:
        """Whether this is milvus-lite."""
        return self.address.uri.endswith(FILE_ENDING)

    @property
    def place(self) -> str:
        """The address without user and password."""
        return self.address.place

    async def call(self, method: str, *arguments: Any, **options: Any) -> Any:
        """What a method of `MilvusClient` returns."""
        client = await self.client()
        with self._said():
            return await asyncio.to_thread(getattr(client, method), *arguments, timeout=SECONDS, **options)

    async def client(self) -> Any:
        """The client, connected."""
        async with self._opening:
            if self._client is None:
                with self._said():
                    self._client = await asyncio.to_thread(self._connect)
        return self._client

    def _connect(self) -> Any:
        address = self.address
        # A proxy of the environment is no way to this machine.
        near = self.is_file or urlsplit(address.uri).hostname in LOOPBACK
        options: dict[str, Any] = {"grpc_options": {"grpc.enable_http_proxy": 0}} if near else {}
        if not self.is_file:
            try:
                return MilvusClient(address.uri, token=address.token, timeout=CONNECT_SECONDS, **options)
            except MilvusException:
                # To pymilvus a server that lets nobody in is one that does not answer.
                if _listens(address.uri):
                    raise self._refused() from None
                raise
        Path(address.uri).parent.mkdir(parents=True, exist_ok=True)
        with _door:
            client = MilvusClient(address.uri, timeout=CONNECT_SECONDS, **options)
            _users[address.uri] += 1
        return client

    async def close(self) -> None:
        async with self._opening:
            if self._client is not None:
                client, self._client = self._client, None
                await asyncio.to_thread(self._disconnect, client)

    def _disconnect(self, client: Any) -> None:
        with _door:
            client.close()
            if self.is_file:
                _users[self.address.uri] -= 1
                if not _users[self.address.uri]:
                    local_servers.release_server(self.address.uri)

    @contextmanager
    def _said(self) -> Generator[None]:
        """Turn pymilvus' failures into ones that say what to do, with no token in them."""
        try:
            yield
        except MilvusException as error:
            raise self._error(error) from None
        except ValueError as error:
            raise StoreError(
                f"`store_uri` cannot be {self.place} for Milvus ({error}): write `http://localhost:19530`, or a file "
                "`NAME.db`."
            ) from None

    def _error(self, error: MilvusException) -> StoreError:
        text = " ".join(str(error.message).split())
        if self.address.token:
            text = text.replace(self.address.token, "...")
        low, short = text.lower(), text[:200]
        if error.code == NOT_FOUND:
            return MissingTable(
                f"Milvus at {self.place} has no rows of this collection ({short}). Is `store_uri` the server it was "
                "loaded to? Else `leadline collections drop NAME`, then load again."
            )
        if self.is_file and "open local milvus failed" in low:
            return StoreUnreachable(
                f"The file {self.place} cannot be opened: milvus-lite lets one process in at a time. "
                "Close the other one, or run a Milvus server."
            )
        if any(word in low for word in REFUSED):
            return self._refused()
        if any(word in low for word in SILENT):
            return StoreUnreachable(
                f"Milvus at {self.place} does not answer ({short}). Start it, or correct `store_uri`."
            )
        return StoreError(f"Milvus at {self.place} failed: {short}. `leadline doctor` says what to do.")

    def _refused(self) -> StoreUnreachable:
        return StoreUnreachable(
            f"Milvus at {self.place} refuses the token. Set LEADLINE_STORE_TOKEN to `USER:PASSWORD` or an API key."
        )


def _listens(uri: str) -> bool:
    """Whether anybody takes calls there."""
    parts = urlsplit(uri)
    port = parts.port or (443 if parts.scheme == "https" else 19530)
    try:
        socket.create_connection((parts.hostname or "localhost", port), CONNECT_SECONDS).close()
    except OSError:
        return False
    return True
