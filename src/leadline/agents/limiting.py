"""What limits or turns a statement and is no term of it: how many of, signs, the case of units, and the order of what it compares."""

import re

from leadline.analysis.fold import bare
from leadline.analysis.terms import analyse
from leadline.analysis.values import numbers

_SAME_LIMIT = {"nearly": "almost", "practically": "almost", "seldom": "rarely", "hardly": "rarely", "under": "below",
    "over": "above", "besides": "except", "excluding": "except", "solely": "only", "merely": "only", "exclusively": "only",
    "mostly": "most", "mainly": "most", "usually": "often", "every": "all", "each": "all", "numerous": "many"}  # fmt: skip
_LIMITS = frozenset(
    """few many most some several all only almost rarely never always often sometimes partly half none nobody any both neither except
    unless without""".split()
)
_PHRASES = re.compile(
    r"\b(?P<most>up to|at most|no more than|maximum of|not exceeding)\b|\b(?P<least>at least|no fewer than|no less than|minimum of)\b"
    r"|\b(?P<more>more than|over(?= [\d£$€])|above(?= [\d£$€]))|\b(?P<less>less than|fewer than|under(?= [\d£$€])|below(?= [\d£$€]))"
    r"|\b(?P<but>apart from|other than|but not|with the exception)\b",
    re.IGNORECASE,
)
_OTHER_SCRIPTS = re.compile(
    r"只有?|仅|几乎|所有|全部|全都|多数|大多|少数|许多|很多|很少|一些|部分|至少|最多|不超过|不少于|超过|以上|以下|除了?|经常|总是|偶尔|从不"
    r"|(?<!\w)(?:فقط|كل|جميع|معظم|بعض|قليل\w*|كثير\w*|تقريبا|علي الاقل|علي الاكثر|حتي|باستثناء|ما عدا|الا|نادرا|غالبا|دائما|احيانا"
    r"|اكثر من|اقل من)(?!\w)"
)
_SIGN = re.compile(
    r"(?<![\w)%])[-−](?=[$€£¥]?\d)|\bminus\s+(?=[$€£¥]?\d)|零下\s*(?=\d)|(?<!\w)ناقص\s+(?=\d)", re.IGNORECASE
)
_CASED = re.compile(r"\d\s?([A-Za-zµ]{2,3})\b")
_CURRENCY = re.compile("[$£¥\u20a0-\u20cf]")
_THAN = re.compile(r"\bthan\b|比|(?<!\w)[اأ]\w{3}\s+من(?!\w)", re.IGNORECASE)
_BY = re.compile(r"\bby\b|[被由]|من قبل", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|was|are|were)\b|是", re.IGNORECASE)


def limits(statement: str) -> frozenset[str]:
    """The words of a statement that say how many, how often, or all but what.

    >>> sorted(limits("Almost all ships carry up to 40 men")), limits("The ships carry 40 men")
    (['all', 'almost', 'most:'], frozenset())
    """
    plain = bare(statement)
    found = {f"{match.lastgroup}:" for match in _PHRASES.finditer(plain)}
    rest = _PHRASES.sub(" ", plain)
    said = (_SAME_LIMIT.get(word, word) for word in re.findall(r"[a-z]+", rest))
    return frozenset((*found, *(word for word in said if word in _LIMITS), *_OTHER_SCRIPTS.findall(plain)))


def negative(statement: str) -> frozenset[str]:
    """The numbers of a statement that stand behind a minus sign.

    >>> sorted(negative("-5 million, but 3-5 ships")), sorted(negative("零下7度"))
    (['5000000'], ['7'])
    """
    return frozenset(
        number for sign in _SIGN.finditer(statement) for number in numbers(statement[sign.end() :][:30])[:1]
    )


def units_in_writing(one: str, other: str) -> bool:
    """Whether one has another currency's sign, or a unit that differs in a letter which makes it larger: MW and mW, Mb and MB."""
    signs = [set(_CURRENCY.findall(text)) for text in (one, other)]
    if signs[0] and signs[1] and signs[0] != signs[1]:
        return True
    left, right = (set(_CASED.findall(text)) for text in (one, other))
    return any(
        a != b
        and a.casefold() == b.casefold()
        and (a[1:] == b[1:] and a[0] in "mM" or a[:-1] == b[:-1] and a[-1] in "bB")
        for a in left - right
        for b in right - left
    )


def reordered(one: str, other: str) -> bool:
    """Whether two statements of the same words say them of each other: who is older than whom, which has what.

    >>> reordered("The mill is older than the church.", "The church is older than the mill.")
    True
    >>> reordered("In 1987 the north pier was rebuilt.", "The north pier was rebuilt in 1987.")
    False
    """
    if _compared_otherwise(one, other) or _compared_otherwise(other, one):
        return True
    left, right = (list(dict.fromkeys(analyse(text))) for text in (one, other))
    shared = set(left) & set(right)
    mine, its = ([term for term in each if term in shared] for each in (left, right))
    if mine == its or _turned(mine, its):
        return False
    by = [bool(_BY.search(text)) for text in (one, other)]
    if by[0] != by[1]:
        return False
    apart = sum(a != b for a, b in zip(mine, its, strict=True))
    if apart == 2 and len(mine) > 3:
        return True
    # The same words in another order are no other words for the same, but where one thing is said to be the other.
    return set(left) == set(right) and not all(_IS.search(text) for text in (one, other))


def _turned(mine: list[str], its: list[str]) -> bool:
    """Whether what stood at the end of one opens the other."""
    return any(mine[at:] + mine[:at] == its for at in range(1, len(mine)))


def _compared_otherwise(one: str, other: str) -> bool:
    """Whether what `one` has before its "than" stands behind that of the other."""
    found, its = _THAN.search(one), _THAN.search(other)
    if not found or not its:
        return False
    before, after = set(analyse(one[: found.start()])), set(analyse(other[its.end() :]))
    return bool(before & after - set(analyse(other[: its.start()])))
