"""What workers of a cluster are given in tests: named by `module:function`, since they run in other processes."""

import asyncio
import os
from collections.abc import Mapping

from leadline.cluster.base import Handler
from leadline.errors import UsageError


async def slow(setup: Mapping[str, int], pause: float = 0.05) -> Handler:
    """Says who did it, after a moment."""

    async def handle(item: bytes) -> bytes:
        await asyncio.sleep(pause)
        return item + b" %d" % os.getpid()

    return handle


async def slower(setup: Mapping[str, int]) -> Handler:
    """The same after a while, so that the other worker is there before all is done."""
    return await slow(setup, 1.0)


async def dying(setup: Mapping[str, int]) -> Handler:
    """Dies of item 7."""

    async def handle(item: bytes) -> bytes:
        await asyncio.sleep(0.05)
        if item == b"7":
            os._exit(1)
        return item + b" %d" % os.getpid()

    return handle


async def refusing(setup: Mapping[str, int]) -> Handler:
    """Cannot start."""
    raise UsageError("this worker has no room. Give it one.")
