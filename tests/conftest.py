"""What every test shares: a closed network and a Hypothesis profile that gives the same examples each run."""

import asyncio
import gc
import ipaddress
import os
import socket
import ssl
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from typing import Any

import certifi
import pytest
from hypothesis import settings

from leadline.cluster.base import ClusterOptions
from leadline.cluster.opening import opened

# Code that is not Python (an extractor's downloads, say) does not pass through `socket.socket`;
# this proxy address answers nobody, so such a request fails at once instead of leaving the machine.
for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
    os.environ[name] = "http://127.0.0.1:9"

settings.register_profile("house", max_examples=50, deadline=None, derandomize=True, database=None)
settings.load_profile("house")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes objects that stay to the end: the garbage collector need not walk over them, then or ever."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no doctests. Looking for some imports a file first, and one that cannot be imported would be taken for empty."""
    found = yield
    return [one for one in found if type(one).__name__ != "DoctestModule"]


class NetworkClosed(AssertionError):
    """A test tried to reach something that is not on this machine."""


def _refuse_outside(family: int, address: Any) -> None:
    if family not in {socket.AF_INET, socket.AF_INET6}:
        return
    host = str(address[0])
    if host in {"localhost", ""}:
        return
    try:
        inside = ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise NetworkClosed(f"tests must not reach {host}")


@pytest.fixture(autouse=True, scope="session")
def closed_network() -> Iterator[None]:
    """Raise on every connection that is not to the loopback interface."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _refuse_outside(self.family, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _refuse_outside(self.family, address)
        return connect_ex(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        yield


AUTHORITIES = {
    certifi.where(),
    ssl.get_default_verify_paths().openssl_cafile,
    os.environ.get("SSL_CERT_FILE"),
}


@pytest.fixture(autouse=True, scope="session")
def nobody_to_trust() -> Iterator[None]:
    """No client reads the certificates of the world's authorities, which takes longer than most tests: all is closed."""
    load = ssl.SSLContext.load_verify_locations

    def load_ours(self: ssl.SSLContext, cafile: Any = None, capath: Any = None, cadata: Any = None) -> None:
        if cafile not in AUTHORITIES:
            load(self, cafile, capath, cadata)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl.SSLContext, "load_verify_locations", load_ours)
        yield


@pytest.fixture(scope="session")
def two_workers() -> Iterator[None]:
    """A Ray cluster of two workers on this machine: whoever opens a cluster finds this one, and leaves it."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    with asyncio.Runner() as runner:
        entered = opened("ray", ClusterOptions(workers=2))
        runner.run(entered.__aenter__())
        yield
        runner.run(entered.__aexit__(None, None, None))
