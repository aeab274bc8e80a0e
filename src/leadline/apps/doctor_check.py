"""One thing that `leadline doctor` looked at."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "fail"]


@dataclass(frozen=True, slots=True)
class Check:
    """A `note` works but is worth knowing; `remedy` says what to do."""

    name: str
    state: State
    found: str
    remedy: str = ""
