"""What a search of a Lance table gives: row numbers with scores and, where they were asked for, the bodies of the chunks."""
# pyarrow is not typed
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Ranked:
    """Rows with their scores, and the bodies that came along."""

    rows: list[tuple[int, float]]
    bodies: dict[int, str] = field(default_factory=dict[int, str])

    @classmethod
    def of(cls, found: Any, scores: Sequence[float]) -> "Ranked":
        """From the Arrow table that a search returned."""
        numbers: list[int] = found.column("_rowid").to_pylist()
        bodies: list[str] = found.column("body").to_pylist() if "body" in found.column_names else []
        return cls(
            list(zip(numbers, scores, strict=True)), dict(zip(numbers, bodies, strict=True)) if bodies else {}
        )


@dataclass(slots=True)
class Along:
    """Whether bodies are worth asking for in the search itself, before it is known which rows it gives.

    Reading them afterwards is one more query, which makes searches of a million chunks with none of their texts known a sixth
    (keyword) to a third (dense) longer; reading those in memory already is for nothing. Questions that follow one another are
    likely to be alike in this, so the last one decides.
    """

    worth: bool = True

    def count(self, found: Ranked, known: Container[int]) -> None:
        """Take note of what a search gave, and of what was `known` before it."""
        if found.rows:
            self.worth = 2 * sum(row not in known for row, _ in found.rows) > len(found.rows)
