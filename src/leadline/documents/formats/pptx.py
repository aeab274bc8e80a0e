"""PPTX: one page per slide, its title as heading, then text, tables, charts, speaker notes and comments."""

from collections.abc import Mapping
from functools import partial

from leadline.documents.archives import Archive, Element, attribute, descendants, local
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.formats.office import open_office, properties, relations
from leadline.documents.formats.pictures import Pictures
from leadline.documents.sources import Source

_PRESENTATION = "ppt/presentation.xml"


def read(source: Source) -> Extracted:
    """The slides in the order they are shown."""
    archive = Archive(open_office(source))
    composer = Composer("pptx")
    properties(archive, composer)
    pictures = Pictures(source)
    authors = {attribute(a, "id"): attribute(a, "name") for a in _authors(archive)}
    for slide in _slides(archive):
        composer.page()
        root = archive.xml(slide)
        targets = relations(archive, slide)
        pictures.held = partial(_part, archive, targets)
        if root is not None:
            for tree in descendants(root, "spTree"):
                _shapes(composer, tree, pictures)
                break
        for part in targets.values():
            _attached(archive, composer, part, authors)
    composer.notes += pictures.notes()
    return composer.build()


def _part(archive: Archive, targets: Mapping[str, str], relation: str) -> bytes:
    return archive.read(targets.get(relation, ""))


def _slides(archive: Archive) -> list[str]:
    targets = relations(archive, _PRESENTATION)
    root = archive.xml(_PRESENTATION)
    listed = (
        [targets.get(_relation_id(s), "") for s in descendants(root, "sldId")] if root is not None else []
    )
    return [slide for slide in listed if slide in archive] or sorted(
        archive.names("ppt/slides/slide", ".xml")
    )


def _relation_id(element: Element) -> str:
    return next((str(v) for k, v in element.attrib.items() if str(k).endswith("}id")), "")


def _authors(archive: Archive) -> list[Element]:
    found: list[Element] = []
    for part in ("ppt/commentAuthors.xml", "ppt/authors.xml"):
        root = archive.xml(part)
        if root is not None:
            found += [*descendants(root, "cmAuthor"), *descendants(root, "author")]
    return found


def _shapes(composer: Composer, tree: Element, pictures: Pictures) -> None:
    for shape in tree:
        name = local(shape)
        if name in {"grpSp", "AlternateContent", "Choice"}:
            _shapes(composer, shape, pictures)
        elif name == "graphicFrame":
            for table in descendants(shape, "tbl"):
                composer.table(
                    [[_text(cell) for cell in row.iterfind("{*}tc")] for row in descendants(table, "tr")]
                )
            composer.figure(_alt(shape))
        elif name == "pic":
            relation = next((attribute(blip, "embed") for blip in descendants(shape, "blip")), "")
            composer.figure(_alt(shape), pictures.words_at(relation))
        elif name in {"sp", "cxnSp"}:
            _shape(composer, shape)


def _shape(composer: Composer, shape: Element) -> None:
    kind = next((attribute(p, "type") for p in descendants(shape, "ph")), None)
    lines = [(_text(p), _level(p)) for body in shape.iterfind("{*}txBody") for p in body.iterfind("{*}p")]
    lines = [(text, level) for text, level in lines if text.strip()]
    if kind in {"title", "ctrTitle"}:
        composer.heading(1, " ".join(text for text, _ in lines))
    elif kind in {"body", "obj", ""} and len(lines) > 1:
        for text, level in lines:
            composer.item(text, level)
    elif kind not in {"sldNum", "dt"}:
        composer.paragraph("\n".join(text for text, _ in lines))


def _alt(shape: Element) -> str:
    """What is said of a picture, chart or diagram for those who cannot see it."""
    described = next(descendants(shape, "cNvPr"), None)
    return "" if described is None else attribute(described, "descr") or attribute(described, "title")


def _level(paragraph: Element) -> int:
    value = next((attribute(p, "lvl") for p in paragraph.iterfind("{*}pPr")), "")
    return int(value) if value.isdigit() else 0


def _text(element: Element) -> str:
    parts: list[str] = []
    for child in element.iter("{*}t", "{*}br", "{*}p"):
        if local(child) == "t":
            parts.append(child.text or "")
        elif parts:
            parts.append("\n" if local(child) == "br" else " ")
    return "".join(parts).strip()


def _attached(archive: Archive, composer: Composer, part: str, authors: dict[str, str]) -> None:
    """Notes, comments, charts and diagrams that belong to a slide."""
    folder = part.split("/")[1] if part.count("/") > 1 else ""
    root = archive.xml(part) if folder in {"notesSlides", "comments", "charts", "diagrams"} else None
    if root is None:
        return
    if folder == "notesSlides":
        for shape in descendants(root, "sp"):
            if next((attribute(p, "type") for p in descendants(shape, "ph")), "") == "body":
                composer.paragraph("\n".join(_text(p) for p in descendants(shape, "p")))
    elif folder == "comments":
        for comment in descendants(root, "cm"):
            words = " ".join(filter(None, (_comment(e) for e in comment)))
            author = authors.get(attribute(comment, "authorId"), "")
            composer.paragraph(f"{author}: {words}" if author and words else words)
    elif folder == "charts" or part.rpartition("/")[2].startswith("data"):
        words = [e.text or "" for e in root.iter("{*}t", "{*}v")]
        composer.figure(", ".join(dict.fromkeys(filter(None, words))))


def _comment(element: Element) -> str:
    return (element.text or "") if local(element) == "text" else _text(element)
