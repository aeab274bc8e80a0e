"""Walking a filter tree to put it into another language: the part that is the same for every engine.

Every `not` is pushed down to the comparisons, as a field that is missing must pass `not (field == x)`,
whatever the engine itself makes of missing fields.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from leadline.errors import FilterError
from leadline.store.fields import Field
from leadline.store.filter_text import filter_text
from leadline.store.filter_tree import And, Compare, Filter, Not, Or

T = TypeVar("T")

DEPTH = 8
"""How deep `and` and `or` may alternate."""


@dataclass(frozen=True, slots=True)
class Walk(ABC, Generic[T]):
    """Translates for one collection. True and False stand for a condition that no row has to be looked at for.

    A test may let more rows through than the comparison does (the store compares again what comes back),
    never fewer; True is the widest of them.
    """

    fields: Sequence[Field]

    def translated(self, where: Filter, wanted: bool = True, depth: int = 0) -> T | bool:
        """Where the filter is true, or with `wanted` False where it is not."""
        match where:
            case Not(part):
                return self.translated(part, not wanted, depth)
            case And(parts):
                return self._all(where, parts, "all" if wanted else "any", wanted, depth)
            case Or(parts):
                return self._all(where, parts, "any" if wanted else "all", wanted, depth)
            case Compare(field, "!=", value):
                return self.translated(Compare(field, "==", value), not wanted, depth)
            case Compare():
                tests = [
                    self.test(one, where) if wanted else self.failed(one, where)
                    for one in self.fields
                    if one.name == where.field
                ]
                return self._joined("any" if wanted else "all", tests)

    def _all(
        self, where: Filter, parts: Sequence[Filter], how: Literal["all", "any"], wanted: bool, depth: int
    ) -> T | bool:
        if depth > DEPTH:
            raise FilterError(f"`and` and `or` alternate deeper than {DEPTH} levels:", filter_text(where), 0)
        return self._joined(how, [self.translated(part, wanted, depth + 1) for part in parts])

    def _joined(self, how: Literal["all", "any"], parts: Sequence[T | bool]) -> T | bool:
        neutral = how == "all"
        if any(part is (not neutral) for part in parts):
            return not neutral
        telling = [part for part in parts if not isinstance(part, bool)]
        if not telling:
            return neutral
        return telling[0] if len(telling) == 1 else self.joined(how, telling)

    @abstractmethod
    def test(self, field: Field, compared: Compare) -> T | bool:
        """Where a column has a value that passes; False when none of its kind can."""

    @abstractmethod
    def failed(self, field: Field, compared: Compare) -> T | bool:
        """Where a column has no value that passes, rows without one included."""

    @abstractmethod
    def joined(self, how: Literal["all", "any"], parts: Sequence[T]) -> T:
        """All or any of two conditions or more."""
