"""Streams closed in order, from the last to the source, when a run ends before they do."""

from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


class Closing(Generic[T]):
    """`async with Closing(rows):` closes a stream at the end of the block. A class, as a generator here would itself be one
    of the streams that the loop closes at its end, in no order."""

    def __init__(self, rows: AsyncIterator[T]) -> None:
        self.rows = rows

    async def __aenter__(self) -> AsyncIterator[T]:
        return self.rows

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        aclose: Callable[[], Awaitable[None]] | None = getattr(self.rows, "aclose", None)
        if aclose is not None:
            await aclose()
