"""Where sentences begin and end, in any script."""

import re

_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"'])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|cf|e\.g|i\.e|No|Nos|Vol|Fig|Figs|Eq|Sec|pp?|ca?"
    r"|approx|Inc|Ltd|Co|Corp|Gen|Col|Lt|Capt|Sgt|Rev|Hon|Gov|Sen|Rep|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
    r"|[A-Z](?:\.[A-Z])+)\.$"
)
_CLOSERS = r"[\"'”’»)\]」』）】》]*"
_END = re.compile(
    rf"[。！？｡]+{_CLOSERS}"
    rf"|(?<![.!?؟۔।…])[.!?؟۔।…]++{_CLOSERS}(?=\s|$)"
    r"|^#{1,6}[^\S\n][^\n]*\n\s*"
    r"|\n(?=[^\S\n]*(?P<under>[=~^-])(?P=under){2,}[^\S\n]*$)"
    r"|^[^\S\n]*(?P<rule>[=~^-])(?P=rule){2,}[^\S\n]*\n\s*"
    r"|\n[^\S\n]*\n\s*"
    r"|\n(?=[^\S\n]*(?:[-*•·▪●|#>]|\d{1,3}[.)、]\s|\(\w{1,3}\)\s|[一二三四五六七八九十]+、))",
    re.MULTILINE,
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of `text`, trimmed, in order, not overlapping; blank ones left out.

    A full stop ends a sentence when white space follows, what comes next is not in lower case, and it is
    not part of an abbreviation or initial. A line that opens a list item, a heading or a table row, and a
    blank line, end one too; so does the end of a line that is a heading.

    >>> text = "Dr. Ivo Hale built it. It cost 3.5 million! 它建于1980年。很大。"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. Ivo Hale built it.', 'It cost 3.5 million!', '它建于1980年。', '很大。']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for mark in _END.finditer(text):
        if mark.end() < len(text) and not _ends(text, start, mark):
            continue
        _add(spans, text, start, mark.end())
        start = mark.end()
    _add(spans, text, start, len(text))
    return spans


def _ends(text: str, start: int, mark: re.Match[str]) -> bool:
    end = mark.end()
    if mark.group()[0] not in ".!?…":
        return True
    following = text[end : end + 40].lstrip()
    if following[:1].islower():
        return False
    return not (mark.group() == "." and _ABBREVIATION.search(text[max(start, end - 16) : end]))


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if right > left:
        spans.append((start + left, start + right))
