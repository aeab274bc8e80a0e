"""DOCX: paragraphs, headings by style or outline level, lists, tables, and what is easily lost: text boxes, footnotes,
endnotes, comments, headers and footers.
"""

import re

from leadline.documents.archives import Archive, Element, attribute, descendants, local
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.formats.office import open_office, properties
from leadline.documents.sources import Source

_HEADING_STYLE = re.compile(r"(?:heading|überschrift|titre|标题|標題|見出し|제목)\s*(\d)", re.IGNORECASE)
_SKIPPED = {"del", "moveFrom", "instrText", "delText", "Fallback", "pPr", "rPr", "sectPr"}
_TEXT = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read(source: Source) -> Extracted:
    """The body, then the notes."""
    archive = Archive(open_office(source))
    composer = Composer("docx")
    properties(archive, composer)
    document = archive.xml("word/document.xml")
    if document is not None:
        _Body(composer, _heading_levels(archive), document).write()
    for part, name in (("footnotes", "footnote"), ("endnotes", "endnote"), ("comments", "comment")):
        _notes(archive, composer, f"word/{part}.xml", name)
    return composer.build()


def _heading_levels(archive: Archive) -> dict[str, int]:
    """Style id -> heading level, followed through the styles they are based on."""
    root = archive.xml("word/styles.xml")
    levels: dict[str, int] = {}
    based: dict[str, str] = {}
    for style in descendants(root, "style") if root is not None else ():
        identifier = attribute(style, "styleId")
        for child in style:
            value = attribute(child, "val")
            if local(child) == "name":
                match = _HEADING_STYLE.fullmatch(value.strip())
                if match or value.lower() == "title":
                    levels[identifier] = int(match.group(1)) if match else 1
            elif local(child) == "basedOn":
                based[identifier] = value
        for outline in descendants(style, "outlineLvl"):
            if attribute(outline, "val").isdigit() and int(attribute(outline, "val")) < 9:
                levels.setdefault(identifier, int(attribute(outline, "val")) + 1)
    for identifier in based:
        _inherit(identifier, levels, based)
    return levels


def _inherit(identifier: str, levels: dict[str, int], based: dict[str, str]) -> None:
    seen: set[str] = set()
    parent = identifier
    while parent in based and parent not in seen and parent not in levels:
        seen.add(parent)
        parent = based[parent]
    if parent in levels:
        levels.setdefault(identifier, levels[parent])


class _Body:
    """Walks the body; page breaks that Word recorded when it last laid the document out become pages."""

    def __init__(self, composer: Composer, levels: dict[str, int], root: Element) -> None:
        self.composer = composer
        self.levels = levels
        self.root = root
        self.paged = any(True for _ in descendants(root, "lastRenderedPageBreak"))

    def write(self) -> None:
        if self.paged:
            self.composer.page()
        for body in descendants(self.root, "body"):
            self.blocks(body)
            return

    def blocks(self, parent: Element) -> None:
        for child in parent:
            name = local(child)
            if name == "p":
                self.paragraph(child)
            elif name == "tbl":
                self.table(child)
            elif name in {
                "sdt",
                "sdtContent",
                "ins",
                "moveTo",
                "customXml",
                "smartTag",
                "AlternateContent",
                "Choice",
            }:
                self.blocks(child)

    def paragraph(self, element: Element) -> None:
        if self.paged and any(True for _ in descendants(element, "lastRenderedPageBreak")):
            self.composer.page()
        text = text_of(element)
        level = self.level(element)
        if level and len(text) < 300:
            self.composer.heading(level, text)
        elif any(True for _ in element.iterfind("{*}pPr/{*}numPr")):
            self.composer.item(text)
        else:
            self.composer.paragraph(text)
        for box in boxes(element):
            self.blocks(box)

    def level(self, element: Element) -> int:
        for properties_ in element.iterfind("{*}pPr"):
            for child in properties_:
                value = attribute(child, "val")
                if local(child) == "outlineLvl" and value.isdigit() and int(value) < 9:
                    return int(value) + 1
                if local(child) == "pStyle" and value in self.levels:
                    return self.levels[value]
        return 0

    def table(self, element: Element) -> None:
        rows = [
            [" ".join(text_of(p) for p in descendants(cell, "p")) for cell in row.iterfind("{*}tc")]
            for row in descendants(element, "tr")
        ]
        if max(map(len, rows), default=0) > 1:
            self.composer.table(rows)
        else:
            for paragraph in descendants(element, "p"):
                self.composer.paragraph(text_of(paragraph))
        for box in boxes(element):
            self.blocks(box)


def text_of(paragraph: Element) -> str:
    """The text of one paragraph, without deleted text, field codes and what stands in its text boxes."""
    parts: list[str] = []
    stack = [iter(paragraph)]
    while stack:
        for child in stack[-1]:
            name = local(child)
            if name == "t":
                parts.append(child.text or "")
            elif name in _TEXT:
                parts.append(_TEXT[name])
            elif name not in _SKIPPED and name != "txbxContent":
                stack.append(iter(child))
                break
        else:
            stack.pop()
    return "".join(parts)


def boxes(element: Element) -> list[Element]:
    """Text boxes anchored in an element: each once, though files hold a second copy for old programs; not those in boxes."""
    found: list[Element] = []
    for box in descendants(element, "txbxContent"):
        names = [local(parent) for parent in box.iterancestors()]
        above = names[: names.index(local(element))] if local(element) in names else names
        if "Fallback" not in names and "txbxContent" not in above and "p" not in above[:0]:
            found.append(box)
    return [
        box
        for box in found
        if not any(other in list(box.iterancestors()) for other in found if other is not box)
    ]


def _notes(archive: Archive, composer: Composer, part: str, name: str) -> None:
    root = archive.xml(part)
    for note in descendants(root, name) if root is not None else ():
        text = "\n".join(filter(None, (text_of(p).strip() for p in descendants(note, "p"))))
        if text:
            author = attribute(note, "author")
            composer.paragraph(f"{author}: {text}" if author else text)
