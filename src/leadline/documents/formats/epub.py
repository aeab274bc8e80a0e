"""EPUB: the chapters in reading order. The native extractor panics on some books, so this reads them without it."""

import posixpath
import urllib.parse
from functools import partial

from leadline.documents.archives import Archive, Element, attribute, descendants, local, parse_xml
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import declared_encoding, decode
from leadline.documents.formats.html import Walker, named_entities, parse
from leadline.documents.formats.pictures import Pictures
from leadline.documents.sources import Source
from leadline.errors import DocumentError

_NAMES = {
    "title": "title",
    "creator": "author",
    "date": "created",
    "language": "language",
    "publisher": "publisher",
}


def read(source: Source) -> Extracted:
    """Every chapter that the spine names."""
    archive = Archive(source.data)
    if "META-INF/encryption.xml" in archive and "META-INF/rights.xml" in archive:
        raise DocumentError("is protected by DRM", "Load a copy without protection.")
    composer = Composer("epub")
    pictures = Pictures(source)
    for chapter in _chapters(archive, composer):
        text = decode(archive.read(chapter), declared_encoding(archive.read(chapter)[:1024]))
        root = parse_xml(named_entities(text).encode("utf-8")) if "<" in text else None
        if root is None or not any(True for _ in descendants(root, "body")):
            root = parse(text)
        for body in descendants(root, "body") if root is not None else ():
            pictures.held = partial(_part, archive, posixpath.dirname(chapter))
            Walker(composer, pictures).walk(body)
    composer.notes += pictures.notes()
    return composer.build()


def _part(archive: Archive, folder: str, address: str) -> bytes:
    """The part that an address in a chapter of `folder` names."""
    path = urllib.parse.unquote(address.partition("#")[0])
    return archive.read(posixpath.normpath(posixpath.join(folder, path)).lstrip("/"))


def _chapters(archive: Archive, composer: Composer) -> list[str]:
    """The parts of the spine; without one, every page in the order of the archive."""
    container = archive.xml("META-INF/container.xml")
    roots = (
        [attribute(r, "full-path") for r in descendants(container, "rootfile")]
        if container is not None
        else []
    )
    roots = [name for name in roots if name in archive] or archive.names(end=".opf")
    package = archive.xml(roots[0]) if roots else None
    chapters: list[str] = []
    if package is not None:
        _metadata(package, composer)
        folder = posixpath.dirname(roots[0])
        items = {
            attribute(item, "id"): posixpath.normpath(
                posixpath.join(folder, urllib.parse.unquote(attribute(item, "href")))
            )
            for item in descendants(package, "item")
        }
        chapters = [items.get(attribute(ref, "idref"), "") for ref in descendants(package, "itemref")]
    pages = [name for name in archive.names() if name.lower().endswith((".xhtml", ".html", ".htm"))]
    return [name for name in dict.fromkeys(chapters) if name in archive] or pages


def _metadata(package: Element, composer: Composer) -> None:
    for group in descendants(package, "metadata"):
        for child in group:
            value = "".join(str(part) for part in child.itertext()).strip()
            if local(child) in _NAMES and value:
                composer.metadata.setdefault(_NAMES[local(child)], value)
    composer.title = str(composer.metadata.get("title", ""))
