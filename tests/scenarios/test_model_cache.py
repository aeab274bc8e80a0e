"""The same question twice costs once; a file of replies replays a run that it recorded."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.errors import NotRecorded
from leadline.events import Called
from leadline.testing.model_server import ModelServer, unused_port
from leadline.testing.running import go
from leadline.testing.said import Asked, Said, reset
from leadline.types import Answer, Usage
from tests.scenarios.model_product import THINKER, ask
from tests.scenarios.model_rows import STEPS, Step

QUICK = {"judge, deep", "note, chain"}
EVERY = [
    pytest.param(step, id=str(step), marks=() if str(step) in QUICK else pytest.mark.slow) for step in STEPS
]


def bare(answer: Answer) -> Answer:
    """An answer without what it cost."""
    return replace(answer, usage=Usage())


@pytest.mark.parametrize("step", EVERY)
def test_the_same_question_again_calls_nobody_and_gets_the_identical_answer(
    world: Path, tmp_path: Path, step: Step
) -> None:
    kept = {"cache": True, "cache_file": tmp_path / "replies.sqlite"}

    async def work() -> None:
        with ModelServer(THINKER) as server:
            first = await ask(server, world, step, llm=kept)
            assert first.asked
            server.forget()
            again = await ask(server, world, step, llm=kept)
            assert again.asked == []
            assert again.answer.usage.calls == again.answer.usage.tokens == 0
            assert again.answer.usage.usd == 0
            assert {each.cached for each in again.told(Called)} == {True}
            assert bare(again.answer) == bare(first.answer)

    go(work())


@pytest.mark.parametrize("step", EVERY)
def test_a_recorded_run_is_replayed_without_a_server(world: Path, tmp_path: Path, step: Step) -> None:
    file = tmp_path / "replies.sqlite"

    async def work() -> None:
        with ModelServer(THINKER) as server:
            first = await ask(server, world, step, llm={"cache": True, "cache_file": file})
        server.port = unused_port()
        replay = {"on_miss": "raise", "cache_file": file}
        again = await ask(server, world, step, llm=replay)
        assert bare(again.answer) == bare(first.answer)
        with pytest.raises(NotRecorded, match="does not hold this call"):
            await ask(server, world, step, question="Who keeps the lamp of the lighthouse?", llm=replay)

    go(work())


def test_a_reply_that_broke_off_is_not_kept(world: Path, tmp_path: Path) -> None:
    kept = {"cache": True, "cache_file": tmp_path / "replies.sqlite"}

    def broken(asked: Asked) -> Said | str:
        good = THINKER(asked)
        return reset(good, len(good) // 2) if asked.step == "write" else good

    async def work() -> None:
        with ModelServer(broken) as server:
            await ask(server, world, llm=kept)
        with ModelServer(THINKER) as server:
            # The address is not part of what was asked: it is the same model.
            again = await ask(server, world, llm=kept)
            assert {each.step for each in again.asked} == {"write"}
            assert again.answer.found
            assert again.stood_in == []

    go(work())


def test_workspaces_share_a_file_of_replies_at_the_same_time(world: Path, tmp_path: Path) -> None:
    kept = {"cache": True, "cache_file": tmp_path / "replies.sqlite"}

    async def work() -> None:
        with ModelServer(THINKER) as server:
            together = await asyncio.gather(*(ask(server, world, llm=kept) for _ in range(2)))
            server.forget()
            again = await ask(server, world, llm=kept)
        assert again.asked == []
        assert {repr(bare(each.answer)) for each in together} == {repr(bare(again.answer))}

    go(work())
