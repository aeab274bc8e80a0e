"""Flows: rows through steps, on one machine or many, with nothing lost.

What is used from outside stands here, and is imported when it is first named.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.flow.base import Chain, DeadLetter, Memory, Operator, Retry, Row, Rows, Scope
    from leadline.flow.control import Each, Fork, If
    from leadline.flow.ends import Failures, Flow, Limits, Sink, Source
    from leadline.flow.looping import While
    from leadline.flow.opening import Choices
    from leadline.flow.report import FlowReport, StepCount
    from leadline.flow.running import collected, run_flow
    from leadline.flow.spec import read_flow
    from leadline.flow.stepping import Step

__all__ = [
    "Chain",
    "Choices",
    "DeadLetter",
    "Each",
    "Failures",
    "Flow",
    "FlowReport",
    "Fork",
    "If",
    "Limits",
    "Memory",
    "Operator",
    "Retry",
    "Row",
    "Rows",
    "Scope",
    "Sink",
    "Source",
    "Step",
    "StepCount",
    "While",
    "collected",
    "read_flow",
    "run_flow",
]

_HOMES = {
    "Chain": "base",
    "Choices": "opening",
    "DeadLetter": "base",
    "Each": "control",
    "Failures": "ends",
    "Flow": "ends",
    "FlowReport": "report",
    "Fork": "control",
    "If": "control",
    "Limits": "ends",
    "Memory": "base",
    "Operator": "base",
    "Retry": "base",
    "Row": "base",
    "Rows": "base",
    "Scope": "base",
    "Sink": "ends",
    "Source": "ends",
    "Step": "stepping",
    "StepCount": "report",
    "While": "looping",
    "collected": "running",
    "read_flow": "spec",
    "run_flow": "running",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'leadline.flow' has no attribute {name!r}")
    return getattr(import_module(f"leadline.flow.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
