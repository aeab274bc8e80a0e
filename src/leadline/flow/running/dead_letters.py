"""The rows that a flow could not use, one JSON line each: step, error, the row the step saw, the outer row it came of."""

import json
import reprlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, cast

from leadline.errors import StoreUnwritable
from leadline.flow.base import DeadLetter, Row

FILE = "failed.jsonl"
DEEPEST = 100
"""Lists in lists and mappings in mappings of a row, beyond which it is shown in short."""


def legible(row: Row) -> Row:
    """A row as JSON has it, whatever a step has put there: what cannot be written is shown in short.

    >>> legible({"n": 1, "tags": {"a"}, "names": {(1, 2): "b"}})
    {'n': 1, 'tags': "{'a'}", 'names': "{(1, 2): 'b'}"}
    """
    return {str(name): _legible(value) for name, value in row.items()}


def _legible(value: Any) -> Any:
    if _nested(value):
        return _short(value)
    try:
        return json.loads(json.dumps(value, default=repr))
    except Exception:  # noqa: BLE001 - what a step has put there may raise what it likes
        return _short(value)


def _short(value: Any) -> str:
    try:
        return reprlib.repr(value)
    except Exception:  # noqa: BLE001 - see above
        return f"<{type(value).__name__}>"


def _nested(value: Any) -> bool:
    """Whether it is nested so deeply that what holds it may be too deep for JSON."""
    level = [value]
    for _ in range(DEEPEST):
        # By identity: what holds one thing twice, which holds another twice, is no more than these.
        level = list({id(each): each for holder in level for each in _inside(holder)}.values())
        if not level:
            return False
    return True


def _inside(holder: Any) -> Iterable[Any]:
    if isinstance(holder, dict):
        return cast(dict[Any, Any], holder).values()
    return cast(Sequence[Any], holder) if isinstance(holder, list | tuple) else ()


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
