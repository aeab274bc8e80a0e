"""From the text of an expression to a function of a row.

    either  = all ("or" all)*            all = negated ("and" negated)*       negated = "not" negated | compared
    compared = operand [("==" | "!=" | "<" | "<=" | ">" | ">=" | ["not"] "in") operand | "matches" text]
    operand = text | number | true | false | null | "[" operands "]" | "(" either ")" | $name | field
            | ("len" | "lower" | "exists") "(" either ")"

A field is a name with further names or list positions behind dots; a name that is no plain word, or a word of the
language, stands in backquotes. Nothing else can be said, so nothing else can be done: no attribute is ever read, no
function called but these three.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from leadline.errors import FlowError
from leadline.flow.base import FieldKind, Row
from leadline.flow.expressions.comparing import (
    Evaluate,
    against,
    compared,
    contains,
    first,
    found,
    length,
    lowered,
    there,
)
from leadline.flow.expressions.patterns import pattern
from leadline.flow.expressions.tokens import PART, Token, pointed, tokens, unquoted

LONGEST = 4_000
DEPTH = 50
"""How deep parentheses, `not` and lists may nest; the parser calls itself for each."""

WORDS = frozenset("and or not in matches true false null".split())
CONSTANTS: Mapping[str, object] = {"true": True, "false": False, "null": None}
KINDS: Mapping[type, FieldKind] = {str: "text", int: "number", float: "number"}
FUNCTIONS = frozenset({"len", "lower", "exists"})


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the text means; the fields it speaks of, those whose value it needs, the shared names, and of what kind the
    values are that fields are compared with."""

    evaluate: Evaluate
    fields: tuple[tuple[str, ...], ...]
    needed: tuple[str, ...]
    shared: tuple[str, ...]
    comparisons: tuple[tuple[str, FieldKind], ...]


def parsed(text: str, shared: Mapping[str, Any]) -> Parsed:
    """Read an expression; `FlowError` says what cannot be read and where."""
    if len(text) > LONGEST:
        raise FlowError(f"an expression may have {LONGEST} characters, this one has {len(text)}.")
    parser = _Parser(text, shared)
    evaluate = parser.whole()
    fields = tuple(dict.fromkeys(parser.fields))
    needed, named = (tuple(dict.fromkeys(each)) for each in (parser.needed, parser.named))
    return Parsed(evaluate, fields, needed, named, tuple(dict.fromkeys(parser.comparisons)))


class _Parser:
    def __init__(self, text: str, shared: Mapping[str, Any]) -> None:
        self.text = text
        self.shared = shared
        self.tokens = list(tokens(text))
        self.at = 0
        self.depth = 0
        self.fields: list[tuple[str, ...]] = []
        self.needed: list[str] = []
        self.known: dict[int, Any] = {}
        """The values of parts that are the same for every row, by the identity of the part."""
        self.kept: list[Evaluate] = []
        self.named: list[str] = []
        self.bare: dict[int, str] = {}
        """The field that a part is the value of, by the identity of the part."""
        self.comparisons: list[tuple[str, FieldKind]] = []

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def taken(self, *words: str) -> bool:
        """Whether the next tokens were these, and are behind us now."""
        ahead = self.tokens[self.at : self.at + len(words)]
        if len(ahead) != len(words) or not all(map(Token.says, ahead, words)):
            return False
        self.at += len(words)
        return True

    def fail(self, message: str, token: Token | None = None) -> NoReturn:
        raise FlowError(pointed(message, self.text, (token or self.next).position))

    def whole(self) -> Evaluate:
        if self.next.kind == "end":
            self.fail("the expression is empty: write a field, or for example `score > 0.5`")
        evaluate = self.either()
        if self.next.kind != "end":
            self.fail("expected `and`, `or` or the end")
        return evaluate

    def either(self) -> Evaluate:
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(f"the expression nests deeper than {DEPTH} levels")
        parts = [self.all()]
        while self.taken("or"):
            parts.append(self.all())
        self.depth -= 1
        return parts[0] if len(parts) == 1 else first(parts, wanted=True)

    def all(self) -> Evaluate:
        parts = [self.negated()]
        while self.taken("and"):
            parts.append(self.negated())
        return parts[0] if len(parts) == 1 else first(parts, wanted=False)

    def negated(self) -> Evaluate:
        turns = 0
        while self.taken("not"):
            turns += 1
        part = self.compared()
        if not turns:
            return part
        odd = bool(turns % 2)
        return lambda row: bool(part(row)) is not odd

    def compared(self) -> Evaluate:
        left = self.operand()
        if self.next.kind == "operator":
            sign = self.take().text
            right = self.operand()
            self.note(left, right)
            self.note(right, left)
            known = self.known.get(id(right))
            result = compared(sign, left, right) if known is None else against(sign, left, known)
        elif self.taken("not", "in"):
            held = self.contained(left)
            result: Evaluate = lambda row: not held(row)  # noqa: E731 - one of several
        elif self.taken("in"):
            result = self.contained(left)
        elif self.taken("matches"):
            result = self.matched(left)
        else:
            return left
        if self.next.kind == "operator" or self.next.text in {"in", "matches"}:
            self.fail("comparisons cannot be chained: put `and` between them")
        return result

    def note(self, part: Evaluate, other: Evaluate) -> None:
        """Remember of what kind the value is that a field is compared with."""
        name, value = self.bare.get(id(part)), self.known.get(id(other))
        if name is not None and type(value) in KINDS:
            self.comparisons.append((name, KINDS[type(value)]))

    def contained(self, left: Evaluate) -> Evaluate:
        right = self.operand()
        return lambda row: contains(right(row), left(row))

    def matched(self, left: Evaluate) -> Evaluate:
        token = self.take()
        written = unquoted(token.text) if token.kind == "text" else None
        if token.kind == "shared":
            written = self.constant(token)
        if not isinstance(written, str):
            self.fail("`matches` needs a pattern in quotes", token)
        try:
            search = pattern(written).search
        except FlowError as error:
            raise FlowError(pointed(str(error).rstrip("."), self.text, token.position)) from None

        def evaluate(row: Row) -> bool:
            value = left(row)
            return isinstance(value, str) and search(value)

        return evaluate

    def operand(self) -> Evaluate:
        token = self.take()
        if token.kind == "field":
            return self.word(token)
        if token.kind in {"text", "number", "shared"}:
            value = self.constant(token)
            evaluate: Evaluate = lambda row: value  # noqa: E731 - it is known by its identity
            if value is not None:
                self.known[id(evaluate)] = value
            self.kept.append(evaluate)
            return evaluate
        if token.says("("):
            inner = self.either()
            self.close(")", token)
            return inner
        if token.says("["):
            return self.listed(token)
        return self.fail("expected a field, a value or `(`", token)

    def word(self, token: Token) -> Evaluate:
        if token.text in FUNCTIONS and self.next.says("("):
            return self.called(token)
        if token.text not in WORDS and self.next.says("(") and "." not in token.text:
            known = ", ".join(sorted(FUNCTIONS))
            self.fail(f"there is no function `{token.text}` (there are {known})", token)
        if token.text in CONSTANTS:
            value = CONSTANTS[token.text]
            return lambda row: value
        if token.text in WORDS:
            self.fail(
                f"`{token.text}` is a word of the language; a field of that name goes in backquotes", token
            )
        path = self.path(token)
        self.needed.append(path[0])
        value = found(path)
        if len(path) == 1:
            self.bare[id(value)] = path[0]
            self.kept.append(value)
        return value

    def path(self, token: Token) -> Sequence[str]:
        parts = [quoted or plain for quoted, plain in PART.findall(token.text)]
        if any(part.startswith("__") for part in parts):
            self.fail("names that begin with `__` cannot be read", token)
        self.fields.append(tuple(parts))
        return parts

    def called(self, token: Token) -> Evaluate:
        opening = self.take()
        if token.text == "exists":
            field = self.take()
            if field.kind != "field" or field.text in WORDS:
                self.fail("`exists` needs a field", field)
            result: Evaluate = there(self.path(field))
        else:
            inner = self.either()
            function = length if token.text == "len" else lowered
            result = lambda row: function(inner(row))  # noqa: E731
        self.close(")", opening)
        return result

    def listed(self, opening: Token) -> Evaluate:
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(f"the expression nests deeper than {DEPTH} levels", opening)
        parts: list[Evaluate] = []
        while not self.taken("]"):
            if parts and not self.taken(","):
                self.fail("expected `,` or `]`")
            parts.append(self.operand())
        self.depth -= 1
        return lambda row: [part(row) for part in parts]

    def close(self, mark: str, opening: Token) -> None:
        if not self.taken(mark):
            self.fail(f"this `{opening.text}` is not closed", opening if self.next.kind == "end" else None)

    def constant(self, token: Token) -> Any:
        if token.kind == "text":
            return unquoted(token.text)
        if token.kind == "number":
            return self.numeral(token)
        name = token.text.strip("()")
        if name not in self.shared:
            self.fail(f"there is no argument or constant `{name}`", token)
        self.named.append(name)
        return self.shared[name]

    def numeral(self, token: Token) -> int | float:
        if re.fullmatch(r"[+-]?\d{1,300}", token.text):
            return int(token.text)
        read = float(token.text)
        if not math.isfinite(read):
            self.fail("this number is too large", token)
        return read
