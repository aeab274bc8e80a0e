"""Sinks that must have seen all rows before they write the first: they wait in a file of their own, not in memory.

row -> spool (and what kinds its columns are of) -> end of the flow -> written at once
"""

import asyncio
import json
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import IO

from leadline.errors import UsageError
from leadline.events import Notice
from leadline.flow.base import DeadLetter, Row, Scope
from leadline.flow.ends import Put
from leadline.flow.sinks.columns import ColumnKind, Columns, learn
from leadline.flow.sinks.jsonl import json_line
from leadline.flow.sinks.lines import UNTELLABLE

IN_MEMORY = 8 << 20


@dataclass(slots=True)
class Spool:
    """Rows in the order in which they came; small ones stay in memory. The file has no name, so nothing is left of it."""

    file: IO[bytes]
    columns: Columns = field(default_factory=dict[str, ColumnKind])
    count: int = 0

    def add(self, row: Row) -> None:
        """Keep a row; one that JSON cannot tell raises ValueError or TypeError and changes nothing."""
        line = json_line(row)
        learn(self.columns, row)
        self.file.write(line)
        self.count += 1

    def rows(self) -> Iterator[Row]:
        """All rows, from the first."""
        self.file.seek(0)
        for line in self.file:
            yield json.loads(line)


Finish = Callable[[Spool], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Ends:
    """The two ends of writing: `begin` raises before the first row where nothing could be written after the last one;
    `write` writes all rows and gives what there is to tell."""

    begin: Callable[[], None]
    write: Callable[[Spool], Sequence[str]]


@asynccontextmanager
async def spooled(
    scope: Scope, label: str, finish: Finish, check: Callable[[Row], None] | None = None
) -> AsyncGenerator[Put]:
    """Takes rows; `finish` writes them when the block ends well.

    A row that `check` raises a ValueError or a UsageError for is lost.
    """
    folder = scope.memory.folder
    with tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(folder) if folder else None) as file:
        spool = Spool(file)

        async def put(row: Row) -> None:
            try:
                if check is not None:
                    check(row)
                spool.add(row)
            except (*UNTELLABLE, UsageError) as error:
                scope.lose(DeadLetter(label, f"cannot be written: {error}", row, "skip"))

        yield put
        await finish(spool)


@asynccontextmanager
async def blocking(
    scope: Scope, label: str, ends: Ends, check: Callable[[Row], None] | None = None
) -> AsyncGenerator[Put]:
    """The same for what blocks: it is called off the event loop, and what it tells is told on it."""

    async def finish(spool: Spool) -> None:
        for told in await asyncio.to_thread(ends.write, spool):
            scope.run.emit(Notice(f"{label}: {told}"))

    await asyncio.to_thread(ends.begin)
    async with spooled(scope, label, finish, check) as put:
        yield put
