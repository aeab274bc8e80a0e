"""The step that calls a Python function. The user's settings say which; nothing else is ever imported for a flow file."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as filled
from functools import partial, wraps
from importlib import import_module
from typing import Any

from leadline.errors import FlowError
from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.operators.mapping import FlatMap, Map
from leadline.flow.stepping import RAISED, Step, Work, said
from leadline.settings import Settings

PATH = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class Call(Step):
    """Calls a Python function that the setting `flow.functions` allows.

    The function is given the row, or the values of `field`, and `args` by name; a parameter named `scope` is given the
    scope, with the run and the flow's arguments. It may be a coroutine function. What it gives goes into the field `into`;
    without that it is the new row, or with `many` a list of new rows. It must not change what it is given. What it gave is
    read from the journal when a run is resumed.

    function: where it is, as `package.module:name`.
    field: the field or the fields whose values it is given, instead of the row.
    into: the field for what it gives; if not given, `field` itself where that is one.
    args: further arguments, by name.
    many: it gives rows, any number of them, as a list or one after the other.
    thread: call it in a thread of its own, so that other rows go on while it waits for a disk or a network.

    Example:
        call: {function: "textstat.words:syllables", field: text, into: syllables, args: {language: en}}
    """

    function: str
    field: str | Sequence[str] = ()
    into: str = ""
    args: Mapping[str, Any] = filled(default_factory=dict[str, Any])
    many: bool = False
    thread: bool = False

    def __post_init__(self) -> None:
        match = PATH.fullmatch(self.function)
        if match is None or "__" in self.function:
            raise FlowError(f"call: `{self.function:.80}` is no function; write `package.module:name`")
        if self.many and self.into:
            raise FlowError("call: what is `many` is rows, and goes into no field; leave `into` out")

    @property
    def costly(self) -> bool:
        return True

    def refusal(self, settings: Settings) -> str:
        """Why a flow file may not call it; "" if it may."""
        module = self.function.partition(":")[0]
        # A file that lies in the folder may have come with the flow, and must not be what vouches for it.
        allowed = () if settings.is_stray("flow.functions") else settings.flow.functions
        if self.function not in allowed and f"{module}:*" not in allowed:
            return (
                f"`{self.function}` is not allowed. If you trust it, set LEADLINE_FLOW_FUNCTIONS={self.function}, or list "
                "it as `functions` under `[flow]` in a configuration file that you name with --config."
            )
        try:
            function = imported(self.function)
        except FlowError as error:
            return str(error)
        # `*` is of what a module makes, not of what it imports for itself, such as `os.system`.
        if self.function not in allowed and getattr(function, "__module__", None) != module:
            return f"`{self.function}` is not made in `{module}`, so `{module}:*` does not allow it. List it by its name."
        return ""

    def reads(self) -> Mapping[str, FieldKind]:
        return self._step(len).reads()

    def after(self, before: Shape) -> Shape:
        return self._step(len).after(before)

    def apply(self, row: Row, scope: Scope) -> Any:
        return self.ready(scope)(row)

    def ready(self, scope: Scope) -> Work:
        if scope.workspace is not None and (refusal := self.refusal(scope.workspace.settings)):
            raise FlowError(f"{self.label or 'call'}: {refusal}")
        function = imported(self.function)
        called = in_thread(function) if self.thread else function
        return self._step(partial(called, **self.args) if self.args else called).ready(scope)

    def _step(self, function: Callable[..., Any]) -> Map | FlatMap:
        if self.many:
            return FlatMap(function, self.field, label=self.label)
        return Map(function, self.field, self.into, label=self.label)


def imported(path: str) -> Callable[..., Any]:
    """The function at `package.module:name`; `FlowError` says why there is none."""
    module, _, name = path.partition(":")
    try:
        function = getattr(import_module(module), name)
    except RAISED as error:
        hint = (
            " It must be installed, or its folder be in PYTHONPATH." if isinstance(error, ImportError) else ""
        )
        raise FlowError(f"`{path}` cannot be imported: {said(error)}.{hint}") from error
    if not callable(function):
        raise FlowError(f"`{path}` is no function.")
    return function


def in_thread(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as one to await, with the same parameters."""

    @wraps(function)
    async def threaded(*given: Any, **named: Any) -> Any:
        return await asyncio.to_thread(function, *given, **named)

    return threaded
