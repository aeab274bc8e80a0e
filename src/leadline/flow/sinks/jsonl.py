"""Rows as JSON lines."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from leadline.flow.base import Row, Scope
from leadline.flow.ends import Put, Sink
from leadline.flow.sinks.files import written
from leadline.flow.sinks.lines import writing

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
ESCAPING = json.JSONEncoder(allow_nan=False)


@dataclass(frozen=True, slots=True)
class Jsonl(Sink):
    """Rows into a file of JSON lines, one object a line.

    path: the file; it takes its place when the flow has ended, until then it is called `NAME.part`.

    Example:
        jsonl: {path: answers.jsonl}
    """

    path: str | Path

    @asynccontextmanager
    async def opened(self, scope: Scope) -> AsyncGenerator[Put]:
        label = self.label or "jsonl"
        with written(self.path, label) as file:
            yield writing(json_line, file.write, scope, label)


def json_line(row: Row) -> bytes:
    """A row as one line of JSON."""
    try:
        return (ENCODER.encode(row) + "\n").encode()
    except UnicodeEncodeError:  # half of a character pair, which only an escape can tell
        return (ESCAPING.encode(row) + "\n").encode()
