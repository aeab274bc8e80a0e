"""What is wrong with a flow file, and where."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from leadline.errors import FlowError
from leadline.flow.files.yaml_lines import Node

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """With an error a flow cannot run or loses every row; a warning tells of what is surely not meant."""

    message: str
    file: str
    line: int
    key: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        key = f" {self.key}:" if self.key else ""
        return f"{self.file}:{self.line}:{key} {self.message}"


class Refused(FlowError):
    """A part of a flow file that cannot be used. `misshapen`: it is of another form (a list for a text)."""

    def __init__(self, problem: Problem, *, misshapen: bool = False) -> None:
        self.problem = problem
        self.misshapen = misshapen
        super().__init__(str(problem))


def refused(node: Node, key: str, message: str, *, misshapen: bool = False) -> Refused:
    """The error to raise about a part of a flow file."""
    return Refused(Problem(message, node.file, node.line, key), misshapen=misshapen)


@dataclass(slots=True)
class Problems:
    """All that was found, in the order it was found."""

    found: list[Problem] = field(default_factory=list[Problem])
    _known: set[Problem] = field(default_factory=set[Problem])

    def take(self, error: Refused) -> None:
        """One that was raised."""
        if error.problem not in self._known:
            self._known.add(error.problem)
            self.found.append(error.problem)

    def add(self, node: Node, key: str, message: str, severity: Severity = "error") -> None:
        """One more."""
        self.take(Refused(Problem(message, node.file, node.line, key, severity)))

    @property
    def errors(self) -> Sequence[Problem]:
        """Those that must be corrected."""
        return [problem for problem in self.found if problem.severity == "error"]

    @property
    def in_order(self) -> Sequence[Problem]:
        """All, as they stand in their files."""
        return sorted(self.found, key=lambda problem: (problem.file, problem.line))

    def raise_errors(self) -> None:
        """One `FlowError` for the first of them, saying how many more there are."""
        errors = self.errors
        if not errors:
            return
        more = len(errors) - 1
        rest = f" ({more} more: `leadline flow check` shows all.)" if more else ""
        raise FlowError(f"{errors[0]}{rest}")


def meant(name: str, known: Collection[str]) -> str:
    """Which name was probably meant, as a sentence with a space before it; "" where none is like it.

    >>> meant("filtr", ["filter", "flat"]), meant("zzz", ["filter", "flat"])
    (' Did you mean `filter`?', '')
    """
    close = get_close_matches(name[:60], known, n=1)
    return f" Did you mean `{close[0]}`?" if close else ""


def nearest(name: str, known: Collection[str]) -> str:
    """The same; where none is like it, all that are known, if there are any.

    >>> nearest("zzz", ["filter", "flat"]), nearest("zzz", [])
    (' Known: filter, flat.', '')
    """
    return meant(name, known) or (f" Known: {', '.join(known)}." if known else "")
