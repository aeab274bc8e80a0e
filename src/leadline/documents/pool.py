"""Read files in worker processes that may hang, crash or eat memory without taking the load down.

files -> a free worker -> answer | limit passed: kill, replace | crash: replace
"""

import asyncio
import contextlib
import json
import os
import signal
import struct
import sys
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any, Self

from leadline.documents.base import Extracted
from leadline.documents.exchange import from_json
from leadline.documents.kinds import TEXT_KINDS, kind_of_name
from leadline.errors import DocumentError

READER = "leadline.documents.reading:read"
_BATCH = 32
_LARGEST_ANSWER = 1 << 30
_START_SECONDS = 30
_START = "import sys; sys.path[:] = {path!r}; from leadline.documents.worker import main; main({parent}, {seconds}, {memory}, {reader!r})"


class ReaderPool:
    """Up to `workers` processes, started when first needed and kept; each file gets `seconds` and `memory_mb`.

    `reader` names the function that the workers call, `module:function`.
    """

    def __init__(
        self, workers: int = 2, seconds: float = 120.0, memory_mb: int = 2048, reader: str = READER
    ) -> None:
        self.seconds = seconds
        self.memory_mb = memory_mb
        self.reader = reader
        self._free = asyncio.Semaphore(max(1, workers))
        self._idle: list[_Worker] = []
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End every idle worker; a busy one is ended by whoever is using it."""
        self._closed = True
        while self._idle:
            await self._idle.pop().end()

    async def read(self, path: Path, passwords: tuple[str, ...] = (), *, ocr: bool = True) -> Extracted:
        """The text of one file. Raises DocumentError when it cannot be had."""
        [found] = await self.read_many([path], passwords, ocr=ocr)
        if isinstance(found, DocumentError):
            raise found
        return found

    async def read_many(
        self,
        paths: Sequence[Path],
        passwords: tuple[str, ...] = (),
        *,
        ocr: bool = True,
        pictures: bool = False,
    ) -> list[Extracted | DocumentError]:
        """For each path its text or why there is none, in the order given. Small text files travel in batches."""
        asked: dict[str, Any] = {"passwords": passwords, "ocr": ocr, "pictures": pictures}
        found: list[Extracted | DocumentError | None] = [None] * len(paths)
        async with asyncio.TaskGroup() as group:
            for batch in _batches(paths):
                group.create_task(self._read_batch(batch, paths, asked, found))
        return [
            item if item is not None else DocumentError("was not read", "Load it again.") for item in found
        ]

    async def _read_batch(
        self,
        batch: list[int],
        paths: Sequence[Path],
        asked: dict[str, Any],
        found: list[Extracted | DocumentError | None],
    ) -> None:
        """Send a batch at once and take the answers one by one; after a failure the rest goes to a new worker."""
        async with self._free:
            while batch:
                async with self._worker() as worker:
                    worker.send([{"path": str(paths[i]), **asked} for i in batch])
                    while batch and worker.healthy:
                        found[batch[0]] = await worker.receive(self.seconds)
                        batch.pop(0)

    @contextlib.asynccontextmanager
    async def _worker(self) -> "AsyncGenerator[_Worker, None]":
        # A worker may have died while it was idle; the next file is not to blame for that.
        self._idle = [worker for worker in self._idle if worker.alive]
        if self._idle:
            worker = self._idle.pop()
        else:
            worker = await _Worker.start(self.seconds, self.memory_mb, self.reader)
        kept = False
        try:
            yield worker
            kept = worker.healthy and not self._closed
        finally:
            if kept:
                self._idle.append(worker)
            else:
                await worker.end()


class _Worker:
    """One process and the conversation with it."""

    def __init__(self, process: asyncio.subprocess.Process, memory_mb: int) -> None:
        self._process = process
        self._memory_mb = memory_mb
        self.healthy = True

    @classmethod
    async def start(cls, seconds: float, memory_mb: int, reader: str) -> "_Worker":
        code = _START.format(
            path=sys.path, parent=os.getpid(), seconds=seconds, memory=memory_mb, reader=reader
        )
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            code,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        return cls(process, memory_mb)

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    def send(self, jobs: list[dict[str, Any]]) -> None:
        assert self._process.stdin is not None
        for job in jobs:
            data = json.dumps(job).encode()
            self._process.stdin.write(struct.pack("<I", len(data)) + data)

    async def receive(self, seconds: float) -> Extracted | DocumentError:
        """The next answer; after anything but an answer the worker is not to be used again."""
        try:
            async with asyncio.timeout(seconds):
                answer = await self._message()
        except TimeoutError:
            self.healthy = False
            return DocumentError(
                f"took longer than {seconds:g} seconds to read", "Split it, or raise the time limit."
            )
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            self.healthy = False
            return await self._crash()
        self.healthy = not answer.get("retire", False)
        if "extracted" in answer:
            return from_json(answer["extracted"])
        return DocumentError(answer["reason"], answer["remedy"])

    async def _message(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        size: int = struct.unpack("<I", await self._process.stdout.readexactly(4))[0]
        if size > _LARGEST_ANSWER:
            raise ValueError(size)
        return json.loads(await self._process.stdout.readexactly(size))

    async def _crash(self) -> DocumentError:
        code = await self._exit_code()
        how = signal.Signals(-code).name if code < 0 else f"exit {code}"
        reason = f"made its reader crash ({how}), or needs more than {self._memory_mb} MB of memory"
        return DocumentError(
            reason, "Save it again from the program that made it, split it, or raise the memory limit."
        )

    async def _exit_code(self) -> int:
        try:
            async with asyncio.timeout(5):
                return await self._process.wait()
        except TimeoutError:
            return -signal.SIGKILL

    async def end(self) -> None:
        """Kill the worker and whatever it started, and wait until it is gone."""
        self.healthy = False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.stdin is not None:
            self._process.stdin.close()
        await asyncio.shield(self._process.wait())


def _batches(paths: Sequence[Path]) -> list[list[int]]:
    """Positions of the paths: text kinds in groups, everything else alone."""
    groups: list[list[int]] = []
    small: list[int] = []
    for i, path in enumerate(paths):
        if kind_of_name(path.name) in TEXT_KINDS:
            small.append(i)
            if len(small) == _BATCH:
                groups.append(small)
                small = []
        else:
            groups.append([i])
    return [*groups, small] if small else groups
