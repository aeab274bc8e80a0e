"""What of two statements has to be put alike before they are compared, and what opposes them without a "not".

"Since 2021 the ferry is run by ..." -> "the ferry is run by ..."; open against closed; 市长是张伟 against 市长是李强; 412 m against 0.5 km
"""

import re

from leadline.agents.fact_values import Values
from leadline.analysis.terms import stem
from leadline.analysis.units import in_base
from leadline.analysis.values import MONTH_NUMBERS

MONTHS = frozenset(stem(word) for word in MONTH_NUMBERS)
ROUNDED = 0.02
"""A measure in another unit that is so near is the same one, rounded."""
_LATELY = re.compile(
    r"^\W*(?:since|as of|as at|after|following|according to)\b[^,.;]{0,60}?\b\d{4},?\s+(?=.*\b(?:is|are|has|have|takes?|costs?)\b)"
    r"|^自?\d{4}年(?:以来|起|以后)[，,]?|^\W*منذ (?:عام|سنة)? ?\d{4}،?\s+",
    re.IGNORECASE,
)
_STATE = re.compile(r"\b(?:is|are|was|were|remains?|stays?)\s+(?P<state>open|closed)\b", re.IGNORECASE)
_HAN_STATE = re.compile("开放|关闭")
_HAN_IS = re.compile(
    "^(?P<thing>[^，。；]{1,20}?)(?:是|为|由)(?P<who>[\u3400-\u9fff·]{2,6}?)(?:设计|建造|担任|负责|创办|建立)?[。！]?$"
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|none|without|cannot)\b|n['’]t\b|(?<!\w)(?:لم|لا|لن|ليس\w*|غير)(?!\w)", re.IGNORECASE
)
_HAN_DENIAL = re.compile("没有|[不没未无]")
_HAN_COUNT = re.compile("[零〇一二三四五六七八九两兩十百千]*[十百千万萬亿億]")


def current(statement: str) -> str:
    """What a statement says of now, without the day from which it is so.

    >>> current("Since 2021 the ferry has been operated by Ald."), current("Since 2021 no ferry called.")
    ('the ferry has been operated by Ald.', 'Since 2021 no ferry called.')
    """
    return _LATELY.sub("", statement)


def affirmed(statement: str) -> str:
    """A statement without its "not"; Arabic verbs as they stand without one."""
    said = re.sub(r"(?<!\w)(?:لم|لا|لن)\s+[يت](?=\w{3})", "", statement)
    return _HAN_DENIAL.sub("", _DENIAL.sub(" ", said))


def uncounted(statement: str) -> str:
    """A statement without its numbers in Han characters, whose pairs with their neighbours would be words of it."""
    return _HAN_COUNT.sub(" ", statement)


def opposed(one: str, other: str) -> bool:
    """Whether one says that a thing is open and the other, in the same words, that it is closed.

    >>> opposed("The pump house is open to visitors.", "The pump house is closed to visitors.")
    True
    """
    left, right = _STATE.search(one), _STATE.search(other)
    if left and right:
        unlike = left["state"].casefold() != right["state"].casefold()
        return unlike and _STATE.sub(" ", one).casefold() == _STATE.sub(" ", other).casefold()
    states = [_HAN_STATE.findall(text) for text in (one, other)]
    return all(states) and states[0] != states[1] and _HAN_STATE.sub("", one) == _HAN_STATE.sub("", other)


def another_is(one: str, other: str) -> bool:
    """Whether two Chinese statements say of the same thing that it is this one and that one.

    >>> another_is("维尔登的市长是张伟。", "维尔登的市长是李强。")
    True
    """
    left, right = _HAN_IS.match(one), _HAN_IS.match(other)
    if not left or not right or left["thing"] != right["thing"]:
        return False
    return left["who"] not in right["who"] and right["who"] not in left["who"]


def measured_otherwise(mine: Values, its: Values) -> bool | None:
    """Whether two measures of one kind in two units are two; None where they are not of one kind."""
    sizes = [
        [
            in_base(float(number), unit)
            for number, unit in each.units
            if number in each.numbers - other.numbers
        ]
        for each, other in ((mine, its), (its, mine))
    ]
    if any(len(each) != 1 for each in sizes) or sizes[0][0][1] != sizes[1][0][1]:
        return None
    left, right = sizes[0][0][0], sizes[1][0][0]
    return abs(left - right) > ROUNDED * max(abs(left), abs(right))
