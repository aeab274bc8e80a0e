"""ODT, ODS and ODP: one XML grammar for text, sheets and slides; flat files (one XML, no ZIP) too."""

from collections.abc import Iterable

from leadline.documents.archives import Archive, Element, attribute, descendants, local, parse_xml
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.formats.office import locked
from leadline.documents.formats.pictures import Pictures
from leadline.documents.grids import Cell, Grid
from leadline.documents.sources import Source

MOST_CELLS = 2_000_000
_REPEATED_AT_MOST = 100
_NAMES = {
    "title": "title",
    "initial-creator": "author",
    "creator": "author",
    "creation-date": "created",
    "date": "modified",
    "subject": "subject",
    "description": "description",
    "language": "language",
}


def read(source: Source) -> Extracted:
    """The body of the content part."""
    composer = Composer(source.kind)
    pictures = Pictures(source)
    if source.data.startswith(b"PK"):
        archive = Archive(source.data)
        if b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise locked(tried=bool(source.passwords))
        content, meta = archive.xml("content.xml"), archive.xml("meta.xml")
        pictures.held = archive.read
    else:
        content = meta = parse_xml(source.data)
    for group in descendants(meta, "meta") if meta is not None else ():
        for child in group:
            if local(child) in _NAMES and (child.text or "").strip():
                composer.metadata.setdefault(_NAMES[local(child)], (child.text or "").strip())
    composer.title = str(composer.metadata.get("title", ""))
    for body in descendants(content, "body") if content is not None else ():
        _Walk(composer, pictures).blocks(body)
    composer.notes += pictures.notes()
    return composer.build()


class _Walk:
    """Writes what it meets; counts cells, because an empty million of them is one attribute."""

    def __init__(self, composer: Composer, pictures: Pictures) -> None:
        self.composer = composer
        self.pictures = pictures
        self.cells = MOST_CELLS

    def blocks(self, parent: Iterable[Element], depth: int = 0) -> None:
        for child in parent:
            name = local(child)
            if name == "h":
                level = attribute(child, "outline-level")
                self.composer.heading(int(level) if level.isdigit() else 1, text_of(child))
            elif name == "p":
                self.paragraph(child)
            elif name == "list":
                self.items(child, depth)
            elif name == "table":
                self.table(child)
            elif name == "page":
                self.page(child)
            elif name == "frame" and pictures_of(child):
                self.figure(child)
            elif name not in {"tracked-changes", "forms", "sequence-decls", "settings"}:
                self.blocks(child, depth)

    def page(self, element: Element) -> None:
        """A slide: the frame that holds its title first."""
        self.composer.page()
        for frame in element:
            if attribute(frame, "class") == "title":
                self.composer.heading(1, " ".join(text_of(p) for p in descendants(frame, "p")))
            elif attribute(frame, "class") not in {"page-number", "date-time"}:
                self.blocks([frame])

    def paragraph(self, element: Element) -> None:
        self.composer.paragraph(text_of(element))
        for inner in element.iter("{*}text-box", "{*}note-body", "{*}annotation", "{*}frame"):
            if _nearest(inner, _HANGING) is not element:
                continue
            if local(inner) != "frame":
                self.blocks(inner)
            elif pictures_of(inner):
                self.figure(inner)

    def figure(self, frame: Element) -> None:
        """A frame that shows a picture: what is said of it, and what is read in it."""
        said = [
            str(text)
            for name in ("title", "desc")
            for e in frame.iterfind("{*}" + name)
            for text in e.itertext()
        ]
        words = [self.pictures.words_at(attribute(image, "href")) for image in pictures_of(frame)]
        data = [e.text or "" for image in pictures_of(frame) for e in image.iterfind("{*}binary-data")]
        words += [self.pictures.words_at(f"data:image/png;base64,{''.join(text.split())}") for text in data]
        self.composer.figure(*said, *words)

    def items(self, element: Element, depth: int) -> None:
        for item in element:
            for child in item:
                if local(child) == "list":
                    self.items(child, depth + 1)
                elif local(child) in {"p", "h"}:
                    self.composer.item(text_of(child), depth)

    def table(self, element: Element) -> None:
        name = attribute(element, "name")
        sheet = any(local(parent) == "spreadsheet" for parent in element.iterancestors())
        if sheet:
            self.composer.page()
            self.composer.heading(1, name)
        grid = Grid()
        for row in descendants(element, "table-row"):
            cells = self.row(row)
            for _ in range(min(_times(row, "number-rows-repeated"), _REPEATED_AT_MOST) if cells else 0):
                grid.row(cells)
            if self.cells <= 0:
                self.composer.notes.append(f"Only the first {MOST_CELLS:,} cells were read.")
                break
        self.composer.table(grid.rows)
        for frame in element.iter("{*}frame"):
            if pictures_of(frame):
                self.figure(frame)

    def row(self, row: Element) -> list[Cell]:
        """The cells of a row; those that others cover have none of their own."""
        cells: list[Cell] = []
        for cell in row.iterfind("{*}table-cell"):
            text = " ".join(text_of(p) for p in descendants(cell, "p")) or attribute(cell, "value")
            spans = _times(cell, "number-columns-spanned"), _times(cell, "number-rows-spanned")
            cells += [(text, *spans)] * min(_times(cell, "number-columns-repeated"), _REPEATED_AT_MOST)
        while cells and not cells[-1][0]:
            cells.pop()
        self.cells -= len(cells)
        return cells


_HANGING = frozenset({"text-box", "note-body", "annotation", "p"})


def _nearest(element: Element, names: frozenset[str]) -> Element | None:
    """The nearest element of these names above one."""
    return next((above for above in element.iterancestors() if local(above) in names), None)


def pictures_of(frame: Element) -> list[Element]:
    """The pictures that a frame shows itself, not those of a text box in it; objects bring one to stand for them."""
    return list(frame.iterfind("{*}image"))


def _times(element: Element, name: str) -> int:
    value = attribute(element, name)
    return int(value) if value.isdigit() and len(value) < 8 else 1


def text_of(paragraph: Element) -> str:
    """The text of a paragraph, without notes, comments and boxes that hang on it."""
    parts: list[str] = [paragraph.text or ""]
    for child in paragraph:
        name = local(child)
        if name == "s":
            parts.append(" " * min(_times(child, "c"), 100))
        elif name == "tab":
            parts.append("\t")
        elif name == "line-break":
            parts.append("\n")
        elif name not in {"note", "annotation", "frame", "custom-shape", "text-box", "tracked-changes", ""}:
            parts.append(text_of(child))
        parts.append(child.tail or "")
    return "".join(parts)
