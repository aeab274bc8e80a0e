"""Leadline: the library's face, for plain code, notebooks and coroutines alike.

The work runs in a loop of its own in a background thread, so that it does not matter whether the caller
has a loop running. Two instances see nothing of each other.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import fields
from pathlib import Path
from typing import Any, Self, TypeVar, Unpack

from leadline.arguments import AskChoices, LoadChoices, SearchChoices
from leadline.config import Settings
from leadline.config import settings as read_settings
from leadline.errors import FlowError, UsageError
from leadline.events import Event
from leadline.flow.ends import Flow
from leadline.flow.files.reading import read_flow
from leadline.flow.running.opening import Choices
from leadline.flow.running.report import FlowReport
from leadline.flow.running.running import run_flow
from leadline.ingest import LoadReport, ReindexReport
from leadline.retrieval.sections import SectionText
from leadline.run import Run
from leadline.types import Answer, Collection, Hit
from leadline.workspace import Workspace

R = TypeVar("R")


class Leadline:
    """Deep search over one data folder.

    `data` is the folder, `config` a settings file, `flags` further settings by dotted path (`"ask.rounds"`);
    or `settings` says it all. Close it, or use it in a `with` block.
    """

    def __init__(
        self,
        data: str | Path | None = None,
        *,
        config: str | Path | None = None,
        flags: dict[str, object] | None = None,
        settings: Settings | None = None,
    ) -> None:
        if settings is None:
            given = {"data": data, **(flags or {})}
            settings = read_settings(config=Path(config) if config else None, flags=given)
        self.settings = settings
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="leadline", daemon=True)
        self._thread.start()
        self._workspace = Workspace(settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Let go of the store and end the background thread; closing twice is fine."""
        if self._loop.is_closed():
            return
        self._wait(self._finish())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def load(self, *paths: str | Path, run: Run | None = None, **choices: Unpack[LoadChoices]) -> LoadReport:
        """Read files, folders and pages of the web into a collection; what has not changed is left alone."""
        return self._wait(self._workspace.load(paths, run=run, **choices))

    def reindex(
        self, embedding: str, *, collection: str | None = None, run: Run | None = None
    ) -> ReindexReport:
        """Give a collection another encoder without reading its files again."""
        return self._wait(self._workspace.reindex(embedding, collection=collection, run=run))

    def search(self, question: str, limit: int = 10, **choices: Unpack[SearchChoices]) -> tuple[Hit, ...]:
        """Passages for a question, best first, and how each was found."""
        return self._wait(self._workspace.search(question, limit, **choices)).hits

    def sections(self, hits: Sequence[Hit], collections: Sequence[str] = ()) -> tuple[SectionText, ...]:
        """The section around each hit, bounded by `search.section_size`; what has vanished is left out."""
        return self._wait(self._workspace.sections(hits, collections))

    def ask(self, question: str, *, run: Run | None = None, **choices: Unpack[AskChoices]) -> Answer:
        """Answer a question, every sentence cited. `run` has the limits and is told of every event."""
        return self._wait(self._workspace.ask(question, run=run, **choices))

    def flow(
        self,
        flow: str | Path | Flow,
        *,
        run: Run | None = None,
        choices: Choices | None = None,
        **arguments: object,
    ) -> FlowReport:
        """Run a flow: a file, the name of a shipped one, or one built in Python. `arguments` are those of the file;
        `run` is told of every event and stops the flow when it is cancelled."""
        return self._wait(self._flow(flow, run, choices, arguments))

    def collections(self) -> list[Collection]:
        """Every collection, by name."""
        return self._wait(self._workspace.collections())

    def remove(
        self, *sources: str | Path, collection: str | None = None, purge: bool = False
    ) -> tuple[str, ...]:
        """Remove documents by source, or all below a folder; return the sources removed."""
        return self._wait(self._workspace.remove(sources, collection=collection, purge=purge))

    async def aload(
        self, *paths: str | Path, run: Run | None = None, **choices: Unpack[LoadChoices]
    ) -> LoadReport:
        """`load`, for coroutines."""
        return await self._await(self._workspace.load(paths, run=run, **choices))

    async def asearch(
        self, question: str, limit: int = 10, **choices: Unpack[SearchChoices]
    ) -> tuple[Hit, ...]:
        """`search`, for coroutines."""
        return (await self._await(self._workspace.search(question, limit, **choices))).hits

    async def aask(self, question: str, *, run: Run | None = None, **choices: Unpack[AskChoices]) -> Answer:
        """`ask`, for coroutines. `run.cancel()` makes it answer with what it has."""
        return await self._await(self._workspace.ask(question, run=run, **choices))

    async def aflow(
        self,
        flow: str | Path | Flow,
        *,
        run: Run | None = None,
        choices: Choices | None = None,
        **arguments: object,
    ) -> FlowReport:
        """`flow`, for coroutines."""
        return await self._await(self._flow(flow, run, choices, arguments))

    async def watch(
        self, question: str, *, run: Run | None = None, **choices: Unpack[AskChoices]
    ) -> AsyncGenerator[Event | Answer]:
        """The events of `ask` as they happen, then the answer. Closing it stops the run."""
        here = asyncio.get_running_loop()
        queue: asyncio.Queue[Event | Answer | None] = asyncio.Queue()

        def put(item: Event | Answer | None) -> None:
            here.call_soon_threadsafe(queue.put_nowait, item)

        async def work() -> None:
            async for item in self._workspace.watch(question, run=run, **choices):
                put(item)

        future = self._submit(work())
        future.add_done_callback(lambda _: put(None))
        try:
            while (item := await queue.get()) is not None:
                yield item
            await asyncio.wrap_future(future)
        finally:
            future.cancel()

    async def _flow(
        self, flow: str | Path | Flow, run: Run | None, choices: Choices | None, arguments: dict[str, object]
    ) -> FlowReport:
        if not isinstance(flow, Flow):
            try:
                flow = await asyncio.to_thread(read_flow, flow, arguments, self.settings)
            except FlowError as error:
                meant = [each.name for each in fields(Choices) if f"no argument `{each.name}`" in str(error)]
                if not meant:
                    raise
                raise FlowError(
                    f"{error} How it is run is said by `choices=Choices({meant[0]}=...)`."
                ) from None
        elif arguments:
            raise UsageError(f"`{next(iter(arguments))}`: a flow built in Python takes no arguments.")
        return await run_flow(flow, self._workspace, run=run, choices=choices)

    def _submit(self, work: Coroutine[Any, Any, R]) -> Future[R]:
        if self._loop.is_closed():
            work.close()
            raise UsageError("this Leadline is closed. Make a new one.")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _wait(self, work: Coroutine[Any, Any, R]) -> R:
        future = self._submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def _await(self, work: Coroutine[Any, Any, R]) -> R:
        return await asyncio.wrap_future(self._submit(work))

    async def _finish(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._workspace.close()
        await self._loop.shutdown_default_executor()
