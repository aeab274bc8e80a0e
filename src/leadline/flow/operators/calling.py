"""Calling functions that users gave: with the scope where they ask for it, and with what they raise kept to the row."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from leadline.errors import FlowError, RowFailed
from leadline.flow.base import Row, Scope
from leadline.flow.expressions.conditions import Condition, Expression, condition
from leadline.flow.stepping import PASSED_ON, RAISED, said


def handed(function: Callable[..., Any], scope: Scope) -> Callable[..., Any]:
    """The function with the scope filled in if it has a parameter of that name."""
    if isinstance(function, Expression):
        return function.function
    try:
        asks = "scope" in inspect.signature(function).parameters
    except ValueError:  # some built-in functions do not tell theirs
        asks = False
    return partial(function, scope=scope) if asks else function


def waits(function: Callable[..., Any]) -> bool:
    """Whether calling it gives something to await."""
    return inspect.iscoroutinefunction(inspect.unwrap(function)) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - of an object that is called
    )


def deciding(given: Condition | str, step: str, scope: Scope) -> Callable[[Row], Any]:
    """What says whether a row meets a condition; a user's function raises what it likes."""
    decides = condition(given)
    if waits(decides):
        raise FlowError(
            f"{step}: a condition cannot be a coroutine function. Set a field in a step, and test that."
        )
    return handed(decides, scope)


def decider(given: Condition | str, step: str, scope: Scope) -> Callable[[Row], Any]:
    """The same, where what it raises becomes `RowFailed` of that row."""
    asked = deciding(given, step, scope)

    def decide(row: Row) -> Any:
        try:
            return asked(row)
        except PASSED_ON:
            raise
        except RAISED as error:
            raise RowFailed(step, said(error), row) from error

    return decide
