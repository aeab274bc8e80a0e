"""A report as paragraphs with the look of a printed page: what is set by `report.typ`."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from leadline.citing.report.labels import Labels
from leadline.citing.report.outline import Reference, Report, Side, Statement

MARGIN = 62.0
ROOM = 595.27 - 2 * MARGIN
"""Points from margin to margin of an A4 page."""
WIDE = 350.0
"""Points of the column that says what is said; the other holds dates and numbers."""
INK, SOFT, WARNING = "#1a1a1a", "#555555", "#8a4b00"


@dataclass(frozen=True, slots=True)
class Style:
    """How a paragraph looks: its size and distances in points; `level` of a heading, 0 for none."""

    size: float = 10.5
    weight: int = 400
    fill: str = INK
    above: float = 11.0
    indent: float = 0.0
    level: int = 0
    room: float = ROOM


TITLE = Style(size=20, weight=600, above=0, level=1)
HEADING = Style(size=13.5, weight=600, above=26, level=2)
BODY = Style()
SUMMARY = Style(fill=SOFT, above=14)
ITEM = Style(above=9, indent=12)
SOURCE = Style(size=10, weight=600, above=16)
ADDRESS = Style(size=9, fill=SOFT, above=7, indent=12)
QUOTE = Style(size=9, above=7, indent=24)
CELL = Style(size=9.5, room=WIDE)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph: `marks` are numbers of references after its text, `target` that of the one it begins."""

    text: str
    style: Style
    marks: tuple[int, ...] = ()
    note: str = ""
    warned: bool = False
    link: str = ""
    target: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of two cells each."""

    rows: tuple[tuple[Paragraph, Paragraph], ...] = field(default_factory=tuple)


def paragraphs(report: Report) -> Iterator[Paragraph | Table]:
    """All of it, in order."""
    labels = report.labels
    yield Paragraph(report.title, TITLE)
    yield Paragraph(report.summary, SUMMARY)
    for section in report.sections:
        if section.title:
            yield Paragraph(section.title, HEADING)
        yield from map(_statement, section.statements)
    if report.disputes:
        yield Paragraph(labels.disputes, HEADING)
        yield from (_dispute(sides, labels) for sides in report.disputes)
    if report.missing:
        yield Paragraph(labels.missing, HEADING)
        yield from (Paragraph(f"• {each}", ITEM) for each in report.missing)
    yield Paragraph(labels.method, HEADING)
    yield from (Paragraph(f"• {each}", ITEM) for each in (*report.method, *report.notices))
    if report.references:
        yield Paragraph(labels.references, HEADING)
        for reference in report.references:
            yield from _reference(reference, labels)


def _statement(statement: Statement) -> Paragraph:
    note = f"({statement.note})" if statement.note else ""
    return Paragraph(statement.text, BODY, statement.numbers, note, statement.warned)


def _dispute(sides: tuple[Side, ...], labels: Labels) -> Table:
    head = (Paragraph(labels.said, CELL), Paragraph(labels.day, CELL))
    rows = ((Paragraph(side.text, CELL, side.numbers), Paragraph(side.published, CELL)) for side in sides)
    return Table((head, *rows))


def _reference(reference: Reference, labels: Labels) -> Iterator[Paragraph]:
    yield Paragraph(f"[{reference.number}] {reference.title}", SOURCE, target=reference.number)
    yield Paragraph(reference.source, ADDRESS, link=reference.link)
    said = [reference.dates] if reference.dates else []
    said += [labels.snippet] if reference.snippet else []
    if said:
        yield Paragraph(labels.semicolon.join(said), ADDRESS, warned=reference.snippet)
    for each in reference.passages:
        yield Paragraph(f"“{each.quote}”", QUOTE, note=f"({each.place})" if each.place else "")
