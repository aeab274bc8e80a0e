"""Rows that do not fit in memory: beyond `Memory.rows` they go to files that nobody else sees and that leave with us.

The files have no name from the start, so that nothing is left of them, even of a process that was killed.
"""

import json
import os
from collections.abc import Iterator
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Self, TextIO, cast

from leadline.errors import RowFailed
from leadline.flow.base import Memory, Row

_write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_read = json.JSONDecoder().decode


def scratch(memory: Memory) -> TextIO:
    """A new file for lines of JSON, which goes when it is closed."""
    if memory.folder is not None:
        memory.folder.mkdir(parents=True, exist_ok=True)
    return cast(
        TextIO,
        TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="\n", dir=memory.folder),
    )


def put(file: TextIO, value: Any) -> None:
    """One more line, at the end."""
    try:
        file.write(_write(value) + "\n")
    except (TypeError, ValueError, RecursionError) as error:
        raise RowFailed("too many rows for memory", f"not to be written as JSON: {error}", value) from error


def taken(file: TextIO) -> Iterator[Any]:
    """All lines, from the start. Nothing may be put until they have been read to the end."""
    file.seek(0)
    yield from map(_read, file)
    file.seek(0, os.SEEK_END)


class SpillList:
    """Rows in the order in which they were appended, to be read as often as wanted."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._held: list[Row] = []
        self._file: TextIO | None = None
        self._length = 0

    def append(self, row: Row) -> None:
        """One more row at the end."""
        self._length += 1
        if len(self._held) < self._memory.rows:
            self._held.append(row)
            return
        if self._file is None:
            self._file = scratch(self._memory)
        put(self._file, row)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Row]:
        yield from self._held
        if self._file is not None:
            yield from taken(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held = []
        if self._file is not None:
            self._file.close()
