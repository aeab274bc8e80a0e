"""Searching for a pattern in one pass: the time is that of the text, whatever the pattern.

Patterns come with flow files and texts with documents, neither of which is to be trusted; the engine of `re` can be kept
busy for ever by a pattern of ten characters. Here all ways to match are followed at once, and what was worked out for a
set of ways and a character is remembered.
"""

from dataclasses import dataclass, field
from functools import lru_cache

from leadline.errors import FlowError
from leadline.flow.pattern_text import (
    At,
    Character,
    Either,
    Part,
    Place,
    Repeat,
    Row,
    Test,
    is_word,
    read_pattern,
)

MOST_STATES = 1_000
REMEMBERED = 20_000

START, WORD, OTHER = 0, 1, 2
"""What is beside a place between characters; START is the text's end as well."""


@dataclass(slots=True)
class _State:
    """One step of a way: pass a test, or be at a place, then go on at `then`; `is_end`: the pattern was found."""

    test: Test | None = None
    place: Place | None = None
    then: "list[_State]" = field(default_factory=list["_State"])
    is_end: bool = False


@dataclass(slots=True)
class _Ways:
    """All steps that could be next, after a character of kind `before`; `after` remembers where a character leads."""

    states: frozenset[int]
    before: int
    after: "dict[str, _Ways | None]" = field(default_factory=dict[str, "_Ways | None"])


class Pattern:
    """Made by `pattern`."""

    def __init__(self, tree: Part) -> None:
        self._states: list[_State] = []
        self._begin = self._built(tree, self._state(is_end=True))
        self._numbers = {id(state): number for number, state in enumerate(self._states)}
        self._forget()

    def search(self, text: str) -> bool:
        """Whether the pattern stands anywhere in the text."""
        ways = self._first
        for character in text:
            try:
                after = ways.after[character]
            except KeyError:
                after = self._after(ways, character)
            if after is None:
                return True
            ways = after
        return self._met(ways, START) is None

    def _forget(self) -> None:
        self._known: dict[tuple[frozenset[int], int], _Ways] = {}
        self._remembered = 0
        self._first = self._ways(frozenset(), START)

    def _ways(self, states: frozenset[int], before: int) -> _Ways:
        # A match may begin anywhere, so the beginning is always among them.
        key = states | {self._numbers[id(self._begin)]}, before
        return self._known.setdefault(key, _Ways(*key))

    def _after(self, ways: _Ways, character: str) -> _Ways | None:
        kind = WORD if is_word(character) else OTHER
        met = self._met(ways, kind)
        after = None
        if met is not None:
            passed = [state for state in met if state.test is not None and state.test(character)]
            numbers = frozenset(self._numbers[id(then)] for state in passed for then in state.then)
            after = self._ways(numbers, kind)
        if self._remembered >= REMEMBERED:
            # The first states again, so that a search under way goes on from what it holds.
            self._forget()
        self._remembered += 1
        ways.after[character] = after
        return after

    def _met(self, ways: _Ways, following: int) -> list[_State] | None:
        """Every step that tests a character and can be reached without one; None if the end is reached."""
        edge = (ways.before == WORD) is not (following == WORD)
        holds = {"start": ways.before == START, "end": following == START, "edge": edge, "inside": not edge}
        waiting = [self._states[number] for number in ways.states]
        seen = set(ways.states)
        met: list[_State] = []
        while waiting:
            state = waiting.pop()
            if state.is_end:
                return None
            if state.test is not None:
                met.append(state)
            elif state.place is None or holds[state.place]:
                new = [then for then in state.then if self._numbers[id(then)] not in seen]
                seen.update(self._numbers[id(then)] for then in new)
                waiting += new
        return met

    def _state(
        self, *then: _State, test: Test | None = None, place: Place | None = None, is_end: bool = False
    ) -> _State:
        if len(self._states) >= MOST_STATES:
            raise FlowError(f"the pattern is too large: its repetitions make more than {MOST_STATES} steps.")
        state = _State(test, place, list(then), is_end)
        self._states.append(state)
        return state

    def _built(self, part: Part, then: _State) -> _State:
        """The steps of a part, before `then`; where they begin."""
        match part:
            case Character(test):
                return self._state(then, test=test)
            case At(place):
                return self._state(then, place=place)
            case Either(parts):
                return self._state(*[self._built(each, then) for each in parts])
            case Row(parts):
                for each in reversed(parts):
                    then = self._built(each, then)
                return self._state(then)
            case Repeat(inner, least, most):
                return self._repeated(inner, least, most, then)

    def _repeated(self, part: Part, least: int, most: int | None, then: _State) -> _State:
        if most is None:
            again = self._state(then)
            again.then.append(self._built(part, again))
            then = again
        for _ in range((most or least) - least):
            then = self._state(then, self._built(part, then))
        for _ in range(least):
            then = self._built(part, then)
        return then


@lru_cache(maxsize=256)
def pattern(text: str) -> Pattern:
    """A pattern to search for; `FlowError` says what cannot be read of it.

    >>> pattern(r"^(a|a)*c|x{2}\\b").search("aaab, xx")
    True
    """
    return Pattern(read_pattern(text))
