"""The fault table, first part: every shape of reply in every step, over real HTTP. Each run ends in an answer.

The quick suite takes a few shapes for each step, other ones for each; the slow one takes all.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from leadline.events import Defaulted, Judged, Repaired
from leadline.testing.running import go
from leadline.testing.said import Asked, Said
from tests.scenarios.model_product import THINKER, Outcome, Product, product, script, sound
from tests.scenarios.model_rows import NO, READABLE, STEPS, UNUSABLE, YES, Shape, Step, few


def steps(quick: Sequence[Step], among: Sequence[Step] = STEPS) -> list[Any]:
    """Every step; all but the quick ones in the slow suite alone."""
    return [
        pytest.param(step, id=str(step), marks=() if step in quick else pytest.mark.slow) for step in among
    ]


EVERY = steps(STEPS)
SOME = steps([step for step in STEPS if str(step) in {"write, deep", "note, chain"}])
JSON = [step for step in STEPS if step.batch > 1 and step.name not in {"choose_agent", "hyde"}]
WAYS = ("I choose 2, not 1: 2", "The second one.", "two", "**2**", "2.", '{"choice": 2}', "[2]", "Deep")
"""Of choosing the second of three agents."""

Check = Callable[[Product, Shape], Awaitable[None]]


def nothing(step: Step) -> dict[str, Shape]:
    """Replies that no step can use; one that declines has no YES, which is all that judging one by one asks."""
    return {title: UNUSABLE[title] for title in ("null content", "a refusal")[: 1 + (step.batch > 1)]}


async def asked(
    running: Product, step: Step, shape: Shape | None = None, times: int | None = None
) -> Outcome:
    outcome = await running.ask(step, THINKER if shape is None else script(step, shape, times=times))
    assert step.name in [each.step for each in outcome.asked]
    sound(outcome)
    return outcome


async def failing(
    world: Path, step: Step, shapes: Mapping[str, Shape], check: Check, **more: Any
) -> dict[str, str]:
    """The shapes whose check does not hold, and what it says; `more` are settings."""
    wrong: dict[str, str] = {}
    async with product(world, ask={"judge_batch": step.batch}, **more) as running:
        for title, shape in shapes.items():
            try:
                await check(running, shape)
            except Exception as error:  # noqa: BLE001 - a row that raises is a row that fails
                wrong[title] = f"{type(error).__name__}: {error}"[:300]
    return wrong


async def dressed(world: Path, step: Step, shapes: Mapping[str, Shape]) -> dict[str, str]:
    async def check(running: Product, shape: Shape) -> None:
        plain, other = await asked(running, step), await asked(running, step, shape)
        assert other.stood_in == []
        assert other.answer.claims == plain.answer.claims
        # Planning and rewriting are asked at once, and either may come to the server first.
        assert Counter(each.step for each in other.asked) == Counter(each.step for each in plain.asked)

    return await failing(world, step, shapes, check)


async def unusable(world: Path, step: Step, shapes: Mapping[str, Shape]) -> dict[str, str]:
    async def check(running: Product, shape: Shape) -> None:
        outcome = await asked(running, step, shape)
        repairs = [each for each in outcome.asked if each.repairs]
        assert 2 * len(repairs) <= len(outcome.asked)
        # Words without a YES are a rejection where chunks are judged one by one, and an empty list is one where they are
        # judged together, or are to have facts in them.
        lists = step.name in {"judge", "extract_facts"}
        rejects = step.batch == 1 or (lists and shape is UNUSABLE["an empty list"])
        assert outcome.answer.found or rejects or step.name in {"write", "note", "follow_up"}

    return await failing(world, step, shapes, check)


@pytest.mark.parametrize("step", EVERY)
def test_a_good_reply_needs_no_repair(world: Path, step: Step) -> None:
    async def work() -> None:
        async with product(world, ask={"judge_batch": step.batch}) as running:
            outcome = await asked(running, step)
        assert outcome.stood_in == []
        assert outcome.answer.found
        assert outcome.answer.usage.calls == len(outcome.asked)

    go(work())


@pytest.mark.parametrize("step", steps(JSON[::3], JSON[::3]))
def test_a_good_reply_in_another_dress_is_read_as_it_is(world: Path, step: Step) -> None:
    assert go(dressed(world, step, few(READABLE, step))) == {}


@pytest.mark.slow
@pytest.mark.parametrize("step", steps(JSON, JSON))
def test_a_good_reply_in_any_dress_is_read_as_it_is(world: Path, step: Step) -> None:
    assert go(dressed(world, step, READABLE)) == {}


@pytest.mark.parametrize("step", steps(STEPS[::2], STEPS[::2]))
def test_a_bad_reply_never_ends_a_run(world: Path, step: Step) -> None:
    assert go(unusable(world, step, few(UNUSABLE, step))) == {}


@pytest.mark.slow
@pytest.mark.parametrize("step", EVERY)
def test_no_bad_reply_ever_ends_a_run(world: Path, step: Step) -> None:
    # One by one, every round has a dozen calls: one kind of long reply is enough there.
    shapes = {
        title: shape
        for title, shape in UNUSABLE.items()
        if step.batch > 1 or not title.startswith("five megabytes")
    }
    assert go(unusable(world, step, shapes)) == {}


@pytest.mark.parametrize("step", SOME)
def test_a_repair_that_is_good_stands_as_if_it_were_the_first(world: Path, step: Step) -> None:
    async def check(running: Product, shape: Shape) -> None:
        plain, mended = await asked(running, step), await asked(running, step, shape, times=1)
        assert mended.told(Defaulted) == []
        assert [(each.step, each.usable) for each in mended.told(Repaired)] == [(step.name, True)]
        assert mended.answer.claims == plain.answer.claims
        assert len(mended.asked) == len(plain.asked) + 1

    assert go(failing(world, step, nothing(step), check)) == {}


@pytest.mark.parametrize("step", SOME)
def test_what_cannot_be_read_twice_is_told_as_an_event(world: Path, step: Step) -> None:
    async def check(running: Product, shape: Shape) -> None:
        told = (await asked(running, step, shape)).stood_in
        assert {(step.name, "Repaired"), (step.name, "Defaulted")} <= set(told)

    assert go(failing(world, step, nothing(step), check)) == {}


@pytest.mark.parametrize(
    "said",
    [
        pytest.param((YES[1], *NO[5:]), id="a few"),
        pytest.param((*YES, *NO), id="all", marks=pytest.mark.slow),
    ],
)
def test_one_by_one_a_chunk_is_kept_only_by_a_yes_without_a_no(world: Path, said: tuple[str, ...]) -> None:
    step = Step("judge", batch=1)

    async def kept(running: Product, words: str) -> bool:
        outcome = await asked(running, step, lambda good: words if good == "YES" else good)
        assert outcome.stood_in == []
        return any(verdict[1] for judged in outcome.told(Judged) for verdict in judged.verdicts)

    async def work() -> None:
        async with product(world, ask={"judge_batch": 1}) as running:
            assert {words: await kept(running, words) for words in said} == {
                each: each in YES for each in said
            }

    go(work())


@pytest.mark.parametrize(
    "ways", [pytest.param(WAYS[:2], id="a few"), pytest.param(WAYS, id="all", marks=pytest.mark.slow)]
)
def test_a_choice_of_an_agent_is_read_however_it_is_written(world: Path, ways: tuple[str, ...]) -> None:
    step = Step("choose_agent", agent="auto")

    async def taken(running: Product, said: str) -> str:
        outcome = await asked(running, step, lambda _: said)
        assert outcome.stood_in == []
        return outcome.answer.agent

    async def work() -> None:
        async with product(world) as running:
            assert {said: await taken(running, said) for said in ways} == dict.fromkeys(ways, "deep")

    go(work())


def test_claims_that_nothing_shown_bears_out_give_way_to_quotes(world: Path) -> None:
    lie = {
        "id": 1,
        "text": "The Sable Heron has a crew of ninety.",
        "cites": [{"n": 1, "quote": "crew of ninety"}],
    }

    def answer(asked: Asked) -> Said | str:
        said = json.dumps({"found": True, "claims": [lie]})
        return said if asked.step in {"write", "mend"} else THINKER(asked)

    async def work() -> None:
        async with product(world) as running:
            outcome = await running.ask(script=answer)
        sound(outcome)
        assert "ninety" not in outcome.answer.text
        assert outcome.answer.found
        assert {claim.kind for claim in outcome.answer.claims} == {"quoted"}
        assert any("was dropped" in notice for notice in outcome.answer.notices)
        assert ("write", "Defaulted") in outcome.stood_in

    go(work())
