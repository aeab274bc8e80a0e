"""Streams closed in order, from the last to the source, when a run ends before they do."""

from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


class Closing(Generic[T]):
    """`contextlib.aclosing` for any stream: one of somebody's own source may have nothing to close."""

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
