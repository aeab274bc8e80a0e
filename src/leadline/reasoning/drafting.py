"""Shows an answer while it is written: of JSON that is still coming, the texts of its claims."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_OPENS = re.compile(r'"(?:text|claim)"\s*:\s*"')
_ESCAPES = {"n": "\n", "t": " ", "r": "", "b": "", "f": ""}
_LONGEST_KEY = 40
_SHOWN = 40_000
"""Characters shown of one answer: a reply that never ends is not shown for ever."""


@dataclass(slots=True)
class Drafting:
    """Gets a reply piece by piece, and gives `show` the words of its claims. Nothing of a reply without any."""

    show: Callable[[str], None]
    waiting: str = ""
    inside: bool = False
    first: bool = True
    shown: int = 0

    def __call__(self, piece: str) -> None:
        self.waiting += piece
        while self.shown < _SHOWN and self._step():
            pass

    def _step(self) -> bool:
        """Whether there is more to do with what has come so far."""
        if self.inside:
            return self._text()
        opens = _OPENS.search(self.waiting)
        if opens is None:
            self.waiting = self.waiting[-_LONGEST_KEY:]
            return False
        self.waiting = self.waiting[opens.end() :]
        self.inside = True
        return True

    def _text(self) -> bool:
        """Words up to the end of the string, or of what has come; half an escape waits for its other half."""
        said: list[str] = []
        at = 0
        while at < len(self.waiting) and self.waiting[at] != '"':
            length, character = _character(self.waiting, at)
            if not length:
                break
            said.append(character)
            at += length
        ended = at < len(self.waiting) and self.waiting[at] == '"'
        self.waiting = self.waiting[at + ended :]
        text = "".join(said)
        if text:
            self.shown += len(text)
            self.show(text if self.first or self.inside_started else f" {text}")
        self.inside_started = True
        if ended:
            self.inside = self.inside_started = self.first = False
        return ended

    inside_started: bool = False


def _character(text: str, at: int) -> tuple[int, str]:
    """How long the character at `at` is written, and what it is; length 0 when its end has not come."""
    if text[at] != "\\":
        return 1, text[at]
    if at + 1 >= len(text):
        return 0, ""
    sign = text[at + 1]
    if sign != "u":
        return 2, _ESCAPES.get(sign, sign)
    digits = text[at + 2 : at + 6]
    if len(digits) < 4:
        return 0, ""
    try:
        code = int(digits, 16)
    except ValueError:
        return 2, ""
    # Half of a pair says nothing by itself; the checked answer has the whole.
    return 6, "" if 0xD800 <= code <= 0xDFFF else chr(code)
