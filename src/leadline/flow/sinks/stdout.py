"""Rows to whatever the command is piped into."""

import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from leadline.flow.base import DeadLetter, FieldKind, Row, Scope
from leadline.flow.ends import Put, Sink
from leadline.flow.operators.shapes import reading
from leadline.flow.sinks.jsonl import json_line
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
        label = self.label or "stdout"
        write, flush = sys.stdout.buffer.write, sys.stdout.buffer.flush

        async def put(row: Row) -> None:
            try:
                line = f"{filled(self.row, row)}\n".encode("utf-8", "replace") if self.row else json_line(row)
            except (TypeError, ValueError, RecursionError) as error:
                scope.lose(DeadLetter(label, f"cannot be written as JSON: {error}", row, "skip"))
            else:
                write(line)
                flush()

        sys.stdout.flush()
        yield put
