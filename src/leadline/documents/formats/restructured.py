"""reStructuredText: the text stays as written; headings are lines underlined with one punctuation character."""

import re

from leadline.documents.base import Extracted
from leadline.documents.decoding import decode
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source
from leadline.types import Block, Heading

_ADORNMENT = re.compile(r"([=\-`:.'\"~^_*+#<>!$%&(),/;?@\[\\\]{|}])\1{2,}")
_PIECE = re.compile(r"[^\n]+(?:\n[^\n]+)*")


def read(source: Source) -> Extracted:
    """Directives are never followed: an `include` stays a line of text."""
    text = normalise(decode(source.data))
    headings = _headings(text)
    title = headings[0].text if headings and headings[0].level == 1 else ""
    return Extracted(
        text=text, title=title, kind=source.kind, headings=headings, blocks=_blocks(text, headings)
    )


def _headings(text: str) -> tuple[Heading, ...]:
    """Levels follow the order in which adornments are first met, as in docutils."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    seen: list[str] = []
    found: list[Heading] = []
    for i in range(1, len(lines)):
        words = lines[i - 1].strip()
        under = _ADORNMENT.fullmatch(lines[i].rstrip())
        if not under or not words or _ADORNMENT.fullmatch(words) or len(lines[i].rstrip()) < len(words) * 0.7:
            continue
        over = i >= 2 and lines[i - 2].rstrip() == lines[i].rstrip()
        if not over and (lines[i - 1][0] == " " or (i >= 2 and lines[i - 2].strip())):
            continue
        style = under.group(1) * (2 if over else 1)
        if style not in seen:
            seen.append(style)
        start = starts[i - 1] + lines[i - 1].index(words)
        found.append(Heading(seen.index(style) + 1, words, start, start + len(words)))
    return tuple(found)


def _blocks(text: str, headings: tuple[Heading, ...]) -> tuple[Block, ...]:
    taken = {heading.start for heading in headings}
    blocks: list[Block] = []
    literal = False
    for match in _PIECE.finditer(text):
        if any(start in taken for start in range(match.start(), min(match.end(), match.start() + 400))):
            literal = False
            continue
        indented = match.group().startswith((" ", "\t"))
        table = match.group().lstrip().startswith(("+--", "+==")) or re.match(
            r"=+ +=", match.group().lstrip()
        )
        kind = "table" if table else "code" if literal and indented else "paragraph"
        blocks.append(Block(kind, match.start(), match.end()))
        first = match.group().lstrip()
        literal = (
            (literal and indented) or match.group().rstrip().endswith("::") or first.startswith(".. code")
        )
    return tuple(blocks)
