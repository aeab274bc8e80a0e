"""Rows are worked on several at a time; nothing is lost, nothing is done twice, nothing runs on alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.flow.spreading import AHEAD, spread


async def numbers(count: int, failing_at: int | None = None) -> AsyncIterator[int]:
    for number in range(count):
        if number == failing_at:
            raise ValueError(f"row {number} cannot be read")
        yield number


class Work:
    """Doubles a number after as many turns of the loop as `turns` says; remembers how many were at work at once."""

    def __init__(self, turns: dict[int, int] | None = None, failing_at: int | None = None) -> None:
        self.turns = turns or {}
        self.failing_at = failing_at
        self.now = self.most = 0
        self.started: list[int] = []
        self.cancelled: list[int] = []

    async def __call__(self, number: int) -> int:
        self.started.append(number)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            for _ in range(self.turns.get(number, 1)):
                await asyncio.sleep(0)
            if number == self.failing_at:
                raise KeyError(number)
            return number * 2
        except asyncio.CancelledError:
            self.cancelled.append(number)
            raise
        finally:
            self.now -= 1


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 6))
def test_results_come_in_the_order_of_the_rows(turns: list[int], limit: int) -> None:
    async def run() -> tuple[list[int], int]:
        work = Work(dict(enumerate(turns)))
        return [each async for each in spread(numbers(len(turns)), work, limit)], work.most

    results, most = asyncio.run(run())
    assert results == [number * 2 for number in range(len(turns))]
    assert most <= limit


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 6))
def test_unordered_results_are_the_same_ones(turns: list[int], limit: int) -> None:
    async def run() -> list[int]:
        work = Work(dict(enumerate(turns)))
        return [each async for each in spread(numbers(len(turns)), work, limit, ordered=False)]

    assert sorted(asyncio.run(run())) == [number * 2 for number in range(len(turns))]


def test_a_quick_row_overtakes_a_slow_one_only_when_order_does_not_matter() -> None:
    async def run(ordered: bool) -> list[int]:
        return [each async for each in spread(numbers(3), Work({0: 50}), 3, ordered)]

    assert asyncio.run(run(True)) == [0, 2, 4]
    assert asyncio.run(run(False)) == [2, 4, 0]


def test_several_rows_are_at_work_at_once() -> None:
    async def run() -> int:
        work = Work(dict.fromkeys(range(20), 20))
        assert len([each async for each in spread(numbers(20), work, 4)]) == 20
        return work.most

    assert asyncio.run(run()) == 4


def test_a_slow_row_lets_only_so_many_wait_behind_it() -> None:
    async def run() -> int:
        gate = asyncio.Event()
        started: list[int] = []

        async def work(number: int) -> int:
            started.append(number)
            if number == 0:
                await gate.wait()
            return number

        async with aclosing(spread(numbers(1_000), work, 2)) as results:
            first = asyncio.ensure_future(anext(results))
            for _ in range(500):
                await asyncio.sleep(0)
            waiting = len(started)
            gate.set()
            assert await first == 0
        return waiting

    assert asyncio.run(run()) == 2 * AHEAD


@pytest.mark.parametrize("limit", [1, 3])
def test_where_the_rows_fail_what_was_started_comes_first(limit: int) -> None:
    async def run() -> list[int]:
        got: list[int] = []
        with pytest.raises(ValueError, match="row 4 cannot be read"):
            async for each in spread(numbers(9, failing_at=4), Work({1: 9, 3: 30}), limit):
                got.append(each)
        return got

    assert asyncio.run(run()) == [0, 2, 4, 6]


def test_where_the_work_fails_the_rest_is_cancelled() -> None:
    async def run() -> tuple[list[int], list[int]]:
        work, got = Work({1: 20, 2: 1_000}, failing_at=1), list[int]()
        with pytest.raises(KeyError):
            async for each in spread(numbers(9), work, 3):
                got.append(each)
        return got, work.cancelled

    got, cancelled = asyncio.run(run())
    assert got == [0]
    assert 2 in cancelled


def test_closing_it_early_leaves_nothing_at_work() -> None:
    async def run() -> Work:
        work = Work(dict.fromkeys(range(1, 9), 1_000))
        async with aclosing(spread(numbers(9), work, 4)) as results:
            assert await anext(results) == 0
        assert work.now == 0
        return work

    work = asyncio.run(run())
    assert set(work.cancelled) == set(work.started) - {0}
