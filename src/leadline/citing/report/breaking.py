"""Paragraphs with right-to-left text, broken into lines by measured widths of their words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.citing.report.paragraphs import Style

_HAN = re.compile("(?<!-)([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])")
_BLANK = re.compile("(?<!-) ")


@dataclass(frozen=True, slots=True)
class Widths:
    """Of words in one style, in points."""

    space: float
    words: Mapping[str, float]


def words(text: str) -> Iterator[tuple[str, bool]]:
    """What must not be broken, and whether a blank stands before it. A line may end before and after any Han character,
    and never with a hyphen, which readers would take for one of the typesetter's.

    >>> list(words("سلام 港口"))
    [('سلام', False), ('港', True), ('口', False)]
    """
    for number, word in enumerate(_BLANK.split(text)):
        pieces = [piece for piece in _HAN.split(word) if piece]
        yield from ((piece, at == 0 and number > 0) for at, piece in enumerate(pieces))


def broken(text: str, style: Style, widths: Widths) -> list[str]:
    """The lines of `text`, as long as there is room for."""
    room = style.room - style.indent
    lines: list[str] = []
    line, taken = "", 0.0
    for word, spaced in words(text):
        for at, (piece, width) in enumerate(_fitting(word, widths.words[word], room)):
            blank = " " if spaced and at == 0 and line else ""
            wide = width + widths.space * len(blank)
            if line and taken + wide > room:
                lines.append(line)
                line, taken, blank, wide = "", 0.0, "", width
            line, taken = f"{line}{blank}{piece}", taken + wide
    return [*lines, line]


def _fitting(word: str, width: float, room: float) -> Sequence[tuple[str, float]]:
    """The word, or parts of one that is longer than a line."""
    if width <= room:
        return [(word, width)]
    length = max(1, int(len(word) * room / width * 0.8))
    parts = re.findall(f".{{1,{length}}}(?<!-)|.", word)
    return [(part, width * len(part) / len(word)) for part in parts]
