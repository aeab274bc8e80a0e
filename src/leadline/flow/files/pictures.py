"""A flow as boxes, and the boxes as Mermaid text.

source -> steps -> sinks; a step with steps inside is a box with a lane for each way through it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, cast

from leadline.flow.base import Chain, Operator
from leadline.flow.ends import Flow
from leadline.flow.expressions.conditions import Expression
from leadline.flow.files.building import arguments

UNCHANGED = "as it is"
"""Said of a way without steps."""
LONGEST = 60
HARMLESS = frozenset(" .,_-:()=/+'?!")
MOST_TOLD = 3
"""What a box says of a step's arguments: so many of them, and so many characters of each."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A way through a box: `name` says when it is taken."""

    name: str
    boxes: "tuple[Box, ...]"


@dataclass(frozen=True, slots=True)
class Box:
    """A step, a source or a sink; `lines` say more of it."""

    title: str
    lines: tuple[str, ...] = ()
    lanes: tuple[Lane, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole flow."""

    name: str
    source: Box
    steps: tuple[Box, ...]
    sinks: tuple[Box, ...]


def pictured(flow: Flow) -> Picture:
    """The boxes of a flow."""
    sinks = tuple(_box(sink, _called(sink.label)) for sink in flow.sinks)
    return Picture(flow.name, _box(flow.source, _called(flow.source.label)), _boxes(flow.steps), sinks)


def _boxes(step: Operator) -> tuple[Box, ...]:
    steps = step.steps if isinstance(step, Chain) else (step,)
    return tuple(_box(each, _called(each.label) or type(each).__name__.lower()) for each in steps)


def _called(label: str) -> str:
    """What the label says behind the place."""
    return label.partition(" ")[2] or label


def _box(part: Any, title: str) -> Box:
    lanes: list[Lane] = []
    told: list[str] = []
    for name, field in arguments(cast(type[Any], type(part))).items():
        value = getattr(part, field.name)
        inner = [*_operators(value)]
        if inner:
            numbered = len(inner) > 1
            lanes += [
                Lane(f"{name} {at + 1}" if numbered else name, _boxes(each)) for at, each in enumerate(inner)
            ]
        elif field.repr and not _is_default(field, value):
            told.append(shortened(f"{name}: {said(value)}"))
    more = ("…",) if len(told) > MOST_TOLD else ()
    return Box(
        shortened(title),
        (*told[:MOST_TOLD], *more),
        tuple(lane for lane in lanes if lane.boxes or len(lanes) > 1),
    )


def _operators(value: object) -> Iterator[Operator]:
    if isinstance(value, Operator):
        yield value
    elif isinstance(value, list | tuple):
        each = cast(Sequence[object], value)
        yield from (one for one in each if isinstance(one, Operator))


def _is_default(field: "Field[Any]", value: object) -> bool:
    if field.default_factory is not MISSING:
        return value == field.default_factory()
    return field.default is not MISSING and value == field.default


def said(value: object) -> str:
    """A value of an argument, as short as it can be told."""
    if isinstance(value, Expression):
        return value.text
    if isinstance(value, Mapping):
        each = cast(Mapping[str, object], value)
        return ", ".join(f"{name}: {said(one)}" for name, one in each.items())
    if isinstance(value, list | tuple):
        return ", ".join(said(one) for one in cast(Sequence[object], value))
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str | int | float) or not hasattr(type(value), "__dataclass_fields__"):
        return getattr(value, "__name__", None) or str(value)
    inner = ", ".join(
        said(getattr(value, each.name))
        for each in fields(cast(Any, value))
        if each.init and each.repr and getattr(value, each.name)
    )
    return f"{type(value).__name__.lower()} {inner}".strip()


def shortened(text: str) -> str:
    """On one line, and not too long for a box."""
    line = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def mermaid(picture: Picture) -> str:
    """The picture as Mermaid text. What a label says is never read as Mermaid or HTML: all but plain characters are
    written as their numbers."""
    drawing = _Mermaid(["flowchart TD"])
    last = drawing.box(picture.source, "  ", '(["{}"])')
    last = drawing.lane(picture.steps, "  ", last)
    for sink in picture.sinks:
        drawing.arrow(last, drawing.box(sink, "  ", '[("{}")]'), "  ")
    return "\n".join(drawing.lines) + "\n"


@dataclass(slots=True)
class _Mermaid:
    lines: list[str]
    count: int = 0

    def lane(self, boxes: Sequence[Box], indent: str, before: str) -> str:
        """Boxes one after the other; the last of them."""
        for box in boxes:
            name = self.box(box, indent, '["{}"]')
            if before:
                self.arrow(before, name, indent)
            before = name
        return before

    def box(self, box: Box, indent: str, form: str) -> str:
        """One box, with the lanes in it; its name."""
        self.count += 1
        name = f"n{self.count}"
        label = "<br/>".join(map(_plain, (box.title, *box.lines)))
        if not box.lanes:
            self.lines.append(f"{indent}{name}{form.format(label)}")
            return name
        self.lines.append(f'{indent}subgraph {name}["{label}"]')
        for lane in box.lanes:
            self.count += 1
            inner = f"n{self.count}"
            self.lines.append(f'{indent}  subgraph {inner}["{_plain(lane.name)}"]')
            if not lane.boxes:
                self.lines.append(f'{indent}    {inner}e["{UNCHANGED}"]')
            self.lane(lane.boxes, f"{indent}    ", "")
            self.lines.append(f"{indent}  end")
        self.lines.append(f"{indent}end")
        return name

    def arrow(self, before: str, after: str, indent: str) -> None:
        """From one box to the next."""
        self.lines.append(f"{indent}{before} --> {after}")


def _plain(text: str) -> str:
    return "".join(each if each.isalnum() or each in HARMLESS else f"#{ord(each)};" for each in text)
