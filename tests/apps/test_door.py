"""One Ctrl-C asks the run to finish, two stop it."""

import asyncio
import os
import signal

import pytest

from leadline.apps.cli.door import until_done
from leadline.run import Run


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_the_first_interrupt_lets_the_run_end_with_what_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run()

    async def work() -> str:
        press()
        while not run.cancelled:  # noqa: ASYNC110 - a run has a flag and no event
            await asyncio.sleep(0.001)
        return "what was found"

    assert until_done(work, run, "Answering with what is there.") == "what was found"
    assert "Answering with what is there." in capsys.readouterr().err


def test_the_second_interrupt_stops_the_work() -> None:
    run = Run()
    ended: list[str] = []

    async def work() -> None:
        press()
        while not run.cancelled:  # noqa: ASYNC110 - a run has a flag and no event
            await asyncio.sleep(0.001)
        press()
        try:
            await asyncio.sleep(30)
        finally:
            ended.append("closed")

    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(KeyboardInterrupt):
            until_done(work, run, "Answering with what is there.")
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == ["closed"]


def test_work_that_has_nothing_to_give_stops_at_the_first() -> None:
    async def work() -> None:
        press()
        await asyncio.sleep(30)

    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(KeyboardInterrupt):
            until_done(work, Run(), "")
    finally:
        signal.signal(signal.SIGINT, before)
