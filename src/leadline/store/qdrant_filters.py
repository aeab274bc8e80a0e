"""From a filter tree to Qdrant's conditions. Values go over as they are: nothing is put into a text.

Qdrant compares no texts by order. Rows carry a number that keeps the order of texts as far as it goes, which is all
of an ISO date and little of a word.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from qdrant_client import models

from leadline.store.fields import Field
from leadline.store.filter_tree import Compare, FilterValue, number
from leadline.store.filter_walk import Walk
from leadline.store.served_rows import Narrowing
from leadline.store.served_values import LONGEST, LOWER, all_whole

ORDER = "n"
"""Added to a column's name: the number that keeps the order of its texts."""

NOTHING = models.Filter(must=[models.HasIdCondition(has_id=[])])

SIGNS = "-./0123456789"
"""Told apart in order numbers; what comes before, between and after counts as one sign each, and ends the number."""

DIGITS = 13


def order_of(text: str) -> float:
    """A number that is never greater for a text that sorts before.

    >>> order_of("2023-05-01") < order_of("2023-05-01T10") < order_of("2023-06")
    True
    """
    found = 0
    for place in range(DIGITS):
        found *= 16
        if place >= len(text):
            continue
        sign = text[place]
        if sign in SIGNS:
            found += 2 + SIGNS.index(sign)
        else:
            found += 1 if sign < "-" else 15
            return float(found * 16 ** (DIGITS - 1 - place))
    return float(found)


def condition(narrowing: Narrowing) -> models.Filter | None:
    """The filter as Qdrant reads it; None when it narrows nothing."""
    if narrowing.where is None:
        return None
    found = QdrantFilter(narrowing.fields).translated(narrowing.where)
    if isinstance(found, bool):
        return None if found else NOTHING
    return models.Filter(must=[found])


def among(column: str, keys: Sequence[str]) -> models.FieldCondition:
    return models.FieldCondition(key=column, match=models.MatchAny(any=list(keys)))


def any_of(parts: Sequence[Any]) -> models.Filter:
    return models.Filter(should=list(parts))


@dataclass(frozen=True, slots=True)
class QdrantFilter(Walk[Any]):
    """A condition is one of Qdrant's many classes for them."""

    def test(self, field: Field, compared: Compare) -> Any:
        value = compared.value
        if compared.operator in {"==", "in"}:
            found = _equal(field, value)
            if field.kind == "texts" and found is not False:
                return any_of([found, _unknown(field)])
            return found
        if isinstance(value, tuple | bool):
            return False
        if isinstance(value, str):
            return _text_test(field, compared.operator, value)
        plain = number(value)
        if field.kind != "number" or plain is None or compared.operator in {"~", "^="}:
            return False
        return _ranged(field.column, compared.operator, plain)

    def failed(self, field: Field, compared: Compare) -> Any:
        value = compared.value
        if isinstance(value, str) and compared.operator not in {"==", "in"}:
            return True
        if not all_whole(value if isinstance(value, tuple) else (value,)):
            return True
        found = _equal(field, value) if compared.operator in {"==", "in"} else self.test(field, compared)
        return True if found is False else models.Filter(must_not=[found])

    def joined(self, how: Literal["all", "any"], parts: Sequence[Any]) -> Any:
        return models.Filter(must=list(parts)) if how == "all" else any_of(parts)


def _equal(field: Field, value: FilterValue) -> Any:
    """Equality with any of the values; False when none can be in this column."""
    values = value if isinstance(value, tuple) else (value,)
    if field.kind in {"text", "texts"}:
        texts = [one[:LONGEST] for one in values if isinstance(one, str)]
        return among(field.column, texts) if texts else False
    if field.kind == "truth":
        found: list[Any] = [
            models.FieldCondition(key=field.column, match=models.MatchValue(value=one))
            for one in values
            if isinstance(one, bool)
        ]
    else:
        numbers = [number(one) for one in values if not isinstance(one, str | bool)]
        found = [_ranged(field.column, "==", one) for one in numbers if one is not None]
    return any_of(found) if found else False


def _text_test(field: Field, operator: str, value: str) -> Any:
    if field.kind not in {"text", "texts"}:
        return False
    if operator == "~" or field.kind == "texts":
        # It finds whole words only, by a tokeniser of its own.
        return True
    column = field.column + ORDER
    if operator == "^=":
        last = order_of(value + chr(sys.maxunicode))
        return models.FieldCondition(key=column, range=models.Range(gte=order_of(value), lte=last))
    return _ranged(column, operator[0] + "=", order_of(value))


def _unknown(field: Field) -> models.FieldCondition:
    """Rows whose whole value is not kept."""
    return models.FieldCondition(key=field.column + LOWER, match=models.MatchValue(value=""))


def _ranged(column: str, operator: str, value: float) -> models.FieldCondition:
    bounds = {"<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
    given = {"gte": value, "lte": value} if operator == "==" else {bounds[operator]: value}
    return models.FieldCondition(key=column, range=models.Range(**given))
