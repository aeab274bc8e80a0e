"""What tells one flow from another whose finished rows must not be mixed with its own."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from types import CodeType
from typing import Any, cast

from leadline.flow.ends import Flow

_LONGEST = 60


def flow_digest(flow: Flow) -> str:
    """Of all that decides what becomes of a row: source, steps, arguments, what a row may spend. How many rows are worked
    on at a time, what the whole flow may spend and where its rows go are no part of it."""
    if flow.digest:
        return flow.digest
    parts = (flow.name, flow.source, flow.steps, flow.shared, flow.limits.row, flow.ordered)
    return blake2b(repr(_told(parts)).encode(), digest_size=16).hexdigest()


def folder_name(flow: Flow) -> str:
    """The name of the folder that holds a flow's journal."""
    name = re.sub(r"[^\w-]+", "_", flow.name)[:_LONGEST].strip("_") or "flow"
    return f"{name}-{flow_digest(flow)[:8]}"


def _told(value: Any) -> Any:
    """A value without addresses in memory and without labels."""
    if is_dataclass(value) and not isinstance(value, type):
        kept = {each.name: _told(getattr(value, each.name)) for each in fields(value) if each.name != "label"}
        return _home(type(value)), kept
    if isinstance(value, Mapping):
        return [(_told(key), _told(each)) for key, each in cast("Mapping[Any, Any]", value).items()]
    if isinstance(value, list | tuple | set | frozenset):
        told = [_told(each) for each in cast("list[Any]", value)]
        return sorted(told, key=repr) if isinstance(value, set | frozenset) else told
    if callable(value):
        return _home(value), _code(getattr(value, "__code__", None)), _held(value)
    return repr(value)


def _home(value: Callable[..., Any]) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"


def _held(function: Callable[..., Any]) -> list[str]:
    """The plain values that a function has taken from around it."""
    cells: Sequence[Any] = getattr(function, "__closure__", None) or ()
    held = [cell.cell_contents for cell in cells]
    held += getattr(function, "__defaults__", None) or ()
    return [repr(each) for each in held if isinstance(each, str | int | float | None)]


def _code(code: CodeType | None) -> Any:
    """What a function does, so that two of one name (two lambdas) are told apart."""
    if code is None:
        return None
    constants = [_code(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return code.co_code.hex(), code.co_names, constants
