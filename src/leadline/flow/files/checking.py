"""What can be known to be wrong with a flow before it runs.

file -> everything that cannot be built -> fields that no row can have, steps that no row reaches, names nobody asks for
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import cast

from leadline.flow.base import Chain, FieldKind, Operator, Shape
from leadline.flow.ends import Flow, Source
from leadline.flow.expressions.conditions import Expression
from leadline.flow.files.problems import Problems, Severity, meant
from leadline.flow.files.reading import Spec, is_foreign, read_spec
from leadline.flow.operators.aggregates import Aggregate
from leadline.flow.operators.control import Fork, If
from leadline.flow.operators.editing import Select, Set, whole
from leadline.flow.operators.joining import Join
from leadline.flow.operators.looping import While
from leadline.flow.operators.mapping import Filter
from leadline.flow.operators.ordering import Limit, Sample
from leadline.flow.running.clashes import clash
from leadline.settings import Settings

LISTED = 20
"""Names of fields in a message."""
HOLDS: Mapping[FieldKind, str] = {
    "text": "text",
    "number": "a number",
    "bool": "true or false",
    "list": "a list",
    "mapping": "a mapping",
}


def check(
    file: str | Path, settings: Settings | None = None, values: Mapping[str, object] | None = None
) -> Problems:
    """Everything that is wrong with a flow file. Arguments that are given no value stand for any."""
    spec = read_spec(file, values or {}, settings or Settings(), standing_in=True)
    if spec.flow is None:
        return spec.problems
    checked = _Check(spec)
    shape = checked.walk(spec.flow.steps, checked.source(spec.flow))
    for sink in spec.flow.sinks:
        checked.fields(sink.label, sink.reads(), shape)
    # Values that stand in for what was not given may be alike.
    if not spec.names.unsaid and (found := clash(spec.flow, spec.flow.failures.file)):
        checked.tell(found.label, found.message)
    if not is_foreign(spec.flow.steps):
        checked.unused()
        if not spec.flow.sinks:
            spec.problems.add(spec.tree, "sink", "is missing: no row goes anywhere.", "warning")
    return spec.problems


@dataclass(slots=True)
class _Check:
    spec: Spec

    def source(self, flow: Flow) -> Shape:
        """What is known of the rows of the source. What a step of others makes of them is not, unless it says so."""
        self.misfits(flow.source, flow.source.label)
        return Shape() if _is_silent(flow.steps) else flow.source.shape()

    def misfits(self, source: Source, label: str) -> None:
        """Tell of what a source says that its file does not have."""
        if said := source.misfit():
            self.tell(label, said.removeprefix(f"{source.label}: "))

    def walk(self, step: Operator, before: Shape) -> Shape:
        """Look at a step and those inside it; what is known of the rows behind it."""
        if isinstance(step, Chain):
            for at, each in enumerate(step.steps):
                before = self.walk(each, before)
                ends = _ends(each)
                if ends and at + 1 < len(step.steps):
                    self.tell(step.steps[at + 1].label, f"no row ever comes here: {ends} above.", "warning")
                    break
            return before
        # A loop's condition is asked of rows that have been through its body, too.
        seen = step.inside(before) if isinstance(step, While) else before
        paths = [name for name in step.reads() if isinstance(step, Select) and _is_path(name, seen)]
        for name in paths:
            self.tell(step.label, f"{whole(name)}.", "warning" if seen.open else "error")
        reads: dict[str, FieldKind] = {name: kind for name, kind in step.reads().items() if name not in paths}
        text = " A text is `{{value: {0}}}`." if isinstance(step, Set) else ""
        self.fields(step.label, reads, seen, f"no row has a field `{{0}}` here.{text}")
        self._compared(step, seen)
        if isinstance(step, Join):
            self._table(step)
        self._branches(step)
        for part in step.parts():
            self.walk(part, step.inside(before))
        return step.after(before)

    def fields(
        self,
        label: str,
        reads: Mapping[str, FieldKind],
        shape: Shape,
        rows: str = "no row has a field `{}` here.",
    ) -> None:
        """Tell of fields that are not there, or hold something else."""
        for name, wanted in reads.items():
            held = shape.fields.get(name)
            if held is None and not shape.open:
                self.tell(label, f"{rows.format(name)}{_there(shape)}{meant(name, sorted(shape.fields))}")
            elif held is not None and held != wanted and "any" not in {held, wanted}:
                message = f"`{name}` holds {HOLDS[held]} here, and {HOLDS[wanted]} is needed."
                self.tell(label, message + self._typed(name, held, wanted))

    def _compared(self, step: Operator, shape: Shape) -> None:
        """Tell of fields that are compared with what they never hold."""
        for expression in _expressions([getattr(step, each.name) for each in fields(step)]):
            for name, wanted in expression.comparisons:
                held = shape.fields.get(name, "any")
                if held not in {wanted, "any"}:
                    message = f"`{name}` holds {HOLDS[held]} here, and is compared with {HOLDS[wanted]}."
                    self.tell(step.label, message + self._typed(name, held, wanted))

    def _typed(self, name: str, held: FieldKind, wanted: FieldKind) -> str:
        """How a column of a table of text becomes a number."""
        flow = self.spec.flow
        if (held, wanted) != ("text", "number") or flow is None or not hasattr(flow.source, "types"):
            return ""
        return f" `types: {{{name}: float}}` of the source makes it a number."

    def _table(self, step: Join) -> None:
        """Tell of fields that the table of a join does not have."""
        if isinstance(step.table, Source):
            self.misfits(step.table, step.label)
        self.fields(step.label, step.takes(), step.known(), "no row of the table has a field `{}`.")

    def tell(self, label: str, message: str, severity: Severity = "error") -> None:
        """A problem of the step of that label."""
        node, key = self.spec.nodes.get(label, self.spec.tree), label.partition(" ")[0]
        self.spec.problems.add(node, key, message, severity)

    def _branches(self, step: Operator) -> None:
        """Tell of conditions that are always the same, and of loops that never run."""
        condition = getattr(step, "condition", None)
        always = constant(condition)
        if always is not None:
            self.tell(
                step.label, f"this condition is always {str(always).lower()}: it reads no field.", "warning"
            )
        if isinstance(step, While) and step.max_rounds == 0:
            self.tell(step.label, "with `max_rounds: 0` its body never runs.", "warning")

    def unused(self) -> None:
        """Tell of arguments and constants that nothing in the flow names."""
        for part in ("arguments", "consts"):
            node = self.spec.tree.get(part)
            for name, each in node.items() if node else ():
                if name not in self.spec.names.used:
                    self.spec.problems.add(each, f"{part}.{name}", "nothing asks for it.", "warning")


def _there(shape: Shape) -> str:
    names = list(shape.fields)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f" There are: {', '.join(names[:LISTED]) or 'none'}{more}."


def _is_path(name: str, shape: Shape) -> bool:
    return "." in name and name not in shape.fields and (shape.open or name.partition(".")[0] in shape.fields)


def _is_silent(step: Operator) -> bool:
    """Whether there is a step of others in it that does not say what it makes of rows."""
    silent = type(step).after is Operator.after and not type(step).__module__.startswith("leadline.")
    return silent or any(map(_is_silent, step.parts()))


def _expressions(value: object) -> Iterator[Expression]:
    """Those in the arguments of a step, but not of the steps inside it."""
    match value:
        case Expression():
            yield value
        case Aggregate():
            yield from _expressions(value.where)
        case Mapping():
            for each in cast(Mapping[str, object], value).values():
                yield from _expressions(each)
        case list() | tuple():
            for each in cast(Sequence[object], value):
                yield from _expressions(each)
        case _:
            pass


def constant(condition: object) -> bool | None:
    """What a condition always is, if it reads no field, nor an argument that may be another next time."""
    if not isinstance(condition, Expression) or condition.fields or condition.shared:
        return None
    return bool(condition({}))


def _ends(step: Operator) -> str:
    """Why nothing comes out of a step; "" if something may."""
    match step:
        case Filter() if constant(step.condition) is False:
            return "the condition is always false"
        case Limit(n=0) | Sample(n=0) | Sample(fraction=0):
            return f"`{type(step).__name__.lower()}` lets no row through"
        case Fork() | If():
            ends = [_ends_of_all(part) for part in step.parts()]
            return ends[0] if ends and all(ends) else ""
        case _:
            return ""


def _ends_of_all(step: Operator) -> str:
    return next((why for each in _chained(step) if (why := _ends(each))), "")


def _chained(step: Operator) -> Iterator[Operator]:
    return iter(step.steps) if isinstance(step, Chain) else iter((step,))
