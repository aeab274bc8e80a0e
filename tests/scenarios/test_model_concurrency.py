"""Many questions at once in one process: the limit of calls holds for all together, budgets for each alone."""

import asyncio
from pathlib import Path

import pytest

from benchmarks.many_questions import CALLS, measure
from benchmarks.model_world import QUESTION
from leadline.run import Budget, Run
from leadline.testing.running import go
from leadline.testing.said import Asked, Said, refusal
from leadline.types import Answer, StopReason
from tests.scenarios.model_product import THINKER, product
from tests.scenarios.model_rows import SECRET

MANY = 8
PARALLEL = 4


def test_the_limit_of_calls_holds_for_all_and_a_budget_for_its_run(world: Path) -> None:
    budgets = [Budget(calls=4) if number % 2 else Budget() for number in range(MANY)]

    async def work() -> list[Answer]:
        async with product(world, llm={"parallel": PARALLEL}) as running:
            running.server.latency = 0.01
            asks = (
                running.workspace.ask(
                    f"{QUESTION} ({n})", agent="deep", collections=["default"], run=Run(budget)
                )
                for n, budget in enumerate(budgets)
            )
            answers = await asyncio.gather(*asks)
            assert running.server.most == PARALLEL
            assert sum(answer.usage.calls for answer in answers) == len(running.server.asked)
            return answers

    answers = go(work())
    free, limited = answers[::2], answers[1::2]
    assert {answer.usage.calls for answer in free} == {7}
    assert {answer.stop for answer in free} <= {StopReason.MAX_ROUNDS, StopReason.ANSWERED}
    assert max(answer.usage.calls for answer in limited) <= 4
    assert {answer.stop for answer in limited} == {StopReason.BUDGET}
    assert all(answer.found for answer in free)
    assert all(answer.evidence for answer in answers)


def test_questions_whose_calls_fail_do_not_disturb_those_beside_them(world: Path) -> None:
    def answer(asked: Asked) -> Said | str:
        return refusal(500, SECRET) if "(1)" in asked.prompt else THINKER(asked)

    async def work() -> list[Answer]:
        async with product(world, answer, llm={"parallel": PARALLEL}) as running:
            asks = (
                running.workspace.ask(f"{QUESTION} ({n % 2})", agent="deep", collections=["default"])
                for n in range(6)
            )
            return await asyncio.gather(*asks)

    answers = go(work())
    assert {len(each.claims) for each in answers[::2]} == {7}
    assert {each.notices for each in answers[::2]} == {()}
    assert all(each.evidence and each.notices for each in answers[1::2])


@pytest.mark.slow
def test_a_thousand_questions_end_and_leave_no_memory_behind() -> None:
    figures = measure(questions=1_000, at_once=200, latency=0.05, parallel=64)
    assert [each.answered for each in figures.waves] == [200] * 5
    assert figures.at_once <= figures.parallel
    assert max(each.most_calls_with_budget for each in figures.waves) <= CALLS
    assert {each.stopped_by_budget for each in figures.waves} == {100}
    assert figures.growth <= 1.1
