"""The order of values of any kind, and sorting more items than fit in memory.

null, then false and true, then numbers, then texts (by code point), then lists and mappings (by their JSON).
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self, TextIO

from leadline.flow.base import Memory, Row
from leadline.flow.digests import canonical
from leadline.flow.expressions.comparing import found
from leadline.flow.operators.spilling import put, scratch, taken

MOST_RUNS = 64
"""So many files are open at once, at most."""

Order = tuple[int, Any]


def order_of(value: Any) -> Order:
    """What compares with that of any other value.

    >>> sorted([[1], "b", 2, None, "B", 1.5, True], key=order_of)
    [None, True, 1.5, 2, 'B', 'b', [1]]
    """
    if isinstance(value, str):
        return 4, value
    if value is None:
        return 0, 0
    if isinstance(value, bool):
        return 1, value
    if isinstance(value, int | float):
        return (3, value) if value == value else (2, 0)
    return 5, canonical(value)


class _Backwards:
    """An order turned round."""

    __slots__ = ("order",)

    def __init__(self, order: Order) -> None:
        self.order = order

    def __lt__(self, other: "_Backwards") -> bool:
        return other.order < self.order

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Backwards) and other.order == self.order

    __hash__ = None  # pyright: ignore[reportAssignmentType] - only ever compared


def by_fields(by: Sequence[str]) -> Callable[[Row], tuple[Any, ...]]:
    """The sort key of rows by paths; `-` before one turns its order round.

    >>> sorted([{"n": 1}, {"n": 2}, {}], key=by_fields(["-n"]))
    [{'n': 2}, {'n': 1}, {}]
    """
    paths = [(found(name.removeprefix("-").split(".")), name.startswith("-")) for name in by]

    def key(row: Row) -> tuple[Any, ...]:
        orders = ((order_of(at(row)), backwards) for at, backwards in paths)
        return tuple(_Backwards(order) if backwards else order for order, backwards in orders)

    return key


class Sorter:
    """Items (JSON values) to be read in the order of their keys; of equal ones, the first added comes first."""

    def __init__(self, memory: Memory, key: Callable[[Any], Any]) -> None:
        self._memory, self._key = memory, key
        self._held: list[Any] = []
        self._runs: list[TextIO] = []

    def add(self, item: Any) -> None:
        """One more."""
        self._held.append(item)
        if len(self._held) > self._memory.rows:
            self.set_aside()

    def add_all(self, items: Iterable[Any]) -> None:
        """All of these, set aside at once."""
        self._held.extend(items)
        self.set_aside()

    def set_aside(self) -> None:
        """Write what is held to a file of its own."""
        self._held.sort(key=self._key)
        self._runs.append(self._written(self._held))
        self._held = []
        if len(self._runs) == MOST_RUNS:
            merged = self._written(heapq.merge(*map(taken, self._runs), key=self._key))
            self._close()
            self._runs = [merged]

    def _written(self, items: Iterable[Any]) -> TextIO:
        file = scratch(self._memory)
        try:
            for item in items:
                put(file, item)
        except BaseException:
            file.close()
            raise
        return file

    def __iter__(self) -> Iterator[Any]:
        self._held.sort(key=self._key)
        if not self._runs:
            return iter(self._held)
        return heapq.merge(*map(taken, self._runs), self._held, key=self._key)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held = []
        self._close()

    def _close(self) -> None:
        for run in self._runs:
            run.close()
        self._runs = []
