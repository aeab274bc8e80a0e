"""A flow cut into segments: what one outer row goes through by itself, and the steps between that see all rows.

steps -> [row steps that cost something] | [row steps that are quick] | [one step over the whole stream] ...
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Any, Literal

from leadline.flow.base import Chain, Operator
from leadline.run import Budget

Kind = Literal["costly", "cheap", "stream"]


@dataclass(frozen=True, slots=True)
class Segment:
    """`costly`: its outer rows are worked on several at a time, and what became of each is remembered. `cheap`: they pass
    through one by one. `stream`: a single step that sees all rows. `key` is its place in the flow, the same every time.
    `budget` is what one outer row may spend."""

    key: str
    kind: Kind
    steps: tuple[Operator, ...]
    budget: Budget


def cut(operator: Operator, budget: Budget, key: str = "", path: str = "steps") -> tuple[Segment, ...]:
    """The segments of a flow's steps, in order. Steps without a label get one, by their place."""
    steps = [_labelled(step, f"{path}[{place}]") for place, step in enumerate(_flat(operator))]
    found: list[Segment] = []
    for reach, together in groupby(steps, key=lambda step: step.reach):
        run = tuple(together)
        if reach == "row":
            kind = "costly" if any(step.costly for step in run) else "cheap"
            found.append(Segment(f"{key}{len(found)}", kind, run, budget))
        else:
            for step in run:
                found.append(Segment(f"{key}{len(found)}", "stream", (step,), budget))
    return tuple(found)


def _flat(operator: Operator) -> Iterator[Operator]:
    if isinstance(operator, Chain):
        for step in operator.steps:
            yield from _flat(step)
    else:
        yield operator


def _labelled(step: Operator, place: str) -> Operator:
    """A step, and those inside it, with a label, where it has none."""
    if step.label:
        return step
    name = type(step).__name__.lower()
    inside = {
        field.name: _inside(getattr(step, field.name), f"{place}.{name}.{field.name}")
        for field in fields(step)
        if field.init and _holds_steps(getattr(step, field.name))
    }
    return replace(step, label=f"{place} {name}", **inside)


def _holds_steps(value: object) -> bool:
    if isinstance(value, Operator):
        return True
    return isinstance(value, list | tuple) and any(isinstance(each, Operator) for each in value)  # pyright: ignore[reportUnknownVariableType]


def _inside(value: Any, place: str) -> Any:
    if isinstance(value, Chain):
        return Chain([_inside(each, f"{place}[{number}]") for number, each in enumerate(value.steps)])
    if isinstance(value, Operator):
        return _labelled(value, place)
    return [_inside(each, f"{place}[{number}]") for number, each in enumerate(value)]
