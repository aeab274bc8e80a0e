"""What a statement holds that another one may differ in: numbers, times, codes, names, words with an opposite, a denial."""

import re
from dataclasses import dataclass
from functools import lru_cache

from leadline.agents.limiting import limits, negative
from leadline.analysis.fold import bare, fold
from leadline.analysis.names import CONNECTORS, names
from leadline.analysis.spelled import spelled
from leadline.analysis.stopwords import ALL as STOP_WORDS
from leadline.analysis.terms import analyse, stem
from leadline.analysis.units import measures
from leadline.analysis.values import MONTH_NUMBERS, codes, dates, numbers
from leadline.citing.negation import denies

_WORD = re.compile(r"[^\W_]+")
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_APART = frozenset(
    stem(word)
    for word in """north south east west northern southern eastern western upper lower inner outer left right front back old new first second
    third fourth fifth last next former latter before after since until more less most least fewer open close begin end start
    stop raise lower rise fall increase decrease grow shrink gain lose import export buy sell bought sold arrive leave depart board enter
    exit male female single return daily weekly monthly yearly minimum maximum highest lowest largest smallest longest shortest oldest
    newest day night morning evening summer winter spring autumn january february march april may june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday""".split()
)
"""Words that tell two things apart, or turn a statement into its opposite: both statements have them or neither."""
_HAN_APART = re.compile(
    r"[东西南北上下左右前后新旧大小增减升降]|开始|结束|开放|关闭|进口|出口|最[高低大小长短早晚]"
)
_HAN = re.compile("[\u3400-\u9fff]")
_HAN_ROUND = re.compile(
    "([一二三四五六七八九两兩十百千]+[千万萬亿億])(?![零〇一二三四五六七八九十百千万萬亿億])"
)
"""A number that counts without a word of measure behind it."""


@dataclass(frozen=True, slots=True)
class Values:
    """`numbers` without years and what dates are made of, `digits` those written so, in order; `years` as named, alone or in a date;
    `named` the words of its names; `apart` words that tell things apart."""

    numbers: frozenset[str]
    digits: tuple[str, ...]
    units: frozenset[tuple[str, str]]
    years: tuple[str, ...]
    dates: frozenset[str]
    codes: frozenset[str]
    named: frozenset[str]
    apart: frozenset[str]
    limits: frozenset[str]
    denied: bool


@lru_cache(maxsize=4_000)
def values(statement: str) -> Values:
    """Everything of a statement that must be equal in another that says the same."""
    dated = dates(statement)
    of_dates = {str(int(part)) for date in dated for part in date.split("-")}
    coded = codes(statement)
    of_codes = {number for code in coded for number in numbers(code)}
    own = [number for number in numbers(statement) if number not in of_codes]
    units = measures(statement)
    years = [number for number in own if _is_year(number) and number not in units]
    below = negative(statement)
    plain = [
        f"-{number}" if number in below else number
        for number in own
        if number not in years and number not in of_dates
    ]
    return Values(
        numbers=frozenset((*plain, *spelled(_HAN_ROUND.sub(r"\1个", statement)))),
        digits=tuple(plain),
        units=frozenset((number, unit) for number in plain for unit in units.get(number.lstrip("-"), ())),
        years=tuple(dict.fromkeys((*years, *(date[:4].lstrip("0") for date in dated)))),
        dates=frozenset(date for date in dated if len(date) > 4),
        codes=frozenset(coded),
        named=frozenset(word for name in names(statement) for word in name_words(name)),
        apart=_apart(statement),
        limits=limits(statement),
        denied=denies(statement),
    )


def name_words(name: str) -> list[str]:
    """The words of a name, folded; one in Han characters is one word."""
    if _HAN.search(name):
        return [bare(name).replace(" ", "")]
    words = _WORD.findall(bare(name).replace("'s", ""))
    return [
        word
        for at, word in enumerate(words)
        if word not in CONNECTORS
        and (word not in STOP_WORDS or word in MONTH_NUMBERS)
        and not _of_date(words, at)
    ]


def _of_date(words: list[str], at: int) -> bool:
    """Whether a word is the month of a date, and not the name of a person."""
    if words[at] not in MONTH_NUMBERS:
        return False
    beside = [*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]]
    return not beside or any(word.isdigit() or word in CONNECTORS for word in beside)


@lru_cache(maxsize=4_000)
def words(statement: str) -> tuple[str, ...]:
    """The words of a statement, folded, in order."""
    return tuple(_WORD.findall(bare(statement).replace("'s", "")))


def unnamed(one: str, other: str) -> frozenset[str]:
    """The words of names in `one` that `other` does not have."""
    there, flat = set(words(other)), bare(other).replace(" ", "")
    return frozenset(
        word for word in values(one).named if word not in there and not (_HAN.search(word) and word in flat)
    )


@lru_cache(maxsize=4_000)
def subject_matter(statement: str) -> frozenset[str]:
    """The terms of a statement without its numbers."""
    return frozenset(term for term in analyse(statement) if not any(map(str.isdigit, term)))


def _apart(statement: str) -> frozenset[str]:
    found = {stem(word) for word in _WORD.findall(fold(statement)) if word.isascii() and not word.isdigit()}
    return frozenset((found & _APART) | set(_HAN_APART.findall(statement)))


def _is_year(number: str) -> bool:
    return number.isdigit() and len(number) == 4 and _FIRST_YEAR <= int(number) <= _LAST_YEAR
