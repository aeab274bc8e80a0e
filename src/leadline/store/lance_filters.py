"""From a filter tree to a Lance SQL predicate: the one place where values are escaped.

Every comparison is made two-valued (`x IS NOT NULL AND ...`), so that `not` means what `matches` means.
Field names never reach SQL: they are looked up, and columns have made-up names.
"""

from collections.abc import Sequence

from leadline.store.fields import Field, Kind
from leadline.store.filter_tree import And, Compare, Filter, Not, Or, number

SEPARATOR = "\x1f"
"""Stands between the values of a list while it is searched as one text."""

ALWAYS = "true"
NEVER = "false"


def predicate(where: Filter, fields: Sequence[Field]) -> str:
    """The filter in SQL; `ALWAYS` or `NEVER` when no row has to be looked at."""
    match where:
        case And(parts):
            return _joined("AND", [predicate(part, fields) for part in parts], ALWAYS, NEVER)
        case Or(parts):
            return _joined("OR", [predicate(part, fields) for part in parts], NEVER, ALWAYS)
        case Not(part):
            return _negated(predicate(part, fields))
        case Compare(field, "!=", value):
            return _negated(predicate(Compare(field, "==", value), fields))
        case Compare(field, "in", value):
            values = value if isinstance(value, tuple) else (value,)
            tests = [
                f"({one.column} IS NOT NULL AND {test})"
                for one in fields
                if one.name == field and (test := _list_of(one.kind, one.column, values))
            ]
            return _joined("OR", tests, NEVER, ALWAYS)
        case Compare(field, operator, value):
            if isinstance(value, tuple):
                return NEVER
            tests = [
                f"({one.column} IS NOT NULL AND {test})"
                for one in fields
                if one.name == field and (test := _test(one.kind, one.column, operator, value))
            ]
            return _joined("OR", tests, NEVER, ALWAYS)


def _joined(word: str, parts: Sequence[str], neutral: str, decisive: str) -> str:
    if decisive in parts:
        return decisive
    telling = [part for part in parts if part != neutral]
    if not telling:
        return neutral
    return telling[0] if len(telling) == 1 else f"({f' {word} '.join(telling)})"


def _negated(part: str) -> str:
    return {ALWAYS: NEVER, NEVER: ALWAYS}.get(part, f"(NOT {part})")


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
