"""Calls made side by side end in any order: the answer must not show which of them was first."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, ParamSpec, TypeVar, cast

import pytest

from leadline import looking
from leadline.config import Settings
from leadline.store.base import Store
from leadline.testing.running import go
from leadline.testing.said import Asked, Said
from leadline.types import Usage
from tests.scenarios.model_product import THINKER, product
from tests.scenarios.model_rows import STEPS, Step

P = ParamSpec("P")
T = TypeVar("T")

SIDE_BY_SIDE: tuple[Step, ...] = (
    Step("expand", expand=True),
    Step("expand", expand=True, collections=()),
    Step("expand", agent="chain", expand=True),
    Step("judge", batch=3, expand=True),
    Step("judge", batch=1, expand=True),
)
"""Planning beside rewriting, sub-queries, collections, batches of the judge."""
KINDS = [*SIDE_BY_SIDE, *(step for step in STEPS if step.name in {"plan", "note", "choose_collections"})]


class Jitter:
    """Makes everything that is waited for take a random time, of which every run has others."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.waited = set[str]()

    def slow(self, work: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
        async def later(*given: P.args, **named: P.kwargs) -> T:
            await asyncio.sleep(self.random.uniform(0, 0.006))
            done = await work(*given, **named)
            self.waited.add(getattr(work, "__name__", ""))
            await asyncio.sleep(self.random.uniform(0, 0.006))
            return done

        return later

    def answer(self, asked: Asked) -> Said:
        return Said(THINKER(asked), seconds=self.random.uniform(0, 0.03))


class SlowStore:
    """A store each of whose reads takes a random time."""

    def __init__(self, inner: Store, jitter: Jitter) -> None:
        self._inner, self._jitter = inner, jitter

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._jitter.slow(found) if inspect.iscoroutinefunction(found) else found


@pytest.fixture
def jitter(monkeypatch: pytest.MonkeyPatch) -> Jitter:
    made, open_store = Jitter(7731), looking.open_store

    async def opened(settings: Settings, **how: Any) -> Store:
        return cast("Store", SlowStore(await open_store(settings, **how), made))

    monkeypatch.setattr(looking, "open_store", opened)
    monkeypatch.setattr(asyncio, "to_thread", made.slow(asyncio.to_thread))
    return made


async def answers(world: Path, step: Step, times: int, jitter: Jitter) -> set[str]:
    """Every different answer."""
    found = set[str]()
    async with product(world, ask={"judge_batch": step.batch}) as running:
        for _ in range(times):
            outcome = await running.ask(step, jitter.answer)
            assert outcome.stood_in == []
            assert outcome.answer.claims
            found.add(repr(replace(outcome.answer, usage=Usage())))
    assert {"dense", "keyword", "phrases", "document", "to_thread"} <= jitter.waited
    return found


def test_which_of_the_calls_side_by_side_ends_first_changes_nothing(world: Path, jitter: Jitter) -> None:
    assert len(go(answers(world, SIDE_BY_SIDE[0], 4, jitter))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("step", KINDS, ids=str)
def test_no_order_in_which_calls_end_ever_changes_an_answer(world: Path, jitter: Jitter, step: Step) -> None:
    assert len(go(answers(world, step, 20, jitter))) == 1
