"""What is done before a run ends is kept, what is not is left off."""

import asyncio

import pytest

from leadline.errors import DocumentError
from leadline.run import Budget, Run, done_in_time
from leadline.testing.running import go


async def after(seconds: float) -> float:
    await asyncio.sleep(seconds)
    if seconds == 0.01:
        raise DocumentError("this one fails")
    return seconds


def test_results_and_failures_stay_in_their_places() -> None:
    found = go(done_in_time(after, [0.02, 0.01, 0.0], Run(), limit=2))
    assert [found[0], found[2]] == [0.02, 0.0]
    assert isinstance(found[1], DocumentError)
    assert go(done_in_time(after, [], Run(), limit=2)) == []


def test_a_deadline_leaves_off_what_is_not_done() -> None:
    assert go(done_in_time(after, [60.0, 0.0], Run(Budget(seconds=1)), limit=2)) == [None, 0.0]


def test_a_cancel_leaves_off_what_is_not_done() -> None:
    async def work() -> list[object]:
        run = Run()
        asyncio.get_running_loop().call_later(0.3, run.cancel)
        return list(await done_in_time(after, [60.0, 0.0, 60.0], run, limit=1 + 1))

    assert go(work()) == [None, 0.0, None]


def test_a_mistake_of_ours_is_raised_and_nothing_runs_on() -> None:
    ended: list[str] = []

    async def wrong(item: str) -> str:
        try:
            if item == "bug":
                raise ZeroDivisionError
            await asyncio.sleep(0.05)
            return item
        finally:
            ended.append(item)

    with pytest.raises(ZeroDivisionError):
        go(done_in_time(wrong, ["bug", "slow"], Run(), limit=2))
    assert sorted(ended) == ["bug", "slow"]


def test_whoever_closes_the_run_cancels_the_work() -> None:
    async def work() -> list[str]:
        ended: list[str] = []

        async def slow(item: str) -> None:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(item)

        task = asyncio.create_task(done_in_time(slow, ["a", "b"], Run(), limit=2))
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return ended

    assert sorted(go(work())) == ["a", "b"]
