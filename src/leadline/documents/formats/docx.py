"""DOCX: paragraphs, headings by style or outline level, lists, tables, and what is easily lost: text boxes, footnotes,
endnotes, comments, headers and footers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from leadline.documents.archives import Archive, Element, attribute, descendants, local
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.formats.office import open_office, properties, relations
from leadline.documents.formats.pictures import Pictures
from leadline.documents.grids import Grid
from leadline.documents.sources import Source

_DOCUMENT = "word/document.xml"
_HEADING_STYLE = re.compile(r"(?:heading|ü?berschrift|titre|标题|標題|見出し|제목)\s*(\d)", re.IGNORECASE)
_SKIPPED = {"del", "moveFrom", "instrText", "delText", "Fallback", "pPr", "rPr", "sectPr"}
_TEXT = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read(source: Source) -> Extracted:
    """The body, then the notes."""
    archive = Archive(open_office(source))
    composer = Composer("docx")
    properties(archive, composer)
    document = archive.xml(_DOCUMENT)
    if document is not None:
        pictures = Pictures(source)
        media = Media(archive, relations(archive, _DOCUMENT), pictures)
        _Body(composer, _styles(archive), document, media).write()
        composer.notes += pictures.notes()
    for part, name in (("footnotes", "footnote"), ("endnotes", "endnote"), ("comments", "comment")):
        _notes(archive, composer, f"word/{part}.xml", name)
    return composer.build()


@dataclass(slots=True)
class _Styles:
    """Style ids that are headings, with their level, and those of captions; `known` are all that the file defines."""

    levels: dict[str, int] = field(default_factory=dict[str, int])
    captions: set[str] = field(default_factory=set[str])
    known: set[str] = field(default_factory=set[str])

    def level(self, identifier: str) -> int:
        """The heading level of a style; one that the file does not define is taken by its name."""
        if identifier in self.known:
            return self.levels.get(identifier, 0)
        match = _HEADING_STYLE.fullmatch(identifier)
        return int(match[1]) if match else int(identifier.lower() == "title")

    def is_caption(self, identifier: str) -> bool:
        return identifier in self.captions or (identifier not in self.known and identifier == "Caption")


def _styles(archive: Archive) -> _Styles:
    """What the styles of a file say of its paragraphs, followed through the styles they are based on."""
    root = archive.xml("word/styles.xml")
    styles = _Styles()
    levels, based = styles.levels, dict[str, str]()
    for style in descendants(root, "style") if root is not None else ():
        identifier = attribute(style, "styleId")
        styles.known.add(identifier)
        for child in style:
            value = attribute(child, "val")
            if local(child) == "name":
                match = _HEADING_STYLE.fullmatch(value.strip())
                if match or value.lower() == "title":
                    levels[identifier] = int(match.group(1)) if match else 1
                elif value.strip().lower() == "caption":
                    styles.captions.add(identifier)
            elif local(child) == "basedOn":
                based[identifier] = value
        for outline in descendants(style, "outlineLvl"):
            if attribute(outline, "val").isdigit() and int(attribute(outline, "val")) < 9:
                levels.setdefault(identifier, int(attribute(outline, "val")) + 1)
    for identifier in based:
        _inherit(identifier, levels, based)
    return styles


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

    def __init__(self, composer: Composer, styles: _Styles, root: Element, media: "Media") -> None:
        self.composer = composer
        self.styles = styles
        self.root = root
        self.media = media
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
        elif self.styles.is_caption(_style(element)):
            self.composer.caption(text)
        else:
            self.composer.paragraph(text)
        self.figures(element)
        for box in boxes(element):
            self.blocks(box)

    def figures(self, element: Element) -> None:
        """The pictures anchored in an element, but not those in its text boxes."""
        for alt, words in self.media.shown(element):
            self.composer.figure(alt, words)

    def level(self, element: Element) -> int:
        for child in element.iterfind("{*}pPr/{*}outlineLvl"):
            value = attribute(child, "val")
            if value.isdigit() and int(value) < 9:
                return int(value) + 1
        return self.styles.level(_style(element))

    def table(self, element: Element) -> None:
        grid = Grid()
        for row in element.iter("{*}tr"):
            if next(above for above in row.iterancestors() if local(above) == "tbl") is element:
                grid.row((_cell_text(cell), _columns(cell), 1) for cell in row.iterfind("{*}tc"))
                _repeat_merged(grid.rows, row)
        if max(map(len, grid.rows), default=0) > 1:
            self.composer.table(grid.rows)
        else:
            for paragraph in descendants(element, "p"):
                self.composer.paragraph(text_of(paragraph))
        self.figures(element)
        for box in boxes(element):
            self.blocks(box)


@dataclass(frozen=True, slots=True)
class Media:
    """The pictures of one part of the file; `targets` are the parts that its relations name."""

    archive: Archive
    targets: Mapping[str, str]
    pictures: Pictures

    def shown(self, element: Element) -> list[tuple[str, str]]:
        """Alt text and words of each picture in an element, each once, without those in its text boxes."""
        found: list[tuple[str, str]] = []
        for picture in element.iter("{*}drawing", "{*}pict"):
            above = list(picture.iterancestors())
            own = above[: above.index(element)] if element in above else above
            if any(local(e) in {"Fallback", "txbxContent"} for e in own):
                continue
            addresses = [
                str(value)
                for blip in picture.iter("{*}blip", "{*}imagedata")
                for key, value in blip.attrib.items()
                if str(key).endswith(("}embed", "}id"))
            ]
            found.append((_alt(picture), "\n\n".join(filter(None, map(self._words, addresses)))))
        return found

    def _words(self, relation: str) -> str:
        return self.pictures.words(self.archive.read(self.targets.get(relation, "")))


def _alt(picture: Element) -> str:
    for described in picture.iter("{*}docPr", "{*}cNvPr"):
        for name in ("descr", "title"):
            if attribute(described, name).strip():
                return attribute(described, name)
    return next((attribute(s, "alt") for s in picture.iter("{*}shape") if attribute(s, "alt")), "")


def _style(paragraph: Element) -> str:
    return next((attribute(s, "val") for s in paragraph.iterfind("{*}pPr/{*}pStyle")), "")


def _cell_text(cell: Element) -> str:
    return " ".join(text_of(p) for p in descendants(cell, "p"))


def _columns(cell: Element) -> int:
    value = next((attribute(s, "val") for s in cell.iterfind("{*}tcPr/{*}gridSpan")), "")
    return int(value) if value.isdecimal() and len(value) < 4 else 1


def _repeat_merged(rows: list[list[str]], row: Element) -> None:
    """Repeat in the last row what cells merged with those above them show."""
    if len(rows) < 2:
        return
    column = 0
    for cell in row.iterfind("{*}tc"):
        for merge in cell.iterfind("{*}tcPr/{*}vMerge"):
            if attribute(merge, "val") != "restart" and column < min(len(rows[-1]), len(rows[-2])):
                rows[-1][column] = rows[-1][column] or rows[-2][column]
        column += _columns(cell)


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
