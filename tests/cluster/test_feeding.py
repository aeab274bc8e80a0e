"""Items wait for workers: asked for again, begun again, forgotten."""

import asyncio

from leadline.cluster.base import TRIES
from leadline.cluster.feeding import Feeder
from leadline.testing.running import go


def test_an_item_is_waited_for_and_none_follows_the_last() -> None:
    async def work() -> list[bytes | None]:
        feeder = Feeder()
        asked = [asyncio.create_task(feeder.item(number)) for number in range(3)]
        for item in (b"a", b"b"):
            await feeder.put(item)
        await feeder.end()
        return list(await asyncio.gather(*asked))

    assert go(work()) == [b"a", b"b", None]


def test_an_item_is_given_out_again_until_it_is_answered() -> None:
    async def work() -> list[bytes | None]:
        feeder = Feeder()
        await feeder.put(b"a")
        given = [await feeder.item(0), await feeder.item(0)]
        await feeder.forget(0)
        return [*given, await feeder.item(0)]

    assert go(work()) == [b"a", b"a", b""]


def test_an_item_may_be_begun_so_many_times() -> None:
    async def work() -> list[bool]:
        feeder = Feeder()
        await feeder.put(b"a")
        assert await feeder.begin(0) == 0
        assert await feeder.begin(0) == 1
        return [await feeder.begin_again(0) for _ in range(TRIES)]

    assert go(work()) == [True] * (TRIES - 1) + [False]
