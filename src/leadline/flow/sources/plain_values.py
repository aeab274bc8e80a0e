"""Values of databases and binary files as plain JSON values."""

import base64
import math
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, cast

from leadline.flow.base import Row


def plain(value: Any) -> Any:
    """A value as JSON has it: dates as ISO 8601 text, exact decimals as numbers where a number is exact, bytes as
    base64, an interval as seconds; what is not a number is null.

    >>> plain(date(2020, 5, 3)), plain(Decimal("1.50")), plain(Decimal("0.1234567890123456789")), plain(b"ab")
    ('2020-05-03', 1.5, '0.1234567890123456789', 'YWI=')
    >>> plain(float("nan")), plain({1: (timedelta(seconds=90), None)})
    (None, {'1': [90.0, None]})
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in cast(Mapping[Any, Any], value).items()}
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(bytes(cast(bytes, value))).decode()
    if isinstance(value, Sequence):
        return [plain(inner) for inner in cast(Sequence[Any], value)]
    return _told(value)


def _told(value: Any) -> Any:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal):
        return _number(value)
    return str(value)


def _number(value: Decimal) -> Any:
    if not value.is_finite():
        return None
    if value == value.to_integral_value():
        return int(value)
    number = float(value)
    return number if Decimal(repr(number)) == value else str(value)


def plain_row(values: Mapping[str, Any]) -> Row:
    """A record of plain values."""
    return {name: plain(value) for name, value in values.items()}
