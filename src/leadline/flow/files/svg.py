"""A flow's boxes as one SVG file: no script, no link, no font or style from elsewhere, every text escaped."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from leadline.flow.files.pictures import UNCHANGED, Box, Lane, Picture

LINE = 18
PAD = 12
GAP = 26
LETTER = 7.2
"""The width of a letter of the font size used, in units of the picture; wide letters take twice that."""
WIDE = 0x2E80


@dataclass(frozen=True, slots=True)
class _Size:
    width: float
    height: float


@dataclass(slots=True)
class _Drawing:
    parts: list[str] = field(default_factory=list[str])

    def lane(self, boxes: Sequence[Box], left: float, top: float, width: float) -> None:
        """Boxes one below the other, in the middle of a column, with arrows between them."""
        for at, box in enumerate(boxes):
            size = _size(box)
            if at:
                self.arrow(left + width / 2, top - GAP, top)
            self.box(box, left + (width - size.width) / 2, top, size)
            top += size.height + GAP

    def box(self, box: Box, left: float, top: float, size: _Size, kind: str = "step") -> None:
        """One box with its text, and its lanes side by side."""
        fill, rounded = {"step": ("#f4f6fa", 6), "end": ("#e6f0e6", 18)}[kind]
        self.rectangle(left, top, size, f'fill="{fill}" stroke="#5b6b8c" rx="{rounded}"')
        for at, line in enumerate((box.title, *box.lines)):
            weight = ' font-weight="bold"' if at == 0 else ""
            self.text(left + PAD, top + PAD + LINE * (at + 0.7), line, weight)
        top += _head(box)
        left += PAD
        height = size.height - _head(box) - PAD
        for lane in box.lanes:
            inner = _lane_size(lane)
            self.rectangle(
                left,
                top,
                _Size(inner.width, height),
                'fill="#ffffff" stroke="#b8c2d6" stroke-dasharray="4 3" rx="6"',
            )
            name = lane.name if lane.boxes else f"{lane.name}: {UNCHANGED}"
            self.text(left + PAD, top + LINE, name, ' fill="#5b6b8c"')
            self.lane(lane.boxes, left, top + LINE + PAD, inner.width)
            left += inner.width + PAD

    def rectangle(self, left: float, top: float, size: _Size, look: str) -> None:
        """A rectangle."""
        at = f'x="{left:.1f}" y="{top:.1f}" width="{size.width:.1f}" height="{size.height:.1f}"'
        self.parts.append(f"<rect {at} {look}/>")

    def text(self, left: float, top: float, text: str, look: str) -> None:
        """A line of text."""
        self.parts.append(f'<text x="{left:.1f}" y="{top:.1f}"{look}>{_written(text)}</text>')

    def arrow(self, middle: float, top: float, bottom: float, into: float | None = None) -> None:
        """From a box down to the next."""
        end = middle if into is None else into
        tip = f"{end:.1f},{bottom:.1f} {end - 4:.1f},{bottom - 7:.1f} {end + 4:.1f},{bottom - 7:.1f}"
        line = f'x1="{middle:.1f}" y1="{top:.1f}" x2="{end:.1f}" y2="{bottom - 6:.1f}"'
        self.parts.append(f'<line {line} stroke="#5b6b8c"/><polygon points="{tip}" fill="#5b6b8c"/>')


def svg(picture: Picture) -> str:
    """The picture as a file of its own."""
    drawing = _Drawing()
    steps = _column(picture.steps)
    sinks = [_size(sink) for sink in picture.sinks]
    below = sum(size.width for size in sinks) + PAD * max(len(sinks) - 1, 0)
    source = _size(picture.source)
    width = max(source.width, steps.width, below, _wide(picture.name)) + 2 * PAD
    drawing.text(PAD, LINE, picture.name or " ", ' font-weight="bold"')
    top = LINE + PAD
    drawing.box(picture.source, (width - source.width) / 2, top, source, "end")
    top += source.height
    if picture.steps:
        drawing.arrow(width / 2, top, top + GAP)
        drawing.lane(picture.steps, 0, top + GAP, width)
        top += GAP + steps.height
    left = (width - below) / 2
    for sink, size in zip(picture.sinks, sinks, strict=True):
        drawing.arrow(width / 2, top, top + GAP, left + size.width / 2)
        drawing.box(sink, left, top + GAP, size, "end")
        left += size.width + PAD
    height = top + (GAP + max((size.height for size in sinks), default=0) if sinks else 0) + PAD
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    ground = f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>'
    body = "\n".join([ground, *drawing.parts])
    return f'{head} font-family="sans-serif" font-size="13" role="img">\n<title>{_written(picture.name)}</title>\n{body}\n</svg>\n'


def _size(box: Box) -> _Size:
    lanes = [_lane_size(lane) for lane in box.lanes]
    across = sum(lane.width for lane in lanes) + PAD * max(len(lanes) - 1, 0)
    down = max((lane.height for lane in lanes), default=0)
    text = max(map(_wide, (box.title, *box.lines)))
    return _Size(max(across, text) + 2 * PAD, _head(box) + (down + PAD if lanes else 0))


def _head(box: Box) -> float:
    return 2 * PAD + LINE * (1 + len(box.lines)) - (PAD / 2)


def _lane_size(lane: Lane) -> _Size:
    column = _column(lane.boxes)
    name = lane.name if lane.boxes else f"{lane.name}: {UNCHANGED}"
    return _Size(max(column.width, _wide(name)) + 2 * PAD, column.height + LINE + 2 * PAD)


def _column(boxes: Sequence[Box]) -> _Size:
    sizes = [_size(box) for box in boxes]
    gaps = GAP * max(len(sizes) - 1, 0)
    return _Size(max((size.width for size in sizes), default=0), sum(size.height for size in sizes) + gaps)


def _wide(text: str) -> float:
    return LETTER * sum(2 if ord(each) >= WIDE else 1 for each in text)


def _written(text: str) -> str:
    return escape("".join(each if each.isprintable() else " " for each in text))
