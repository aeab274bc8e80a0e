"""When something of a subject happened, as the sources state it: born, died, released, founded, ended.

sentences about the subject -> the dates in each -> the one that the event's words stand by
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from leadline.analysis.periods import Period, even, periods
from leadline.analysis.terms import analyse
from leadline.analysis.values import MONTH_NUMBERS
from leadline.reasoning.comparative_words import EVENTS, WORK
from leadline.reasoning.stated import Sentence, Value, cells

REACH = 80
"""How far behind its word the date of an event may stand."""
BEFORE = 60
OPENS = 3
"""The first sentences of a text, which say what it is about."""
OPENING = 200
"""A life in brackets stands this near to the beginning of what is said of a person."""

_PATTERNS = dict(EVENTS)
_YEAR = re.compile(r"\d{4}")
_BEFORE_CHRIST = re.compile(r"\s*(?:b\.?c\.?(?:e\.?)?\b|ق\.?\s?م)")
_NUMBER_BEFORE = re.compile(r"(?<!\d)\d{1,2}\s*$")
_MONTH = "|".join(name for name in MONTH_NUMBERS if name.isascii())
_GLUED = re.compile(rf"(?<!\d)[12]\d{{3}}(?=\d{{1,2}} (?:{_MONTH})\b|(?:{_MONTH})\b)")
_DASH = re.compile(r"[-–—－~至]|\bto\b")
_IS_A = re.compile(r"\b(?:is|was)\b(?:\s+(?:an?|the|lost|first|second|third|upcoming|[a-z]+th))*\s*$")
_BASED = re.compile(r"\b(?:based|adapted|adaptation|remake|from the|by the|novel|version)\b")
_IN_TITLE = re.compile(r"[(（](\d{4})\b")
_NO_DAY = date(2000, 1, 1)
_AGES = ("born", "founded", "released")


@dataclass(frozen=True, slots=True)
class _Dated:
    """A sentence with its dates, in a form that patterns match."""

    sentence: Sentence
    text: str
    dates: tuple[Period, ...]

    def between(self, one: Period, other: Period) -> str:
        return self.text[one.stop : other.start]


def dates_of(event: str, cues: frozenset[str], said: Iterable[Sentence]) -> list[Value]:
    """The dates of an event, likeliest first. `age`: of birth for who has one, else of founding or release."""
    dated = [one for one in map(_dated, said) if one.dates]
    for kind in _AGES if event == "age" else (event or "founded",):
        found = list(_found(kind, cues, dated))
        if found:
            return found
    return []


def spans_of(said: Iterable[Sentence]) -> list[Value]:
    """Lives, from birth to death, as two dates with "/" between."""
    dated = [one for one in map(_dated, said) if one.dates]
    born, died = (
        next(_found("born", frozenset(), dated), None),
        next(_found("died", frozenset(), dated), None),
    )
    if born is None or died is None or born.document_id != died.document_id:
        return []
    value = f"{born.value}/{died.value}"
    same = born.sentence == died.sentence
    shown = f"{born.shown} – {died.shown}"
    return [replace(born, value=value, shown=shown, end=died.end if same else born.end)]


def iso(one: Period) -> str:
    """`YYYY`, `YYYY-MM` or `YYYY-MM-DD`; "" for a quarter, a decade and the like."""
    days = (one.end - one.begin).days
    if days == 1:
        return one.begin.isoformat()
    if days <= 31 and one.begin.day == 1:
        return f"{one.begin:%Y-%m}"
    return (
        f"{one.begin.year:04d}" if days in {365, 366} and (one.begin.month, one.begin.day) == (1, 1) else ""
    )


def dates_in(text: str) -> list[tuple[str, int, int]]:
    """Every date that `text` states in full, as (ISO, start, end); nothing that counts from today."""
    plain = even(text)
    return [(iso(one), one.start, one.stop) for one in _stated(plain)]


def _stated(plain: str) -> Iterator[Period]:
    apart, gaps = _apart(plain)
    for one in periods(apart, _NO_DAY):
        own, before = apart[one.start : one.stop], apart[: one.start]
        # What follows a number without a word between is the rest of a date that could not be read.
        cut = _NUMBER_BEFORE.search(before) and not own[:1].isdigit()
        if iso(one) and _YEAR.search(own) and not cut and not _BEFORE_CHRIST.match(apart, one.stop):
            back = bisect_right(gaps, one.start)
            yield replace(one, start=one.start - back, stop=one.stop - back)


def _apart(plain: str) -> tuple[str, list[int]]:
    """The text with a space between dates that have run into each other ("1916may 5, 2002"), and where each stands."""
    gaps: list[int] = []
    pieces: list[str] = []
    last = 0
    for match in _GLUED.finditer(plain):
        pieces.append(plain[last : match.end()])
        gaps.append(match.end() + len(gaps))
        last = match.end()
    return " ".join([*pieces, plain[last:]]), gaps


def _dated(sentence: Sentence) -> _Dated:
    plain = even(sentence.text)
    return _Dated(sentence, plain, tuple(_stated(plain)))


def _found(event: str, cues: frozenset[str], dated: list[_Dated]) -> Iterator[Value]:
    """About the subject first; a word of the question's own counts more than one like it."""
    scored = [
        (score + 2 * one.sentence.about, one, period)
        for one in dated
        for score, period in _candidates(event, cues, one)
    ]
    for _, one, period in sorted(scored, key=lambda item: -item[0]):
        start = one.sentence.start + period.start
        end = one.sentence.start + period.stop
        yield Value(iso(period), one.sentence.passage.text[start:end], one.sentence, start, end, event=event)


def _candidates(event: str, cues: frozenset[str], one: _Dated) -> Iterator[tuple[float, Period]]:
    if one.sentence.is_row:
        yield from _in_row(event, cues, one)
        return
    if event in {"born", "died"}:
        yield from _life(event, one)
    if event == "released":
        yield from _work(one)
    pattern = _PATTERNS.get(event)
    for match in pattern.finditer(one.text) if pattern else ():
        exact = bool(cues.intersection(analyse(match.group())))
        period, distance = _beside(one, match.start(), match.end(), event)
        if period is not None:
            yield 1.0 + exact - distance / 1_000 + 0.2 * (one.sentence.order == 0), period


def _in_row(event: str, cues: frozenset[str], one: _Dated) -> Iterator[tuple[float, Period]]:
    """The dates of the cells under a header that says what happened."""
    for cell in cells(one.sentence):
        pattern = _PATTERNS.get(event)
        exact = bool(cues.intersection(analyse(cell.header)))
        if exact or (pattern and pattern.search(cell.header)):
            low = cell.start - one.sentence.start
            yield from (
                (3.0 + exact, period) for period in one.dates if low <= period.start < low + len(cell.text)
            )


def _beside(one: _Dated, start: int, end: int, event: str) -> tuple[Period | None, int]:
    """The nearest date behind an event's word, else before it; none with another event's word between."""
    after = [
        p for p in one.dates if 0 <= p.start - end <= REACH and not _other(event, one.text[end : p.start])
    ]
    if after:
        return after[0], after[0].start - end
    before = [
        p for p in one.dates if 0 <= start - p.stop <= BEFORE and not _other(event, one.text[p.stop : start])
    ]
    return (before[-1], start - before[-1].stop) if before else (None, 0)


def _other(event: str, between: str) -> bool:
    return any(name != event and pattern.search(between) for name, pattern in EVENTS) or ";" in between


def _life(event: str, one: _Dated) -> Iterator[tuple[float, Period]]:
    """The two dates in brackets behind a name: "(27 June 1854 – 16 May 1939)"."""
    start = 0 if one.sentence.about else one.sentence.at
    if one.sentence.about and one.sentence.order:
        return
    opened = re.compile(r"[(（]").search(one.text, start, start + OPENING)
    if opened is None:
        return
    closed = re.compile(r"[)）]").search(one.text, opened.end())
    inside = [
        p for p in one.dates if opened.end() <= p.start and (closed is None or p.stop <= closed.start())
    ]
    between = one.between(inside[0], inside[1]) if len(inside) > 1 else None
    # Dates that lost the dash between them stand alone in the brackets.
    if between is not None and (_DASH.search(between) or (not between.strip() and len(inside) == 2)):
        yield 3.0, inside[0] if event == "born" else inside[1]


def _work(one: _Dated) -> Iterator[tuple[float, Period]]:
    """The year of a film, song or book: "is a 1996 Italian comedy film"."""
    if one.sentence.order >= OPENS or not one.sentence.about:
        return
    for period in one.dates:
        before = one.text[: period.start]
        if _IS_A.search(before):
            yield 4.0, period
        elif one.sentence.order == 0 and WORK.search(one.text) and not _BASED.search(before):
            yield 0.8, period
