"""What a document's own structure says about where to split it: regions under headings, and their pieces."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline.types import Block, BlockKind, Document, Heading

DEEPEST = 9
LONGEST_HEADING = 200
MOST_REGIONS = 2_000
"""A document with more headings than this is not structured by them: small regions are put together."""

_SAID = re.compile(r"[^\W_]")
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")
_LINE_LOOKBACK = 200


@dataclass(frozen=True, slots=True)
class Region:
    """`text[start:end]` under one heading; what follows the heading's words begins at `body`."""

    start: int
    body: int
    end: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """One paragraph, list, table or piece of code: `text[start:end]`."""

    kind: BlockKind
    start: int
    end: int


def regions(document: Document, least: int) -> list[Region]:
    """The regions of a document, in order, covering it all.

    A heading with nothing under it opens the region of the next one, so that no region is a heading alone.
    """
    text = document.text
    opened: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, ())]
    stack: list[tuple[int, str]] = []
    for heading, start in _usable(text, document.headings):
        level = min(max(heading.level, 1), DEEPEST)
        while stack and stack[-1][0] >= level:
            stack.pop()
        stack.append((level, " ".join(heading.text.split())[:LONGEST_HEADING]))
        path = tuple(words for _, words in stack if words)
        before, body, _ = opened[-1]
        if _SAID.search(text, body, start):
            opened.append((start, heading.end, path))
        else:
            opened[-1] = (before, heading.end, path)
    ends = [start for start, _, _ in opened[1:]] + [len(text)]
    found = [Region(start, body, end, path) for (start, body, path), end in zip(opened, ends, strict=True)]
    return found if len(found) <= MOST_REGIONS else _together(found, least)


def pieces(text: str, region: Region, blocks: Sequence[Block], ends: Sequence[int]) -> Iterator[Piece]:
    """The pieces of one region, in order: its blocks, and the paragraphs of what lies between them.

    `blocks` are those of the whole document as `ordered` gives them, `ends` where each of them ends.
    """
    at = region.start
    for block in _from(blocks, bisect_right(ends, region.start)):
        if block.start >= region.end:
            break
        start, end = max(block.start, at), min(block.end, region.end)
        yield from _paragraphs(text, at, start)
        yield Piece(block.kind, start, end)
        at = end
    yield from _paragraphs(text, at, region.end)


def ordered(text: str, blocks: Sequence[Block]) -> list[Block]:
    """Blocks in order and apart: of two that overlap, the later one keeps what is left of it."""
    found: list[Block] = []
    at = 0
    for block in sorted(blocks, key=lambda block: (block.start, -block.end)):
        start, end = max(block.start, at), min(block.end, len(text))
        if start < end:
            found.append(
                block if start == block.start and end == block.end else Block(block.kind, start, end)
            )
            at = end
    return found


def _usable(text: str, headings: Sequence[Heading]) -> Iterator[tuple[Heading, int]]:
    last = 0
    for heading in sorted(headings, key=lambda heading: heading.start):
        if last <= heading.start < heading.end <= len(text):
            line = text.rfind("\n", max(last, heading.start - _LINE_LOOKBACK), heading.start)
            first = last == 0 and heading.start <= _LINE_LOOKBACK
            yield heading, line + 1 if line >= 0 or first else heading.start
            last = heading.end


def _from(blocks: Sequence[Block], first: int) -> Iterator[Block]:
    return (blocks[index] for index in range(first, len(blocks)))


def _paragraphs(text: str, start: int, end: int) -> Iterator[Piece]:
    at = start
    for gap in _PARAGRAPH_END.finditer(text, start, end):
        yield Piece("paragraph", at, gap.start())
        at = gap.end()
    if at < end:
        yield Piece("paragraph", at, end)


def _together(found: list[Region], least: int) -> list[Region]:
    joined = [found[0]]
    for region in found[1:]:
        last = joined[-1]
        if last.end - last.start < least:
            joined[-1] = Region(last.start, last.body, region.end, _shared(last.path, region.path))
        else:
            joined.append(region)
    return joined


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length]:
        length += 1
    return one[:length]
