"""A run keeps its limits, can be watched and stopped, and loses nothing that finished."""

import asyncio
from contextlib import aclosing

import pytest

from leadline.errors import BudgetSpent, Cancelled, DocumentError, LeadlineError
from leadline.events import Event, Notice
from leadline.run import Budget, Purpose, Run, each, settle, watch
from leadline.testing.running import go
from leadline.types import Usage


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("budget", "spent", "limit"),
    [
        (Budget(searches=3), {"searches": 3}, "searches"),
        (Budget(calls=100), {"calls": 85}, "calls"),
        (Budget(tokens=1000), {"tokens": 850}, "tokens"),
        (Budget(seconds=10), {"seconds": 8.5}, "deadline"),
    ],
)
def test_gathering_ends_at_its_share_of_a_limit(budget: Budget, spent: dict[str, float], limit: str) -> None:
    clock = Clock()
    run = Run(budget, clock=clock)
    purpose: Purpose = "search" if limit == "searches" else "gather"
    for just_below in (True, False):
        for name, value in spent.items():
            value -= just_below
            if name == "seconds":
                clock.now = 100.0 + value
            else:
                setattr(run, name, int(value))
        if just_below:
            run.check(purpose)
    with pytest.raises(BudgetSpent, match=limit) as caught:
        run.check(purpose)
    assert caught.value.limit == limit


def test_writing_may_use_the_reserve_but_no_more() -> None:
    clock = Clock()
    run = Run(Budget(calls=100, seconds=10), clock=clock)
    run.calls, clock.now = 99, 109.9
    run.check("write")
    run.calls = 100
    with pytest.raises(BudgetSpent, match="calls: 100 of 100 used"):
        run.check("write")
    run.calls, clock.now = 99, 110.0
    with pytest.raises(BudgetSpent, match="deadline: 10 of 10 used"):
        run.check("write")


def test_the_first_search_may_use_what_is_kept_for_writing() -> None:
    clock = Clock()
    run = Run(Budget(seconds=10), clock=clock)
    clock.now = 109.0
    run.check("search")
    run.search_spent()
    with pytest.raises(BudgetSpent, match="deadline: 9 of 10 used"):
        run.check("search")


def test_a_budget_of_one_search_allows_one() -> None:
    run = Run(Budget(searches=1))
    run.check("search")
    run.search_spent()
    with pytest.raises(BudgetSpent, match="searches: 1 of 1 used"):
        run.check("search")


def test_what_was_found_may_be_read_and_written_when_all_searches_are_used() -> None:
    run = Run(Budget(searches=1), searches=1)
    run.check()
    run.check("write")


@pytest.mark.parametrize(("limit", "gathering"), [(2, 1), (4, 3), (7, 5)])
def test_of_few_calls_one_is_kept_for_writing(limit: int, gathering: int) -> None:
    run = Run(Budget(calls=limit), calls=gathering)
    with pytest.raises(BudgetSpent):
        run.check()
    run.check("write")
    run.calls = gathering - 1
    run.check()


def test_a_budget_of_one_call_allows_one() -> None:
    run = Run(Budget(calls=1))
    run.check()
    run.call_spent(10)
    with pytest.raises(BudgetSpent, match="calls: 1 of 1 used"):
        run.check("write")


def test_a_search_goes_on_when_the_limits_of_models_are_spent() -> None:
    run = Run(Budget(searches=2, calls=1, tokens=10, usd=0.1), calls=1, tokens=10, usd=0.1)
    run.check("search")
    with pytest.raises(BudgetSpent, match="calls: 1 of 1 used"):
        run.check()
    run.searches = 2
    with pytest.raises(BudgetSpent, match="searches: 2 of 2 used"):
        run.check("search")
    run.cancel()
    with pytest.raises(Cancelled):
        run.check("search")


def test_a_limit_of_none_is_no_limit() -> None:
    run = Run(Budget(searches=None), searches=10**9, calls=10**9, tokens=10**9)
    run.check()
    run.check("write")


def test_a_cancelled_run_gathers_no_more_and_may_still_write() -> None:
    run = Run()
    run.cancel()
    run.check("write")
    with pytest.raises(Cancelled, match="found so far"):
        run.check()


def test_usage_counts_from_the_start_of_the_run() -> None:
    clock = Clock()
    run = Run(clock=clock)
    assert run.usage() == Usage(0, 0, 0, 0.0)
    run.search_spent()
    run.calls, run.tokens, clock.now = 2, 30, 104.5
    assert run.usage() == Usage(1, 2, 30, 4.5)


def test_watching_gives_every_event_and_then_the_result() -> None:
    seen: list[Event] = []

    async def work(run: Run) -> str:
        run.emit(Notice("one"))
        await asyncio.sleep(0)
        run.emit(Notice("two"))
        return "done"

    async def steps() -> list[Event | str]:
        run = Run(emit=seen.append)
        before = run.emit
        found = [item async for item in watch(work, run)]
        assert run.emit == before
        return found

    assert go(steps()) == [Notice("one"), Notice("two"), "done"]
    assert seen == [Notice("one"), Notice("two")]


def test_an_event_is_seen_before_the_work_goes_on() -> None:
    async def steps() -> list[str]:
        order: list[str] = []
        release = asyncio.Event()

        async def work(run: Run) -> str:
            run.emit(Notice("first"))
            await release.wait()
            order.append("worked")
            return "done"

        async for item in watch(work, Run()):
            order.append(item if isinstance(item, str) else "event")
            release.set()
        return order

    assert go(steps()) == ["event", "worked", "done"]


def test_closing_the_watch_cancels_the_work() -> None:
    async def steps() -> list[str]:
        ended: list[str] = []

        async def work(run: Run) -> None:
            run.emit(Notice("begun"))
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise

        run = Run()
        before = run.emit
        async with aclosing(watch(work, run)) as stream:
            async for _ in stream:
                break
        assert run.emit is before
        return ended

    assert go(steps()) == ["cancelled"]


def test_a_failure_of_the_work_comes_after_its_events() -> None:
    async def steps() -> list[object]:
        seen: list[object] = []

        async def work(run: Run) -> None:
            run.emit(Notice("begun"))
            raise DocumentError("broken")

        with pytest.raises(DocumentError, match="broken"):
            async for item in watch(work, Run()):
                seen.append(item)
        return seen

    assert go(steps()) == [Notice("begun")]


def test_each_keeps_the_order_and_the_limit() -> None:
    async def steps() -> tuple[list[int], int]:
        running, most = 0, 0

        async def square(number: int) -> int:
            nonlocal running, most
            running += 1
            most = max(most, running)
            for _ in range(10 - number):
                await asyncio.sleep(0)
            running -= 1
            return number**2

        return await each(square, range(10), limit=3), most

    assert go(steps()) == ([0, 1, 4, 9, 16, 25, 36, 49, 64, 81], 3)


def test_each_of_nothing_is_nothing() -> None:
    async def never(item: int) -> int:
        raise AssertionError(item)

    assert go(each(never, [])) == []
    assert go(settle(never, [])) == []


def test_the_first_failure_of_each_cancels_the_rest_and_is_raised_as_itself() -> None:
    stopped: list[int] = []

    async def work(number: int) -> None:
        if number == 1:
            raise DocumentError("broken")
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            stopped.append(number)
            raise

    with pytest.raises(DocumentError, match="broken"):
        go(each(work, range(3)))
    assert sorted(stopped) == [0, 2]


def test_settle_gives_our_errors_in_their_place() -> None:
    async def halve(number: int) -> int:
        if number % 2:
            raise DocumentError(f"{number} is odd")
        return number // 2

    found = go(settle(halve, [4, 3, 8], limit=1))
    assert [str(item) if isinstance(item, LeadlineError) else item for item in found] == [2, "3 is odd", 4]


def test_settle_raises_what_is_a_bug() -> None:
    async def work(number: int) -> float:
        return 1 / number

    with pytest.raises(ZeroDivisionError):
        go(settle(work, [1, 0]))


def test_what_a_run_spends_counts_in_its_parent_too() -> None:
    whole = Run(Budget(calls=2))
    one, other = Run(Budget(), parent=whole), Run(Budget(), parent=whole)
    one.call_spent(10, 0.5)
    other.search_spent()
    assert (whole.calls, whole.tokens, whole.usd, whole.searches) == (1, 10, 0.5, 1)
    one.call_spent(10)
    with pytest.raises(BudgetSpent):
        other.check("write")


def test_the_nearer_of_two_deadlines_counts() -> None:
    whole = Run(Budget(seconds=5.0), clock=lambda: 0.0)
    assert Run(Budget(), clock=lambda: 0.0, parent=whole).seconds_left() == 5.0
    assert Run(Budget(seconds=2.0), clock=lambda: 0.0, parent=whole).seconds_left() == 2.0
    assert Run(Budget(), clock=lambda: 0.0).seconds_left() is None
    over = Run(Budget(seconds=0.0), clock=lambda: 0.0)
    assert Run(Budget(), clock=lambda: 0.0, parent=over).seconds_left() == 0.0
