"""How much of something a subject has, as the sources state it: in a sentence, or in a table's row.

sentences about the subject -> the numbers in each -> the one with the unit asked for, or beside the noun asked for
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from leadline.analysis.terms import analyse
from leadline.analysis.units import in_base, measures
from leadline.analysis.values import numbers
from leadline.reasoning.stated import Sentence, Value, cells
from leadline.reasoning.stated_dates import dates_in

NEAR = 45
MONEY = frozenset({"USD", "EUR", "GBP", "CNY", "JPY"})
_FIGURE = re.compile(
    r"(?<![\d.,A-Za-zÀ-ɏ_])\d{1,3}(?:[,٬]\d{3})+(?:\.\d+)?(?![\d])(?:\s*(?:thousand|million|billion|bn|[万亿萬億]))?"
    r"|(?<![\d.,A-Za-zÀ-ɏ_])\d+(?:[.٫]\d+)?(?![\d])(?:\s*(?:thousand|million|billion|bn|[万亿萬億]))?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_BREAK = re.compile(r"[;.]|\d")
_THINGS = re.compile(r"\s+[a-z]{3,}s\b")


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a text at `start:end`, in plain digits, with the unit that stands beside it."""

    value: str
    unit: str
    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start


def figures(text: str) -> list[Figure]:
    """Every number of `text` that is no date.

    >>> [(one.value, one.unit) for one in figures("In May 1980 it cost £3.5 million and was 41 metres tall.")]
    [('3500000', 'GBP'), ('41', 'm')]
    """
    dated = [(start, end) for _, start, end in dates_in(text)]
    found: list[Figure] = []
    for match in _FIGURE.finditer(text):
        start, end = match.span()
        value = next(iter(numbers(match.group())), "")
        units = measures(text[max(start - 4, 0) : end + 16]).get(value, frozenset[str]())
        inside = any(low < end and start < high for low, high in dated)
        # Four digits may be a year or a number of things: what follows tells.
        if not inside or units or _THINGS.match(text, end):
            found.append(Figure(value, min(units, default=""), start, end))
    return found


def amounts_of(cues: frozenset[str], measured: str, said: Iterable[Sentence]) -> list[Value]:
    """The numbers asked for, likeliest first."""
    scored: list[tuple[float, Value]] = []
    for sentence in said:
        if sentence.is_row:
            scored += [(3.0 + 2 * sentence.about, value) for value in _in_row(cues, measured, sentence)]
        else:
            scored += [
                (score + 2 * sentence.about + 0.1 * (sentence.order == 0), value)
                for score, value in _in_sentence(cues, measured, sentence)
            ]
    return [value for _, value in sorted(scored, key=lambda item: -item[0])]


def _in_sentence(cues: frozenset[str], measured: str, sentence: Sentence) -> Iterator[tuple[float, Value]]:
    text = sentence.text
    for figure in figures(text):
        if figure.end < sentence.at or (measured and not of_kind(figure.unit, measured)):
            continue
        near = _nearest(cues, text, figure)
        if near is not None:
            distance, counted = near
            start, end = sentence.start + figure.start, sentence.start + figure.end
            # "320 foot passengers" are counted, whatever else stands beside the number.
            unit = "" if counted and not measured else figure.unit
            yield (
                1.0 - distance / 100,
                Value(figure.value, text[figure.start : figure.end], sentence, start, end, unit),
            )


def _nearest(cues: frozenset[str], text: str, figure: Figure) -> tuple[int, bool] | None:
    """How far off the nearest of the words asked for stands, and whether behind the number, which counts as nearer."""
    behind, before = text[figure.end : figure.end + NEAR], text[max(figure.start - NEAR, 0) : figure.start]
    found = [
        (word.start(), True)
        for word in _WORD.finditer(_clause(behind))
        if cues.intersection(analyse(word.group()))
    ]
    for word in _WORD.finditer(before):
        if cues.intersection(analyse(word.group())) and not _BREAK.search(before, word.end()):
            found.append((len(before) - word.end() + 10, False))
    return min(found, default=None)


def _clause(text: str) -> str:
    """Up to the next number or the end of the clause: what follows belongs to that one."""
    return re.split(r"\d|[;,.](?=\s|$)", text, maxsplit=1)[0]


def _in_row(cues: frozenset[str], measured: str, sentence: Sentence) -> Iterator[Value]:
    for cell in cells(sentence):
        if not cues.intersection(analyse(cell.header)):
            continue
        for figure in figures(cell.text):
            unit = figure.unit or _unit_in(cell.header)
            if not measured or of_kind(unit, measured):
                start = cell.start + figure.start
                yield Value(
                    figure.value,
                    cell.text[figure.start : figure.end],
                    sentence,
                    start,
                    start + len(figure),
                    unit,
                )


def _unit_in(header: str) -> str:
    """The unit that a column's header gives in brackets: "Height (m)"."""
    inside = re.search(r"[(\[]([^)\]]+)[)\]]", header)
    return min(measures(f"1 {inside[1]}").get("1", frozenset()), default="") if inside else ""


def of_kind(unit: str, measured: str) -> bool:
    """Whether values in that unit can be compared as what is asked for.

    >>> of_kind("km", "m"), of_kind("GBP", "money"), of_kind("kg", "m")
    (True, True, False)
    """
    return unit in MONEY if measured == "money" else in_base(1.0, unit)[1] == measured
