"""What steps make once for all rows of a run."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from leadline.flow.keeping import Kept
from leadline.testing.running import go


def test_it_is_made_once_for_all_who_ask_and_ended_in_turn() -> None:
    told: list[str] = []

    @asynccontextmanager
    async def made(name: str) -> AsyncGenerator[str]:
        told.append(f"made {name}")
        await asyncio.sleep(0)
        yield name
        told.append(f"ended {name}")

    async def work() -> None:
        kept = Kept()
        assert await asyncio.gather(*(kept.get("a", lambda: made("a")) for _ in range(3))) == ["a"] * 3
        await kept.get("b", lambda: made("b"))
        await kept.close()
        assert told == ["made a", "made b", "ended b", "ended a"]
        await kept.get("a", lambda: made("a"))
        await kept.close()

    go(work())
    assert told[4:] == ["made a", "ended a"]


def test_what_is_made_may_ask_for_what_it_needs_itself() -> None:
    told: list[str] = []

    async def work() -> None:
        kept = Kept()

        @asynccontextmanager
        async def made(name: str, needs: str) -> AsyncGenerator[str]:
            if needs:
                await kept.get(needs, lambda: made(needs, ""))
            yield name
            told.append(f"ended {name}")

        async with asyncio.timeout(60):
            assert await kept.get("table", lambda: made("table", "readers")) == "table"
        await kept.close()

    go(work())
    assert told == ["ended table", "ended readers"]
