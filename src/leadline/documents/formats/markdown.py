"""Markdown: the text stays as written; front matter becomes metadata, headings and blocks become positions."""

import re
from collections.abc import Iterator
from typing import Literal

from leadline.documents.base import Extracted
from leadline.documents.decoding import decode
from leadline.documents.formats.frontmatter import split_front_matter
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source
from leadline.types import Block, BlockKind, Heading

_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def read(source: Source) -> Extracted:
    """The Markdown text without its front matter."""
    metadata, body = split_front_matter(normalise(decode(source.data)))
    text = normalise(body)
    headings, blocks = structure(text)
    stated = metadata.get("title")
    title = stated if isinstance(stated, str) else ""
    if not title and headings and headings[0].level == 1:
        title = headings[0].text
    return Extracted(
        text=text, title=title, kind=source.kind, metadata=metadata, headings=headings, blocks=blocks
    )


def structure(text: str) -> tuple[tuple[Heading, ...], tuple[Block, ...]]:
    """The headings and blocks of a normalised Markdown text."""
    headings: list[Heading] = []
    blocks: list[Block] = []
    for kind, lines in _groups(text):
        first, last = lines[0], lines[-1]
        if kind == "atx":
            match = _ATX.fullmatch(first[1])
            if match and match.group(2):
                start = first[0] + match.start(2)
                headings.append(Heading(len(match.group(1)), match.group(2), start, first[0] + match.end(2)))
        elif kind == "setext":
            words = "\n".join(line for _, line in lines[:-1])
            start = first[0] + len(words) - len(words.lstrip())
            level = 1 if "=" in last[1] else 2
            headings.append(Heading(level, words.strip(), start, start + len(words.strip())))
        else:
            blocks.append(Block(kind, first[0], last[0] + len(last[1])))
    return tuple(headings), tuple(blocks)


_Line = tuple[int, str]
_Kind = BlockKind | Literal["atx", "setext"]


def _groups(text: str) -> Iterator[tuple[_Kind, list[_Line]]]:
    """Lines that belong together, and what they are."""
    lines = _lines(text)
    i = 0
    while i < len(lines):
        line = lines[i][1]
        if not line.strip():
            i += 1
            continue
        if _ATX.fullmatch(line):
            yield "atx", [lines[i]]
            i += 1
            continue
        fence = _FENCE.match(line)
        end = _fenced(lines, i, fence.group(1)) if fence else _run(lines, i)
        group = lines[i:end]
        yield _kind(group, fence is not None), group
        i = end


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    start = 0
    for line in text.split("\n"):
        lines.append((start, line))
        start += len(line) + 1
    return lines


def _fenced(lines: list[_Line], i: int, fence: str) -> int:
    for j in range(i + 1, len(lines)):
        stripped = lines[j][1].strip()
        if stripped.startswith(fence) and not stripped.strip(fence[0]):
            return j + 1
    return len(lines)


def _run(lines: list[_Line], i: int) -> int:
    """Where the run of lines that starts at `i` ends: a blank line, a heading, a fence, or after a heading's underline."""
    is_list = bool(_ITEM.match(lines[i][1]))
    for j in range(i + 1, len(lines)):
        line = lines[j][1]
        if not line.strip():
            following = lines[j + 1][1] if j + 1 < len(lines) else ""
            if not (is_list and (following.startswith(("  ", "\t")) or _ITEM.match(following))):
                return j
        elif _ATX.fullmatch(line) or _FENCE.match(line):
            return j
        elif not is_list and _UNDERLINE.fullmatch(line) and "|" not in lines[j - 1][1]:
            return j + 1
        elif not is_list and _ITEM.match(line):
            return j
    return len(lines)


def _kind(group: list[_Line], fenced: bool) -> _Kind:
    first = group[0][1]
    if fenced:
        return "code"
    if len(group) > 1 and _UNDERLINE.fullmatch(group[-1][1]):
        return "setext"
    if len(group) > 1 and "|" in first and _RULE.fullmatch(group[1][1].strip()):
        return "table"
    if _ITEM.match(first):
        return "list"
    return "code" if all(line.startswith(("    ", "\t")) for _, line in group) else "paragraph"
