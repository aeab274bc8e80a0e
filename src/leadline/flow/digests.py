"""What tells rows and values apart: equal JSON has equal digests, whatever the order of its keys.

1 and 1.0 are one number, as they are in JSON; true is no number; null is not the text "null".
"""

import json
import math
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, cast

from leadline.flow.base import Row

_WHOLE = 2**53
"""Beyond this a float no longer says which whole number it is."""

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical(value: Any) -> str:
    """One text for all values that are equal. `TypeError` for what is no JSON value.

    >>> canonical({"b": 1.0, "a": [True, None]})
    '{"a":[true,null],"b":1}'
    """
    try:
        return _encode(_whole_numbers(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"{type(value).__name__} holds what is no JSON value: {error}") from None


def _whole_numbers(value: Any) -> Any:
    kind = cast(Any, type(value))
    if kind is float:
        return int(value) if value.is_integer() and abs(value) < _WHOLE else value
    if kind is dict:
        return {key: _whole_numbers(each) for key, each in cast(Row, value).items()}
    if kind is list or kind is tuple:
        return [_whole_numbers(each) for each in cast(Sequence[Any], value)]
    return value


def digest(*values: Any) -> str:
    """32 hexadecimal digits that stand for values.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2.0, "a": 1}) != digest({"a": 1})
    True
    """
    return blake2b(canonical(values).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def key_of(value: Any) -> Any:
    """What stands for a value as the key of a dict or a member of a set.

    >>> len({key_of(value) for value in (1, 1.0, True, "1", None, "null", [1], [1.0])})
    6
    """
    if type(value) is str:
        return value
    # In a tuple, so that it never meets a text that looks the same.
    if type(value) is int:
        return (value,)
    if type(value) is float and math.isfinite(value):
        return (_whole_numbers(value),)
    return (canonical(value), "")
