"""A computed result as a sentence in the question's language: the result first, then what it was worked out from."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.analysis.scripts import script
from leadline.reasoning.arithmetic import Result
from leadline.reasoning.comparing import Comparison


@dataclass(frozen=True, slots=True)
class Part:
    """Whose value, through whom it was found, as the source writes it, as it was understood, and what happened then."""

    subject: str
    through: str
    shown: str
    value: str
    event: str = ""


@dataclass(frozen=True, slots=True)
class _Words:
    yes: str
    no: str
    colon: str
    comma: str
    semicolon: str
    stop: str
    units: dict[str, str]
    said: dict[str, str]
    """What the date of an event is called."""


_ENGLISH = _Words("Yes", "No", ": ", ", ", "; ", ".", {}, {"born": "born ", "died": "died "})
_WORDS = {
    "han": _Words("是", "否", "：", "，", "；", "。", {"years": "年", "months": "个月", "days": "天"}, {}),
    "arabic": _Words(
        "نعم", "لا", ": ", "، ", "؛ ", ".", {"years": "سنة", "months": "شهر", "days": "يوم"}, {}
    ),
}


def worded(question: str, asked: Comparison, parts: Sequence[Part], result: Result) -> str:
    """The sentence."""
    words = _WORDS.get(script(question), _ENGLISH)
    facts = words.semicolon.join(_fact(asked, part, words) for part in parts)
    return f"{_result(asked, result, words)}{words.colon}{facts}{words.stop}"


def _result(asked: Comparison, result: Result, words: _Words) -> str:
    value, unit = result
    if value in {"yes", "no"}:
        return words.yes if value == "yes" else words.no
    if asked.relation in {"least", "most"}:
        return f"{value} {asked.predicate}" if asked.predicate and words is _ENGLISH else value
    if unit == "years" and value == "1" and words is _ENGLISH:
        return "1 year"
    return f"{value} {words.units.get(unit, unit)}".strip()


def _fact(asked: Comparison, part: Part, words: _Words) -> str:
    said = words.said.get(part.event, "") if asked.quantity == "date" else ""
    who = f"{part.subject} ({part.through})" if part.through else part.subject
    known = part.value.replace("|", " / ")
    shown = part.shown if asked.quantity != "country" or known == part.shown else f"{part.shown} ({known})"
    return f"{who}{words.comma}{said}{shown}"
