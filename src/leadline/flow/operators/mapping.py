"""Steps that make rows of a row by a function or a condition, and the one that makes a row of each element of a list."""

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.expressions.comparing import found
from leadline.flow.expressions.conditions import Condition, Expression, condition, reads
from leadline.flow.operators.calling import deciding, handed, waits
from leadline.flow.operators.shapes import having
from leadline.flow.stepping import Step, Work

Function = Callable[[Any], Any] | Callable[[Any, Any], Any] | Callable[[Any, Any, Any], Any]

_PLAIN = frozenset((str, int, float, bool, type(None), list, dict))


@dataclass(frozen=True, slots=True)
class Map(Step):
    """Makes one row of each row, or the value of one field, by a function.

    The function is given the row, or the values of `field`; a parameter named `scope` is given the scope. It may be a
    coroutine function. What it gives is the new row, or goes into the field `into`.

    function: an expression, or in Python any function.
    field: the field or the fields whose values it is given, instead of the row.
    into: the field for what it gives; if not given, `field` itself where that is one.
    remember: whether what it gave is read from the journal when a run is resumed, instead of calling it again; if not
        given, only coroutine functions are remembered.

    Example:
        map: {function: lower(title), into: title}
    """

    function: Expression | Function
    field: str | Sequence[str] = ()
    into: str = ""
    remember: bool | None = None

    @property
    def costly(self) -> bool:
        return waits(self.function) if self.remember is None else self.remember

    def reads(self) -> Mapping[str, FieldKind]:
        given = reads(self.function) if isinstance(self.function, Expression) else {}
        return {**given, **dict.fromkeys(map(_first, _names(self.field)), cast(FieldKind, "any"))}

    def after(self, before: Shape) -> Shape:
        into = self._into()
        return having(before, {into: "any"}) if into else Shape()

    def _into(self) -> str:
        return self.into or (self.field if isinstance(self.field, str) else "")

    def ready(self, scope: Scope) -> Work:
        function, into = _on(self.function, self.field, scope), self._into()

        def one(row: Row) -> Iterable[Row] | Awaitable[Iterable[Row]]:
            made: Any = function(row)
            if into or type(made) is not dict:
                return placed(row, made)
            return (made,)  # pyright: ignore[reportUnknownVariableType] - to name its type costs a call

        def placed(row: Row, made: Any) -> Iterable[Row] | Awaitable[Iterable[Row]]:
            return later(row, made) if _awaited(made) else (_placed(row, made, into),)

        async def later(row: Row, made: Awaitable[Any]) -> Iterable[Row]:
            return (_placed(row, await made, into),)

        return one


def _awaited(made: Any) -> bool:
    # What a row is made of is known at a glance; to ask an abstract class about it is slow.
    return type(made) not in _PLAIN and isinstance(made, Awaitable)


def _placed(row: Row, made: Any, into: str) -> Row:
    if into:
        return {**row, into: made}
    if not isinstance(made, dict):
        raise TypeError(f"the function gave {made!r:.80}, which is no row. To leave rows out, filter them.")
    return cast(Row, made)


@dataclass(frozen=True, slots=True)
class FlatMap(Step):
    """Makes any number of rows of each row by a function.

    The function is given the row, or the values of `field`; a parameter named `scope` is given the scope. It gives rows,
    as a list or one after the other; it may be a coroutine function or an asynchronous generator.

    function: an expression that gives a list of rows, or in Python any function.
    field: the field or the fields whose values it is given, instead of the row.
    remember: whether what it gave is read from the journal when a run is resumed, instead of calling it again; if not
        given, only coroutine functions are remembered.

    Example:
        flat_map: {function: chapters}
    """

    function: Expression | Function
    field: str | Sequence[str] = ()
    remember: bool | None = None

    @property
    def costly(self) -> bool:
        return waits(self.function) if self.remember is None else self.remember

    def reads(self) -> Mapping[str, FieldKind]:
        given = reads(self.function) if isinstance(self.function, Expression) else {}
        return {**given, **dict.fromkeys(map(_first, _names(self.field)), cast(FieldKind, "any"))}

    def after(self, before: Shape) -> Shape:
        return Shape()

    def ready(self, scope: Scope) -> Work:
        function = _on(self.function, self.field, scope)

        def many(row: Row) -> Iterable[Row] | Awaitable[Iterable[Row]]:
            made = function(row)
            if isinstance(made, Awaitable | AsyncIterable):
                return later(cast(Any, made))
            return [_row(each) for each in _listed(made)]

        async def later(made: Any) -> Iterable[Row]:
            if isinstance(made, AsyncIterable):
                return [_row(each) async for each in cast(AsyncIterable[Any], made)]
            return [_row(each) for each in _listed(await made)]

        return many


def _listed(made: Any) -> Iterable[Any]:
    if isinstance(made, str | bytes | dict) or not isinstance(made, Iterable):
        raise TypeError(f"the function gave {made!r:.80}, which are no rows")
    return cast(Iterable[Any], made)


def _row(made: Any) -> Row:
    if not isinstance(made, dict):
        raise TypeError(f"the function gave {made!r:.80}, which is no row")
    return cast(Row, made)


def _on(function: Expression | Function, field: str | Sequence[str], scope: Scope) -> Callable[[Row], Any]:
    """The function as one of a row."""
    called = handed(function, scope)
    names = _names(field)
    if not names:
        return called
    if len(names) == 1:
        (name,) = names
        return lambda row: called(_held(row, name))
    return lambda row: called(*(_held(row, name) for name in names))


def _names(field: str | Sequence[str]) -> Sequence[str]:
    return ((field,) if field else ()) if isinstance(field, str) else field


def _first(path: str) -> str:
    return path.partition(".")[0]


def _held(row: Row, name: str) -> Any:
    if name in row:
        return row[name]
    raise KeyError(f"the row has no field `{name}`")


@dataclass(frozen=True, slots=True)
class Filter(Step):
    """Lets through the rows that meet a condition.

    condition: a field (which counts as met if it is not empty), an expression, or in Python a function of the row.

    Example:
        filter: {condition: score >= 0.5 and not title matches "^draft"}
    """

    condition: Condition | str

    def reads(self) -> Mapping[str, FieldKind]:
        return reads(condition(self.condition))

    def ready(self, scope: Scope) -> Work:
        decide = deciding(self.condition, self.label or "filter", scope)
        return lambda row: (row,) if decide(row) else ()


@dataclass(frozen=True, slots=True)
class Flat(Step):
    """Makes a row of each element of a list, or of each key, value or item of a mapping.

    Each new row has the fields of its parent and the element. A field that holds anything else, or nothing, is an error;
    an empty list gives no rows, unless `keep_empty`.

    field: where the list or the mapping is.
    as: the field for the element; if not given, it replaces the list.
    of: `list`, or of a mapping its `keys`, its `values`, or its `items` (each with `key` and `value`).
    inherit: with false, the fields of the parent are left out, and an element that is a mapping is the new row itself
        (unless `as` says where to put it).
    keep_empty: a row whose list is empty or not there is kept, with null for the element.

    Example:
        flat: {field: chunks, as: chunk}
    """

    field: str
    as_: str = ""
    of: Literal["list", "keys", "values", "items"] = "list"
    inherit: bool = True
    keep_empty: bool = False

    def reads(self) -> Mapping[str, FieldKind]:
        return {_first(self.field): "list" if self.of == "list" and "." not in self.field else "any"}

    def after(self, before: Shape) -> Shape:
        if not self.inherit:
            return Shape({self.as_: "any"}, open=False) if self.as_ else Shape()
        kind: FieldKind = {"keys": "text", "items": "mapping"}.get(self.of, "any")  # pyright: ignore[reportAssignmentType]
        return having(before, {self._name(): "any" if self.keep_empty else kind})

    def _name(self) -> str:
        return self.as_ or self.field.rpartition(".")[2]

    def ready(self, scope: Scope) -> Work:
        held, name, elements = found(self.field.split(".")), self._name(), _ELEMENTS[self.of]
        kind, wanted = (list, "list") if self.of == "list" else (dict, "mapping")
        keep_empty, inherit = self.keep_empty, self.inherit

        def flattened(row: Row) -> Iterable[Row]:
            value: Any = held(row)
            if keep_empty and (value is None or value in ([], {})):
                return ({**row, name: None},)
            if not isinstance(value, kind):
                raise TypeError(f"`{self.field}` holds no {wanted} but {value!r:.80}")
            if inherit:
                return [{**row, name: element} for element in elements(value)]
            return [self._alone(element, name) for element in elements(value)]

        return flattened

    def _alone(self, element: Any, name: str) -> Row:
        bare = isinstance(element, dict) and not self.as_
        return cast(Row, element) if bare else {name: element}


def _keys(value: Row) -> Iterable[Any]:
    return value.keys()


def _values(value: Row) -> Iterable[Any]:
    return value.values()


def _items(value: Row) -> Iterable[Any]:
    return [{"key": key, "value": each} for key, each in value.items()]


_ELEMENTS: Mapping[str, Callable[[Any], Iterable[Any]]] = {
    "list": iter,
    "keys": _keys,
    "values": _values,
    "items": _items,
}
