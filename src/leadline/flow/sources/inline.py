"""Rows that stand in the flow itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.errors import FlowError
from leadline.flow.base import Rows, Scope
from leadline.flow.ends import Source


@dataclass(frozen=True, slots=True)
class InlineRows(Source):
    """Rows that stand in the flow file, or are given by Python.

    items: the rows, each a mapping.

    Example:
        rows:
          items:
            - question: Who supplied the cement?
            - question: When was the harbour dredged?
    """

    items: Sequence[Mapping[str, Any]]

    async def rows(self, scope: Scope) -> Rows:
        for place, item in enumerate(self.items):
            if not isinstance(item, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - as written in a file
                raise FlowError(
                    f"{self.label or 'rows'}: items[{place}] is {item!r:.60}. A row is a mapping."
                )
            yield dict(item)

    async def total(self, scope: Scope) -> int | None:
        return len(self.items)
