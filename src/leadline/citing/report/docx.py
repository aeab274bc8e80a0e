"""A report as a Word document. Right-to-left paragraphs and runs are marked as such, numbers are links to the references."""

import io
from collections.abc import Sequence
from typing import Any, cast

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph

from leadline.citing.report.directions import runs, runs_right_to_left
from leadline.citing.report.labels import Labels
from leadline.citing.report.outline import Passage, Reference, Report, Side, Statement

Element = Any
"""A piece of the document's XML: the library makes it of lxml's, which says nothing of its types."""
_FONTS = {"w:ascii": "Calibri", "w:hAnsi": "Calibri", "w:eastAsia": "Microsoft YaHei", "w:cs": "Arial"}
_NOTE, _ADDRESS, _QUOTE = "Report Note", "Report Address", "Report Quote"
_SOFT, _WARNING = "555555", "8A4B00"
_TITLE_ROOM = 250


def render_docx(report: Report) -> bytes:
    """A document in Word's format."""
    document, labels = docx.Document(), report.labels
    _styles(document)
    document.core_properties.title = report.title[:_TITLE_ROOM]
    document.core_properties.author = document.core_properties.comments = ""
    _paragraph(document, report.title, "Title")
    _paragraph(document, report.summary, _NOTE)
    for section in report.sections:
        if section.title:
            _paragraph(document, section.title, "Heading 1")
        for statement in section.statements:
            _statement(document, statement)
    if report.disputes:
        _paragraph(document, labels.disputes, "Heading 1")
        for sides in report.disputes:
            _dispute(document, sides, labels)
    _list(document, labels.missing, report.missing)
    _list(document, labels.method, (*report.method, *report.notices))
    if report.references:
        _paragraph(document, labels.references, "Heading 1")
        for reference in report.references:
            _reference(document, reference, labels)
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def _styles(document: Document) -> None:
    added = cast(Any, document.styles).add_style
    for name, size in ((_NOTE, 10), (_ADDRESS, 9), (_QUOTE, 9.5)):
        style = added(name, WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = document.styles["Normal"]
        style.font.size = Pt(size)
        style.paragraph_format.space_after = Pt(4)
        style.font.color.rgb = RGBColor.from_string(_SOFT)
    cast(Any, document.styles[_QUOTE]).paragraph_format.left_indent = Pt(18)
    for name in ("Normal", "Title", "Heading 1"):
        properties = cast(Any, document.styles[name]).element.get_or_add_rPr()
        fonts = properties.find(qn("w:rFonts"))
        if fonts is None:
            fonts = _child(properties, "w:rFonts")
        for attribute in list(fonts.attrib):
            del fonts.attrib[attribute]
        for attribute, font in _FONTS.items():
            fonts.set(qn(attribute), font)


def _child(parent: Element, tag: str, **attributes: str) -> Element:
    element: Element = OxmlElement(tag)
    for key, value in attributes.items():
        element.set(qn(f"w:{key}"), value)
    parent.append(element)
    return element


def _paragraph(document: Document, text: str, style: str) -> Paragraph:
    paragraph = document.add_paragraph(style=style)
    _write(paragraph, text)
    return paragraph


def _write(paragraph: Paragraph, text: str) -> None:
    """`text` as the whole of a paragraph, which runs the way of its first letter."""
    if runs_right_to_left(text):
        properties: Element = cast(Any, paragraph.paragraph_format.element).get_or_add_pPr()
        # The schema wants the mark before spacing and indentation, none of which is here yet but the style.
        _child(properties, "w:bidi")
    _runs(cast(Any, paragraph)._p, text)


def _runs(parent: Element, text: str, *, color: str = "", raised: bool = False) -> None:
    """`text` as runs of one direction each; the order of the properties is the schema's."""
    for turned, part in runs(text):
        run = _child(parent, "w:r")
        properties = _child(run, "w:rPr")
        if color:
            _child(properties, "w:color", val=color)
        if raised:
            _child(properties, "w:vertAlign", val="superscript")
        if turned:
            _child(properties, "w:rtl")
        written = _child(run, "w:t")
        written.text = part
        written.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def _statement(document: Document, statement: Statement) -> None:
    paragraph = _paragraph(document, statement.text, "Normal")
    _marks(paragraph, statement.numbers)
    if statement.note:
        color = _WARNING if statement.warned else _SOFT
        _runs(cast(Any, paragraph)._p, f" ({statement.note})", color=color)


def _marks(paragraph: Paragraph, numbers: Sequence[int]) -> None:
    for number in numbers:
        link = _child(cast(Any, paragraph)._p, "w:hyperlink", anchor=f"reference_{number}")
        _runs(link, f"[{number}]", raised=True)


def _dispute(document: Document, sides: Sequence[Side], labels: Labels) -> None:
    table = document.add_table(rows=1, cols=2, style="Table Grid")
    for cell, head in zip(table.rows[0].cells, (labels.said, labels.day), strict=True):
        _write(cell.paragraphs[0], head)
    for side in sides:
        said, published = table.add_row().cells
        _write(said.paragraphs[0], side.text)
        _marks(said.paragraphs[0], side.numbers)
        _write(published.paragraphs[0], side.published)
    _paragraph(document, "", "Normal")


def _list(document: Document, heading: str, items: Sequence[str]) -> None:
    if items:
        _paragraph(document, heading, "Heading 1")
        for item in items:
            _paragraph(document, item, "List Bullet")


def _reference(document: Document, reference: Reference, labels: Labels) -> None:
    paragraph = _paragraph(document, f"[{reference.number}] {reference.title}", "Normal")
    inside: Element = cast(Any, paragraph)._p
    start: Element = _child(
        inside, "w:bookmarkStart", id=str(reference.number), name=f"reference_{reference.number}"
    )
    inside.remove(start)
    inside.insert(1, start)
    _child(inside, "w:bookmarkEnd", id=str(reference.number))
    address = document.add_paragraph(style=_ADDRESS)
    if reference.link:
        target = document.part.relate_to(reference.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        link = _child(cast(Any, address)._p, "w:hyperlink")
        link.set(qn("r:id"), target)
        _runs(link, reference.source)
    else:
        _write(address, reference.source)
    parts = (reference.dates, labels.snippet if reference.snippet else "")
    said = labels.semicolon.join(part for part in parts if part)
    if said:
        _paragraph(document, said, _ADDRESS)
    for passage in reference.passages:
        _quote(document, passage)


def _quote(document: Document, passage: Passage) -> None:
    place = f" ({passage.place})" if passage.place else ""
    _paragraph(document, f"“{passage.quote}”{place}", _QUOTE)
