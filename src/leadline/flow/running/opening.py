"""What a run of a flow needs around it: its folder, which one run has at a time, the journal and the dead letters in it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from leadline import registry
from leadline.errors import FlowError, StoreLocked
from leadline.events import Notice
from leadline.flow.ends import Flow
from leadline.flow.files.identity import folder_name
from leadline.flow.operators.tables import clear
from leadline.flow.running.clashes import refuse_clashes
from leadline.flow.running.course import Course
from leadline.flow.running.dead_letters import FILE as LETTERS
from leadline.flow.running.dead_letters import DeadLetters
from leadline.flow.running.engine import Engine
from leadline.flow.running.journal import FILE as JOURNAL
from leadline.flow.running.journal import Journal
from leadline.run import Run
from leadline.store.lock import WriterLock, holder
from leadline.stores import FLOWS
from leadline.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Choices:
    """How a flow is run: `resume` takes from the journal what an earlier run finished, `retry_failed` does so and does
    again what failed. `anew` forgets what a stopped run finished, which is refused without it. `limit` is the most rows taken from the source. `concurrency` replaces the flow's own. `folder` is
    where journal and dead letters are, else a folder in the workspace's data; without either there is no journal."""

    resume: bool = False
    retry_failed: bool = False
    limit: int | None = None
    concurrency: int | None = None
    engine: str | Engine = "local"
    folder: Path | None = None
    anew: bool = False


@asynccontextmanager
async def opened(
    flow: Flow, workspace: Workspace | None, run: Run, choices: Choices
) -> AsyncGenerator[tuple[Course, Path | None]]:
    """A run about to begin, and its folder. A run that comes to its end marks its journal so."""
    engine = choices.engine
    built: Engine = registry.find("engine", engine)() if isinstance(engine, str) else engine
    place = choices.folder
    if place is None and workspace is not None:
        place = workspace.settings.data / FLOWS / folder_name(flow)
    letters = DeadLetters(flow.failures.file or (place / LETTERS if place else None))
    await asyncio.to_thread(refuse_clashes, flow, letters.file)
    total = Run(flow.limits.total, run.emit, run.clock)
    course = Course(run, total, built, flow.failures, letters, retry_failed=choices.retry_failed)
    async with AsyncExitStack() as stack:
        if place is not None:
            stack.callback(_locked(flow, place).release)
            clear(place)
            course.journal = await _journal(place / JOURNAL, run, choices)
            stack.push_async_callback(_closed, course.journal, course)
        letters.begin()
        stack.callback(letters.close)
        yield course, place
        course.complete = course.ending == "finished"


async def _closed(journal: Journal, course: Course) -> None:
    await journal.close(finished=course.complete)


def _locked(flow: Flow, place: Path) -> WriterLock:
    place.mkdir(parents=True, exist_ok=True)
    lock = WriterLock(place / "writer.lock")
    try:
        lock.acquire()
    except StoreLocked:
        who = holder(lock.path) or "another process"
        raise FlowError(
            f"flow `{flow.name}` is running already, as {who}. Wait for its end, or stop it."
        ) from None
    return lock


async def _journal(file: Path, run: Run, choices: Choices) -> Journal:
    resuming = choices.resume or choices.retry_failed
    if not resuming and not choices.anew:
        await _refuse_to_forget(file)
    journal = await Journal.open(file, anew=not resuming)
    if resuming and not journal.remembered:
        run.emit(Notice("there is nothing to resume: the flow starts with its first row."))
    return journal


async def _refuse_to_forget(file: Path) -> None:
    """What a stopped run has finished may have been paid for: only who says so does it again."""
    if not await asyncio.to_thread(file.is_file):
        return
    try:
        before = await Journal.open(file, anew=False)
    except FlowError:
        return  # it is replaced by a new one
    await before.close(finished=before.finished)
    if before.remembered and not before.finished:
        raise FlowError(
            f"an earlier run of this flow was stopped after {before.remembered} finished rows. "
            "Go on from there with --resume (`resume=True`), or do all of them again with --anew (`anew=True`)."
        )
