"""What a source gives and what a sink makes of rows, with all that was lost on the way."""

from collections.abc import Sequence
from dataclasses import replace

from leadline.flow.base import DeadLetter, Row, Scope
from leadline.flow.ends import Sink, Source
from leadline.testing.running import go


def read(source: Source, scope: Scope | None = None) -> tuple[list[Row], list[DeadLetter]]:
    """All rows of a source, and what it lost."""
    lost: list[DeadLetter] = []
    listening = replace(scope or Scope(), lose=lost.append)

    async def rows() -> list[Row]:
        return [row async for row in source.rows(listening)]

    return go(rows()), lost


def write(sink: Sink, rows: Sequence[Row], scope: Scope | None = None) -> list[DeadLetter]:
    """Rows into a sink that ends well; what it lost."""
    lost: list[DeadLetter] = []

    async def work() -> None:
        async with sink.opened(replace(scope or Scope(), lose=lost.append)) as put:
            for row in rows:
                await put(row)

    go(work())
    return lost


def fail(sink: Sink, rows: Sequence[Row]) -> None:
    """Rows into a sink that is left by a `KeyError`."""

    async def work() -> None:
        async with sink.opened(Scope()) as put:
            for row in rows:
                await put(row)
            raise KeyError

    go(work())
