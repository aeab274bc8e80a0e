"""HTML: what a reader sees, as headings, paragraphs, lists, tables and code; scripts, styles and navigation left out."""

import html
import re
from collections.abc import Callable, Iterable
from typing import Any, cast

import lxml.html
from lxml import etree

from leadline.documents.archives import Element, attribute, descendants, local
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import declared_encoding, decode
from leadline.documents.formats.pictures import Pictures
from leadline.documents.grids import Grid
from leadline.documents.sources import Source

_SKIPPED = frozenset(
    (
        "script style noscript template nav button select option iframe object embed applet canvas svg rt rp "
        "head input datalist audio video map area dialog"
    ).split()
)
_BLOCKS = frozenset(
    (
        "address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure "
        "footer form frameset header hgroup html legend li main menu ol p section summary table tbody td "
        "tfoot th thead tr ul caption hr"
    ).split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_META = {
    "author": "author",
    "description": "description",
    "keywords": "keywords",
    "date": "date",
    "article:published_time": "published",
    "article:modified_time": "modified",
}
_SPACE = re.compile(r"[ \t\r\n\f]+")
_BREAK = "\x0b"
_MOST_CELLS = 200_000


def read(source: Source) -> Extracted:
    """One page."""
    return page(decode(source.data, declared_encoding(source.data)), source.kind, Pictures(source))


def page(text: str, kind: str = "html", pictures: Pictures | None = None) -> Extracted:
    """The page whose markup is `text`; `pictures` reads those that it holds itself."""
    composer = Composer(kind)
    root = parse(text)
    if root is not None:
        head_of(root, composer)
        Walker(composer, pictures).walk(main_of(root))
    composer.notes += pictures.notes() if pictures else []
    return composer.build()


def parse(text: str) -> Element | None:
    """The tree of a page, however broken; a declared encoding is gone, because the text is decoded already."""
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text.replace("\0", ""))
    parser = lxml.html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        return _from_string(text.encode("utf-8", "replace"), parser=parser) if text.strip() else None
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


_from_string = cast("Callable[..., Element]", cast(Any, lxml.html).document_fromstring)


def head_of(root: Element, composer: Composer) -> None:
    """Title, author and dates as the page itself names them."""
    for title in descendants(root, "title"):
        composer.title = "".join(str(part) for part in title.itertext())
        break
    for meta in descendants(root, "meta"):
        name = _META.get((attribute(meta, "name") or attribute(meta, "property")).lower())
        if name and attribute(meta, "content").strip():
            composer.metadata.setdefault(name, attribute(meta, "content").strip())
    if attribute(root, "lang"):
        composer.metadata.setdefault("language", attribute(root, "lang"))


def main_of(root: Element) -> Element:
    """The part that the page itself calls its main part, unless that leaves most of the text out."""
    whole = sum(len(part.strip()) for part in map(str, root.itertext()))
    for element in root.iter("main", "article", "div"):
        if element.tag in {"main", "article"} or attribute(element, "role") == "main":
            part = sum(len(piece.strip()) for piece in map(str, element.itertext()))
            return element if part * 3 >= whole else root
    return root


class Walker:
    """Walks a tree and writes blocks; inline text gathers until a block begins or ends."""

    def __init__(self, composer: Composer, pictures: Pictures | None = None) -> None:
        self.composer = composer
        self._pictures = pictures
        self._inline: list[str] = []
        self._seen: list[tuple[str, str]] = []
        self._items: list[int] = []

    def walk(self, element: Element) -> None:
        self._element(element)
        self._flush()

    def _element(self, element: Element) -> None:
        name = local(element).lower()
        if not name or name in _SKIPPED or _hidden(element):
            return
        if name in _HEADINGS:
            self._flush()
            self.composer.heading(_HEADINGS[name], inline(element))
        elif name == "pre":
            self._flush()
            self.composer.code("".join(_texts(element)))
        elif name == "table" and not _is_layout(element):
            self._flush()
            self._table(element)
        elif name == "br":
            self._inline.append(_BREAK)
        elif name == "img":
            self._inline.append(f" {alt_of(element)} ")
            self._seen.append((alt_of(element), self._words(element)))
        elif name != "figure" or not self._figure(element):
            self._children(element, name)

    def _children(self, element: Element, name: str) -> None:
        block = name in _BLOCKS
        if block:
            self._flush()
        if name in {"ul", "ol", "menu", "dir"}:
            self._items.append(0)
        if name == "li":
            self._items = self._items or [0]
            self._items[-1] = 1
        self._inline.append(element.text or "")
        for child in element:
            self._element(child)
            self._inline.append(child.tail or "")
        if block:
            self._flush()
        if name == "li":
            self._items[-1] = 0
        elif name in {"ul", "ol", "menu", "dir"}:
            self._items.pop()

    def _flush(self) -> None:
        text = tidy("".join(self._inline))
        self._inline.clear()
        seen, self._seen = self._seen, []
        if seen and not self._items and text == tidy(" ".join(alt for alt, _ in seen)):
            for alt, words in seen:
                self.composer.figure(alt, words)
            return
        self._text(text)
        for words in filter(None, (words for _, words in seen)):
            self.composer.figure(words)

    def _text(self, text: str) -> None:
        if not text:
            return
        if self._items and self._items[-1]:
            self.composer.item(text, len(self._items) - 1)
        else:
            self.composer.paragraph(text)

    def _words(self, element: Element) -> str:
        return self._pictures.words_at(attribute(element, "src")) if self._pictures else ""

    def _figure(self, element: Element) -> bool:
        """Write a <figure> that is a picture; one that holds a table, code or headings is read as any block."""
        inside = {local(e).lower() for e in element.iterdescendants()}
        if not inside & {"img", "svg"} or inside & {"table", "pre", "figure", *_HEADINGS}:
            return False
        self._flush()
        captions = [inline(e) for e in descendants(element, "figcaption")]
        shown = [e for e in element.iterdescendants() if local(e).lower() in {"img", "svg"}]
        texts = [inline(e) for e in element if local(e).lower() != "figcaption" and e not in shown]
        words = [self._words(e) for e in shown]
        caption = " ".join(filter(None, captions))
        self.composer.figure(*map(alt_of, shown), *texts, *words, caption=caption)
        return True

    def _table(self, table: Element) -> None:
        for caption in descendants(table, "caption"):
            self.composer.paragraph(inline(caption))
        grid = Grid()
        for row in descendants(table, "tr"):
            grid.row(
                (inline(cell), _span(cell, "colspan"), _span(cell, "rowspan"))
                for cell in row
                if local(cell).lower() in {"td", "th"}
            )
            if grid.cells > _MOST_CELLS:
                self.composer.notes.append(f"Only the first {_MOST_CELLS:,} cells of a table were read.")
                break
        self.composer.table(grid.rows)


def _span(cell: Element, name: str) -> int:
    value = attribute(cell, name).strip()
    return int(value) if value.isdecimal() and len(value) < 6 else 1


def alt_of(picture: Element) -> str:
    """What a page says of a picture for those who cannot see it."""
    named = (attribute(picture, name).strip() for name in ("alt", "aria-label", "title"))
    titles = (inline(e) for name in ("title", "desc") for e in descendants(picture, name))
    return next(filter(None, (*named, *titles)), "")


def _hidden(element: Element) -> bool:
    return (
        attribute(element, "role") == "navigation"
        or "hidden" in element.attrib
        or "display:none" in attribute(element, "style").replace(" ", "").lower()
    )


def _is_layout(table: Element) -> bool:
    """A table that arranges the page rather than data: it holds tables or headings, or has one column."""
    if any(local(e).lower() in {"table", "h1", "h2", "h3", "pre"} for e in table.iterdescendants()):
        return True
    return all(sum(local(c).lower() in {"td", "th"} for c in row) < 2 for row in descendants(table, "tr"))


def inline(element: Element) -> str:
    """The text of an element on one line."""
    return tidy("".join(_texts(element))).replace("\n", " ")


def _texts(element: Element) -> Iterable[str]:
    name = local(element).lower()
    if not name or name in _SKIPPED or _hidden(element):
        return
    if name == "br":
        yield "\n"
    elif name == "img":
        yield alt_of(element)
    yield element.text or ""
    for child in element:
        yield from _texts(child)
        if local(child).lower() in _BLOCKS:
            yield " "
        yield child.tail or ""


def tidy(text: str) -> str:
    """White space as a browser shows it: runs are one space, only <br> is a new line."""
    lines = (_SPACE.sub(" ", line).strip() for line in text.split(_BREAK))
    return "\n".join(lines).strip()


def named_entities(text: str) -> str:
    """XHTML names characters (&nbsp;) that XML does not know: put the characters, keep what is markup."""

    def character(match: re.Match[str]) -> str:
        return (
            match.group()
            if match.group(1) in {"lt", "gt", "amp", "quot", "apos"}
            else html.unescape(match.group())
        )

    return re.sub(r"&([A-Za-z][A-Za-z0-9]{1,30});", character, text)
