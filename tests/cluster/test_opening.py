"""A cluster is opened by its address, or said not to be there."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed"),
]

ASK = """
import asyncio, sys
from leadline.cluster.base import ClusterOptions
from leadline.cluster.opening import opened
from leadline.errors import UsageError

async def ask():
    async with opened("ray", ClusterOptions(address=sys.argv[1])):
        pass

try:
    asyncio.run(ask())
except UsageError as error:
    print(error)
"""


def said_of(address: str) -> str:
    command = [sys.executable, "-c", ASK, address]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout


def test_a_cluster_that_is_not_there_is_told_with_its_address() -> None:
    said = said_of("127.0.0.1:1")
    assert "no Ray cluster at `127.0.0.1:1`" in said
    assert "cluster.address" in said


def test_an_address_is_a_host_and_a_port() -> None:
    assert "HOST:PORT" in said_of("ray://somewhere")
