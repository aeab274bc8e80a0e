"""Markdown: the text stays as written; front matter becomes metadata, headings and blocks become positions.

Only a picture that is written into the text as base64 is taken out of it; what is read in it follows its line.
"""

import re
from collections.abc import Iterator
from typing import Literal

from leadline.documents.base import Extracted
from leadline.documents.decoding import decode
from leadline.documents.figures import is_caption, said
from leadline.documents.formats.frontmatter import split_front_matter
from leadline.documents.formats.pictures import Pictures
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source
from leadline.types import Block, BlockKind, Heading

_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_PICTURE = re.compile(
    r"[ \t]*(?:\[[ \t]*)?!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])?(?:\{[^}\n]*\})?(?:[ \t]*\]\([^)\n]*\))?[ \t]*"
    r"|[ \t]*(?:<(?!img\b)[^>\n]*>[ \t]*)*<img\b[^>\n]*>(?:[ \t]*<(?!img\b)[^>\n]*>)*[ \t]*",
    re.IGNORECASE,
)
"""A line that is one picture, perhaps within a link."""
_EMPHASISED = re.compile(r"[ \t]*([*_]{1,3})[^\n*_][^\n]*\1[ \t]*")
_ADDRESS = re.compile(r"data:image/[\w.+-]{1,40}(?:;[\w=-]{1,60})*;base64,[A-Za-z0-9+/=%]*", re.IGNORECASE)
_ALT = re.compile(r"!\[([^\]\n]*)\]|\balt[ \t]*=[ \t]*[\"']([^\"'\n]*)", re.IGNORECASE)
_MARKS = "#>-*+`~=|_ "
_ATTACHED = re.compile(r"(?<=\()attachment:[^)\s]{1,200}")
_DEFINED = re.compile(r" {0,3}\[([^\]\n]{1,200})\]:")
_REFERRED = re.compile(r"!\[([^\]\n]*)\]\[([^\]\n]*)\]")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def read(source: Source) -> Extracted:
    """The Markdown text without its front matter."""
    metadata, body = split_front_matter(normalise(decode(source.data)))
    pictures = Pictures(source)
    text, read_in = without_pictures(normalise(body), pictures)
    headings, blocks = structure(text, read_in)
    stated = metadata.get("title")
    title = stated if isinstance(stated, str) else ""
    if not title and headings and headings[0].level == 1:
        title = headings[0].text
    return Extracted(
        text=text, title=title, kind=source.kind, metadata=metadata, headings=headings, blocks=blocks,
        notes=tuple(pictures.notes()),
    )  # fmt: skip


def without_pictures(text: str, pictures: Pictures) -> tuple[str, frozenset[str]]:
    """The text with pictures that are written into it replaced by what they are and, in lines of their own, by the
    words in them; these lines too."""
    if "data:image/" not in text.lower() and "attachment:" not in text:
        return text, frozenset()
    lines = text.split("\n")
    defined = {m[1].casefold(): line for line in lines if (m := _DEFINED.match(line))}
    kept: list[str] = []
    words: set[str] = set()
    for line in lines:
        shown = [*([] if _DEFINED.match(line) else [line]), *_referred(line, defined)]
        addresses = [m[0] for part in shown for m in _ADDRESS.finditer(part)]
        addresses += _ATTACHED.findall(line)
        read = [w for a in addresses if (w := " ".join(pictures.words_at(a).split()).lstrip(_MARKS))]
        words.update(read)
        kept += [_ADDRESS.sub(lambda m: m[0].partition(";")[0], line), *read]
    return normalise("\n".join(kept)), frozenset(words)


def _referred(line: str, defined: dict[str, str]) -> list[str]:
    names = (m[2] or m[1] for m in _REFERRED.finditer(line))
    return [defined[name.casefold()] for name in names if name.casefold() in defined]


def structure(
    text: str, read_in: frozenset[str] = frozenset()
) -> tuple[tuple[Heading, ...], tuple[Block, ...]]:
    """The headings and blocks of a normalised Markdown text; `read_in` are lines that were read in pictures."""
    headings: list[Heading] = []
    blocks: list[Block] = []
    for kind, lines in _groups(text, read_in):
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
    return tuple(headings), tuple(_with_captions(text, blocks))


def _with_captions(text: str, blocks: list[Block]) -> Iterator[Block]:
    """A paragraph right beside a figure that names it becomes part of it."""
    waiting: Block | None = None
    for block in blocks:
        if waiting is None:
            waiting = block
            continue
        pair = {waiting.kind, block.kind}
        other = block if waiting.kind == "figure" else waiting
        beside = not text[waiting.end : block.start].strip()
        if pair == {"figure", "paragraph"} and beside and _is_caption(text[other.start : other.end]):
            yield Block("figure", waiting.start, block.end)
            waiting = None
        else:
            yield _worded(text, waiting)
            waiting = block
    if waiting is not None:
        yield _worded(text, waiting)


def _worded(text: str, block: Block) -> Block:
    """The block; a picture of which nothing is said but where it lies is no figure."""
    piece = text[block.start : block.end]
    if block.kind != "figure" or "\n" in piece:
        return block
    alts = [m[1] or m[2] or "" for m in _ALT.finditer(piece)]
    return block if said(alts) else Block("paragraph", block.start, block.end)


def _is_caption(text: str) -> bool:
    return is_caption(text.strip())


_Line = tuple[int, str]
_Kind = BlockKind | Literal["atx", "setext"]


def _groups(text: str, read_in: frozenset[str]) -> Iterator[tuple[_Kind, list[_Line]]]:
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
        yield _kind(group, fence is not None, read_in), group
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
        elif not is_list and (_ITEM.match(line) or _opens_table(lines, j)):
            return j
    return len(lines)


def _opens_table(lines: list[_Line], j: int) -> bool:
    """Whether a table begins here, below a line of text: a row, its rule below, and no row above."""
    rule = lines[j + 1][1].strip() if j + 1 < len(lines) else ""
    above, row = lines[j - 1][1], lines[j][1]
    return "|" in row and "|" in rule and "|" not in above and _RULE.fullmatch(rule) is not None


def _is_figure(group: list[_Line], read_in: frozenset[str]) -> bool:
    """One picture on a line of its own, what was read in it, and a caption below it if there is one."""
    if not _PICTURE.fullmatch(group[0][1]):
        return False
    rest = [line for _, line in group[1:] if line.strip() not in read_in]
    return (
        not rest or _is_caption("\n".join(rest)) or (len(rest) == 1 and bool(_EMPHASISED.fullmatch(rest[0])))
    )


def _kind(group: list[_Line], fenced: bool, read_in: frozenset[str]) -> _Kind:
    first = group[0][1]
    if fenced:
        return "code"
    if _is_figure(group, read_in):
        return "figure"
    if len(group) > 1 and _UNDERLINE.fullmatch(group[-1][1]):
        return "setext"
    if len(group) > 1 and "|" in first and _RULE.fullmatch(group[1][1].strip()):
        return "table"
    if _ITEM.match(first):
        return "list"
    return "code" if all(line.startswith(("    ", "\t")) for _, line in group) else "paragraph"
