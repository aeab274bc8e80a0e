"""Names in a text, without a model: capitalised spans, and what stands in quotes.

The span rule follows ordinary English capitalisation; scripts without case have only quotes and titles.
"""

import re

from leadline.analysis.sentences import sentences
from leadline.analysis.stopwords import ENGLISH

CONNECTORS = frozenset(
    "of the de la le von van der den and for du da di al el bin ibn del des y e & in on to".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*\.?|[^\w\s]")
_QUOTED = re.compile(
    r"《([^》\n]{2,40})》|「([^」\n]{2,40})」|『([^』\n]{2,40})』|“([^”\n]{2,60})”|\"([A-Z][^\"\n]{1,60})\""
)
_COMMON_OPENERS = ENGLISH | frozenset(
    """after although among another because before both during each early every following here however later many
    meanwhile nevertheless next now often only other over since soon still thereafter therefore though through
    today under until upon use used using several according between despite first second third last new most
    january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday compare give find list explain name describe show""".split()
)
LONGEST = 8
_BETWEEN = re.compile(r"\s+(?:and|&|in|on|to|at|from)\s+(?:[Tt]he\s+)?")
_CALENDAR = frozenset(
    """january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday""".split()
)


def name_spans(text: str) -> list[tuple[int, int]]:
    """Spans of names in `text`, in order, not overlapping.

    A span starts and ends at a capitalised word (or a short number after one) and may hold two
    connectors in a row. A single word that opens a sentence (or a list item, or a line of a form) is not a name: its capital says
    nothing.

    >>> text = "The hull was drawn by Ada Brandt of the Mirren Yard. After 1980 she left 《海港志》."
    >>> [text[start:end] for start, end in name_spans(text)]
    ['Ada Brandt of the Mirren Yard', '海港志']
    """
    spans = [m.span(m.lastindex or 0) for m in _QUOTED.finditer(text)]
    openers = {start for start, _ in sentences(text)}
    taken = [*spans]
    for start, end in _capitalised(text, openers):
        if not any(start < t_end and t_start < end for t_start, t_end in taken):
            spans.append((start, end))
    return sorted(spans)


def names(text: str) -> list[str]:
    """The names in `text`, in order of first mention, each once."""
    return list(dict.fromkeys(text[start:end] for start, end in name_spans(text)))


def subjects(text: str) -> list[str]:
    """Names as a question means them: two names with "and" or a preposition between them are two.

    >>> subjects("Are Ada Brandt and Ivo Hale of the Mirren Yard related?")
    ['Ada Brandt', 'Ivo Hale', 'Mirren Yard']
    """
    found = [piece for name in names(text) for piece in _BETWEEN.split(name)]
    return list(dict.fromkeys(piece for piece in found if piece[:1].isupper() or not piece.isascii()))


def parts(name: str) -> list[str]:
    """A name's pieces between connectors, when there are several.

    >>> parts("Ada Brandt of the Mirren Yard")
    ['Ada Brandt', 'Mirren Yard']
    """
    pieces: list[list[str]] = [[]]
    for word in name.split():
        if word.lower() in CONNECTORS:
            pieces.append([])
        else:
            pieces[-1].append(word)
    joined = [" ".join(piece) for piece in pieces if piece]
    return joined if len(joined) > 1 else []


def _capitalised(text: str, openers: set[int]) -> list[tuple[int, int]]:
    spans = [_trim(piece, openers) for run in _runs(text) for piece in _pieces(run)]
    return [span for span in spans if span is not None]


def _runs(text: str) -> list[list[re.Match[str]]]:
    """Runs of capitalised words, with up to two connectors and short numbers inside."""
    runs: list[list[re.Match[str]]] = [[]]
    pending = 0
    for word in _WORD.finditer(text):
        raw, run = word.group(), runs[-1]
        if run and "\n\n" in text[run[-1].end() : word.start()]:
            run, pending = _next(runs, pending), 0
        plain = raw.rstrip(".").lower()
        if raw[0].isupper() and (plain not in ENGLISH or (run and not pending)):
            run.append(word)
            pending = 0
        elif run and plain in CONNECTORS and pending < 2:
            run.append(word)
            pending += 1
        elif run and not pending and raw[0].isdigit() and len(raw) <= 4:
            run.append(word)
        else:
            _next(runs, pending)
            pending = 0
            continue
        if raw.endswith(".") and len(raw) > 3:
            _next(runs, pending)
            pending = 0
    _next(runs, pending)
    return [run for run in runs if run]


def _next(runs: list[list[re.Match[str]]], pending: int) -> list[re.Match[str]]:
    """End the last run, without the connectors it ends on, and begin another."""
    if pending:
        del runs[-1][-pending:]
    runs.append([])
    return runs[-1]


def _pieces(run: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """A run too long for one name, cut at its connectors."""
    if len(run) <= LONGEST:
        return [run]
    pieces: list[list[re.Match[str]]] = [[]]
    for word in run:
        if word.group().lower() in CONNECTORS:
            pieces.append([])
        else:
            pieces[-1].append(word)
    return [piece for piece in pieces if piece]


def _of_calendar(word: str) -> bool:
    return word[0].isdigit() or word.rstrip(".,").lower() in _CALENDAR | CONNECTORS


def _trim(words: list[re.Match[str]], openers: set[int]) -> tuple[int, int] | None:
    while (
        words
        and words[0].group().rstrip(".").lower() in _COMMON_OPENERS
        and (words[0].start() in openers or len(words) == 1)
    ):
        words = words[1:]
    while words and (words[0].group().lower() in CONNECTORS or not words[0].group()[0].isupper()):
        words = words[1:]
    if not words or len(words) > LONGEST or all(_of_calendar(word.group()) for word in words):
        return None
    if len(words) == 1 and (len(words[0].group()) < 2 or words[0].start() in openers):
        return None
    last = words[-1].group()
    end = words[-1].end() - (1 if last.endswith(".") and len(last) > 2 and "." not in last[:-1] else 0)
    if words[-1].group().lower().endswith(("'s", "’s")):
        end -= 2
    return (words[0].start(), end)
