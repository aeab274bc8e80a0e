"""Filters that a question itself names: dates, sources, titles, kinds of file, languages, values of fields.

question + what fields the documents have -> parts, each a filter and the words it was read from

What is read is a guess. It opens one more way to find passages and shuts none.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from leadline.analysis.timespans import Timespan, timespans
from leadline.retrieval.asked_names import languages, sources, titles, types, values
from leadline.retrieval.asked_parts import AskedFilter
from leadline.store.base import FieldSummary
from leadline.store.filters import And, Compare, Filter, Or

LONGEST = 1_000
"""Characters of a question that are looked at."""

Fields = Mapping[str, Sequence[FieldSummary]]


def asked_filters(question: str, fields: Sequence[FieldSummary], today: date) -> tuple[AskedFilter, ...]:
    """The parts of the question that filter; all of them hold together.

    None is on a field that is not among `fields`, and none that no document or every document would pass, as far
    as `fields` tell.
    """
    text = question[:LONGEST]
    by_name: dict[str, list[FieldSummary]] = {}
    for one in fields:
        by_name.setdefault(one.name, []).append(one)
    spans = timespans(text, today)
    taken = [(one.start, one.stop) for one in spans]
    parts = [
        *_dated(text, spans, by_name),
        *sources(text, by_name),
        *titles(text, by_name, taken),
        *types(text, by_name),
        *languages(text, by_name),
        *values(text, by_name, taken),
    ]
    return tuple({part.where: part for part in parts}.values())


def together(parts: Sequence[AskedFilter]) -> Filter | None:
    """All of the parts as one filter."""
    if not parts:
        return None
    return parts[0].where if len(parts) == 1 else And(tuple(part.where for part in parts))


def _dated(text: str, spans: Sequence[Timespan], fields: Fields) -> Iterator[AskedFilter]:
    """One part for all that is said of time: open ends all hold, of several closed spans any may."""
    field = _date_field(fields, all(one.whole_years for one in spans)) if spans else None
    if field is None:
        return
    telling = [one for one in spans if _tells(field, one)]
    closed = [one for one in telling if one.begin and one.end]
    tests = [_within(field, one) for one in telling if one not in closed]
    if closed:
        within = tuple(_within(field, one) for one in closed)
        tests.append(within[0] if len(within) == 1 else Or(within))
    if tests:
        words = ", ".join(text[one.start : one.stop] for one in telling)
        yield AskedFilter(tests[0] if len(tests) == 1 else And(tuple(tests)), words)


def _date_field(fields: Fields, whole_years: bool) -> FieldSummary | None:
    """The field a date means: `date` or `year`, for whole years what more documents have; else the next best."""
    days = _of_kind(fields, "date", "date")
    years = _of_kind(fields, "year", "number")
    if days and years:
        return years if whole_years and years.documents > days.documents else days
    if days or years:
        return days or years
    for name in ("published", "created", "modified"):
        if found := _of_kind(fields, name, "date"):
            return found
    others = [one for name in sorted(fields) if (one := _of_kind(fields, name, "date"))]
    return max(others, key=lambda one: one.documents, default=None)


def _of_kind(fields: Fields, name: str, kind: str) -> FieldSummary | None:
    return next((one for one in fields.get(name, ()) if one.kind == kind), None)


def _tells(field: FieldSummary, span: Timespan) -> bool:
    """Whether some documents lie within the span and some outside, by the field's range."""
    begin, end = _bounds(field, span)
    least, most = field.minimum, field.maximum
    if isinstance(least, str) and isinstance(most, str):
        first, past = str(begin or ""), str(end or "~")
        return most >= first and least < past and not (least >= first and most < past)
    first, past = begin or float("-inf"), end or float("inf")
    if isinstance(first, str) or isinstance(past, str) or isinstance(least, str) or isinstance(most, str):
        return False
    return most >= first and least < past and not (least >= first and most < past)


def _bounds(field: FieldSummary, span: Timespan) -> tuple[str | int | None, str | int | None]:
    """The first value that passes, and the first after it that does not."""
    if field.kind == "number":
        past = None if span.end is None else (span.end - timedelta(1)).year + 1
        return (span.begin.year if span.begin else None), past
    return (_short(span.begin) if span.begin else None), (_short(span.end) if span.end else None)


def _short(day: date) -> str:
    """A day as text that sorts before every longer or equal one: the first of a month or year without its end.

    >>> _short(date(2024, 1, 1)), _short(date(2024, 3, 1)), _short(date(2024, 3, 5))
    ('2024', '2024-03', '2024-03-05')
    """
    return day.isoformat()[: 4 if (day.month, day.day) == (1, 1) else 7 if day.day == 1 else 10]


def _within(field: FieldSummary, span: Timespan) -> Filter:
    begin, end = _bounds(field, span)
    if isinstance(begin, int) and isinstance(end, int) and end == begin + 1:
        return Compare(field.name, "==", begin)
    tests: list[Filter] = []
    if begin is not None:
        tests.append(Compare(field.name, ">=", begin))
    if end is not None:
        tests.append(Compare(field.name, "<", end))
    elif field.kind == "date":
        # Words, which a field of dates may hold too, would sort after every date.
        tests.append(Compare(field.name, "<=", "9999"))
    return tests[0] if len(tests) == 1 else And(tuple(tests))
