"""A real Milvus server for tests: the process that PyPI's package `milvus` carries, in a folder of its own.

It asks for a password, as servers that people share do.
"""

import importlib.util
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from leadline.store.served_rows import Address

PACKAGE = "milvus"
TOKEN = "root:Milvus"
"""A new server's only user."""

# The server ends when the pipe from the test does, so that a killed test leaves none behind.
START = """
import os, sys
os.environ["no_proxy"] = "*"
from milvus import MilvusServer, MilvusServerConfig
config = MilvusServerConfig(data_dir=sys.argv[1], proxy_port=int(sys.argv[2]))
server = MilvusServer(config, wait_for_started=False)
server.config.set("authorization_enabled", True)
server.config.set("proxy.timeTickInterval", 20)
try:
    server.start()
    server.wait_started(600_000)
    print("ready", flush=True)
    sys.stdin.read()
finally:
    server.stop()
"""


@dataclass(frozen=True, slots=True)
class MilvusServer:
    """A server that has started."""

    address: Address


def is_installed() -> bool:
    """Whether there is a server to start."""
    return importlib.util.find_spec(PACKAGE) is not None


@contextmanager
def milvus_server(folder: Path) -> Generator[MilvusServer]:
    """Start one on free ports, and end it afterwards."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    folder.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(
        [sys.executable, "-c", START, str(folder), str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if process.stdout.readline() != "ready\n":
                raise RuntimeError(f"the Milvus server did not start: {process.communicate()[1][-2000:]}")
            yield MilvusServer(Address(f"http://127.0.0.1:{port}", TOKEN))
        finally:
            if not process.stdin.closed:
                process.stdin.close()
            process.wait(timeout=600)
