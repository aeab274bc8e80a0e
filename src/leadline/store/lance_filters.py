"""From a filter tree to a Lance SQL predicate: the one place where values are escaped.

Every comparison is made two-valued (`x IS NOT NULL AND ...`), so that `not` means what `matches` means.
Field names never reach SQL: they are looked up, and columns have made-up names.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.errors import FilterError
from leadline.store.fields import Field, Kind
from leadline.store.filter_text import filter_text
from leadline.store.filter_tree import And, Compare, Filter, Not, Or, number

SEPARATOR = "\x1f"
"""Stands between the values of a list while it is searched as one text."""

DEPTH = 8
"""How deep `and` and `or` may alternate."""

ALWAYS = "true"
NEVER = "false"


def predicate(where: Filter, fields: Sequence[Field]) -> str:
    """The filter in SQL; `ALWAYS` or `NEVER` when no row has to be looked at."""
    return _Translation(fields).sql(where, wanted=True, depth=0)


@dataclass(frozen=True, slots=True)
class _Translation:
    """Pushes every `not` down to the comparisons, as Lance's parser takes twice as long per parenthesis."""

    fields: Sequence[Field]

    def sql(self, where: Filter, wanted: bool, depth: int) -> str:
        """Where the filter is true, or with `wanted` False where it is not."""
        match where:
            case Not(part):
                return self.sql(part, not wanted, depth)
            case And(parts):
                return self.joined(where, parts, "AND" if wanted else "OR", wanted, depth)
            case Or(parts):
                return self.joined(where, parts, "OR" if wanted else "AND", wanted, depth)
            case Compare(field, "!=", value):
                return self.sql(Compare(field, "==", value), not wanted, depth)
            case Compare():
                tests = [
                    test
                    for one in self.fields
                    if one.name == where.field and (test := _tested(one, where, wanted))
                ]
                return _joined("OR" if wanted else "AND", tests)

    def joined(self, where: Filter, parts: Sequence[Filter], word: str, wanted: bool, depth: int) -> str:
        if depth > DEPTH:
            raise FilterError(f"`and` and `or` alternate deeper than {DEPTH} levels:", filter_text(where), 0)
        return _joined(word, [self.sql(part, wanted, depth + 1) for part in parts])


def _tested(field: Field, compared: Compare, wanted: bool) -> str:
    """The comparison on one of its columns, "" where nothing in that column can pass."""
    value = compared.value
    if compared.operator == "in":
        test = _list_of(field.kind, field.column, value if isinstance(value, tuple) else (value,))
    else:
        test = "" if isinstance(value, tuple) else _test(field.kind, field.column, compared.operator, value)
    if not test:
        return ""
    column = field.column
    return f"({column} IS NOT NULL AND {test})" if wanted else f"({column} IS NULL OR NOT {test})"


def _joined(word: str, parts: Sequence[str]) -> str:
    neutral, decisive = (ALWAYS, NEVER) if word == "AND" else (NEVER, ALWAYS)
    if decisive in parts:
        return decisive
    telling = [part for part in parts if part != neutral]
    if not telling:
        return neutral
    return telling[0] if len(telling) == 1 else f"({f' {word} '.join(telling)})"


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
