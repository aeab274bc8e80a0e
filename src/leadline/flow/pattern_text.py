"""From the text of a pattern to its tree. The usual notation, less what cannot be searched for in one pass.

    either = row ("|" row)*    row = repeated*    repeated = one [("*" | "+" | "?" | "{m}" | "{m,}" | "{m,n}") ["?"]]
    one = character | "." | "[" set "]" | "\\d" ... | "^" | "$" | "\\b" | "(" either ")" | "(?:" either ")"

`(?i)` before it all ignores case, `(?s)` lets `.` stand for a line's end too.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn

from leadline.errors import FlowError

LONGEST = 500
DEPTH = 30
MOST_TIMES = 500

Test = Callable[[str], bool]
Place = Literal["start", "end", "edge", "inside"]


@dataclass(frozen=True, slots=True)
class Character:
    """One character that passes `test`."""

    test: Test


@dataclass(frozen=True, slots=True)
class At:
    """A place between characters: the start, the end, the edge of a word, or none."""

    place: Place


@dataclass(frozen=True, slots=True)
class Row:
    """One part after the other."""

    parts: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class Either:
    """One of several."""

    parts: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part so many times; `most` None: any number."""

    part: "Part"
    least: int
    most: int | None


Part = Character | At | Row | Either | Repeat


def is_word(character: str) -> bool:
    """Whether it belongs to a word: a letter, a digit, or `_`."""
    return character.isalnum() or character == "_"


KINDS: Mapping[str, Test] = {"d": str.isdecimal, "w": is_word, "s": str.isspace}
CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
PLACES: Mapping[str, Place] = {"b": "edge", "B": "inside", "A": "start", "Z": "end"}
COUNTED = re.compile(r"\{(\d{1,4})?(,(\d{1,4})?)?\}")
CODED = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})")


def read_pattern(text: str) -> Part:
    """The tree of a pattern; `FlowError` says what cannot be read."""
    if len(text) > LONGEST:
        raise FlowError(f"a pattern may have {LONGEST} characters, this one has {len(text)}.")
    flags = re.match(r"\(\?([is]+)\)", text)
    return _Reader(text, flags.end() if flags else 0, flags[1] if flags else "").whole()


class _Reader:
    def __init__(self, text: str, at: int, flags: str) -> None:
        self.text = text
        self.at = at
        self.depth = 0
        self.blind = "i" in flags
        self.dot: Test = (lambda _: True) if "s" in flags else (lambda character: character != "\n")

    def fail(self, message: str) -> NoReturn:
        raise FlowError(f"the pattern cannot be read at its character {self.at + 1}: {message}.")

    def ahead(self, mark: str) -> bool:
        return self.text.startswith(mark, self.at)

    def taken(self, mark: str) -> bool:
        is_ahead = self.ahead(mark)
        self.at += len(mark) if is_ahead else 0
        return is_ahead

    def take(self) -> str:
        if self.at >= len(self.text):
            self.fail("it ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def whole(self) -> Part:
        part = self.either()
        if self.at < len(self.text):
            self.fail("this `)` closes nothing; a literal one is written `\\)`")
        return part

    def either(self) -> Part:
        self.depth += 1
        if self.depth > DEPTH:
            self.fail(f"groups nest deeper than {DEPTH} levels")
        parts = [self.row()]
        while self.taken("|"):
            parts.append(self.row())
        self.depth -= 1
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def row(self) -> Part:
        parts: list[Part] = []
        while self.at < len(self.text) and not self.ahead("|") and not self.ahead(")"):
            parts.append(self.repeated())
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def repeated(self) -> Part:
        part = self.one()
        counted = COUNTED.match(self.text, self.at)
        if counted and counted[0] not in {"{}", "{,}"}:
            self.at = counted.end()
            least = int(counted[1] or 0)
            most = least if counted[2] is None else int(counted[3]) if counted[3] else None
        elif self.ahead("*") or self.ahead("+") or self.ahead("?"):
            mark = self.take()
            least, most = int(mark == "+"), 1 if mark == "?" else None
        else:
            return part
        if max(least, most or 0) > MOST_TIMES or (most is not None and most < least):
            self.fail(f"a part is repeated at most {MOST_TIMES} times, the smaller number first")
        self.taken("?")
        if self.text[self.at : self.at + 1] in {"*", "+", "?"}:
            self.fail("two repetitions in a row")
        return Repeat(part, least, most)

    def one(self) -> Part:
        character = self.take()
        match character:
            case "(":
                return self.group()
            case "[":
                return Character(self.cased(self.set()))
            case ".":
                return Character(self.dot)
            case "^":
                return At("start")
            case "$":
                return At("end")
            case "\\":
                return self.escaped()
            case "*" | "+" | "?":
                self.at -= 1
                return self.fail(f"nothing is there to repeat; a literal one is written `\\{character}`")
            case _:
                return Character(self.cased(character.__eq__))

    def group(self) -> Part:
        if self.ahead("?") and not self.taken("?:"):
            self.fail("of groups with `(?` only `(?:` is known")
        part = self.either()
        if not self.taken(")"):
            self.fail("a `(` is not closed")
        return part

    def escaped(self) -> Part:
        place = PLACES.get(self.text[self.at : self.at + 1])
        if place:
            self.at += 1
            return At(place)
        return Character(self.cased(self.escape()[0]))

    def escape(self) -> tuple[Test, str]:
        """What is behind a backslash: a test, and the character if it is one."""
        coded = CODED.match(self.text, self.at)
        if coded:
            self.at = coded.end()
            character = chr(int(coded[1] or coded[2], 16))
            return character.__eq__, character
        letter = self.take()
        kind = KINDS.get(letter.lower())
        if kind:
            return (kind if letter.islower() else lambda character: not kind(character)), ""
        if letter in CONTROLS:
            return CONTROLS[letter].__eq__, CONTROLS[letter]
        if letter.isalnum():
            self.at -= 1
            self.fail(f"`\\{letter}` is not known")
        return letter.__eq__, letter

    def set(self) -> Test:
        opposite = self.taken("^")
        tests: list[Test] = []
        while not tests or not self.ahead("]"):
            test, first = self.member()
            if first and self.ahead("-") and not self.ahead("-]"):
                self.take()
                last = self.member()[1]
                if not last or last < first:
                    self.fail("a range goes from a smaller character to a larger one")
                test = _between(first, last)
            tests.append(test)
        self.take()
        return lambda character: any(test(character) for test in tests) is not opposite

    def member(self) -> tuple[Test, str]:
        character = self.take()
        return self.escape() if character == "\\" else (character.__eq__, character)

    def cased(self, test: Test) -> Test:
        if not self.blind:
            return test
        return lambda character: test(character.lower()) or test(character.upper())


def _between(first: str, last: str) -> Test:
    return lambda character: first <= character <= last
