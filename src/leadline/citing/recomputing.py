"""Check a computed claim by computing it again: the values from the quotes it cites, then the result from the values."""

import re
from collections.abc import Iterator, Sequence

from leadline.analysis.countries import countries
from leadline.analysis.values import numbers
from leadline.computation import Operand, Quantity
from leadline.reasoning.arithmetic import holds
from leadline.reasoning.stated import flat, key
from leadline.reasoning.stated_dates import dates_in
from leadline.reasoning.stated_numbers import figures
from leadline.types import Citation, Claim, Support

MOST_VALUES = 8
"""With more numbers than this in what is cited, some pair of them would give any result."""

_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]\s*")

Finding = tuple[Support, str]


def recomputed(claim: Claim, cited: str) -> list[Finding]:
    """What is wrong with the calculation; nothing when it can be repeated. `cited` is what is quoted with its titles."""
    done = claim.computation
    if done is None:
        return list(_by_its_numbers(claim))
    findings = [
        (Support.UNSUPPORTED, f"{one.label}: {one.value} is not in the cited text")
        for one in done.operands
        if not _stands(done.quantity, one, claim.citations)
    ]
    findings += [
        (Support.PARTLY, f"{one.label} is not named in the cited text")
        for one in done.operands
        if key(_BRACKETS.sub(" ", one.label)).strip() not in flat(cited)
    ]
    if not holds(done):
        findings.append((Support.UNSUPPORTED, f"the cited values do not give {done.result}".strip()))
    return findings


def results_of(claim: Claim) -> str:
    """What a computed claim may say beyond its sources: the result, and the values as they were understood."""
    done = claim.computation
    if done is None:
        return " ".join(numbers(claim.text))
    values = [part for one in done.operands for part in (one.label, *one.value.split("|"))]
    return "\n".join([done.result, *values])


def _stands(quantity: Quantity, operand: Operand, citations: Sequence[Citation]) -> bool:
    quotes = [one.quote for one in citations if one.document_id == operand.document_id]
    match quantity:
        case "date":
            return any(operand.value == iso for quote in quotes for iso, _, _ in dates_in(quote))
        case "span":
            stated = {iso for quote in quotes for iso, _, _ in dates_in(quote)}
            return set(operand.value.split("/")) <= stated
        case "number":
            return any(operand.value == one.value for quote in quotes for one in figures(quote))
        case "country":
            named = {one.country for quote in quotes for one in countries(quote)}
            return set(operand.value.split("|")) <= named


def _by_its_numbers(claim: Claim) -> Iterator[Finding]:
    """A claim that says nothing of how it was computed: do its new numbers come of the cited ones?"""
    quoted = [quote.quote for quote in claim.citations]
    cited = {number for quote in quoted for number in numbers(quote)}
    new = [number for number in numbers(claim.text) if number not in cited]
    values = _values(quoted)
    if not new:
        yield Support.PARTLY, "worked out from the cited text; no number shows how"
    elif not 2 <= len(values) <= MOST_VALUES:
        yield Support.PARTLY, "worked out from the cited figures; the calculation is not checked"
    else:
        wrong = [number for number in new if not _comes_of(float(number), values)]
        if wrong:
            yield Support.PARTLY, "the cited figures do not give " + ", ".join(wrong)


def _values(quotes: Sequence[str]) -> list[float]:
    """The figures, and the years of dates."""
    years = {float(iso[:4]) for quote in quotes for iso, _, _ in dates_in(quote)}
    return sorted(years | {float(one.value) for quote in quotes for one in figures(quote)})


def _comes_of(number: float, values: Sequence[float]) -> bool:
    """As a sum of all, a mean, or of two of them as a difference, a sum, a product, a ratio or a percentage."""
    if any(
        abs(number - result) < 0.5 * 10 ** -_places(number)
        for result in (sum(values), sum(values) / len(values))
    ):
        return True
    pairs = [(one, other) for one in values for other in values if one != other]
    return any(
        abs(number - result) < 0.5 * 10 ** -_places(number) + 1e-9
        for one, other in pairs
        for result in (one - other, one + other, one * other, *_shares(one, other))
    )


def _shares(one: float, other: float) -> tuple[float, ...]:
    return (one / other, 100 * one / other, 100 * (one - other) / other) if other else ()


def _places(number: float) -> int:
    return len(f"{number:.6g}".partition(".")[2])
