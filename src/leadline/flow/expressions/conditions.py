"""Expressions over the fields of a row, and conditions made of them.

    status == "open" and len(chunks) > 0 and not title matches "^draft"

A condition is met where its value is not empty: null, false, 0, "", [] and {} are empty. So the name of a field is a
condition too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from leadline.flow.base import FieldKind, Row
from leadline.flow.expressions.parsing import Parsed, parsed


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression: called with a row it gives a value. `shared` are the values that `$name` stands for.

    A field that is not there is null. Texts compare with texts and numbers with numbers; any other `<` is false. `a or b`
    is the first of both that is not empty.

    >>> Expression.parse('tags.0 == "new" or len(title) > 3')({"tags": ["old"], "title": "Flow"})
    True
    """

    text: str
    shared: Mapping[str, Any] = field(default_factory=dict[str, Any])
    _parsed: Parsed = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        read = parsed(self.text, self.shared)
        object.__setattr__(self, "_parsed", read)
        object.__setattr__(self, "shared", {name: self.shared[name] for name in read.shared})

    @classmethod
    def parse(cls, text: str, shared: Mapping[str, Any] | None = None) -> Self:
        """Read an expression; `FlowError` says what cannot be read and where."""
        return cls(text, shared or {})

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields it reads, as dotted paths; none: its value is always the same."""
        return tuple(".".join(path) for path in self._parsed.fields)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields of the row itself whose values it needs; not those that it only looks for with `exists`."""
        return self._parsed.needed

    @property
    def comparisons(self) -> tuple[tuple[str, FieldKind], ...]:
        """Fields of the row itself, and of what kind the values are that they are compared with."""
        return self._parsed.comparisons

    @property
    def function(self) -> Callable[[Row], Any]:
        """What it is, without the way through this object: for a million rows."""
        return self._parsed.evaluate

    def __call__(self, row: Row) -> Any:
        return self._parsed.evaluate(row)

    def __reduce__(self) -> tuple[type[Self], tuple[str, Mapping[str, Any]]]:
        return type(self), (self.text, self.shared)


Condition = Expression | Callable[[Row], Any]


def condition(given: str | Condition) -> Condition:
    """An expression for its text; a function as it is."""
    return Expression.parse(given) if isinstance(given, str) else given


def reads(given: Condition) -> dict[str, FieldKind]:
    """The first names of the fields that a condition reads, as `Operator.reads` tells them."""
    return dict.fromkeys(given.names, "any") if isinstance(given, Expression) else {}
