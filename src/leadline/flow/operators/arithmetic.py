"""Aggregates that compute: sums, means, how far values spread, the least and the greatest."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from leadline.flow.base import FieldKind, Row
from leadline.flow.expressions.comparing import found
from leadline.flow.operators.aggregates import NOTHING, Aggregate, Take, something
from leadline.flow.operators.sorting import order_of

_WHOLE = 2.0**53
"""A float from here on is a whole number."""


def _number(field: str) -> Take:
    at = found(field.split("."))

    def value(row: Row) -> Any:
        held = at(row)
        if held is None:
            return NOTHING
        if isinstance(held, bool) or not isinstance(held, int | float):
            raise TypeError(f"`{field}` holds no number but {held!r:.80}")
        return held

    return value


@dataclass(frozen=True, slots=True)
class Sum(Aggregate):
    """The sum of a field's numbers, exact to the last digit in any order; 0 if there are none. Null counts as none.

    One that is too large for a number is infinite.
    """

    @property
    def kind(self) -> FieldKind:
        return "number"

    @property
    def wants(self) -> FieldKind:
        return "number"

    def value(self) -> Take:
        return _number(self.field)

    def start(self) -> Any:
        # The whole numbers; floats that together are the exact sum of the others; infinities; how many there were.
        return [0, [], [], 0]

    def add(self, state: Any, value: Any) -> None:
        state[3] += 1
        if isinstance(value, int):
            state[0] += value
        elif not math.isfinite(value):
            state[2].append(value)
        elif abs(value) < _WHOLE:
            _add_exactly(state[1], value)
        else:
            # Added as a whole number, of which none is too large. The sum is a float all the same.
            state[0] += int(value)
            _add_exactly(state[1], 0.0)

    def merged(self, state: Any, later: Any) -> Any:
        for value in later[1]:
            _add_exactly(state[1], value)
        return [state[0] + later[0], state[1], [*state[2], *later[2]], state[3] + later[3]]

    def result(self, state: Any) -> Any:
        whole, parts, special, _ = state
        if special:
            return sum(special)
        if not parts:
            return whole
        try:
            return math.fsum([*parts, *_as_floats(whole)])
        except OverflowError:
            return _beyond(whole)


def _as_floats(whole: int) -> Iterator[float]:
    """Floats whose sum is a whole number to its last digit."""
    while whole:
        part = float(whole)
        yield part
        whole -= int(part)


def _beyond(number: float) -> float:
    return math.inf if number > 0 else -math.inf


def _add_exactly(parts: list[float], value: float) -> None:
    """Shewchuk's sum: `parts` do not overlap, and add up to exactly what was added."""
    kept = 0
    for part in parts:
        if abs(value) < abs(part):
            value, part = part, value
        high = value + part
        low = part - (high - value)
        if low:
            parts[kept] = low
            kept += 1
        value = high
    parts[kept:] = [value]


@dataclass(frozen=True, slots=True)
class Mean(Sum):
    """The mean of a field's numbers; null if there are none."""

    @property
    def kind(self) -> FieldKind:
        return "any"

    def result(self, state: Any) -> Any:
        total = Sum.result(self, state)
        if not state[3]:
            return None
        try:
            return total / state[3]
        except OverflowError:
            return _beyond(total)


@dataclass(frozen=True, slots=True)
class Variance(Aggregate):
    """The variance of a field's numbers, as of a sample (divided by one less than there are); null for fewer than two."""

    @property
    def kind(self) -> FieldKind:
        return "number"

    @property
    def wants(self) -> FieldKind:
        return "number"

    def value(self) -> Take:
        number = _number(self.field)

        def value(row: Row) -> Any:
            held = number(row)
            try:
                return held if held is NOTHING else float(held)
            except OverflowError:
                raise ValueError(f"`{self.field}` holds a number that is too large to compute with") from None

        return value

    def start(self) -> Any:
        return [0, 0.0, 0.0]

    def add(self, state: Any, value: Any) -> None:
        state[0] += 1
        off = value - state[1]
        state[1] += off / state[0]
        state[2] += off * (value - state[1])

    def merged(self, state: Any, later: Any) -> Any:
        count = state[0] + later[0]
        off = later[1] - state[1]
        mean = state[1] + off * later[0] / count if count else 0.0
        return [count, mean, state[2] + later[2] + off * off * state[0] * later[0] / max(count, 1)]

    def result(self, state: Any) -> Any:
        return state[2] / (state[0] - 1) if state[0] > 1 else None


@dataclass(frozen=True, slots=True)
class Deviation(Variance):
    """The standard deviation of a field's numbers: the square root of their variance."""

    def result(self, state: Any) -> Any:
        variance = Variance.result(self, state)
        return None if variance is None else math.sqrt(variance)


@dataclass(frozen=True, slots=True)
class Min(Aggregate):
    """The least value of a field, null left out; null if there is none. Numbers come before texts."""

    def value(self) -> Take:
        return something(self.field)

    def add(self, state: Any, value: Any) -> None:
        if not state or self._better(order_of(value), order_of(state[0])):
            state[:] = [value]

    def _better(self, one: Any, other: Any) -> bool:
        return one < other

    def merged(self, state: Any, later: Any) -> Any:
        for value in later:
            self.add(state, value)
        return state

    def result(self, state: Any) -> Any:
        return state[0] if state else None


@dataclass(frozen=True, slots=True)
class Max(Min):
    """The greatest value of a field, null left out; null if there is none. Texts come after numbers."""

    def _better(self, one: Any, other: Any) -> bool:
        return other < one
