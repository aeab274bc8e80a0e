"""What values of rows are to each other. Values that cannot be compared are never an error, only not equal, not less."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from leadline.flow.base import Row

Evaluate = Callable[[Row], Any]

_MISSING = object()


def same(left: Any, right: Any) -> bool:
    """Equal as JSON is: true and false are no numbers, 1 and 1.0 are one number."""
    if isinstance(left, dict) and isinstance(right, dict):
        mine, theirs = cast(dict[str, Any], left), cast(dict[str, Any], right)
        return mine.keys() == theirs.keys() and all(same(value, theirs[key]) for key, value in mine.items())
    if isinstance(left, list) and isinstance(right, list):
        pair = cast(list[Any], left), cast(list[Any], right)
        return len(pair[0]) == len(pair[1]) and all(map(same, *pair))
    return left == right and isinstance(left, bool) is isinstance(right, bool)


def less(left: Any, right: Any) -> bool:
    """Of two numbers or two texts, whether the first comes before."""
    if isinstance(left, str) and isinstance(right, str):
        return left < right
    if isinstance(left, bool) or isinstance(right, bool):
        return False
    return isinstance(left, int | float) and isinstance(right, int | float) and left < right


def _not_same(left: Any, right: Any) -> bool:
    return not same(left, right)


def _more(left: Any, right: Any) -> bool:
    return less(right, left)


def _at_most(left: Any, right: Any) -> bool:
    alike = isinstance(left, str) if isinstance(right, str) else isinstance(left, int | float)
    return less(left, right) or (alike and isinstance(right, int | float | str) and same(left, right))


def _at_least(left: Any, right: Any) -> bool:
    return _at_most(right, left)


COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": same,
    "!=": _not_same,
    "<": less,
    "<=": _at_most,
    ">": _more,
    ">=": _at_least,
}


_BY_KIND: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NUMBERS = frozenset((int, float))
_TEXTS = frozenset((str,))


def compared(sign: str, left: Evaluate, right: Evaluate) -> Evaluate:
    """Two parts of an expression, compared."""
    compare = COMPARISONS[sign]
    return lambda row: compare(left(row), right(row))


def against(sign: str, left: Evaluate, value: Any) -> Evaluate:
    """A part of an expression, compared with a value that is known: of its own kind at once, else with all care."""
    kinds = _TEXTS if type(value) is str else _NUMBERS if type(value) in _NUMBERS else frozenset[type]()
    at_once, compare = _BY_KIND[sign], COMPARISONS[sign]

    def evaluate(row: Row) -> bool:
        held = left(row)
        return at_once(held, value) if type(held) in kinds else compare(held, value)

    return evaluate


def first(parts: Sequence[Evaluate], *, wanted: bool) -> Evaluate:
    """The first value that decides (`or`: a non-empty one, `and`: an empty one), else the last."""
    if len(parts) == 2:
        one, other = parts
        return (lambda row: one(row) or other(row)) if wanted else (lambda row: one(row) and other(row))

    def evaluate(row: Row) -> Any:
        value: Any = None
        for part in parts:
            value = part(row)
            if bool(value) is wanted:
                break
        return value

    return evaluate


def contains(holder: Any, value: Any) -> bool:
    """Whether a list holds a value, a mapping a key, a text a text."""
    if isinstance(holder, list):
        values = cast(list[Any], holder)
        # Whatever is the same is equal in Python too, which is found out faster.
        return value in values and any(same(value, each) for each in values)
    if isinstance(holder, str | dict):
        return isinstance(value, str) and value in holder
    return False


def length(value: Any) -> int | None:
    """Of a text, list or mapping; nothing has none, and so has length 0; of anything else there is no length."""
    if value is None:
        return 0
    return len(cast(str, value)) if isinstance(value, str | list | dict) else None


def lowered(value: Any) -> Any:
    """A text in small letters; anything else as it is."""
    return value.lower() if isinstance(value, str) else value


def found(path: Sequence[str]) -> Callable[[Row], Any]:
    """The value at a path, null where there is none."""
    if len(path) == 1:
        name = path[0]
        return lambda row: row.get(name)

    def at_path(row: Row) -> Any:
        value = _walked(row, path)
        return None if value is _MISSING else value

    return at_path


def there(path: Sequence[str]) -> Callable[[Row], bool]:
    """Whether there is a value at a path, be it null."""
    return lambda row: _walked(row, path) is not _MISSING


def _walked(row: Row, path: Sequence[str]) -> Any:
    """Through keys of mappings and positions in lists; nothing else of a value is ever touched."""
    value: Any = row
    for part in path:
        if isinstance(value, dict):
            value = cast(dict[str, Any], value).get(part, _MISSING)
        elif isinstance(value, list):
            value = _item(cast(list[Any], value), part)
        else:
            return _MISSING
    return value


def _item(values: list[Any], part: str) -> Any:
    digits = part.removeprefix("-")
    if not digits.isdecimal() or len(digits) > 9:
        return _MISSING
    at = int(part)
    return values[at] if -len(values) <= at < len(values) else _MISSING
