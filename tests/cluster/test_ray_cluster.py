"""Work on a Ray cluster of two workers: in order, nothing lost, nothing twice, whatever dies."""

import os
import signal
import subprocess
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing

import pytest

from leadline.cluster import ray_cluster
from leadline.cluster.base import Answer, ClusterOptions, Work
from leadline.cluster.opening import opened
from leadline.errors import UsageError, WorkerFailed
from leadline.testing.running import go

pytestmark = [
    pytest.mark.ray,
    pytest.mark.usefixtures("two_workers"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray", "ignore::ResourceWarning"),
]
COUNT = 40


async def numbers(taken: list[int], count: int = COUNT) -> AsyncIterator[bytes]:
    for number in range(count):
        taken.append(number)
        yield b"%d" % number


def handled_by(name: str, *, ordered: bool = True) -> Work:
    return Work(f"tests.cluster.handlers:{name}", {"pause": 1}, at_once=2, ordered=ordered)


async def answers(work: Work, items: AsyncIterator[bytes]) -> AsyncGenerator[Answer]:
    entered = opened("ray", ClusterOptions(workers=2))
    async with entered as cluster, aclosing(cluster.spread(work, items)) as stream:
        async for answer in stream:
            yield answer


def whole(found: Sequence[Answer]) -> list[bytes]:
    return [(answer.data or b"").split(b" ")[0] for answer in found]


EXPECTED = [b"%d" % number for number in range(COUNT)]


def test_answers_come_in_the_order_of_the_items_from_both_workers() -> None:
    async def work() -> list[Answer]:
        return [answer async for answer in answers(handled_by("slower"), numbers([]))]

    found = go(work())
    assert whole(found) == EXPECTED
    assert [answer.number for answer in found] == list(range(COUNT))
    assert len({(answer.data or b"").split(b" ")[1] for answer in found}) == 2


@pytest.mark.parametrize("title", ["ray::MapWorker", "ray::Read"])
@pytest.mark.parametrize("ordered", [True, False])
def test_a_killed_process_loses_nothing_and_does_nothing_twice(title: str, ordered: bool) -> None:
    async def work() -> list[Answer]:
        found: list[Answer] = []
        async for answer in answers(handled_by("slow", ordered=ordered), numbers([])):
            found.append(answer)
            if len(found) == 10:
                os.kill(processes(title)[0], signal.SIGKILL)
        return found

    found = go(work())
    assert whole(found) == EXPECTED if ordered else sorted(whole(found)) == sorted(EXPECTED)


def processes(title: str) -> list[int]:
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if title in line]


def test_an_item_that_its_worker_dies_of_each_time_is_given_back_and_the_others_are_done() -> None:
    async def work() -> list[Answer]:
        return [answer async for answer in answers(handled_by("dying"), numbers([]))]

    found = go(work())
    assert [answer.number for answer in found if answer.data is None] == [7]
    assert whole(found) == [b"" if number == b"7" else number for number in EXPECTED]


def test_a_worker_that_cannot_start_says_why() -> None:
    async def work() -> None:
        async for _ in answers(handled_by("refusing"), numbers([])):
            pass

    with pytest.raises(WorkerFailed, match=r"has no room\. Give it one"):
        go(work())


def test_no_more_is_taken_than_is_worked_on_and_closing_ends_the_work() -> None:
    taken: list[int] = []

    async def work() -> None:
        async with aclosing(answers(handled_by("slow"), numbers(taken, 10_000))) as stream:
            async for answer in stream:
                if answer.number == 9:
                    break

    go(work())
    assert len(taken) <= 10 + 2 * 2 * 2 + 1
    assert not processes("tests.cluster.handlers")


def test_an_error_where_items_come_from_is_raised_after_what_was_taken_is_done() -> None:
    found: list[Answer] = []

    async def broken() -> AsyncIterator[bytes]:
        async for item in numbers([], 12):
            yield item
        raise UsageError("the file ends in the middle of a line.")

    async def work() -> None:
        async for answer in answers(handled_by("slow"), broken()):
            found.append(answer)

    with pytest.raises(UsageError, match="in the middle"):
        go(work())
    assert whole(found) == EXPECTED[:12]


def test_ray_itself_may_fail_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    answered: Callable[[object], Iterator[Answer]] = getattr(ray_cluster, "_answered")  # noqa: B009
    begun: list[object] = []

    def failing(dataset: object) -> Iterator[Answer]:
        begun.append(dataset)
        for count, answer in enumerate(answered(dataset)):
            if count == 15 and len(begun) < 3:
                raise ValueError("an owner is unknown")
            yield answer

    monkeypatch.setattr(ray_cluster, "_answered", failing)

    async def work() -> list[Answer]:
        return [answer async for answer in answers(handled_by("slow"), numbers([]))]

    assert whole(go(work())) == EXPECTED
    assert len(begun) == 3


def test_ray_that_only_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(dataset: object) -> Iterator[Answer]:
        raise ValueError("an owner is unknown")
        yield

    monkeypatch.setattr(ray_cluster, "_answered", failing)

    async def work() -> None:
        async for _ in answers(handled_by("slow"), numbers([])):
            pass

    with pytest.raises(WorkerFailed, match="Ray failed 3 times: an owner is unknown"):
        go(work())
