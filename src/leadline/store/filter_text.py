"""From the text of a filter to its tree.

    either  = all ("or" all)*            all = unary ("and" unary)*
    unary   = "not" unary | "(" either ")" | comparison
    comparison = field operator value | field ["not"] "in" "[" value ("," value)* "]"

A field is a word (dots and dashes inside) or anything between backquotes; a value is quoted text, a
number, true, false, or an ISO date, which is text.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn, cast

from leadline.errors import FilterError
from leadline.store.filter_tree import And, Compare, Filter, FilterValue, Not, Operator, Or, number

DEPTH = 100
"""How deep parentheses and `not` may nest; the parser calls itself for each."""

TOKEN = re.compile(
    r"""\s*(?:
      (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<date>\d{4}-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)?(?![\w-]))
    | (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
    | (?P<operator>==|!=|<=|>=|\^=|<|>|~)
    | (?P<mark>[()\[\],])
    | `(?P<field>[^`]+)`
    | (?P<word>[^\W\d]\w*(?:[.-]\w+)*)
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = frozenset({"and", "or", "not", "in", "true", "false"})
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of the text: its `kind` (a group of `TOKEN`), what it says, and where it begins."""

    kind: str
    text: str
    position: int

    def is_keyword(self, keyword: str) -> bool:
        return self.kind == "word" and self.text.lower() == keyword

    def is_mark(self, mark: str) -> bool:
        return self.kind == "mark" and self.text == mark


def parse_filter(text: str) -> Filter:
    """The tree of a filter; `FilterError` points at the character that cannot be read.

    >>> parse_filter('year >= 2023 and not source ~ "draft"')
    And(parts=(Compare(field='year', operator='>=', value=2023), Not(part=Compare(field='source', operator='~', value='draft'))))
    """
    return _Parser(text).whole()


def _tokens(text: str) -> Iterator[Token]:
    position = 0
    while True:
        found = TOKEN.match(text, position)
        if found is None:
            position += len(text[position:]) - len(text[position:].lstrip())
            raise FilterError(_unreadable(text[position]), text, position)
        kind = str(found.lastgroup)
        yield Token(kind, found[kind], found.start(kind) - (kind == "field"))
        if kind == "end":
            return
        position = found.end()


def _unreadable(character: str) -> str:
    if character in "\"'":
        return "This text has no closing quote:"
    if character in "=&|":
        return f"`{character}` is no operator here (use `==`, `and`, `or`):"
    return f"Cannot read `{character}` here:"


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        raise FilterError(message, self.text, (token or self.next).position)

    def whole(self) -> Filter:
        if self.next.kind == "end":
            self.fail("The filter is empty; write for example `year >= 2023`:")
        tree = self.either()
        if self.next.kind != "end":
            self.fail("Expected `and`, `or` or the end of the filter:")
        return tree

    def either(self) -> Filter:
        parts = [self.all()]
        while self.next.is_keyword("or"):
            self.take()
            parts.append(self.all())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def all(self) -> Filter:
        parts = [self.unary()]
        while self.next.is_keyword("and"):
            self.take()
            parts.append(self.unary())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def unary(self) -> Filter:
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(f"The filter nests deeper than {DEPTH} levels:")
        if self.next.is_keyword("not"):
            self.take()
            tree: Filter = Not(self.unary())
        elif self.next.is_mark("("):
            opening = self.take()
            tree = self.either()
            if not self.next.is_mark(")"):
                self.fail("This `(` is not closed:", opening if self.next.kind == "end" else None)
            self.take()
        else:
            tree = self.comparison()
        self.depth -= 1
        return tree

    def comparison(self) -> Filter:
        field = self.take()
        if field.kind not in {"word", "field"} or (field.kind == "word" and field.text.lower() in KEYWORDS):
            self.fail("Expected the name of a field:", field)
        if self.next.is_keyword("not") and self.tokens[self.at + 1].is_keyword("in"):
            self.take()
            return Not(self.listed(field.text))
        if self.next.is_keyword("in"):
            return self.listed(field.text)
        if self.next.kind != "operator":
            self.fail("Expected one of == != < <= > >= ~ ^= in:")
        operator = cast(Operator, self.take().text)
        token, value = self.next, self.value()
        if operator in {"~", "^="} and not isinstance(value, str):
            self.fail(f"`{operator}` needs text in quotes:", token)
        return Compare(field.text, operator, value)

    def listed(self, field: str) -> Filter:
        self.take()
        if not self.next.is_mark("["):
            self.fail('`in` needs a list, for example ["zh", "ar"]:')
        self.take()
        values: list[str | int | float | bool] = []
        while not self.next.is_mark("]"):
            if values:
                if not self.next.is_mark(","):
                    self.fail("Expected `,` or `]`:")
                self.take()
            values.append(self.value())
        self.take()
        return Compare(field, "in", tuple(values))

    def value(self) -> str | int | float | bool:
        token = self.take()
        if token.is_keyword("true") or token.is_keyword("false"):
            return token.text.lower() == "true"
        if token.kind == "text":
            return re.sub(
                r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), token.text[1:-1], flags=re.S
            )
        if token.kind == "date":
            return token.text
        if token.kind == "number":
            return self.numeral(token)
        if token.kind == "word":
            self.fail(f'Put text in quotes: "{token.text}"', token)
        return self.fail("Expected a value: text in quotes, a number, a date, true or false:", token)

    def numeral(self, token: Token) -> int | float:
        whole = re.fullmatch(r"[+-]?\d{1,300}", token.text)
        read = int(token.text) if whole else float(token.text)
        if number(read) is None:
            self.fail("This number is too large:", token)
        return read


def filter_text(where: Filter) -> str:
    """A filter as text that `parse_filter` reads back.

    >>> filter_text(And((Compare("lang", "in", ("zh", "ar")), Not(Compare("year", "<", 2023)))))
    '(lang in ["zh", "ar"] and not year < 2023)'
    """
    match where:
        case And(parts):
            return f"({' and '.join(filter_text(part) for part in parts)})"
        case Or(parts):
            return f"({' or '.join(filter_text(part) for part in parts)})"
        case Not(part):
            return f"not {filter_text(part)}"
        case Compare(field, operator, value):
            return f"{_field_text(field)} {operator} {_value_text(value)}"


def _field_text(field: str) -> str:
    plain = TOKEN.fullmatch(field)
    is_word = plain is not None and plain.lastgroup == "word" and field == plain["word"]
    return field if is_word and field.lower() not in KEYWORDS else f"`{field}`"


def _value_text(value: FilterValue) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_value_text(one) for one in value)}]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return json.dumps(value)
