"""Sets over whole documents: where a gold passage stands in its document, and when enough of it was found.

document (Markdown) -> Leadline's own reader and splitter -> chunks ranked -> how much of the passage they cover
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from leadline.documents.formats import markdown
from leadline.documents.identity import content_hash, document_id
from leadline.documents.sources import Source
from leadline.errors import UsageError
from leadline.evaluation.cases import DOCUMENTS, CorpusPassage
from leadline.evaluation.metrics import NOWHERE
from leadline.types import Document

COVERED = 0.6
"""A passage is found once the chunks so far hold this share of its text."""

Offsets = npt.NDArray[np.int64]
Span = tuple[str, int, int]
"""A document's id, and from where to where a chunk of it stands in its text."""


@dataclass(frozen=True, slots=True)
class Gold:
    """A passage of `size` characters, white space apart; those at `offsets` of its document's text were located."""

    document: str
    offsets: Offsets
    size: int

    def place(self, spans: Sequence[Span]) -> float:
        """The place of the chunk with which enough of the passage is covered."""
        covered = np.zeros(len(self.offsets), dtype=bool)
        for place, (document, start, end) in enumerate(spans, start=1):
            if document == self.document:
                covered |= (self.offsets >= start) & (self.offsets < end)
                if covered.sum() >= COVERED * self.size:
                    return float(place)
        return NOWHERE


def as_whole_document(one: CorpusPassage) -> Document:
    """A Markdown document as a load reads it; its source is its id."""
    content = one.text.encode("utf-8", "surrogatepass")
    read = markdown.read(Source(f"{one.id}.md", content, "markdown"))
    return Document(
        id=document_id(one.id),
        source=one.id,
        text=read.text,
        title=one.title,
        content_hash=content_hash(content),
        headings=read.headings,
        blocks=read.blocks,
    )


def gold_of(passage: CorpusPassage, document: Document) -> Gold:
    """Find a passage in its document; line by line where white space or markup differ."""
    text, offsets = _squeezed(document.text)
    lines = [squeezed for line in passage.text.splitlines() if (squeezed := _squeezed(line)[0])]
    size = sum(map(len, lines))
    found = np.array(
        sorted({offset for start, end in _located(text, lines) for offset in offsets[start:end]}), np.int64
    )
    if not size or len(found) < COVERED * size:
        raise UsageError(f"passage {passage.id!r} does not stand in {passage.document!r} of {DOCUMENTS}.")
    return Gold(document.source, found, size)


def _located(text: str, lines: Sequence[str]) -> list[tuple[int, int]]:
    """Where the lines stand: the longest where it is first, the others in order around it."""
    anchor = max(range(len(lines)), key=lambda at: len(lines[at]), default=0)
    start = text.find(lines[anchor]) if lines else -1
    if start < 0:
        return []
    spans = [(start, start + len(lines[anchor]))]
    past = spans[0][1]
    for line in lines[anchor + 1 :]:
        if (at := text.find(line, past)) >= 0:
            past = at + len(line)
            spans.append((at, past))
    for line in reversed(lines[:anchor]):
        if (at := text.rfind(line, 0, start)) >= 0:
            start = at
            spans.append((at, at + len(line)))
    return spans


def _squeezed(text: str) -> tuple[str, list[int]]:
    """The text without white space, compatible characters made one, and where each character came from."""
    kept: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        for one in unicodedata.normalize("NFKC", character):
            if not one.isspace():
                kept.append(one)
                offsets.append(offset)
    return "".join(kept), offsets
