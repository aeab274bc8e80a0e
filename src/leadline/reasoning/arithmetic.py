"""The calculations themselves: values in, result out, and None where the values don't decide it.

A date that is only a year is that whole year: 1950 is neither before nor after 12 May 1950.
"""

import calendar
import math
from collections.abc import Callable, Sequence
from datetime import date, timedelta

from leadline.analysis.units import in_base
from leadline.computation import Computation, Operand, Quantity, Relation

Interval = tuple[float, float]
"""From the least that a value can be to the most."""

Result = tuple[str, str]
"""What comes out, and its unit."""


def work_out(
    quantity: Quantity, relation: Relation, operands: Sequence[Operand], unit: str = ""
) -> Result | None:
    """The result and its unit; `unit` is what a difference of dates is wanted in.

    >>> ada, ivo = Operand("Ada", "1973-05-28", "a"), Operand("Ivo", "1979", "b")
    >>> work_out("date", "least", (ada, ivo)), work_out("date", "difference", (ada, ivo), "years")
    (('Ada', ''), ('6', 'years'))
    """
    if len(operands) < (1 if relation == "length" else 2):
        return None
    try:
        return _RELATIONS[relation](quantity, operands, unit)
    except ValueError:
        return None


def holds(computation: Computation) -> bool:
    """Whether working it out again gives the same."""
    again = work_out(computation.quantity, computation.relation, computation.operands, computation.unit)
    return again == (computation.result, computation.unit)


def _extreme(most: bool) -> Callable[[Quantity, Sequence[Operand], str], Result | None]:
    def pick(quantity: Quantity, operands: Sequence[Operand], unit: str) -> Result | None:
        sizes = [_size(quantity, one) for one in operands]
        if not _comparable(quantity, operands):
            return None
        for index, own in enumerate(sizes):
            others = [other for place, other in enumerate(sizes) if place != index]
            if all(own[0] > other[1] if most else own[1] < other[0] for other in others):
                return operands[index].label, ""
        return None

    return pick


def _ordered(below: bool) -> Callable[[Quantity, Sequence[Operand], str], Result | None]:
    def compare(quantity: Quantity, operands: Sequence[Operand], unit: str) -> Result | None:
        if not _comparable(quantity, operands):
            return None
        one, other = (_size(quantity, operand) for operand in operands[:2])
        if not below:
            one, other = other, one
        if one[1] < other[0]:
            return "yes", ""
        return ("no", "") if other[1] <= one[0] else None

    return compare


def _same(quantity: Quantity, operands: Sequence[Operand], unit: str) -> Result | None:
    if quantity == "country":
        shared = set(operands[0].value.split("|"))
        for one in operands[1:]:
            shared &= set(one.value.split("|"))
        return "yes" if shared else "no", ""
    years = {one.value[:4] if quantity == "date" else one.value for one in operands}
    return "yes" if len(years) == 1 else "no", ""


def _difference(quantity: Quantity, operands: Sequence[Operand], unit: str) -> Result | None:
    if quantity == "date":
        return _apart(operands[0].value, operands[1].value, unit or "years")
    if quantity != "number" or not _comparable(quantity, operands):
        return None
    return _figure(operands, lambda values: abs(values[0] - values[1]))


def _sum(quantity: Quantity, operands: Sequence[Operand], unit: str) -> Result | None:
    return _figure(operands, sum) if quantity == "number" and _comparable(quantity, operands) else None


def _figure(operands: Sequence[Operand], function: Callable[[list[float]], float]) -> Result:
    """In the unit that the operands share, else in the one that all are converted to."""
    units = {one.unit for one in operands}
    if len(units) == 1:
        return f"{function([_number(one) for one in operands]):.12g}", units.pop()
    based = [in_base(_number(one), one.unit) for one in operands]
    return f"{function([value for value, _ in based]):.12g}", based[0][1]


def _number(operand: Operand) -> float:
    value = float(operand.value)
    if not math.isfinite(value):
        raise ValueError(operand.value)
    return value


def _length(quantity: Quantity, operands: Sequence[Operand], unit: str) -> Result | None:
    """Whole years, "70 or 71" where days are missing."""
    born, _, died = operands[0].value.partition("/")
    first, last = _days(born), _days(died)
    low, high = _whole_years(first[1], last[0]), _whole_years(first[0], last[1])
    if low < 0 or high - low > 1:
        return None
    return str(low) if low == high else f"{low} or {high}", "years"


def _apart(one: str, other: str, unit: str) -> Result | None:
    early, late = sorted((one, other))
    if unit == "years":
        whole = len(early) == 10 and len(late) == 10
        return str(
            _whole_years(_days(early)[0], _days(late)[0]) if whole else int(late[:4]) - int(early[:4])
        ), unit
    if unit == "months" and min(len(early), len(late)) >= 7:
        return str((int(late[:4]) - int(early[:4])) * 12 + int(late[5:7]) - int(early[5:7])), unit
    if unit == "days" and len(early) == len(late) == 10:
        return str((_days(late)[0] - _days(early)[0]).days), unit
    return None


def _whole_years(start: date, end: date) -> int:
    return end.year - start.year - ((end.month, end.day) < (start.month, start.day))


def _days(value: str) -> tuple[date, date]:
    """The first and the last day that a date may mean."""
    parts = [int(part) for part in value.split("-")]
    if len(parts) == 3:
        return date(*parts), date(*parts)
    year, month = parts[0], parts[1] if len(parts) == 2 else 0
    if month:
        return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
    return date(year, 1, 1), date(year, 12, 31)


def _size(quantity: Quantity, operand: Operand) -> Interval:
    if quantity == "number":
        value = in_base(_number(operand), operand.unit)[0]
        return value, value
    if quantity == "span":
        born, _, died = operand.value.partition("/")
        (first, second), (third, last) = _days(born), _days(died)
        if last < first:
            raise ValueError(operand.value)
        return (third - second) / timedelta(1), (last - first) / timedelta(1)
    begin, end = _days(operand.value)
    return float(begin.toordinal()), float(end.toordinal())


def _comparable(quantity: Quantity, operands: Sequence[Operand]) -> bool:
    return quantity != "number" or len({in_base(1.0, one.unit)[1] for one in operands}) == 1


_RELATIONS: dict[Relation, Callable[[Quantity, Sequence[Operand], str], Result | None]] = {
    "least": _extreme(False),
    "most": _extreme(True),
    "below": _ordered(True),
    "above": _ordered(False),
    "same": _same,
    "difference": _difference,
    "sum": _sum,
    "length": _length,
}
