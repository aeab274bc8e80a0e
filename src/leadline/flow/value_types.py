"""The types that a flow file gives arguments and columns: each from text, as a command line or a table has it, or from a
value already of that type."""

import json
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast


def _text(given: object) -> str:
    if isinstance(given, str | int | float | Path) and not isinstance(given, bool):
        return str(given)
    raise ValueError("must be text")


def _whole(given: object) -> int:
    if isinstance(given, float) and given.is_integer():
        return int(given)
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    if isinstance(given, str) and re.fullmatch(r"\s*[-+]?\d{1,300}\s*", given):
        return int(given)
    raise ValueError("must be a whole number")


def _number(given: object) -> float:
    if isinstance(given, int | float | str) and not isinstance(given, bool):
        try:
            # Python takes `1_000` for a number; hardly anybody else does.
            value = math.nan if isinstance(given, str) and "_" in given else float(given)
        except (ValueError, OverflowError):
            value = math.nan
        if math.isfinite(value):
            return value
    raise ValueError("must be a number")


def _truth(given: object) -> bool:
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if isinstance(given, bool):
        return given
    if isinstance(given, str) and given.strip().lower() in words:
        return words[given.strip().lower()]
    raise ValueError("must be true or false")


def _list(given: object) -> list[Any]:
    if isinstance(given, list | tuple):
        return [*cast(list[Any], given)]
    if isinstance(given, str) and given.lstrip().startswith("["):
        try:
            read = json.loads(given)
        except (ValueError, RecursionError):
            raise ValueError('must be a list, as `a,b` or `["a", "b"]`') from None
        return read
    if isinstance(given, str):
        return [part.strip() for part in given.split(",") if part.strip()]
    raise ValueError("must be a list")


TYPES: Mapping[str, Callable[[object], Any]] = {
    "text": _text,
    "int": _whole,
    "float": _number,
    "bool": _truth,
    "path": _text,
    "list": _list,
}
