"""Rows to whatever the command is piped into."""

import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from leadline.flow.base import FieldKind, Row, Scope
from leadline.flow.ends import Put, Sink
from leadline.flow.operators.shapes import reading
from leadline.flow.sinks.jsonl import json_line
from leadline.flow.sinks.lines import writing
from leadline.flow.templates import filled, slots


@dataclass(frozen=True, slots=True)
class Stdout(Sink):
    """Rows to standard output, as JSON lines or as a template says; the next program gets each one at once.

    row: instead of JSON: what is written for each row, with slots: `{{question}}`.

    Example:
        stdout: {row: "{{question}}: {{answer}}"}
    """

    row: str = ""

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(*slots(self.row))

    @asynccontextmanager
    async def opened(self, scope: Scope) -> AsyncGenerator[Put]:
        def write(line: bytes) -> None:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()

        sys.stdout.flush()
        line = self._told if self.row else json_line
        yield writing(line, write, scope, self.label or "stdout")

    def _told(self, row: Row) -> bytes:
        return f"{filled(self.row, row)}\n".encode("utf-8", "replace")
