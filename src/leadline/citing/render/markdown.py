"""An answer as Markdown with footnotes. Text from documents can open no link, image, heading, table or tag."""

import re

from leadline.citing.render.outline import Line, header_of, outline, when, where
from leadline.citing.render.plain import line
from leadline.types import Answer, Chunk, Citation, Support

_SPECIAL = re.compile(r"[\\`*_\[\]<>&|~$@]")
_OPENER = re.compile(r"^(?:[#+\-=:!]|\d+(?=[.)]))")
_ADDRESS = re.compile(r"(?<=\w):(?=//)|(?<=\bwww)\.", re.IGNORECASE)
_SIGNS = {Support.SUPPORTED: "", Support.PARTLY: "⚠️", Support.UNSUPPORTED: "❌"}


def escape(text: str) -> str:
    r"""`text` as one line that Markdown shows as it is.

    >>> print(escape("# [x](http://example.com) *b* <script>"))
    \# \[x\](http\://example.com) \*b\* \<script\>
    """
    flat = _SPECIAL.sub(r"\\\g<0>", line(text))
    flat = _ADDRESS.sub(r"\\\g<0>", flat)
    opener = _OPENER.match(flat)
    if opener is None:
        return flat
    # A number that opens a list is escaped behind it, a sign before it.
    return f"{opener[0]}\\{flat[opener.end() :]}" if opener[0].isdigit() else f"\\{flat}"


def render_markdown(answer: Answer) -> str:
    """Claims with footnote marks, then notes, then the footnotes."""
    parts = outline(answer)
    blocks = [f"**{escape(answer.question)}**"]
    if parts.headline:
        blocks.append(f"*{escape(parts.headline)}*")
    for topic, lines in parts.groups:
        if topic:
            blocks.append(f"### {escape(topic)}")
        blocks += [_claim(item) for item in lines]
    blocks += [_passage(evidence.chunk) for evidence in parts.nearest]
    if parts.missing:
        blocks.append("Still open:")
        blocks.append("\n".join(f"- {escape(missing)}" for missing in parts.missing))
    blocks += [f"*Note: {escape(notice)}*" for notice in parts.notices]
    blocks.append(f"*{escape(parts.footer)}*")
    blocks += [
        _footnote(number, citation, parts.copies.get(number, "")) for number, citation in parts.sources
    ]
    return "\n\n".join(blocks) + "\n"


def _claim(item: Line) -> str:
    marks = "".join(f"[^{number}]" for number in item.numbers)
    warning = f" {_SIGNS[item.support]} *{escape(item.warning)}*" if item.warning else ""
    rests = f" ({escape(item.rests)})" if item.rests else ""
    return f"{_above(item.context)}{escape(item.text)}{marks}{rests}{warning}"


def _above(context: str) -> str:
    """A table's header on a line of its own; the backslash keeps the line break."""
    return f"{escape(context)}\\\n" if context else ""


def _passage(chunk: Chunk) -> str:
    header = f"> {escape(header_of(chunk))}\\\n" if header_of(chunk) else ""
    told = f" ({escape(when(chunk))})" if when(chunk) else ""
    return f"{header}> {escape(chunk.text)}\n>\n> — {escape(where(chunk))}{told}"


def _footnote(number: int, citation: Citation, copies: str) -> str:
    via = f" (found through ‘{escape(citation.via)}’)" if citation.via else ""
    header = f"{escape(citation.context)}: " if citation.context else ""
    also = f" (also in {escape(copies)})" if copies else ""
    told = f" ({escape(when(citation))})" if when(citation) else ""
    return f"[^{number}]: **{escape(where(citation))}**{told}{also}{via}: {header}“{escape(citation.quote)}”"
