"""The pieces of an expression's text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from leadline.errors import FlowError

NAME = r"[^\W\d]\w*(?:-\w+)*"
TOKEN = re.compile(
    rf"""\s*(?:
      (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<number>[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
    | (?P<operator>==|!=|<=|>=|<|>)
    | (?P<mark>[()\[\],])
    | \$(?P<shared>{NAME}|\({NAME}\))
    | (?P<field>(?:{NAME}|`[^`]+`)(?:\.(?:-?\d+|{NAME}|`[^`]+`))*)
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
PART = re.compile(r"`([^`]+)`|(-?\d+(?![\w-])|[\w-]+)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of the text: its `kind` (a group of `TOKEN`), what it says, and where it begins."""

    kind: str
    text: str
    position: int

    def says(self, word: str) -> bool:
        """Whether it is this word or mark of the language."""
        return self.kind in {"field", "mark", "operator"} and self.text == word


def tokens(text: str) -> Iterator[Token]:
    """All of them, and one of kind `end`."""
    position = 0
    while True:
        match = TOKEN.match(text, position)
        if match is None:
            position += len(text[position:]) - len(text[position:].lstrip())
            raise FlowError(pointed(_unreadable(text[position]), text, position))
        kind = str(match.lastgroup)
        yield Token(kind, match[kind], match.start(kind))
        if kind == "end":
            return
        position = match.end()


def _unreadable(character: str) -> str:
    if character in "\"'":
        return "this text has no closing quote"
    if character in "=&|":
        return f"`{character}` is no operator here (use `==`, `and`, `or`)"
    if character in "+-*/%":
        return f"`{character}` is no operator: nothing is computed here, but in a function by `call`"
    return f"cannot read {character!r}"


def pointed(message: str, text: str, position: int) -> str:
    """The message with the place in the text that it is about."""
    around = " ".join(text[max(position - 30, 0) : position + 30].split())
    return f"{message}, at character {position + 1}, near `{around}`."


def unquoted(text: str) -> str:
    """What a text in quotes says. A backslash before any other letter stays: it belongs to a pattern."""
    return re.sub(r"\\([ntr\\\"'])", lambda match: ESCAPES.get(match[1], match[1]), text[1:-1])
