"""Rows as JSON lines."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from leadline.flow.base import DeadLetter, Row, Scope
from leadline.flow.ends import Put, Sink
from leadline.flow.sinks.files import written

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
ESCAPING = json.JSONEncoder(allow_nan=False)


@dataclass(frozen=True, slots=True)
class Jsonl(Sink):
    """Rows into a file of JSON lines, one object a line.

    path: the file; it takes its place when the flow has ended, until then it is called `NAME.part`.

    Example:
        jsonl: {path: answers.jsonl}
    """

    path: Path

    @asynccontextmanager
    async def opened(self, scope: Scope) -> AsyncGenerator[Put]:
        label = self.label or "jsonl"
        with written(self.path, label) as file:
            write = file.write

            async def put(row: Row) -> None:
                try:
                    line = json_line(row)
                except (TypeError, ValueError, RecursionError) as error:
                    scope.lose(DeadLetter(label, f"cannot be written as JSON: {error}", row, "skip"))
                else:
                    write(line)

            yield put


def json_line(row: Row) -> bytes:
    """A row as one line of JSON."""
    try:
        return (ENCODER.encode(row) + "\n").encode()
    except UnicodeEncodeError:  # half of a character pair, which only an escape can tell
        return (ESCAPING.encode(row) + "\n").encode()
