"""The groups of a stream of rows, in memory and beyond it.

Where they are too many, or hold too much, they are written down as they are and begun again; what was written of one group is
put together in the end.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, cast

from leadline.flow.base import Row, Scope
from leadline.flow.digests import canonical, key_of
from leadline.flow.expressions.comparing import found
from leadline.flow.operators.aggregates import NOTHING, Aggregate, itself
from leadline.flow.operators.sorting import Sorter

Add = Callable[[Row], None]


def names_of(paths: Sequence[str]) -> list[str]:
    """What fields at these paths are called in a new row."""
    return [path.rpartition(".")[2] for path in paths]


class _State:
    """What is known of a group: when it came, its first row or only the fields `by` of that, what the aggregates hold."""

    __slots__ = ("first", "number", "states")

    def __init__(self, number: int, first: Row, states: list[Any]) -> None:
        self.number, self.first, self.states = number, first, states


class Groups:
    """The groups of rows that are equal at the paths `by`, in the order in which each first came."""

    def __init__(
        self, by: Sequence[str], aggregates: Mapping[str, Aggregate], inherit: bool, scope: Scope
    ) -> None:
        self.by, self.names, self.inherit = by, list(aggregates), inherit
        self.most = scope.memory.rows
        self.aggregates = list(aggregates.values())
        self.takes = [each.taking(scope) for each in self.aggregates]
        self.growing = sum(each.grows for each in self.aggregates)
        self.places = list(zip(names_of(by), (found(path.split(".")) for path in by), strict=True))
        self.held: dict[Any, _State] = {}
        self.holding = self.number = 0
        self.on_disk = False
        self.spilled = Sorter(scope.memory, itemgetter(0))
        self.finished = Sorter(scope.memory, itemgetter(0))

    def adder(self) -> Add:
        """What adds a row; where that raises, nothing was added."""
        simple = len(self.by) == len(self.aggregates) == 1 and not self.growing and "." not in self.by[0]
        return self._simple_adder() if simple else self._add

    def _simple_adder(self) -> Add:
        """The same as `_add`, for one field and one aggregate that stays small."""
        (name,), (take,), (aggregate,) = self.by, self.takes, self.aggregates
        held, begun, add_one, all_of_it = self.held, self._begun, aggregate.add, take is itself

        def add(row: Row) -> None:
            taken = row if all_of_it else take(row)
            value = row.get(name)
            key = value if type(value) is str else key_of(value)
            try:
                group = held[key]
            except KeyError:
                group = begun(key, row)
            if taken is not NOTHING:
                add_one(group.states[0], taken)

        return add

    def _add(self, row: Row) -> None:
        values = [take(row) for take in self.takes]
        key = tuple(key_of(place(row)) for _, place in self.places)
        group = self.held.get(key) or self._begun(key, row)
        for aggregate, state, value in zip(self.aggregates, group.states, values, strict=True):
            if value is not NOTHING:
                aggregate.add(state, value)
        self.holding += self.growing
        if self.holding > self.most:
            self._set_aside()

    def _begun(self, key: Any, row: Row) -> _State:
        if len(self.held) >= self.most:
            self._set_aside()
        keys = {name: place(row) for name, place in self.places}
        first = {**row, **keys} if self.inherit else keys
        group = _State(self.number, first, [each.start() for each in self.aggregates])
        self.number += 1
        self.held[key] = group
        return group

    def _set_aside(self) -> None:
        self.spilled.add_all(
            [canonical(key), group.number, group.first, group.states] for key, group in self.held.items()
        )
        self.held.clear()
        self.holding, self.on_disk = 0, True

    def rows(self) -> Iterator[Row]:
        """One row for each group."""
        if not self.on_disk:
            return (self._row(group.first, group.states) for group in self.held.values())
        self._set_aside()
        for number, first, states in self._put_together():
            self.finished.add([number, self._row(first, states)])
        return (row for _, row in self.finished)

    def _put_together(self) -> Iterator[tuple[int, Row, list[Any]]]:
        key, number, first, states = None, 0, cast(Row, {}), cast(list[Any], [])
        for next_key, later_number, later_first, later in self.spilled:
            if next_key == key:
                states = [
                    each.merged(*pair) for each, *pair in zip(self.aggregates, states, later, strict=True)
                ]
                continue
            if key is not None:
                yield number, first, states
            key, number, first, states = next_key, later_number, later_first, later
        if key is not None:
            yield number, first, states

    def _row(self, first: Row, states: Iterable[Any]) -> Row:
        results = {
            name: each.result(state)
            for name, each, state in zip(self.names, self.aggregates, states, strict=True)
        }
        return {**first, **results}
