"""One run of a flow while it goes on: whether it still goes on, what was counted, where its failures go."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from leadline.errors import BudgetSpent, Cancelled
from leadline.events import RowLost, RowsDone
from leadline.flow.base import DeadLetter, Row
from leadline.flow.ends import Failures
from leadline.flow.running.dead_letters import DeadLetters
from leadline.flow.running.engine import Engine
from leadline.flow.running.journal import Journal
from leadline.flow.running.report import Ending
from leadline.flow.running.segments import Segment
from leadline.run import RESERVE, Run

TURN = 256
"""Quick rows after which the loop gets a turn, so that Ctrl-C is noticed."""
TOLD = 0.1
"""Seconds between two tidings of progress."""


@dataclass(slots=True)
class Course:
    """`run` may be cancelled from outside; `total` is what rows spend from. The two are not parent and child: rows at work
    when a flow is stopped are finished as if it were not."""

    run: Run
    total: Run
    engine: Engine
    failures: Failures
    letters: DeadLetters
    journal: Journal | None = None
    retry_failed: bool = False
    taken: int = 0
    through: int = 0
    resumed: int = 0
    ending: Ending = "finished"
    detail: str = ""
    complete: bool = False
    tallies: dict[str, tuple[Segment, list[int]]] = field(
        default_factory=dict[str, tuple[Segment, list[int]]]
    )
    first: str = ""
    _told: float = 0.0

    def check(self, *, spending: bool = False) -> None:
        """Raise `Cancelled` when no further row is to be started, or (`spending`) none that may cost something."""
        if self.run.cancelled:
            self.stop("cancelled", "stopped")
        elif self.total.seconds_left() == 0:
            self.stop("budget", f"limits.total: {self.total.budget.seconds:g} seconds are over")
        elif spending:
            try:
                self.total.check("gather")
            except BudgetSpent as spent:
                self.spent(str(spent))
        if self.ending != "finished":
            raise Cancelled(self.detail)

    def stop(self, ending: Ending, detail: str) -> None:
        """Start no further row, for the first reason there is."""
        if self.ending == "finished":
            self.ending, self.detail = ending, detail

    def spent(self, what: str) -> None:
        """Stop for want of what the whole flow may spend."""
        share = "" if what.startswith("searches") else f" ({RESERVE:.0%} of each limit is kept to write with)"
        self.stop("budget", f"limits.total: {what}{share}")

    async def turn(self) -> None:
        """Let others have the loop, see whether to go on, tell how far it is."""
        await asyncio.sleep(0)
        self.check()
        self.tell()

    def tell(self, *, now: bool = False) -> None:
        """Tell of progress, not too often."""
        clock = time.monotonic()
        if now or clock - self._told >= TOLD:
            self._told = clock
            self.run.emit(
                RowsDone(self.through if self.first else self.taken, self.letters.failed, self.total.usd)
            )

    def tally(self, segment: Segment) -> list[int]:
        """The counts of a segment: rows that entered each step, and that left the last one."""
        return self.tallies.setdefault(segment.key, (segment, [0] * (len(segment.steps) + 1)))[1]

    def losing(self, where: str) -> Callable[[DeadLetter], None]:
        """Who is told of rows lost on the way from the source or into a sink, which is a failure whatever they call it,
        or in a step over all rows."""
        if where in ("source", "sink"):
            return lambda letter: self.lose(replace(letter, policy="fail"), where, None, None)
        return lambda letter: self.lose(letter, where, None, None)

    def lose(self, letter: DeadLetter, segment: str, ordinal: int | None, outer: Row | None) -> None:
        """Write down a dead letter, tell of it, and stop where there are too many."""
        self.letters.put(letter, segment, ordinal, outer)
        self.run.emit(RowLost(letter.step, letter.error, letter.policy, ordinal))
        if letter.policy != "fail":
            return
        most = self.failures.most
        if self.failures.policy == "stop":
            self.stop("failures", f"{letter.step}: {letter.error}")
        elif most is not None and self.letters.failed > most:
            self.stop("failures", f"{self.letters.failed} rows failed, and `on_error.most` is {most}")
