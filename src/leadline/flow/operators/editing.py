"""Steps that change which fields a row has: Select, Rename, Set, Remove, Extend."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, cast

from leadline.errors import FlowError
from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.digests import key_of
from leadline.flow.expressions.comparing import found
from leadline.flow.expressions.conditions import Condition, Expression, reads
from leadline.flow.operators.calling import handed
from leadline.flow.operators.shapes import having, lacking
from leadline.flow.stepping import Step, Work


@dataclass(frozen=True, slots=True)
class Select(Step):
    """Keeps some fields, in the order given; one that a row does not have stays away.

    fields: their names.

    Example:
        select: {fields: [title, text]}
    """

    fields: Sequence[str]

    def reads(self) -> Mapping[str, FieldKind]:
        return dict.fromkeys(self.fields, "any")

    def after(self, before: Shape) -> Shape:
        return Shape({name: before.fields.get(name, "any") for name in self.fields}, open=False)

    def ready(self, scope: Scope) -> Work:
        fields = tuple(self.fields)
        inner = [name for name in fields if "." in name]

        def selected(row: Row) -> Iterable[Row]:
            for name in inner:
                if name not in row and name.partition(".")[0] in row:
                    raise ValueError(whole(name))
            return ({name: row[name] for name in fields if name in row},)

        return selected if inner else lambda row: ({name: row[name] for name in fields if name in row},)


def whole(name: str) -> str:
    """What to do about a path where a field must be."""
    return f"`select` takes whole fields: `set: {{fields: {{{name.rpartition('.')[2]}: {name}}}}}` first"


@dataclass(frozen=True, slots=True)
class Rename(Step):
    """Gives fields other names, in place. To take the name of a field that is there already is an error.

    fields: the new name of each.

    Example:
        rename: {fields: {title: heading}}
    """

    fields: Mapping[str, str]

    def reads(self) -> Mapping[str, FieldKind]:
        return dict.fromkeys(self.fields, "any")

    def after(self, before: Shape) -> Shape:
        return Shape({self.fields.get(name, name): kind for name, kind in before.fields.items()}, before.open)

    def ready(self, scope: Scope) -> Work:
        fields = dict(self.fields)

        def renamed(row: Row) -> Iterable[Row]:
            made = {fields.get(name, name): value for name, value in row.items()}
            if len(made) < len(row):
                twice = sorted(new for old, new in fields.items() if old in row and new in row)
                raise ValueError(
                    f"the row has {', '.join(f'`{name}`' for name in twice)} already; remove it first"
                )
            return (made,)

        return renamed


@dataclass(frozen=True, slots=True)
class Set(Step):
    """Sets fields, each to what an expression gives or to a value. All expressions see the row as it came in.

    fields: an expression for each field, or `{value: ...}` with any value; in Python also a function of the row.

    Example:
        set: {fields: {size: len(text), language: {value: en}}}
    """

    fields: Mapping[str, Expression | str | Mapping[str, Any] | Callable[[Row], Any]]
    _made: tuple[tuple[str, Any], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        made = tuple((name, _setter(name, given)) for name, given in self.fields.items())
        object.__setattr__(self, "_made", made)

    def reads(self) -> Mapping[str, FieldKind]:
        return {name: kind for _, made in self._made if callable(made) for name, kind in reads(made).items()}

    def after(self, before: Shape) -> Shape:
        return having(before, {name: _kind(made) for name, made in self._made})

    def ready(self, scope: Scope) -> Work:
        made = [(name, _maker(given, scope)) for name, given in self._made]
        return lambda row: ({**row, **{name: make(row) for name, make in made}},)


@dataclass(frozen=True, slots=True)
class _Value:
    value: Any


def _setter(name: str, given: Any) -> Condition | _Value:
    if isinstance(given, str):
        return Expression.parse(given)
    if callable(given):
        return given
    if isinstance(given, Mapping) and list(cast(Mapping[str, Any], given)) == ["value"]:
        return _Value(given["value"])
    raise FlowError(
        f"`{name}` is set to an expression (a text), or to `{{value: ...}}`; this is {given!r:.60}"
    )


def _kind(made: Any) -> FieldKind:
    if not isinstance(made, _Value):
        return "any"
    kinds: Mapping[Any, FieldKind] = {
        str: "text", int: "number", float: "number", bool: "bool", list: "list", dict: "mapping",
    }  # fmt: skip
    return kinds.get(cast(Any, type(made.value)), "any")


def _maker(given: Any, scope: Scope) -> Callable[[Row], Any]:
    if not isinstance(given, _Value):
        return handed(given, scope)
    value: Any = given.value
    # A list of its own for each row: what a user's function does to one must not be seen in the others.
    return (lambda _: deepcopy(value)) if type(value) in {list, dict} else (lambda _: value)


@dataclass(frozen=True, slots=True)
class Remove(Step):
    """Removes fields; one that a row does not have is no error.

    fields: their names.
    empty: remove also every field that holds null, "", [] or {}.

    Example:
        remove: {fields: [vector]}
    """

    fields: Sequence[str] = ()
    empty: bool = False

    def after(self, before: Shape) -> Shape:
        return lacking(before, *self.fields)

    def ready(self, scope: Scope) -> Work:
        gone = frozenset(self.fields)
        if self.empty:
            return lambda row: (
                {name: value for name, value in row.items() if name not in gone and not _empty(value)},
            )
        return lambda row: ({name: value for name, value in row.items() if name not in gone},)


def _empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


@dataclass(frozen=True, slots=True)
class Extend(Step):
    """Appends to lists what other fields hold: the elements of a list, any other value as one element, null as none.

    fields: for each list the field that is appended to it. A list that is not there yet starts empty.
    distinct: of elements that are equal only the first stays.
    by: elements are equal where their values at this path are.

    Example:
        extend: {fields: {all_chunks: chunks}, distinct: true, by: id}
    """

    fields: Mapping[str, str]
    distinct: bool = False
    by: str = ""

    def reads(self) -> Mapping[str, FieldKind]:
        return dict.fromkeys(self.fields.values(), "any")

    def after(self, before: Shape) -> Shape:
        return having(before, dict.fromkeys(self.fields, cast(FieldKind, "list")))

    def ready(self, scope: Scope) -> Work:
        def extended(row: Row) -> Iterable[Row]:
            lists = {
                into: self._unlike([*_elements(row.get(into)), *_elements(row.get(of))])
                for into, of in self.fields.items()
            }
            return ({**row, **lists},)

        return extended

    def _unlike(self, elements: list[Any]) -> list[Any]:
        if not self.distinct:
            return elements
        at = found(self.by.split(".")) if self.by else None
        first: dict[Any, Any] = {}
        for element in elements:
            first.setdefault(key_of(at(element) if at else element), element)
        return list(first.values())


def _elements(value: Any) -> list[Any]:
    if value is None:
        return []
    return cast(list[Any], value) if isinstance(value, list) else [value]
