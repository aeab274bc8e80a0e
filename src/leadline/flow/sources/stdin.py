"""Rows from what is piped into the command."""

import asyncio
import os
import select
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline.errors import FlowError
from leadline.flow.base import Row, Rows, Scope
from leadline.flow.ends import Source
from leadline.flow.sources.files import LONGEST_LINE, Broken, Line, trimmed
from leadline.flow.sources.jsonl import rows_of
from leadline.run import Run

_BLOCK = 1 << 16
_PATIENCE = 0.2
"""Seconds after which whoever waits for input looks whether the flow was stopped."""


@dataclass(frozen=True, slots=True)
class Stdin(Source):
    """Rows from standard input: JSON lines, or lines of text.

    A line that cannot be read is told with its number, and the next one is read. Blank lines give no row.

    format: `jsonl` (one object a line) or `text` (a line becomes field `into`).
    into: the field for a line of text, or for JSON that is no object.

    Example:
        stdin: {format: text, into: question}
    """

    format: Literal["jsonl", "text"] = "jsonl"
    into: str | None = None

    async def rows(self, scope: Scope) -> Rows:
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - that is what it is where it was closed
            raise FlowError(f"{self.label or 'stdin'}: standard input is closed. Pipe rows into the command.")
        broken = Broken(scope, self.label or "stdin", Path("stdin"))
        async for line in _lines(sys.stdin.fileno(), scope.run):
            if self.format == "jsonl":
                for row in rows_of(iter((line,)), broken, self.into):
                    yield row
            elif (row := self._text_row(line, broken)) is not None:
                yield row

    def _text_row(self, line: Line, broken: Broken) -> Row | None:
        try:
            return {self.into or "text": line.text().strip()}
        except ValueError as error:
            broken.line(line, error)
            return None


async def _lines(descriptor: int, run: Run) -> AsyncIterator[Line]:
    number, held, whole = 0, b"", True
    while block := await _block(descriptor, run):
        *ended, held = (held + block).split(b"\n")
        for data in ended:
            number += 1
            if line := trimmed(number, data, whole):
                yield line
            whole = True
        if len(held) > LONGEST_LINE:
            held, whole = held[:_BLOCK], False
    if line := trimmed(number + 1, held, whole):
        yield line


async def _block(descriptor: int, run: Run) -> bytes:
    """What comes next; nothing where the flow is stopped. No thread is left waiting for input then."""

    def ready() -> bool:
        return bool(select.select([descriptor], [], [], _PATIENCE)[0])

    while not await asyncio.to_thread(ready):
        if run.cancelled:
            return b""
    return await asyncio.to_thread(os.read, descriptor, _BLOCK)
