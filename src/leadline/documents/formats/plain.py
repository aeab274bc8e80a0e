"""Plain text: paragraphs are what blank lines separate, and a form feed turns the page."""

from leadline.documents.base import Extracted
from leadline.documents.decoding import decode
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source
from leadline.types import Block


def read(source: Source) -> Extracted:
    """The text as it stands."""
    return plain(normalise(decode(source.data)), source.kind)


def plain(text: str, kind: str, notes: tuple[str, ...] = ()) -> Extracted:
    """A text that is normalised already, with a block for every paragraph."""
    return Extracted(text=text, kind=kind, blocks=paragraphs(text), notes=notes)


def paragraphs(text: str, start: int = 0, end: int | None = None) -> tuple[Block, ...]:
    """The paragraphs between two positions of a text."""
    blocks: list[Block] = []
    stop = len(text) if end is None else end
    while start < stop:
        gap = text.find("\n\n", start, stop)
        if gap < 0:
            gap = stop
        piece = text[start:gap]
        stripped = piece.strip()
        if stripped:
            begin = start + piece.index(stripped)
            blocks.append(Block("paragraph", begin, begin + len(stripped)))
        start = gap + 2
    return tuple(blocks)
