"""XML of any grammar: titles as headings, mixed content as paragraphs, data as `name: value` lines."""

from leadline.documents.archives import Element, local, parse_xml
from leadline.documents.base import Extracted
from leadline.documents.composing import Composer
from leadline.documents.decoding import declared_encoding, decode
from leadline.documents.formats.plain import plain
from leadline.documents.normalising import normalise, one_line
from leadline.documents.sources import Source

_TITLES = {"title", "heading", "head"}


def read(source: Source) -> Extracted:
    """The text of one XML file; what cannot be parsed at all is kept as plain text."""
    text = decode(source.data, declared_encoding(source.data))
    # The declaration names the encoding of the bytes; this is text already.
    body = text[text.find("?>") + 2 :] if text.lstrip().startswith("<?xml") else text
    root = parse_xml(body.encode("utf-8", "replace"))
    if root is None:
        return plain(
            normalise(text), source.kind, ("It is not well-formed XML; its text was kept as it is.",)
        )
    composer = Composer(source.kind)
    _write(composer, root, 0)
    return composer.build()


def _write(composer: Composer, element: Element, depth: int) -> None:
    children = [child for child in element if local(child)]
    if local(element).lower() in _TITLES and _text(element):
        composer.heading(max(1, depth), _text(element))
    elif not children or _is_mixed(element):
        composer.paragraph(_line(element) if not children else _text(element))
    elif all(len(child) == 0 for child in children):
        titles = [child for child in children if local(child).lower() in _TITLES and _text(child)]
        for title in titles[:1]:
            composer.heading(max(1, depth), _text(title))
        composer.paragraph(
            "\n".join(filter(None, (_line(child) for child in children if child not in titles[:1])))
        )
    else:
        for child in children:
            _write(composer, child, depth + 1)


def _is_mixed(element: Element) -> bool:
    pieces = [element.text, *(child.tail for child in element)]
    return any(piece and piece.strip() for piece in pieces)


def _text(element: Element) -> str:
    return one_line("".join(str(part) for part in element.itertext()))


def _line(element: Element) -> str:
    """`name: value` for a leaf, its attributes when it has no text."""
    text = _text(element)
    if local(element).lower() in {"p", "para", "text", "tspan"}:
        return text
    if not text:
        text = ", ".join(f"{str(k).rpartition('}')[2]}={one_line(str(v))}" for k, v in element.attrib.items())
    return f"{local(element)}: {text}" if text else ""
