"""What is said of the rows of a group: how many, the sum of a field, its values ...

Each keeps a state of JSON values, so that states can be written down and put together when there are too many groups.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from leadline.flow.base import FieldKind, Row, Scope
from leadline.flow.digests import canonical
from leadline.flow.expressions.comparing import found
from leadline.flow.expressions.conditions import Condition
from leadline.flow.operators.calling import decider
from leadline.flow.operators.sorting import by_fields, order_of

NOTHING = object()
"""A row that is not counted."""

Take = Callable[[Row], Any]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The base of all aggregates.

    field: the path of the values it is of; if not given, it is of whole rows.
    where: only rows that meet this condition count.
    """

    field: str = ""
    where: Condition | str | None = None

    @property
    def grows(self) -> bool:
        """Whether it holds more the more rows there are."""
        return False

    @property
    def kind(self) -> FieldKind:
        """Of what kind it says something, as far as that is known."""
        return "any"

    @property
    def wants(self) -> FieldKind:
        """Of what kind the values of its field must be."""
        return "any"

    def taking(self, scope: Scope) -> Take:
        """What it needs of a row, or `NOTHING`. An unusable value raises, and the row is as if it had not been there."""
        value = self.value()
        if self.where is None:
            return value
        decide = decider(self.where, type(self).__name__.lower(), scope)
        return lambda row: value(row) if decide(row) else NOTHING

    def value(self) -> Take:
        """What it needs of a row that counts."""
        return found(self.field.split(".")) if self.field else itself

    def start(self) -> Any:
        """The state before the first row."""
        return []

    def add(self, state: Any, value: Any) -> None:
        """Change the state by what was taken of a row."""
        raise NotImplementedError

    def merged(self, state: Any, later: Any) -> Any:
        """One state for two, that of the rows that came first first."""
        raise NotImplementedError

    def result(self, state: Any) -> Any:
        """What it says."""
        return state


def itself(row: Row) -> Row:
    """The whole row."""
    return row


def something(field: str) -> Take:
    """Values of a field that are not null."""
    at = found(field.split("."))

    def value(row: Row) -> Any:
        held = at(row)
        return NOTHING if held is None else held

    return value


@dataclass(frozen=True, slots=True)
class Count(Aggregate):
    """How many rows there are; with a field, in how many it is not null."""

    @property
    def kind(self) -> FieldKind:
        return "number"

    def value(self) -> Take:
        return something(self.field) if self.field else itself

    def start(self) -> Any:
        return [0]

    def add(self, state: Any, value: Any) -> None:
        state[0] += 1

    def merged(self, state: Any, later: Any) -> Any:
        return [state[0] + later[0]]

    def result(self, state: Any) -> Any:
        return state[0]


@dataclass(frozen=True, slots=True)
class First(Aggregate):
    """The value of the first row."""

    def add(self, state: Any, value: Any) -> None:
        if not state:
            state.append(value)

    def merged(self, state: Any, later: Any) -> Any:
        return state or later

    def result(self, state: Any) -> Any:
        return state[0] if state else None


@dataclass(frozen=True, slots=True)
class Last(First):
    """The value of the last row."""

    def add(self, state: Any, value: Any) -> None:
        state[:] = [value]

    def merged(self, state: Any, later: Any) -> Any:
        return later or state


@dataclass(frozen=True, slots=True)
class Values(Aggregate):
    """All values, in the order of the rows."""

    @property
    def grows(self) -> bool:
        return True

    @property
    def kind(self) -> FieldKind:
        return "list"

    def add(self, state: Any, value: Any) -> None:
        state.append(value)

    def merged(self, state: Any, later: Any) -> Any:
        return [*state, *later]


@dataclass(frozen=True, slots=True)
class DistinctValues(Aggregate):
    """All different values, in the order in which they first came."""

    @property
    def grows(self) -> bool:
        return True

    @property
    def kind(self) -> FieldKind:
        return "list"

    def start(self) -> Any:
        return {}

    def add(self, state: Any, value: Any) -> None:
        state.setdefault(canonical(value), value)

    def merged(self, state: Any, later: Any) -> Any:
        # Equal values of both keep the place and the look that they had first.
        return {**state, **{name: value for name, value in later.items() if name not in state}}

    def result(self, state: Any) -> Any:
        return list(cast(dict[str, Any], state).values())


@dataclass(frozen=True, slots=True)
class Head(Values):
    """The first values.

    n: how many of them, where there are so many.
    """

    n: int = 1

    def add(self, state: Any, value: Any) -> None:
        if len(state) < self.n:
            state.append(value)

    def merged(self, state: Any, later: Any) -> Any:
        return [*state, *later][: self.n]


@dataclass(frozen=True, slots=True)
class Tail(Values):
    """The last values.

    n: how many of them, where there are so many.
    """

    n: int = 1

    def add(self, state: Any, value: Any) -> None:
        state.append(value)
        if len(state) > self.n:
            del state[0]

    def merged(self, state: Any, later: Any) -> Any:
        both = [*state, *later]
        return both[max(len(both) - self.n, 0) :]


@dataclass(frozen=True, slots=True)
class Sorted(Values):
    """All values, in the order of some fields of their rows.

    by: these fields, the most important first; `-` before one turns its order round.
    n: only the first so many.
    """

    by: Sequence[str] = ()
    n: int | None = None

    def value(self) -> Take:
        at, paths = Aggregate.value(self), [name.removeprefix("-") for name in self.by]
        places = [found(path.split(".")) for path in paths]
        # Under numbers, since a path may hold dots.
        return lambda row: [{str(number): place(row) for number, place in enumerate(places)}, at(row)]

    def result(self, state: Any) -> Any:
        by = [f"{'-' if name.startswith('-') else ''}{number}" for number, name in enumerate(self.by)]
        key = by_fields(by) if by else _own_order
        ranked = sorted(state, key=(lambda pair: key(pair[0])) if by else key)
        return [value for _, value in ranked[: self.n]]


def _own_order(pair: Any) -> Any:
    return order_of(pair[1])
