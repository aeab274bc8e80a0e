"""What in a claim can be looked up in what it cites: numbers with units, dates, codes, web addresses and names.

Limits: names are known by capitals, quotation marks and Chinese family names; an Arabic name without
quotation marks is only a term like others. Names are compared within one script.
"""

import re
from dataclasses import dataclass

from leadline.analysis.fold import bare, fold
from leadline.analysis.names import CONNECTORS, names
from leadline.analysis.scripts import script
from leadline.analysis.stopwords import ALL as STOP_WORDS
from leadline.analysis.terms import sequence
from leadline.analysis.units import measures
from leadline.analysis.values import codes, dates, numbers

_TOKEN = re.compile(r"[^\W_]+")
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'()\[\]]*[^\W_]/?|[\w.+-]+@[\w-]+\.[\w.-]*\w", re.IGNORECASE
)
_SMALL = {
    word: str(value)
    for value, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ],
        start=1,
    )
}
_DAY_MONTH = re.compile(
    r"(?P<d>\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[^\W\d_]{3,})|(?P<m>[^\W\d_]{3,}\.?\s+\d{1,2})(?!\d)"
    r"|(?P<c>\d{1,2}\s*月\s*\d{1,2}\s*[日号號])"
)
_FAMILY_NAMES = (
    "李王张刘陈杨赵吴徐孙胡朱郭罗梁郑韩唐冯邓曹彭肖蔡潘袁董苏吕魏蒋沈姜邹張劉陳楊趙吳孫羅鄭韓馮鄧蕭蘇呂蔣"
)
_CHINESE_NAME = re.compile(f"[{_FAMILY_NAMES}][\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Facts:
    """How a claim's facts fared: `found` of them are in the cited text, `missing` are not.

    `unlike` are names in another script than the cited text, which nobody can compare here.
    """

    found: int
    missing: tuple[str, ...]
    unlike: tuple[str, ...] = ()


def compare(claim: str, cited: str, writing: str) -> Facts:
    """Look every number, date, code, address and name of `claim` up in `cited`, which is in the script `writing`."""
    found, missing = _values(claim, cited)
    named, unnamed, unlike = _names(claim, cited, _family(writing))
    return Facts(found + named, tuple(dict.fromkeys([*missing, *unnamed])), tuple(unlike))


def _days(text: str) -> set[str]:
    """Days of the year (`MM-DD`) in `text`, also where no year is named."""
    whole = {date[5:] for date in dates(text) if len(date) == 10}
    for match in _DAY_MONTH.finditer(fold(text)):
        day = match[0].rstrip(".")
        for date in dates(f"2000年{day}" if match["c"] else f"{day} 2000"):
            if len(date) == 10:
                whole.add(date[5:])
    return whole


def _date_numbers(found: list[str]) -> set[str]:
    return {str(int(part)) for date in found for part in date.split("-")}


def _quantities(text: str) -> set[str]:
    words = set(_TOKEN.findall(fold(text)))
    return set(numbers(text)) | {value for word, value in _SMALL.items() if word in words}


def _values(claim: str, cited: str) -> tuple[int, list[str]]:
    own_dates, cited_dates = dates(claim), dates(cited)
    own_codes, cited_codes = codes(claim), set(codes(cited))
    held = _quantities(cited) | _date_numbers(cited_dates)
    figures = {number: number in held for number in sorted(_quantities(claim) - {"1"} | set(numbers(claim)))}
    for number in _date_numbers(own_dates) | {n for code in own_codes for n in numbers(code)}:
        figures.pop(number, None)
    checks = {date: _has_date(date, cited_dates, held) for date in own_dates}
    days = _days(cited)
    checks |= {
        day: day in days for day in sorted(_days(claim)) if not any(d.endswith(day) for d in own_dates)
    }
    checks |= {code: code in cited_codes or code in fold(cited) for code in own_codes}
    checks |= {address: address.casefold() in cited.casefold() for address in _ADDRESS.findall(claim)}
    checks |= figures
    missing = [_shown(value) for value, ok in checks.items() if not ok]
    wrong_units = _unit_differences(claim, cited)
    return len(checks) - len(missing) - len(wrong_units), missing + wrong_units


def _shown(value: str) -> str:
    return f"{value} (month-day)" if re.fullmatch(r"\d\d-\d\d", value) else value


def _has_date(date: str, cited: list[str], held: set[str]) -> bool:
    """A coarser date than the cited one is borne out by it; a finer one isn't."""
    if any(other.startswith(date) for other in cited):
        return True
    return len(date) == 4 and str(int(date)) in held


def _unit_differences(claim: str, cited: str) -> list[str]:
    known = measures(cited)
    return [
        f"{number} {unit} (the source has {', '.join(sorted(known[number]))})"
        for number, units in measures(claim).items()
        for unit in sorted(units)
        if number in known and unit not in known[number]
    ]


def _names(claim: str, cited: str, writing: str) -> tuple[int, list[str], list[str]]:
    tokens = set(_TOKEN.findall(bare(cited).replace("'s", "")))
    stems = set(sequence(cited))
    flat = bare(cited).replace(" ", "")
    found, missing, unlike = 0, list[str](), list[str]()
    for name in names(claim):
        if _has_name(name, tokens, stems, flat, opens=claim.startswith(name)):
            found += 1
        elif _family(script(name)) not in {writing, "other"}:
            unlike.append(name)
        else:
            missing.append(name)
    if writing == "han":
        people = dict.fromkeys(_CHINESE_NAME.findall(claim))
        missing += [f"{person}…" for person in people if person not in cited]
    return found, missing, unlike


def _family(writing: str) -> str:
    return "han" if writing == "kana" else writing


def _has_name(name: str, tokens: set[str], stems: set[str], flat: str, *, opens: bool) -> bool:
    writing = script(name)
    if _family(writing) in {"han", "thai", "hangul"}:
        return bare(name).replace(" ", "") in flat
    words = _TOKEN.findall(bare(name).replace("'s", ""))
    words = [word for word in words if word not in CONNECTORS and word not in STOP_WORDS] or words
    # Latin names are compared as they are (Adam is not Adams); elsewhere names inflect. A single word
    # that opens the claim may be a common noun, which may.
    if writing != "latin" or (opens and len(words) == 1):
        return all(word in tokens or set(sequence(word)) <= stems for word in words)
    return all(_has_word(word, tokens) for word in words)


def _has_word(word: str, tokens: set[str]) -> bool:
    if len(word) == 1 and word.isalpha():
        return any(token.startswith(word) for token in tokens)
    return word in tokens
