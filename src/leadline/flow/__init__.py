"""Flows: rows through steps, on one machine or many, with nothing lost.

What is used from outside stands here, and is imported when it is first named; sources, sinks and aggregates are in
`leadline.flow.sources`, `.sinks`, `.aggregates` and `.arithmetic`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.flow.base import Chain, DeadLetter, Memory, Operator, Retry, Row, Rows, Scope
    from leadline.flow.control import Each, Fork, If
    from leadline.flow.editing import Extend, Remove, Rename, Select, Set
    from leadline.flow.ends import Failures, Flow, Limits, Sink, Source
    from leadline.flow.functions import Call
    from leadline.flow.grouping import Batch, Collect, Group
    from leadline.flow.joining import Join
    from leadline.flow.looping import While
    from leadline.flow.mapping import Filter, Flat, FlatMap, Map
    from leadline.flow.opening import Choices
    from leadline.flow.ordering import Distinct, Limit, Sample, Skip, Sort
    from leadline.flow.report import FlowReport, StepCount
    from leadline.flow.running import collected, run_flow
    from leadline.flow.spec import read_flow
    from leadline.flow.stepping import Step
    from leadline.flow.steps.asking import Ask, Search
    from leadline.flow.steps.classifying import Classify
    from leadline.flow.steps.cloze import Cloze
    from leadline.flow.steps.embedding import Embed
    from leadline.flow.steps.extracting import Extract
    from leadline.flow.steps.fetching import Fetch
    from leadline.flow.steps.judging import Judge
    from leadline.flow.steps.loading import Load, Split
    from leadline.flow.steps.planning import Plan
    from leadline.flow.steps.pooling import Pool
    from leadline.flow.steps.prompting import Prompt
    from leadline.flow.steps.reflecting import Reflect
    from leadline.flow.steps.retrieving import Retrieve
    from leadline.flow.steps.writing import Write

__all__ = [
    "Ask",
    "Batch",
    "Call",
    "Chain",
    "Choices",
    "Classify",
    "Cloze",
    "Collect",
    "DeadLetter",
    "Distinct",
    "Each",
    "Embed",
    "Extend",
    "Extract",
    "Failures",
    "Fetch",
    "Filter",
    "Flat",
    "FlatMap",
    "Flow",
    "FlowReport",
    "Fork",
    "Group",
    "If",
    "Join",
    "Judge",
    "Limit",
    "Limits",
    "Load",
    "Map",
    "Memory",
    "Operator",
    "Plan",
    "Pool",
    "Prompt",
    "Reflect",
    "Remove",
    "Rename",
    "Retrieve",
    "Retry",
    "Row",
    "Rows",
    "Sample",
    "Scope",
    "Search",
    "Select",
    "Set",
    "Sink",
    "Skip",
    "Sort",
    "Source",
    "Split",
    "Step",
    "StepCount",
    "While",
    "Write",
    "collected",
    "read_flow",
    "run_flow",
]

_HOMES = {
    "Ask": "steps.asking",
    "Batch": "grouping",
    "Call": "functions",
    "Chain": "base",
    "Choices": "opening",
    "Classify": "steps.classifying",
    "Cloze": "steps.cloze",
    "Collect": "grouping",
    "DeadLetter": "base",
    "Distinct": "ordering",
    "Each": "control",
    "Embed": "steps.embedding",
    "Extend": "editing",
    "Extract": "steps.extracting",
    "Failures": "ends",
    "Fetch": "steps.fetching",
    "Filter": "mapping",
    "Flat": "mapping",
    "FlatMap": "mapping",
    "Flow": "ends",
    "FlowReport": "report",
    "Fork": "control",
    "Group": "grouping",
    "If": "control",
    "Join": "joining",
    "Judge": "steps.judging",
    "Limit": "ordering",
    "Limits": "ends",
    "Load": "steps.loading",
    "Map": "mapping",
    "Memory": "base",
    "Operator": "base",
    "Plan": "steps.planning",
    "Pool": "steps.pooling",
    "Prompt": "steps.prompting",
    "Reflect": "steps.reflecting",
    "Remove": "editing",
    "Rename": "editing",
    "Retrieve": "steps.retrieving",
    "Retry": "base",
    "Row": "base",
    "Rows": "base",
    "Sample": "ordering",
    "Scope": "base",
    "Search": "steps.asking",
    "Select": "editing",
    "Set": "editing",
    "Sink": "ends",
    "Skip": "ordering",
    "Sort": "ordering",
    "Source": "ends",
    "Split": "steps.loading",
    "Step": "stepping",
    "StepCount": "report",
    "While": "looping",
    "Write": "steps.writing",
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
