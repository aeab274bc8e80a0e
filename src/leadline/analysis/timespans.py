"""What a question says of time: "after 2023", "between 2019 and 2021", 2023年之后, بعد عام 2023, "last quarter".

periods that the text names -> what stands before and after each -> from a day on, up to a day, or both
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from leadline.analysis.periods import Period, even, periods

LONGEST = 2_000
"""Characters of a text that are looked at."""

NEAR = 40
"""How far from a period the words that relate to it may stand."""


@dataclass(frozen=True, slots=True)
class Timespan:
    """From the day `begin` to the day before `end`; None is open. Said at `start:stop` of the text."""

    begin: date | None
    end: date | None
    start: int
    stop: int

    @property
    def whole_years(self) -> bool:
        """Whether it begins and ends with a year."""
        return all(day is None or (day.month, day.day) == (1, 1) for day in (self.begin, self.end))

    def meets(self, other: "Timespan") -> bool:
        """Whether the two have a day in common."""
        begins, ends = (self.begin, other.begin), (self.end, other.end)
        return max(filter(None, begins), default=date.min) < min(filter(None, ends), default=date.max)


def timespans(text: str, today: date) -> list[Timespan]:
    """Every timespan that `text` names, in order. A number that nothing around makes a date is none.

    >>> [str(one.begin) for one in timespans("Which of the 2000 ships sailed after March 1980?", date(2024, 5, 15))]
    ['1980-04-01']
    """
    plain = even(text[:LONGEST])
    return list(_spans(plain, periods(plain, today)))


def absolute(text: str) -> list[Timespan]:
    """The timespans that `text` names and that do not count from the present day.

    >>> [str(one.begin) for one in absolute("After 2021, and last year.")]
    ['2022-01-01']
    """
    # What counts from the present day is another one on another day.
    first, other = (timespans(text, day) for day in (date(1950, 7, 2), date(2000, 1, 3)))
    return [one for one in first if one in other]


def _spans(text: str, found: Sequence[Period]) -> Iterator[Timespan]:
    at = 0
    while at < len(found):
        pair = _ranged(text, found[at], found[at + 1]) if at + 1 < len(found) else None
        if pair is not None:
            yield pair
            at += 2
            continue
        single = _related(text, found[at], _listed(text, found, at))
        if single is not None:
            yield single
        at += 1


def _ranged(text: str, first: Period, last: Period) -> Timespan | None:
    """The two as the ends of one timespan, if the text says so."""
    between = text[first.stop : last.start]
    before = text[max(first.start - NEAR, 0) : first.start]
    opened = _BETWEEN.search(before)
    if not (_TO.fullmatch(between) or (opened and _AND.fullmatch(between))):
        return None
    if first.bare and last.bare and (_counted(text, last) or before.endswith("(")):
        return None  # "1200-1500 people", "Ada Brandt (1899-1977)"
    if first.bare and not _same_unit(first, last) and (first.end - first.begin).days < 32:
        first = replace(first, begin=date(last.begin.year, first.begin.month, 1))
    if first.begin >= last.end:
        return None
    after = _CLOSING.match(text, last.stop)
    start = first.start - (len(before) - opened.start("said") if opened else 0)
    return Timespan(first.begin, last.end, start, after.end() if after else last.stop)


def _same_unit(first: Period, last: Period) -> bool:
    """Whether both are years, or neither of them says more than a month without its year."""
    return ((first.end - first.begin).days > 31) == (
        (last.end - last.begin).days > 31
    ) and first.bare == last.bare


def _related(text: str, one: Period, listed: bool) -> Timespan | None:
    """The period with the words that relate to it; None for a number that nothing makes a date."""
    before = text[max(one.start - NEAR, 0) : one.start]
    for relation, pattern in _SUFFIXES:
        if found := pattern.match(text, one.stop):
            return _made(relation, one, one.start, found.end())
    for relation, pattern in _PREFIXES:
        if found := pattern.search(before):
            start = one.start - len(before) + found.start("said")
            if relation == "from" and (onwards := _ONWARDS.match(text, one.stop)):
                return _made("since", one, start, onwards.end())
            return None if one.bare and _counted(text, one) else _made(relation, one, start, one.stop)
    if one.bare and not (listed or _DATED.match(text, one.stop)):
        return None
    return _made("in", one, one.start, one.stop)


def _listed(text: str, found: Sequence[Period], at: int) -> bool:
    """Whether it goes on a list of dates: "in 2019 and 2021"."""
    if at == 0 or not _AND.fullmatch(text[found[at - 1].stop : found[at].start]):
        return False
    earlier = _related(text, found[at - 1], _listed(text, found, at - 1))
    return earlier is not None and not _counted(text, found[at])


def _counted(text: str, one: Period) -> bool:
    """Whether what follows shows that the number counts something: "2000 people"."""
    is_year = one.end.year - one.begin.year == 1
    return is_year and bool(_THINGS.match(text, one.stop)) and not _DATED.match(text, one.stop)


def _made(relation: str, one: Period, start: int, stop: int) -> Timespan:
    match relation:
        case "after":
            return Timespan(one.end, None, start, stop)
        case "since":
            return Timespan(one.begin, None, start, stop)
        case "before":
            return Timespan(None, one.begin, start, stop)
        case "until":
            return Timespan(None, one.end, start, stop)
        case _:
            return Timespan(one.begin, one.end, start, stop)


_FILLED = (
    r"(?P<gap>\s+(?:(?:the|year|years|month|of|end|start|beginning|middle|early|late|mid|date)\s+|mid-)*)"
    r"|(?P<arabic>\s*(?:شهر\s+|نهايه\s+|بدايه\s+|العام\s+|عام\s+|عامي\s+|سنه\s+|السنه\s+|تاريخ\s+|ال)*)"
)


def _before(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?P<said>{words})(?:{_FILLED})$")


_PREFIXES = (
    ("after", _before(r"after|later than|beyond|following|بعد")),
    ("since", _before(r"since|as of|starting(?: in| from)?|منذ|ابتداء من|اعتبارا من")),
    ("before", _before(r"before|prior to|earlier than|preceding|قبل")),
    ("until", _before(r"until|till|up to|through|by|no later than|حتي|لغايه|بحلول")),
    ("until", re.compile(r"(?P<said>截[至止]到?)\s*$")),
    ("from", _before(r"from|من")),
    (
        "in",
        _before(r"in|during|of|for|on|year|dated?|throughout|within|published|written|report|budget|و?في|و?خلال|اثناء|ب|ل|لعام|بعام|عام|سنه|العام|تقرير|ميزانيه"),
    ),
    ("since", re.compile(r"(?P<said>自从?)\s*$")),
)  # fmt: skip
_SUFFIXES = (
    ("after", re.compile(r"\s*(?:年|月|日)?(?:之后|以后|之後|以後|后(?![面者来续勤台])|後(?![面者來]))")),
    (
        "since",
        re.compile(
            r"\s*(?:年|月|日)?(?:以来|以來|至今|起|[到至](?:现在|今天|目前)|开始|開始)|\s+(?:and|or)\s+(?:later|after|since)\b"
        ),
    ),
    ("until", re.compile(r"\s*[底末](?:之前|以前|前)")),
    ("before", re.compile(r"\s*(?:年|月|日)?(?:之前|以前|前(?![面者后台]))")),
    ("until", re.compile(r"\s*(?:年|月|日)?(?:为止|為止)|\s+(?:and|or)\s+(?:earlier|before)\b")),
)
_ONWARDS = re.compile(r"\s+(?:on|onwards?|forward|until now|to (?:now|date))\b|\s+(?:فصاعدا|حتي الان)")
_BETWEEN = re.compile(rf"(?<![^\W_])(?P<said>between|from|بين|من)(?:{_FILLED})$")
_TO = re.compile(
    r"\s*(?:-|–|—|~|～|到|至)\s*|\s+(?:to|through|thru|until|till|الي|حتي)\s+(?:the\s+)?(?:عام\s+|سنه\s+)?"
    r"(?:end\s+of\s+)?|年?\s*(?:到|至)\s*"
)
_AND = re.compile(
    r"\s*,?\s+(?:and|or)\s+(?:in\s+|since\s+)?|\s*(?:和|与|与|或|、|,)\s*|\s+(?:و|او)\s*(?:عام\s+)?"
)
_CLOSING = re.compile(r"年?(?:之间|之間|期间|期間)")
_DATED = re.compile(
    r"(?:\s+(?:annual|yearly|financial|fiscal))?\s+(?:(?:report|budget|plan|result|figure|edition|version|"
    r"review|survey|audit|account|season|meeting|conference|election|statement|handbook|guideline|contract|agreement|"
    r"newsletter|agenda|programme|forecast)s?|minutes|polic(?:y|ies)|summar(?:y|ies))\b"
)
_THINGS = re.compile(
    r"\s+(?!is\b|was\b|has\b|does\b|as\b|this\b|its\b|his\b|us\b|versus\b|vs\b)"
    r"(?:[a-z]{2,}s\b|people\b|percent\b|per\b|men\b|women\b|children\b|staff\b|eur\b|usd\b|gbp\b|euro\b|dollar\b|km\b|kg\b|"
    r"m\b|mm\b|mw\b|gb\b|mb\b|ft\b|square\b|cubic\b|million\b|thousand\b|metric\b|metre\b|meter\b|mile\b|"
    r"words?\b|(?:[a-z]+-)?page\b|موظف|شخص|عامل|دولار|يورو|كيلو|متر|صفحه|بالميه|طن)"
    r"|\s*(?:个|人|名|元|吨|公里|米|页|次|家|万|亿|克|台|位|天|小时)"
)
