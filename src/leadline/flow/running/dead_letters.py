"""The rows that a flow could not use, one JSON line each: step, error, the row the step saw, the outer row it came of."""

import json
import reprlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from leadline.errors import StoreUnwritable
from leadline.flow.base import DeadLetter, Row

FILE = "failed.jsonl"


def legible(row: Row) -> Row:
    """A row as JSON has it, whatever a step has put there: what cannot be written is shown in short.

    >>> legible({"n": 1, "tags": {"a"}, "names": {(1, 2): "b"}})
    {'n': 1, 'tags': "{'a'}", 'names': "{(1, 2): 'b'}"}
    """
    return {str(name): _legible(value) for name, value in row.items()}


def _legible(value: Any) -> Any:
    try:
        return json.loads(json.dumps(value, default=repr))
    except (TypeError, ValueError, RecursionError):
        return reprlib.repr(value)


@dataclass(slots=True)
class DeadLetters:
    """A file that the first letter makes; that of an earlier run goes away when this one begins. Without a file they are
    only counted."""

    file: Path | None
    failed: int = 0
    skipped: int = 0
    by_step: Counter[str] = field(default_factory=Counter[str])
    _open: TextIO | None = None

    def begin(self) -> None:
        """Take away the letters of an earlier run."""
        if self.file is not None:
            try:
                self.file.unlink(missing_ok=True)
            except OSError as error:
                raise self._unwritable(error) from None

    def put(self, letter: DeadLetter, segment: str, ordinal: int | None, outer: Row | None) -> None:
        """Count one, and write it down at once."""
        if letter.policy == "fail":
            self.failed += 1
        else:
            self.skipped += 1
        self.by_step[letter.step] += 1
        if self.file is None:
            return
        said = {"step": letter.step, "error": letter.error, "policy": letter.policy}
        rows = {"row": legible(letter.row), "outer": outer and legible(outer)}
        line = json.dumps({**said, **rows, "segment": segment, "ordinal": ordinal})
        try:
            if self._open is None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                self._open = self.file.open("w", encoding="utf-8", buffering=1)
            self._open.write(f"{line}\n")
        except OSError as error:
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Let go of the file."""
        if self._open is not None:
            self._open.close()

    def _unwritable(self, error: OSError) -> StoreUnwritable:
        return StoreUnwritable(
            f"`{self.file}` cannot be written: {error.strerror}. Free some space, or name another."
        )
