"""Which way text runs, and in which order a line of mixed directions is written so that it reads back as it was.

Readers built on pdfium (browsers, Leadline's own) turn the letters of a PDF's right-to-left line round by a rule of
their own: the line falls into segments of one direction; where right-to-left ones are the more, the order of the
segments is reversed, and each right-to-left one is. `written` is the inverse of that rule.
"""

import re
import unicodedata
from itertools import groupby

RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
MARK = "\u200e"
"""LEFT-TO-RIGHT MARK: shows nothing, and is a segment from left to right. It stands before what a reversed segment would
change, and where as many segments run either way."""
_DROPPED = re.compile("(?<=[\U00010000-\U0010ffff])\u200d|[\ufe00-\ufe0f]")
"""Joiners and selectors of emoji, which cannot be set alone: such a line reads back without them."""
_STRONG = {"L": "L", "R": "R", "AL": "R"}
_WEAK = frozenset({"AN", "EN", "NSM", "CS", "ES", "ET", "BN"})
_PAIRS = "()[]{}<>«»‹›≤≥≪≫⟨⟩⟦⟧〈〉《》「」『』【】〔〕〖〗（）＜＞［］｛｝"
_MIRROR = {a: b for x, y in zip(_PAIRS[::2], _PAIRS[1::2], strict=True) for a, b in ((x, y), (y, x))}

Segment = tuple[str, str]
"""A direction (L, R, W for numbers and marks, N for what has none) and characters that have it."""


def runs_right_to_left(text: str) -> bool:
    """Whether its first letter does.

    >>> runs_right_to_left("(1) سلام, world"), runs_right_to_left("7 worlds: سلام")
    (True, False)
    """
    strong = (_STRONG.get(unicodedata.bidirectional(character)) for character in text)
    return next((direction for direction in strong if direction), "L") == "R"


def runs(text: str) -> list[tuple[bool, str]]:
    """`text` cut into runs, each with whether it is written from right to left; what has no direction of its own goes
    with its neighbours where they agree, else with the paragraph.

    >>> runs("see سلام عليكم (7) now")
    [(False, 'see '), (True, 'سلام عليكم'), (False, ' (7) now')]
    """
    base = "R" if runs_right_to_left(text) else "L"
    strong = [_STRONG.get(unicodedata.bidirectional(character), "") for character in text]
    after: list[str] = []
    nearest = base
    for direction in reversed(strong):
        nearest = direction or nearest
        after.append(nearest)
    after.reverse()
    before, taken = base, list[str]()
    for direction, following in zip(strong, after, strict=True):
        before = direction or before
        taken.append(direction or (before if before == following else base))
    pieces = groupby(zip(taken, text, strict=True), key=lambda pair: pair[0])
    return [(direction == "R", "".join(each for _, each in pairs)) for direction, pairs in pieces]


def written(line: str) -> str:
    """The characters of `line` from left to right, in the order that reads back as `line`.

    >>> written("اب 12 جد") == "دج 12 با"
    True
    """
    segments = _segments(_marked(_DROPPED.sub("", line)))
    turned = _is_turned(segments)
    current = "R" if turned else "L"
    parts: list[str] = []
    for direction, characters in segments:
        if direction == "R" or (direction == "N" and current == "R"):
            current = "R"
            parts.append("".join(_MIRROR.get(each, each) for each in reversed(characters)))
        else:
            current = current if direction == "W" else "L"
            parts.append(characters)
    return "".join(reversed(parts) if turned else parts)


def letters(line: str) -> list[str]:
    """The characters of `written(line)`; those that show nothing with one beside it, since alone, or a mark with a letter
    that runs the other way, they would be left out when the line is set."""
    parts: list[str] = []
    waiting = ""
    for character in written(line):
        if character == MARK:
            waiting += MARK
        elif unicodedata.category(character) == "Cf" and parts and _direction(parts[-1][-1]) == "R":
            parts[-1] += character
        elif waiting and parts and _direction(character) == "R":
            parts[-1] += waiting
            parts.append(character)
            waiting = ""
        else:
            parts.append(waiting + character)
            waiting = ""
    return [*parts[:-1], parts[-1] + waiting] if parts else []


def _direction(character: str) -> str:
    if character > "\uffff":
        return "N"
    kind = unicodedata.bidirectional(character)
    return _STRONG.get(kind) or ("W" if kind in _WEAK else "N")


def _segments(line: str) -> list[Segment]:
    return [(direction, "".join(each)) for direction, each in groupby(line, key=_direction)]


def _is_turned(segments: list[Segment]) -> bool:
    return _lead(segments) > 0


def _lead(segments: list[Segment]) -> int:
    """How many more segments run from right to left than from left to right."""
    directions = [direction for direction, _ in segments]
    return directions.count("R") - directions.count("L")


def _is_changed(character: str) -> bool:
    """Whether it would come out of a reversed segment as another: the two halves of a character outside the basic plane
    swapped, a fraction or a sign spelled out, a quotation mark turned."""
    if _direction(character) != "N":
        return False
    return (
        character > "\uffff"
        or character in "“”‘’"
        or unicodedata.normalize("NFKC", character) not in {character, " "}
    )


def _marked(line: str) -> str:
    line = "".join(MARK + each if _is_changed(each) else each for each in line)
    if _lead(_segments(line)):
        return line
    beside = [at for at, each in enumerate(line) if _direction(each) in "NW"]
    places = (line[:at] + MARK + line[at:] for at in beside)
    return next((marked for marked in places if _lead(_segments(marked)) < 0), line)
