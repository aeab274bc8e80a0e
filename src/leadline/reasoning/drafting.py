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
    gap: str = ""
    shown: int = 0

    def __call__(self, piece: str) -> None:
        self.waiting += piece
        while self.shown < _SHOWN and (self._words() if self.inside else self._opened()):
            pass

    def _opened(self) -> bool:
        """Whether the words of a claim begin in what has come so far."""
        opens = _OPENS.search(self.waiting)
        if opens is None:
            self.waiting = self.waiting[-_LONGEST_KEY:]
            return False
        self.waiting = self.waiting[opens.end() :]
        self.inside = True
        return True

    def _words(self) -> bool:
        """Show words up to the end of their string, or of what has come; whether the string has ended.

        Half an escape waits for its other half.
        """
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
        if text := "".join(said):
            self.shown += len(text)
            self.show(self.gap + text)
            self.gap = ""
        if ended:
            self.inside = False
            self.gap = " " if self.shown else ""
        return ended


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
