"""From a filter tree to a Lance SQL predicate: the one place where values are escaped.

Every comparison is made two-valued (`x IS NOT NULL AND ...`), so that `not` means what `matches` means.
Field names never reach SQL: they are looked up, and columns have made-up names.
"""

from collections.abc import Sequence
from typing import Literal

from leadline.store.fields import Field, Kind
from leadline.store.filter_tree import Compare, Filter, number
from leadline.store.filter_walk import Walk

SEPARATOR = "\x1f"
"""Stands between the values of a list while it is searched as one text."""

ALWAYS = "true"
NEVER = "false"


def predicate(where: Filter, fields: Sequence[Field]) -> str:
    """The filter in SQL; `ALWAYS` or `NEVER` when no row has to be looked at."""
    found = _Translation(fields).translated(where)
    if isinstance(found, bool):
        return ALWAYS if found else NEVER
    return found


class _Translation(Walk[str]):
    """Lance's parser takes twice as long per parenthesis, so no `NOT` stands around more than one comparison."""

    def test(self, field: Field, compared: Compare) -> str | bool:
        test = _condition(field, compared)
        return f"({field.column} IS NOT NULL AND {test})" if test else False

    def failed(self, field: Field, compared: Compare) -> str | bool:
        test = _condition(field, compared)
        return f"({field.column} IS NULL OR NOT {test})" if test else True

    def joined(self, how: Literal["all", "any"], parts: Sequence[str]) -> str:
        return f"({(' AND ' if how == 'all' else ' OR ').join(parts)})"


def _condition(field: Field, compared: Compare) -> str:
    """The comparison on a column that is not null, "" where nothing in it can pass."""
    value = compared.value
    if compared.operator == "in":
        return _list_of(field.kind, field.column, value if isinstance(value, tuple) else (value,))
    return "" if isinstance(value, tuple) else _test(field.kind, field.column, compared.operator, value)


def _test(kind: Kind, column: str, operator: str, value: str | int | float | bool) -> str:
    """The comparison on one column that is not null, or "" when nothing in it can pass."""
    if isinstance(value, str):
        if kind == "texts":
            return _list_test(column, operator, value)
        return _text_test(column, operator, value) if kind == "text" else ""
    if isinstance(value, bool):
        return f"{column} = {str(value).lower()}" if kind == "truth" and operator == "==" else ""
    plain = number(value)
    if kind != "number" or plain is None or operator in {"~", "^="}:
        return ""
    return f"{column} {_symbol(operator)} {_numeral(plain)}"


def _text_test(column: str, operator: str, value: str) -> str:
    if operator == "~":
        return f"contains(lower({column}), {quoted(value.lower())})"
    if operator == "^=":
        return f"starts_with({column}, {quoted(value)})"
    return f"{column} {_symbol(operator)} {quoted(value)}"


def _list_test(column: str, operator: str, value: str) -> str:
    if operator == "==":
        return f"array_has({column}, {quoted(value)})"
    if operator in {"<", "<="}:
        return f"array_min({column}) {operator} {quoted(value)}"
    if operator in {">", ">="}:
        return f"array_max({column}) {operator} {quoted(value)}"
    if SEPARATOR in value:
        return ""
    joined = f"array_to_string({column}, {quoted(SEPARATOR)})"
    if operator == "~":
        return f"contains(lower({joined}), {quoted(value.lower())})"
    return f"contains(concat({quoted(SEPARATOR)}, {joined}), {quoted(SEPARATOR + value)})"


def _symbol(operator: str) -> str:
    return "=" if operator == "==" else operator


def _list_of(kind: Kind, column: str, values: Sequence[str | int | float | bool]) -> str:
    """The test for equality with any of `values`; a chain of ORs would nest as deep as the list is long."""
    literals = [literal for value in values if (literal := _literal(kind, value))]
    if not literals:
        return ""
    if kind == "texts":
        return f"array_has_any({column}, make_array({', '.join(literals)}))"
    return f"{column} IN ({', '.join(literals)})"


def _literal(kind: Kind, value: str | int | float | bool) -> str:
    if isinstance(value, str):
        return quoted(value) if kind in {"text", "texts"} else ""
    if isinstance(value, bool):
        return str(value).lower() if kind == "truth" else ""
    plain = number(value)
    return _numeral(plain) if kind == "number" and plain is not None else ""


def _numeral(value: float) -> str:
    return f"CAST({value!r} AS DOUBLE)"


def quoted(text: str) -> str:
    """A text as an SQL literal. Lance's dialect knows no backslash escapes, so a quote is all that counts."""
    return "'" + text.replace("'", "''") + "'"
