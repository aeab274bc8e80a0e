"""The fault table, second part: what can happen to a call, in every step, over real HTTP.

The quick suite takes a few failures for each step, other ones for each; the slow one takes all.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from leadline.errors import LeadlineError, ModelUnusable
from leadline.events import CallFailed, CutShort, Defaulted
from leadline.reasoning.model_writing import CUT
from leadline.run import Budget
from leadline.testing.model_server import ModelServer, unused_port
from leadline.testing.running import go
from leadline.testing.said import Asked, Said, refusal, reset, silence
from leadline.types import StopReason
from tests.scenarios.model_product import KEY, PLAIN, THINKER, Product, ask, product, script, sound
from tests.scenarios.model_rows import FAILURES, SECRET, STEPS, Shape, Step, few
from tests.scenarios.test_model_replies import EVERY, SOME, asked, failing, steps

WRITE = Step("write")
FIRST = {"plan", "choose_agent", "follow_up"}
"""Steps before which nothing was paid."""


async def failed(world: Path, step: Step, shapes: Mapping[str, Shape]) -> dict[str, str]:
    async def check(running: Product, shape: Shape) -> None:
        try:
            outcome = await asked(running, step, shape)
        except ModelUnusable as error:
            told = str(error)
            assert len(running.server.asked) == 1
            assert error.exit_code == 2
            assert SECRET not in told
            assert KEY not in told
            return
        assert outcome.answer.evidence
        assert outcome.answer.claims or not outcome.answer.found

    # Only what never ends needs a limit that a machine under load might reach with other replies too.
    endless = {title: shape for title, shape in shapes.items() if "that never" in title}
    others = {title: shape for title, shape in shapes.items() if title not in endless}
    wrong = await failing(world, step, others, check)
    return wrong | await failing(world, step, endless, check, llm={"seconds": 0.5})


@pytest.mark.parametrize("step", steps(STEPS[1::2], STEPS[1::2]))
def test_a_call_that_fails_never_loses_what_was_paid_for(world: Path, step: Step) -> None:
    assert go(failed(world, step, few(FAILURES, step))) == {}


@pytest.mark.slow
@pytest.mark.parametrize("step", EVERY)
def test_no_call_that_fails_ever_loses_what_was_paid_for(world: Path, step: Step) -> None:
    assert go(failed(world, step, FAILURES)) == {}


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_model_that_will_never_answer_is_one_clear_error_before_anything_is_paid(
    world: Path, status: int
) -> None:
    with ModelServer(lambda _: refusal(status, SECRET)) as server, pytest.raises(ModelUnusable) as refused:
        go(ask(server, world))
    assert len(server.asked) == 1
    assert f"({status})" in str(refused.value)
    assert SECRET not in str(refused.value)
    assert KEY not in str(refused.value)


def test_a_model_that_stops_answering_after_the_first_call_ends_in_an_answer(world: Path) -> None:
    def answer(asked: Asked) -> Said | str:
        return THINKER(asked) if asked.step == "plan" else refusal(401, SECRET)

    with ModelServer(answer) as server:
        outcome = go(ask(server, world))
    sound(outcome)
    assert outcome.answer.evidence
    assert {each.step for each in outcome.told(Defaulted)} >= {"judge", "write"}


def test_a_refused_connection_ends_in_an_answer_that_quotes(world: Path) -> None:
    server = ModelServer(THINKER)
    server.port = unused_port()
    outcome = go(ask(server, world))
    sound(outcome)
    assert outcome.answer.evidence
    assert any("The model wrote no answer" in notice for notice in outcome.answer.notices)
    assert outcome.answer.usage.calls == 0
    assert {claim.kind for claim in outcome.answer.claims} <= {"quoted"}


def test_a_server_that_never_streams_still_has_the_model_write_the_answer(world: Path) -> None:
    with ModelServer(THINKER, streams=False) as server:
        outcome = go(ask(server, world))
        writes = [each.body["stream"] for each in server.asked if each.step == "write"]
    sound(outcome)
    assert writes == [True, False]
    assert {claim.kind for claim in outcome.answer.claims} == {"stated"}
    assert outcome.told(CallFailed) == []


@pytest.mark.parametrize("step", SOME)
def test_two_failures_are_made_good_by_the_third_try(world: Path, step: Step) -> None:
    async def work() -> None:
        async with product(world, ask={"judge_batch": step.batch}) as running:
            plain, tried = await asked(running, step), await asked(running, step, FAILURES["500"], times=2)
        # What differs for another reason than the failures is said to be that.
        assert plain.told(CallFailed) == plain.told(CutShort) == tried.told(CutShort) == []
        assert plain.stood_in == tried.stood_in == []
        assert tried.answer.claims == plain.answer.claims
        assert [each.again is not None for each in tried.told(CallFailed)] == [True, True]

    go(work())


def test_retry_after_is_waited_for_and_no_longer_than_the_setting(world: Path) -> None:
    async def waited(value: str, most: float) -> float:
        def busy(_: str) -> Said:
            return refusal(429, SECRET, retry_after=value)

        with ModelServer(script(PLAIN, busy, times=1)) as server:
            outcome = await ask(server, world, llm={"wait": most})
        first, second = (each for each in outcome.asked if each.step == "plan")
        assert outcome.stood_in == []
        return second.began - (first.ended or 0)

    assert 0.3 <= go(waited("0.3", 5)) < 2
    assert go(waited("86400", 0.2)) < 2


def test_a_stream_that_breaks_is_paid_for_and_nothing_else_is_lost(world: Path) -> None:
    with ModelServer(THINKER) as server:
        plain = go(ask(server, world))
    with ModelServer(script(WRITE, lambda good: reset(good, len(good) // 2))) as server:
        outcome = go(ask(server, world))
    sound(outcome)
    kept = outcome.answer.claims
    assert kept == plain.answer.claims[: len(kept)]
    assert 0 < len(kept) < len(plain.answer.claims)
    assert outcome.answer.notices == (CUT,)
    assert [each.step for each in outcome.told(CutShort)] == ["write"]
    assert len(outcome.answer.evidence) >= 5
    before = [each for each in outcome.asked if each.step != "write"]
    assert len(before) < outcome.answer.usage.calls
    assert outcome.answer.usage.tokens > sum(len(each.prompt) // 4 for each in before)


def test_a_deadline_ends_a_model_that_never_answers(world: Path) -> None:
    def answer(asked: Asked) -> Said | str:
        return silence() if asked.step == "judge" else THINKER(asked)

    with ModelServer(answer) as server:
        outcome = go(ask(server, world, budget=Budget(seconds=1.0), llm={"seconds": 60}))
    sound(outcome)
    assert outcome.answer.stop is StopReason.DEADLINE
    assert outcome.answer.evidence
    assert outcome.answer.usage.seconds < 60


@pytest.mark.parametrize(
    "budget", [Budget(calls=1), Budget(calls=4), Budget(tokens=600), Budget(tokens=2_000)], ids=str
)
def test_a_budget_that_ends_leaves_an_answer_that_says_so(world: Path, budget: Budget) -> None:
    with ModelServer(THINKER) as server:
        outcome = go(ask(server, world, budget=budget))
    sound(outcome)
    assert outcome.answer.stop is StopReason.BUDGET
    assert outcome.answer.evidence
    assert len(outcome.answer.queries) >= 5, "what was planned is searched for"
    at_once = server.most
    assert budget.calls is None or outcome.answer.usage.calls <= budget.calls + at_once - 1


def test_an_error_of_the_run_names_no_key(world: Path) -> None:
    with ModelServer(THINKER, key="another") as server, pytest.raises(LeadlineError) as refused:
        go(ask(server, world))
    assert KEY not in str(refused.value)
    assert len(server.other) == 1
