"""What came of a run of a flow."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from leadline.types import Usage

Ending = Literal["finished", "cancelled", "budget", "failures"]


@dataclass(frozen=True, slots=True)
class StepCount:
    """Rows that entered a step, that came out of it, and that it failed on. Inside a row that an earlier run finished, as
    that run counted them."""

    label: str
    rows_in: int
    rows_out: int
    failed: int


@dataclass(frozen=True, slots=True)
class FlowReport:
    """`rows_in` came from the source, `rows_out` went into the sinks. `failed` rows became nothing, `skipped` were left
    out or kept as they were by a step's own policy; both are in the file `letters`. `resumed` outer rows were answered by
    an earlier run. `usage` is what this run spent.

    `ending` is `finished`, or what stopped it; then sinks hold what they held before, and `detail` says why.
    """

    name: str
    rows_in: int
    rows_out: int
    failed: int
    skipped: int
    resumed: int
    seconds: float
    usage: Usage
    steps: tuple[StepCount, ...]
    ending: Ending = "finished"
    detail: str = ""
    letters: Path | None = None

    @property
    def interrupted(self) -> bool:
        """Whether it can go on with `resume`."""
        return self.ending != "finished"

    @property
    def exit_code(self) -> int:
        """0: all well; 3: some rows failed; 130: stopped before its end."""
        if self.ending in ("cancelled", "budget"):
            return 130
        return 3 if self.failed else 0
