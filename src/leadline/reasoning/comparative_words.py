"""The words by which a question asks for a comparison: "older", "first", "more passengers", 更早, أقدم."""

import re
from dataclasses import dataclass

from leadline.analysis.fold import ARABIC
from leadline.computation import Quantity, Relation


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that ask for `relation` of a `quantity`; `near` stand by the value, which has a unit of the kind `measured`."""

    pattern: re.Pattern[str]
    quantity: Quantity
    relation: Relation
    event: str = ""
    near: str = ""
    measured: str = ""


def _cue(
    words: str, quantity: Quantity, relation: Relation, event: str = "", near: str = "", measured: str = ""
) -> Cue:
    edges = rf"\b(?:{words})\b" if words.isascii() else rf"(?:{words})"
    return Cue(re.compile(edges, re.IGNORECASE), quantity, relation, event, near, measured)


NOUN = r"(?P<noun>(?!than\b|or\b|and\b|recent)[^\W\d_]{3,}(?:-[^\W\d_]+)?)"
_MEASURED = (
    ("taller|tallest", "shorter in height|lower in height", "tall height high stand", "m"),
    ("deeper|deepest", "shallower|shallowest", "deep depth draught", "m"),
    ("wider|widest|broader", "narrower|narrowest", "wide width beam broad", "m"),
    ("longer|longest", "shorter|shortest", "long length", "m"),
    ("heavier|heaviest", "lighter|lightest", "weigh weight heavy displacement tonnage", "kg"),
    (
        "more expensive|costlier|dearer|costs? more|costing more|most expensive",
        "cheaper|cheapest|less expensive|costs? less",
        "cost price paid",
        "money",
    ),
)
CUES = (
    _cue(r"lived? (?:the )?(?:longer|longest)|longer life", "span", "most", "life"),
    _cue(r"lived? (?:the )?(?:shorter|shortest)|shorter life", "span", "least", "life"),
    _cue(r"older|oldest|elder|eldest", "date", "least", "age"),
    _cue(r"younger|youngest|newer|newest", "date", "most", "age"),
    _cue(r"more recently|most recently|more recent|most recent|later|latest|last", "date", "most"),
    _cue(r"earlier|earliest|first", "date", "least"),
    *(_cue(high, "number", "most", "", near, unit) for high, _, near, unit in _MEASURED),
    *(_cue(low, "number", "least", "", near, unit) for _, low, near, unit in _MEASURED),
    _cue(rf"(?:more|most|greater|greatest|higher|highest|larger|largest|bigger|biggest) {NOUN}", "number", "most"),
    _cue(rf"(?:fewer|fewest|less|least|lower|lowest|smaller|smallest) {NOUN}", "number", "least"),
)  # fmt: skip
"""In the order in which they are looked for."""

ORDERS = (_cue("before|earlier than", "date", "least"), _cue("after|later than", "date", "most"))
"""What stands between two things that are compared, but means something else before a single one: "before the war"."""

FOREIGN = (
    _cue("活得更?[长久]|寿命更长|عاش أطول|عاش اطول", "span", "most", "life"),
    _cue("年纪更?大|年龄更?大|年长|更老|古老|أكبر سن|اكبر سن|أقدم|اقدم", "date", "least", "age"),
    _cue("年纪更?小|年龄更?小|年轻|أصغر سن|اصغر سن|أحدث|احدث", "date", "most", "age"),
    _cue("早|先|أولا|اولا|أبكر|قبل", "date", "least"),
    _cue("晚|后|後|لاحقا|مؤخرا|بعد", "date", "most"),
    _cue("高|أعلى|اعلى", "number", "most", "", "高 高度 高约 ارتفاع ارتفاعه ارتفاعها", "m"),
    _cue("[更较]长|أطول", "number", "most", "", "长 长度 全长 طول طوله طولها", "m"),
    _cue("[更较]重|أثقل", "number", "most", "", "重 重量 وزن وزنه وزنها", "kg"),
)


def _event(english: str, chinese: str, arabic: str) -> re.Pattern[str]:
    """For `even` text: Arabic letters have one form there, but may still carry vowel signs."""
    vowels = "[\u064b-\u0652]*"
    words = "|".join(vowels.join(word.translate(ARABIC)) for word in arabic.split())
    return re.compile(rf"\b(?:{english})\b|{chinese}|{words}")


EVENTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("born", _event(r"born|births?|b(?=\.)|baptised", "出生|生于", "ولد ولدت ميلاد مواليد")),
    ("died", _event(r"die[sd]?|deaths?|dead|passed away", "去世|逝世|死", "توفي توفيت مات وفاه")),
    (
        "released",
        _event(
            r"releas\w+|came out|come out|premier\w+|publish\w+|publication|issued|recorded|aired",
            "上映|发行|出版|发布",
            "صدر صدرت نشر",
        ),
    ),
    (
        "founded",
        _event(
            r"found(?:ed|ing|ation)|form(?:ed|ation)|establish\w*|creat\w+|started|open(?:ed|ing)?|launch\w*|buil[td]\w*|construct\w+|"
            r"complet\w+|lit|set up|incorporated|commissioned|introduced",
            "成立|建成|建于|建立|创立|创办|开业|落成",
            "تأسس تأسست بني بنيت بناء افتتح افتتحت أنشئ",
        ),
    ),
    (
        "ended",
        _event(
            r"clos(?:ed?|ing)|dissolved|disbanded|ended|demolished|sunk|sank|scrapped",
            "关闭|解散",
            "أغلق أغلقت",
        ),
    ),
)
"""What happened, and the words that say so in questions and texts alike."""

WORK = re.compile(
    r"\b(?:films?|movies?|motion pictures?|songs?|singles?|albums?|novels?|books?|series|comed(?:y|ies)|dramas?|"
    r"documentar(?:y|ies)|plays?|games?|ep)\b",
    re.IGNORECASE,
)
"""Words for what is published, and so has a year and a country."""


def any_of(cues: tuple[Cue, ...]) -> str:
    """One pattern for all of them, without groups."""
    return "|".join(f"(?:{cue.pattern.pattern.replace('(?P<noun>', '(?:')})" for cue in cues)


def compares(text: str) -> bool:
    """Whether a text says itself what is older, later or larger.

    >>> compares("Ada Brandt is older than Ivo Hale."), compares("Ada Brandt was born in 1850.")
    (True, False)
    """
    return any(cue.pattern.search(text) for cue in (*CUES, *ORDERS, *FOREIGN))
