"""Source code: kept as it is, one block per top-level piece, definitions as headings."""

import re

from leadline.documents.base import Extracted
from leadline.documents.decoding import decode
from leadline.documents.normalising import normalise
from leadline.documents.sources import Source
from leadline.types import Block, Heading

_DEFINITION = re.compile(
    r"^(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|protected|internal|static|async|abstract|final|sealed|"
    r"open|data|unsafe|extern|inline|local)[ ]+)*"
    r"(?:def|class|function|func|fn|interface|struct|enum|trait|impl|type|module|namespace|protocol|object|record|"
    r"defmodule|sub|procedure|CREATE[ ]+(?:TABLE|VIEW|FUNCTION))[ ]+[^\n{:=(]*[^\s{:=(]",
    re.MULTILINE,
)
_PIECE = re.compile(r"(?<=\n\n)(?=[^\s)\]}])")


def read(source: Source) -> Extracted:
    """The code as it stands."""
    text = normalise(decode(source.data))
    return Extracted(text=text, kind=source.kind, headings=definitions(text), blocks=pieces(text))


def definitions(text: str) -> tuple[Heading, ...]:
    """What is defined at the left margin: classes, functions, types."""
    return tuple(Heading(1, m.group(), m.start(), m.end()) for m in _DEFINITION.finditer(text))


def pieces(text: str) -> tuple[Block, ...]:
    """Every run of lines that starts at the left margin after a blank line."""
    starts = [0, *(match.start() for match in _PIECE.finditer(text)), len(text)]
    spans = (
        (start, start + len(text[start:end].rstrip())) for start, end in zip(starts, starts[1:], strict=False)
    )
    return tuple(Block("code", start, end) for start, end in spans if end > start)
