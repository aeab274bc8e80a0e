"""Stretches of time that a text names: years, quarters, months, days, and those counted from today.

English, Chinese and Arabic. What relation the text puts them in ("after", "before") is `analysis.timespans`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from leadline.analysis.fold import ARABIC, DIGITS
from leadline.analysis.values import MONTH_NUMBERS

YEARS = range(1000, 2200)


@dataclass(frozen=True, slots=True)
class Period:
    """From the day `begin` to the day before `end`, named at `start:stop` of the text.

    `bare` is a year that is only four digits, or a month without a year: only words around it make it a date.
    """

    begin: date
    end: date
    start: int
    stop: int
    bare: bool = False


def even(text: str) -> str:
    """The text in a form that patterns match, every character still in its place: lower case, plain digits.

    >>> even("بعد عام ٢٠٢٣"), even("Ａfter 2023")
    ('بعد عام 2023', 'after 2023')
    """
    if text.isascii():
        return text.lower()
    plain = "".join(map(_even, text))
    return _CHINESE_YEAR.sub(lambda year: year.group().translate(_CHINESE_DIGITS), plain)


def periods(text: str, today: date) -> list[Period]:
    """The periods that an `even` text names, in order; where two overlap, the longer one."""
    found: list[Period] = []
    for pattern, make in _READERS:
        for match in pattern.finditer(text):
            try:
                made = make(match, today)
            except (ValueError, OverflowError):  # 31 February; a thousand million days ago
                continue
            if made is not None:
                begin, end = made
                start, stop = match.span()
                found.append(Period(begin, end, start, stop, pattern in _BARE))
    found.sort(key=lambda one: (one.start - one.stop, one.start))
    kept: list[Period] = []
    for one in found:
        if all(one.stop <= other.start or other.stop <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


Stretch = tuple[date, date]
Read = Callable[[re.Match[str], date], Stretch | None]


def year(number: int) -> Stretch:
    if number not in YEARS:
        raise ValueError(number)
    return date(number, 1, 1), date(number + 1, 1, 1)


def month(year: int, number: int, months: int = 1) -> Stretch:
    """`months` months from month `number` of a year on; `number` may lie before January or after December."""
    first, past = divmod(year * 12 + number - 1, 12), divmod(year * 12 + number - 1 + months, 12)
    return date(first[0], first[1] + 1, 1), date(past[0], past[1] + 1, 1)


def _day(year: int, month: int, day: int) -> Stretch:
    one = date(year, month, day)
    return one, one + timedelta(1)


def _even(character: str) -> str:
    code = ord(character)
    if 0xFF01 <= code <= 0xFF5E:  # full width
        character = chr(code - 0xFEE0)
    plain = character.translate(DIGITS).translate(ARABIC).lower()
    return plain if len(plain) == 1 else character


_CHINESE_YEAR = re.compile("[〇零一二三四五六七八九]{4}(?=年)")
_CHINESE_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_NUMBERS = {
    word: number
    for number, words in enumerate(
        """one a an 一 واحد|two 两 二 اثنين|three 三 ثلاثه ثلاث الثلاثه الثلاث|four 四 اربعه اربع الاربعه الاربع
        |five 五 خمسه خمس الخمسه الخمس|six 六 سته ست السته الست|seven 七 سبعه سبع السبعه السبع
        |eight 八 ثمانيه ثماني الثمانيه|nine 九 تسعه تسع التسعه التسع|ten 十 عشره عشر العشره العشر|eleven 十一
        |twelve 十二""".split("|"),
        start=1,
    )
    for word in words.split()
}
_UNITS = {
    word: unit
    for unit, words in {
        "day": "day 天 日 يوم ايام يوما الايام",
        "week": "week 周 星期 个星期 اسبوع اسابيع اسبوعا الاسابيع",
        "month": "month 月 个月 شهر اشهر شهور شهرا الاشهر الشهور",
        "quarter": "quarter 季度 个季度 ربع ارباع الارباع",
        "year": "year 年 سنه سنوات سنين عام اعوام عاما السنوات السنين الاعوام",
    }.items()
    for word in words.split()
}
_THIS_OR_LAST = {
    word: back
    for back, words in {
        0: "this current 今 本 这 这个 الحالي الحاليه",
        1: "last previous prior 去 昨 上 上个 上一 الماضي الماضيه السابق السابقه المنصرم المنصرمه",
        2: "前",
    }.items()
    for word in words.split()
}
_QUARTERS = {
    word: number
    for number, words in enumerate(
        "1 first 1st 一 الاول|2 second 2nd 二 الثاني|3 third 3rd 三 الثالث|4 fourth 4th 四 الرابع".split("|"),
        start=1,
    )
    for word in words.split()
}
_LEVANTINE = zip(
    "كانون الثاني|شباط|اذار|نيسان|ايار|حزيران|تموز|اب|ايلول|تشرين الاول|تشرين الثاني|كانون الاول".split("|"),
    range(1, 13),
    strict=True,
)
_MONTHS = {**MONTH_NUMBERS, **dict(_LEVANTINE)}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ARABIC_UNIT = "|".join(sorted((w for w in _UNITS if "\u0600" <= w[0] <= "\u06ff"), key=len, reverse=True))
_COUNT = "|".join(sorted((w for w in _NUMBERS if w.isascii()), key=len, reverse=True))
_ARABIC_COUNT = "|".join(sorted((w for w in _NUMBERS if "\u0600" <= w[0] <= "\u06ff"), key=len, reverse=True))
_YEAR = r"(?<![a-z\d.,#$€£¥/_])(?<!\D-)(?:fy ?)?[12]\d{3}(?![a-z\d%‰°_]|[.,/:]\d)"


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS[word]


def _of_year(match: re.Match[str], _: date) -> Stretch:
    return year(int(match.group()[-4:]))


def _decade(match: re.Match[str], _: date) -> Stretch:
    return year(int(match["y"]))[0], year(int(match["y"]) + 9)[1]


def _written(match: re.Match[str], _: date) -> Stretch:
    """A date whose parts are called y, m and d."""
    parts = match.groupdict()
    number = int(parts["y"])
    if not parts["m"]:
        return year(number)
    monthly = _MONTHS.get(parts["m"]) or _number(parts["m"])
    if number not in YEARS or not 1 <= monthly <= 12:
        raise ValueError(match.group())
    return _day(number, monthly, int(parts["d"])) if parts.get("d") else month(number, monthly)


def _month_alone(match: re.Match[str], today: date) -> Stretch:
    """A month without its year is the last one that has begun."""
    number = _MONTHS[match["m"]]
    return month(today.year - (number > today.month), number)


def _month_of(match: re.Match[str], today: date) -> Stretch | None:
    number = int(match["m"])
    return month(today.year - _THIS_OR_LAST[match["back"]], number) if 1 <= number <= 12 else None


def _quarter(match: re.Match[str], _: date) -> Stretch:
    number = _QUARTERS[match["q"]]
    return month(year(int(match["y"]))[0].year, number * 3 - 2, 3)


def _half(match: re.Match[str], _: date) -> Stretch:
    number = 2 if match["h"] in {"2", "second", "下"} else 1
    return month(year(int(match["y"]))[0].year, number * 6 - 5, 6)


def calendar(unit: str, back: int, today: date) -> Stretch:
    """This day, week, month, quarter or year, or that which lies `back` of them before it."""
    match unit:
        case "year":
            return year(today.year - back)
        case "quarter":
            return month(today.year, (today.month - 1) // 3 * 3 + 1 - 3 * back, 3)
        case "month":
            return month(today.year, today.month - back)
        case "week":
            monday = today - timedelta(today.weekday() + 7 * back)
            return monday, monday + timedelta(7)
        case _:
            one = today - timedelta(back)
            return one, one + timedelta(1)


def rolling(unit: str, count: int, today: date) -> Stretch:
    """The `count` days, weeks, months ... up to today."""
    tomorrow = today + timedelta(1)
    if unit in {"day", "week"}:
        return tomorrow - timedelta(count * (7 if unit == "week" else 1)), tomorrow
    months = count * {"month": 1, "quarter": 3, "year": 12}[unit]
    first, past = month(today.year, today.month - months)
    return min(first + timedelta(today.day - 1), past - timedelta(1)), tomorrow


def _relative(match: re.Match[str], today: date) -> Stretch:
    return calendar(_UNITS[match["unit"]], _THIS_OR_LAST[match["back"]], today)


def _yesterday(_: re.Match[str], today: date) -> Stretch:
    return calendar("day", 1, today)


def _ago(match: re.Match[str], today: date) -> Stretch:
    return calendar(_UNITS[match["unit"]], _number(match["n"]), today)


def _recent(match: re.Match[str], today: date) -> Stretch:
    parts = match.groupdict()
    return rolling(_UNITS[match["unit"]], _number(parts.get("n") or "1"), today)


def _half_year(_: re.Match[str], today: date) -> Stretch:
    return rolling("month", 6, today)


def _readers() -> Iterator[tuple[re.Pattern[str], Read]]:
    spans = "week|month|quarter|year"
    units = f"day|{spans}"
    for pattern, read in (
        (r"(?<![a-z\d.-])(?P<y>[12]\d{3})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?![a-z\d-])", _written),
        (r"(?<![a-z\d.-])(?P<y>[12]\d{3})-(?P<m>\d\d)(?![a-z\d-])", _written),
        (rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m>{_MONTH})\.?,? (?P<y>[12]\d{{3}})\b", _written),
        (rf"\b(?P<m>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>[12]\d{{3}})\b", _written),
        (rf"\b(?P<m>{_MONTH})\.?,? (?:of |عام |سنه )?(?P<y>[12]\d{{3}})\b", _written),
        (r"(?<!\d)(?P<y>[12]\d{3}) ?年(?: ?(?P<m>\d{1,2}|十[一二]?|[一二三四五六七八九]) ?月(?: ?(?P<d>\d{1,2}) ?[日号號])?)?", _written),
        (r"(?<![a-z\d])(?P<y>[12]\d{2}0)(?:'?s\b| ?年代)", _decade),
        (r"\bq(?P<q>[1-4])(?: of|,)? ?(?:fy)?(?P<y>[12]\d{3})\b", _quarter),
        (r"\b(?P<y>[12]\d{3})[ -]?q(?P<q>[1-4])\b", _quarter),
        (r"\b(?P<q>first|second|third|fourth|[1-4](?:st|nd|rd|th)) quarter (?:of )?(?P<y>[12]\d{3})\b", _quarter),
        (r"(?<!\d)(?P<y>[12]\d{3}) ?年 ?第?(?P<q>[一二三四1-4]) ?季度?", _quarter),
        (r"الربع (?P<q>الاول|الثاني|الثالث|الرابع) (?:من )?(?:ل?عام |سنه )?(?P<y>[12]\d{3})\b", _quarter),
        (r"\bh(?P<h>[12])(?: of)? ?(?P<y>[12]\d{3})\b", _half),
        (r"\b(?P<h>first|second) half of (?P<y>[12]\d{3})\b", _half),
        (r"(?<!\d)(?P<y>[12]\d{3}) ?年 ?(?P<h>[上下])半年", _half),
        (rf"\b(?P<back>this|current|last|previous|prior) (?P<unit>{spans})\b", _relative),
        (r"(?P<back>[今去]|(?<![以之目])前)(?P<unit>年)", _relative),
        (r"(?P<back>[今去前])年 ?(?P<m>\d{1,2}) ?月(?!\d)", _month_of),
        (r"(?<!以)(?P<back>本|这个?|上个?|上一)(?P<unit>季度|月|周|星期)", _relative),
        (
            r"(?<!\w)[بلو]?(?:هذا |هذه )?ال(?P<unit>عام|سنه|شهر|ربع|اسبوع) (?P<back>الماضي|الماضيه|السابق|السابقه|المنصرم|"
            r"المنصرمه|الحالي|الحاليه)(?!\w)",
            _relative,
        ),
        (r"(?<!\w)[بلو]?(?P<back>هذا|هذه) ال(?P<unit>عام|سنه|شهر|ربع|اسبوع)(?!\w)", _these),
        (r"\byesterday\b|昨天|(?<!\w)(?:ب?ال)?امس(?!\w)", _yesterday),
        (rf"\b(?P<n>\d{{1,4}}|{_COUNT}) (?P<unit>{units})s? ago\b", _ago),
        (r"(?<!\d)(?P<n>\d{1,3}|十一|十二|[一二两三四五六七八九十]) ?(?P<unit>天|个?星期|周|个月|个季度|年)(?:之前|以前|前)", _ago),
        (rf"(?<!\w)قبل (?P<n>\d{{1,3}}|{_ARABIC_COUNT}) (?P<unit>{_ARABIC_UNIT})(?!\w)", _ago),
        (rf"\b(?:last|past|previous) (?P<n>\d{{1,4}}|{_COUNT}) (?P<unit>{units})s?\b", _recent),
        (rf"\b(?:the )?past (?P<unit>{units})\b", _recent),
        (rf"\b(?:in|over|during|within|for) the last (?P<unit>{units})\b", _recent),
        (
            r"(?:最近|过去|近)的?这? ?(?P<n>\d{1,4}|十一|十二|[一二两三四五六七八九十]) ?"
            r"(?P<unit>天|日|个?星期|周|个月|个?季度|年)",
            _recent,
        ),
        (r"(?:最近|过去|近)的?半年", _half_year),
        (rf"(?<!\w)(?:اخر|خلال) (?:ال ?)?(?P<n>\d{{1,4}}|{_ARABIC_COUNT}) (?P<unit>{_ARABIC_UNIT})(?!\w)", _recent),
        (rf"(?<!\w)ال ?(?P<n>\d{{1,4}}) (?P<unit>{_ARABIC_UNIT}) (?:الماضيه|الاخيره)(?!\w)", _recent),
        (rf"(?<!\w)(?P<unit>{_ARABIC_UNIT}) (?P<n>{_ARABIC_COUNT}) (?:الماضيه|الاخيره)(?!\w)", _recent),
    ):  # fmt: skip
        yield re.compile(pattern), read


def _these(match: re.Match[str], today: date) -> Stretch:
    return calendar(_UNITS[match["unit"]], 0, today)


_BARE_YEAR = re.compile(_YEAR)
_BARE_MONTH = re.compile(rf"\b(?P<m>{_MONTH})\b(?! ?\d)")
_BARE = (_BARE_YEAR, _BARE_MONTH)
_READERS: tuple[tuple[re.Pattern[str], Read], ...] = (
    *_readers(),
    (_BARE_YEAR, _of_year),
    (_BARE_MONTH, _month_alone),
)
