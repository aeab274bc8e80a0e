"""Run a coroutine from a plain test function."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def go(coroutine: Coroutine[Any, Any, T], *, seconds: float = 600.0) -> T:
    """Run to its end in a loop of its own; `TimeoutError` after `seconds`, so that no test can hang.

    The limit is far above what any test takes: it is there for one that hangs, not for a slow machine.
    """

    async def bounded() -> T:
        async with asyncio.timeout(seconds):
            return await coroutine

    return asyncio.run(bounded())  # noqa: TID251 - tests start their own loop, as no application is there to
