"""Small numbers written as words: "seven-day", 七天, سبعة أيام."""

import re

from leadline.analysis.fold import bare

_ONES = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_LARGE = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12}
_ENGLISH = (
    dict(zip(_ONES, range(2, 17), strict=True))
    | dict(zip(_TENS, range(20, 100, 10), strict=True))
    | {"one": 1, "seventeen": 17, "eighteen": 18, "nineteen": 19, "fortnight": 14}
)
_ARABIC = {
    word: number
    for number, words in enumerate(
        "اثنان اثنين اثنتين|ثلاثه ثلاث|اربعه اربع|خمسه خمس|سته ست|سبعه سبع|ثمانيه ثمان ثماني|تسعه تسع|عشره عشر".split(
            "|"
        ),
        start=2,
    )
    for word in words.split()
}
_HAN = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"两": 2, "兩": 2, "〇": 0}
_HAN_LARGE = {
    "十": 10,
    "百": 100,
    "千": 1_000,
    "万": 10_000,
    "萬": 10_000,
    "亿": 100_000_000,
    "億": 100_000_000,
}
_HAN_NUMBER = re.compile(
    r"(?<!第)(?<![零〇一二三四五六七八九两兩十百千万萬亿億])([零〇一二三四五六七八九两兩十百千万萬亿億]+)"
    r"(?=[天日周週月年岁歲个個名人次倍元块塊点點小分秒米公吨噸艘只件项項条條章节節页頁])"
)
_WORD = re.compile(r"[^\W\d_]+")


def spelled(text: str) -> list[str]:
    """Numbers from two on that are written as words, as digits; a lone "one" is rarely meant as a number.

    >>> spelled("a seven-day policy of twenty-one clauses in three hundred lines"), spelled("七天内退款，二十一章")
    (['7', '21', '300'], ['7', '21'])
    >>> spelled("خلال سبعة أيام"), spelled("one of the first")
    (['7'], [])
    """
    folded = bare(text)
    found = [*_worded(folded), *_han(folded)]
    return list(dict.fromkeys(str(number) for number in found if number > 1))


def _worded(text: str) -> list[int]:
    """Runs of number words, each as one number."""
    found: list[int] = []
    current, last = 0, -2
    words = _WORD.findall(text)
    for place, word in enumerate(words):
        value = _ENGLISH.get(word) or _ARABIC.get(word)
        large = _LARGE.get(word)
        if value is None and large is None:
            continue
        if large is not None and last == place - 1:
            current *= large
        elif (
            value is not None
            and last == place - 1
            and value < 10
            and 20 <= current < 100
            and current % 10 == 0
        ):
            current += value
        else:
            found.append(current)
            current = value or large or 0
        last = place
    return [*found, current]


def _han(text: str) -> list[int]:
    return [_han_value(match[1]) for match in _HAN_NUMBER.finditer(text)]


def _han_value(digits: str) -> int:
    """The value of a number in Han characters."""
    total, section, digit = 0, 0, 0
    for character in digits:
        if character in _HAN:
            digit = _HAN[character]
            continue
        size = _HAN_LARGE[character]
        if size < 10_000:
            section += (digit or 1) * size
        else:
            total += ((section + digit) or 1) * size
            section = 0
        digit = 0
    return total + section + digit
