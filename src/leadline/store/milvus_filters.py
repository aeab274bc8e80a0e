"""From a filter tree to a Milvus expression: the one place where values are escaped for it.

Versions differ in what they make of a missing value under `not`, so rows list the columns they have a value in.
Field names never reach an expression: they are looked up, and columns have made-up names.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from leadline.store.fields import Field
from leadline.store.filter_tree import Compare, number
from leadline.store.filter_walk import Walk
from leadline.store.served_rows import Narrowing
from leadline.store.served_values import HAS, LONGEST, LOWER, all_whole, whole

ANYTHING, NOTHING = "", "id in []"

SPECIAL = re.compile(r"[%_\\]+|[^\x20-\uffff]+")
"""What a pattern may give a meaning to, and what versions read differently in one."""

PLAIN = Literal["<", "<=", ">", ">="]


def expression(narrowing: Narrowing, infix: bool) -> str:
    """The filter as Milvus reads it, `ANYTHING` or `NOTHING`; without `infix` it knows only patterns like `ab%`."""
    if narrowing.where is None:
        return ANYTHING
    found = MilvusFilter(narrowing.fields, infix).translated(narrowing.where)
    if isinstance(found, bool):
        return ANYTHING if found else NOTHING
    return found


def literal(value: str | float | bool) -> str:
    """A value in an expression; texts as in JSON, which Milvus unescapes the same way."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else repr(value)


def among(column: str, keys: Sequence[str]) -> str:
    return f"{column} in [{', '.join(map(literal, keys))}]"


@dataclass(frozen=True, slots=True)
class MilvusFilter(Walk[str]):
    """Milvus knows `like "a%"` everywhere and `like "%a%"` from 2.4 on."""

    infix: bool = True

    def test(self, field: Field, compared: Compare) -> str | bool:
        value = compared.value
        if compared.operator == "in":
            return _any_of(field, value if isinstance(value, tuple) else (value,))
        if isinstance(value, tuple):
            return False
        if isinstance(value, str):
            return self._text_test(field, compared.operator, value)
        return _plain_test(field, compared.operator, value)

    def failed(self, field: Field, compared: Compare) -> str | bool:
        value = compared.value
        values = value if isinstance(value, tuple) else (value,)
        positive = self.test(field, compared)
        if isinstance(positive, bool):
            # Nothing of this kind passes, so every row fails; or the server cannot tell.
            return True
        if compared.operator in {"~", "^="} or not all_whole(values):
            return True
        if field.kind == "texts":
            if compared.operator not in {"==", "in"}:
                return True
            positive = _listed(field, [value for value in values if isinstance(value, str)])
        return f"(not {_has(field)} or not ({positive}))"

    def joined(self, how: Literal["all", "any"], parts: Sequence[str]) -> str:
        return f"({(' and ' if how == 'all' else ' or ').join(parts)})"

    def _text_test(self, field: Field, operator: str, value: str) -> str | bool:
        if field.kind not in {"text", "texts"}:
            return False
        if operator == "~":
            return self._holding(field, value)
        if field.kind == "texts":
            return _list_test(field, [value]) if operator == "==" else True
        if operator == "^=":
            return _beginning(field.column, value)
        short = value[:LONGEST]
        if whole(value):
            return f"{field.column} {operator} {literal(short)}"
        # Longer than what is kept: no comparison of beginnings may shut out what is equal in them.
        return f"{field.column} {operator[0] + '=' if operator in {'<', '>'} else operator} {literal(short)}"

    def _holding(self, field: Field, value: str) -> str | bool:
        needle = _longest_part(value.lower()) if self.infix else ""
        if not needle:
            return True
        column = field.column + LOWER
        return f'({column} like {literal(f"%{needle}%")} or {column} == "")'


def _plain_test(field: Field, operator: str, value: float | bool) -> str | bool:
    if isinstance(value, bool):
        fits = field.kind == "truth" and operator == "=="
        return f"{field.column} == {literal(value)}" if fits else False
    plain = number(value)
    if field.kind != "number" or plain is None or operator in {"~", "^="}:
        return False
    return f"{field.column} {operator} {literal(plain)}"


def _any_of(field: Field, values: Sequence[str | int | float | bool]) -> str | bool:
    """The test for equality with any of `values`."""
    if field.kind in {"text", "texts"}:
        texts = [value[:LONGEST] for value in values if isinstance(value, str)]
        if field.kind == "texts":
            return _list_test(field, texts) if texts else False
        return among(field.column, texts) if texts else False
    if field.kind == "truth":
        truths = {value for value in values if isinstance(value, bool)}
        return f"{field.column} in [{', '.join(map(literal, sorted(truths)))}]" if truths else False
    numbers = [number(value) for value in values if not isinstance(value, str | bool)]
    known = [literal(one) for one in numbers if one is not None]
    return f"{field.column} in [{', '.join(known)}]" if known else False


def _list_test(field: Field, values: Sequence[str]) -> str:
    return f'({_listed(field, values)} or {field.column}{LOWER} == "")'


def _listed(field: Field, values: Sequence[str]) -> str:
    return f"json_contains_any({field.column}, [{', '.join(map(literal, values))}])"


def _beginning(column: str, value: str) -> str | bool:
    start = SPECIAL.split(value[:LONGEST], maxsplit=1)[0]
    return f"{column} like {literal(start + '%')}" if start else True


def _longest_part(value: str) -> str:
    """The longest part of a text without anything that a pattern may give a meaning to."""
    return max(SPECIAL.split(value[:LONGEST]), key=len)


def _has(field: Field) -> str:
    return f"json_contains({HAS}, {literal(field.column)})"
