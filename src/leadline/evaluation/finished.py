"""Finished rows of an experiment, one JSON object per line, so that a stopped run goes on where it was."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from leadline.errors import UsageError


@dataclass(slots=True)
class FinishedRows:
    """The rows in `file`, by their `id`. Appending writes the line at once.

    A last line that a kill cut short is dropped; a broken line before the last is reported, as no kill
    leaves that.
    """

    file: Path
    rows: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    @classmethod
    def open(cls, file: Path, *, fresh: bool = False) -> "FinishedRows":
        """Read what is there; `fresh` forgets it first."""
        file.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            file.unlink(missing_ok=True)
        finished = cls(file)
        if file.exists():
            finished._read()
        return finished

    def append(self, row: Mapping[str, Any]) -> None:
        """Keep one row; it must have a string `id`."""
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
        self.rows[row["id"]] = row

    def _read(self) -> None:
        content = self.file.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            self.file.write_bytes(whole)
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                row = cast(Mapping[str, Any], json.loads(line))
                self.rows[row["id"]] = row
            except (ValueError, KeyError, TypeError):
                raise UsageError(f"{self.file}:{number} is not a row. Start again with --fresh.") from None
