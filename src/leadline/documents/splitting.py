"""Document -> sections (parents) and chunks (children): by structure first, then by size.

    headings -> regions -> pieces kept whole (paragraph, table, code, list, figure) -> cut if too long
             -> joined with neighbours into chunks -> packed into sections

Every chunk is an exact slice of the document's text; chunks do not overlap and together hold all of it that
is not blank.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from leadline.analysis.terms import chunk_terms
from leadline.documents.cutting import Cut, code, header, lines, pack, prose
from leadline.documents.figures import mentions, surroundings
from leadline.documents.identity import chunk_id, section_id
from leadline.documents.structure import Piece, Region, ordered, pieces, regions
from leadline.errors import UsageError
from leadline.types import Block, BlockKind, Chunk, Document, Section

_CUTS: dict[BlockKind, Cut] = {
    "paragraph": prose,
    "list": lines,
    "table": lines,
    "code": code,
    "figure": prose,
}
_PROSE = frozenset[BlockKind]({"paragraph", "list"})
_SMALL_FIGURE = 16
"""A figure of which less is said than this ("A chart") goes with the text beside it, as a few words would."""


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """Sizes in characters. A chunk is at most `chunk_size` and a fifth long, a section at most `section_size`.

    Neighbours within a section are put together while they stay within `chunk_size`; what is shorter than
    `least` (or a fifth of `chunk_size`) goes with its neighbour of any kind.
    """

    chunk_size: int = 1_000
    section_size: int = 4_000
    least: int = 200

    def __post_init__(self) -> None:
        if self.chunk_size < 20 or self.least < 0:
            raise UsageError("chunk_size must be at least 20 characters, least at least 0.")
        if self.section_size < self.chunk_size + self.tiny:
            raise UsageError(
                f"section_size ({self.section_size}) is too small for chunks of {self.chunk_size} characters:"
                f" set it to at least {self.chunk_size + self.tiny}."
            )

    @property
    def tiny(self) -> int:
        return min(self.least, self.chunk_size // 5)


@dataclass(slots=True)
class _Part:
    """A chunk in the making; `weight` is the length of the longest piece in it, whose kind it has."""

    kind: BlockKind
    start: int
    end: int
    context: str = ""
    weight: int = 0

    @property
    def size(self) -> int:
        return self.end - self.start


def split(
    document: Document, options: SplitOptions | None = None
) -> tuple[tuple[Section, ...], tuple[Chunk, ...]]:
    """The sections and chunks of a document, both in order."""
    options = options or SplitOptions()
    blocks = ordered(document.text, document.blocks)
    ends = [block.end for block in blocks]
    sections: list[Section] = []
    chunks: list[Chunk] = []
    named = mentions(document.text) if any(block.kind == "figure" for block in blocks) else {}
    for region in regions(document, options.tiny):
        parts = _parts(document.text, region, blocks, ends, options)
        _add_surroundings(document.text, region, parts, named)
        for group in _groups(parts, options.section_size):
            start, end = group[0].start, group[-1].end
            section = Section(
                section_id(document.id, start, end), document.id, len(sections), start, end, region.path
            )
            sections.append(section)
            first = len(chunks)
            chunks += [_chunk(document, section, first + i, part) for i, part in enumerate(group)]
    return tuple(sections), tuple(chunks)


def _parts(
    text: str, region: Region, blocks: Sequence[Block], ends: Sequence[int], options: SplitOptions
) -> list[_Part]:
    """The chunks of one region: its pieces, cut where too long, joined where short."""
    joined: list[_Part] = []
    for piece in pieces(text, region, blocks, ends):
        for part in _cut(text, piece, options.chunk_size):
            if joined and _fits(joined[-1], part, options):
                _join(joined[-1], part)
            else:
                joined.append(part)
    return joined


def _cut(text: str, piece: Piece, size: int) -> Iterator[_Part]:
    kind, context = piece.kind, ""
    start, end = _trimmed(text, piece.start, piece.end, kind)
    edges = [start, end]
    if end - start > size:
        if kind == "table":
            context = header(text, start, end)
            edges = lines(text, start, end, max(size - len(context), size // 2))
        else:
            edges = _CUTS[kind](text, start, end, size)
    for a, b in pairwise(edges):
        a, b = _trimmed(text, a, b, kind)
        if a < b:
            yield _Part(kind, a, b, context if a > start else "", b - a)


def _trimmed(text: str, start: int, end: int, kind: BlockKind) -> tuple[int, int]:
    """Without the blanks around it; code keeps the indent of its first line."""
    piece = text[start:end]
    full = piece.rstrip()
    left = len(full) - len(full.lstrip())
    if kind == "code":
        left = full.rfind("\n", 0, left) + 1
    return (start + left, start + len(full)) if full else (start, start)


def _fits(last: _Part, part: _Part, options: SplitOptions) -> bool:
    if last.context or part.context or _is_figure(last) or _is_figure(part):
        return False
    tiny = last.size < options.tiny or part.size < options.tiny
    room = options.chunk_size + (options.tiny if tiny else 0)
    return part.end - last.start <= room and (tiny or {last.kind, part.kind} <= _PROSE)


def _is_figure(part: _Part) -> bool:
    """Whether it is a figure that stands for itself; one that joined others has the kind of the longest."""
    return part.kind == "figure" and part.weight >= _SMALL_FIGURE


def _add_surroundings(
    text: str, region: Region, parts: Sequence[_Part], named: Mapping[str, list[int]]
) -> None:
    """A figure says little by itself: the text around it is indexed with it."""
    for part in parts:
        if part.kind == "figure":
            part.context = surroundings(text, part.start, part.end, region.start, region.end, named)


def _join(last: _Part, part: _Part) -> None:
    if part.weight > last.weight:
        last.kind, last.weight = part.kind, part.weight
    last.end = part.end


def _groups(parts: Sequence[_Part], size: int) -> Iterator[Sequence[_Part]]:
    if not parts:
        return
    starts = [part.start for part in parts]
    edges = pack([*starts, parts[-1].end], size)
    indexes = [*(bisect_right(starts, edge) - 1 for edge in edges[:-1]), len(parts)]
    for first, last in pairwise(indexes):
        yield parts[first:last]


def _chunk(document: Document, section: Section, ordinal: int, part: _Part) -> Chunk:
    text = document.text[part.start : part.end]
    headings = section.heading_path
    return Chunk(
        id=chunk_id(document.id, part.start, part.end, text),
        document_id=document.id,
        section_id=section.id,
        ordinal=ordinal,
        start=part.start,
        end=part.end,
        text=text,
        source=document.source,
        title=document.title,
        heading_path=headings,
        page=_page(document, part.start),
        kind=part.kind,
        context=part.context,
        terms=chunk_terms(text, title=document.title, headings=headings, context=part.context),
        metadata=document.metadata,
    )


def _page(document: Document, at: int) -> int | None:
    index = bisect_right(document.pages, at, key=lambda page: page.start) - 1
    return document.pages[index].number if index >= 0 else None
