"""Flows: rows through steps, on one machine or many, with nothing lost.

What is used from outside stands here, and is imported when it is first named; sources, sinks and aggregates are in
`leadline.flow.sources`, `.sinks`, `.operators.aggregates` and `.operators.arithmetic`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leadline.flow.base import Chain, DeadLetter, Memory, Operator, Retry, Row, Rows, Scope
    from leadline.flow.ends import Failures, Flow, Limits, Sink, Source
    from leadline.flow.files.reading import read_flow
    from leadline.flow.operators.control import Each, Fork, If
    from leadline.flow.operators.editing import Extend, Remove, Rename, Select, Set
    from leadline.flow.operators.functions import Call
    from leadline.flow.operators.grouping import Batch, Collect, Group
    from leadline.flow.operators.joining import Join
    from leadline.flow.operators.looping import While
    from leadline.flow.operators.mapping import Filter, Flat, FlatMap, Map
    from leadline.flow.operators.ordering import Distinct, Limit, Sample, Skip, Sort
    from leadline.flow.running.opening import Choices
    from leadline.flow.running.report import FlowReport, StepCount
    from leadline.flow.running.running import collected, run_flow
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
    from leadline.flow.steps.searching_web import SearchWeb
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
    "SearchWeb",
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
    "Batch": "operators.grouping",
    "Call": "operators.functions",
    "Chain": "base",
    "Choices": "running.opening",
    "Classify": "steps.classifying",
    "Cloze": "steps.cloze",
    "Collect": "operators.grouping",
    "DeadLetter": "base",
    "Distinct": "operators.ordering",
    "Each": "operators.control",
    "Embed": "steps.embedding",
    "Extend": "operators.editing",
    "Extract": "steps.extracting",
    "Failures": "ends",
    "Fetch": "steps.fetching",
    "Filter": "operators.mapping",
    "Flat": "operators.mapping",
    "FlatMap": "operators.mapping",
    "Flow": "ends",
    "FlowReport": "running.report",
    "Fork": "operators.control",
    "Group": "operators.grouping",
    "If": "operators.control",
    "Join": "operators.joining",
    "Judge": "steps.judging",
    "Limit": "operators.ordering",
    "Limits": "ends",
    "Load": "steps.loading",
    "Map": "operators.mapping",
    "Memory": "base",
    "Operator": "base",
    "Plan": "steps.planning",
    "Pool": "steps.pooling",
    "Prompt": "steps.prompting",
    "Reflect": "steps.reflecting",
    "Remove": "operators.editing",
    "Rename": "operators.editing",
    "Retrieve": "steps.retrieving",
    "Retry": "base",
    "Row": "base",
    "Rows": "base",
    "Sample": "operators.ordering",
    "Scope": "base",
    "Search": "steps.asking",
    "SearchWeb": "steps.searching_web",
    "Select": "operators.editing",
    "Set": "operators.editing",
    "Sink": "ends",
    "Skip": "operators.ordering",
    "Sort": "operators.ordering",
    "Source": "ends",
    "Split": "steps.loading",
    "Step": "stepping",
    "StepCount": "running.report",
    "While": "operators.looping",
    "Write": "steps.writing",
    "collected": "running.running",
    "read_flow": "files.reading",
    "run_flow": "running.running",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'leadline.flow' has no attribute {name!r}")
    return getattr(import_module(f"leadline.flow.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
