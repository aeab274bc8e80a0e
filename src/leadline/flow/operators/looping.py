"""While: a body over and over, until its rows are done. For each row that comes in by itself, and none is ever lost.

frontier = [row] -> those that do not meet the condition leave -> body, once, over all others -> frontier ...
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from leadline.errors import BudgetSpent, Cancelled, FlowError, RowFailed
from leadline.flow.base import FieldKind, Operator, Row, Rows, Scope, Shape
from leadline.flow.digests import digest
from leadline.flow.expressions.conditions import Condition, condition, reads
from leadline.flow.operators.calling import decider
from leadline.flow.operators.shapes import either, having
from leadline.flow.operators.streams import by_itself, through

Exit = Literal["condition", "max_rounds", "empty", "stalled", "budget", "deadline", "cancelled"]


@dataclass(frozen=True, slots=True)
class While(Operator):
    """Repeats its body on a row as long as the row meets a condition.

    Every row that comes in has a loop of its own, which sees nothing of other rows. Before each round the rows that no
    longer meet `condition` leave the loop, in their order, while the others go on. The body runs once per round over all
    that are left, so that what it groups or collects are the rows of this round. What it gives out are the rows of the
    next round.

    A row that comes out has in the field `report` how many `rounds` the body has finished and why it left (`exit`):
    `condition`: it no longer meets it; `max_rounds`: it met it to the last; `empty`: the body gave nothing, and this is
    the row as it was before; `stalled`: the rows were the same as before an earlier round, so they would be for ever;
    `budget`, `deadline`, `cancelled`: the run may not go on, and this is the row as it was before the round.

    condition: a field (which goes on as long as it is not empty), an expression, or in Python a function of the row.
    body: the steps of a round.
    max_rounds: no more rounds than this; 0 passes rows through.
    on_empty: what becomes of the rows of a round in which the body gives nothing: `keep`, `drop`, or `error`.
    report: the field that is told how the loop ended; "" for none. A row that has a value of another kind there fails.
    max_rows: a round of more rows than this is an error.

    Example:
        while:
          condition: len(gap_queries) > 0
          max_rounds: 3
          body:
            - set: {fields: {gap_queries: {value: []}}}
    """

    body: Operator
    condition: Condition | str
    max_rounds: int = 10
    on_empty: Literal["keep", "drop", "error"] = "keep"
    report: str = "loop"
    max_rows: int = 100_000

    def __post_init__(self) -> None:
        if self.max_rounds < 0:
            raise FlowError(f"while: `max_rounds` is {self.max_rounds}; no loop is without an end")

    def parts(self) -> Iterator[Operator]:
        return iter((self.body,))

    def reads(self) -> Mapping[str, FieldKind]:
        return reads(condition(self.condition))

    def after(self, before: Shape) -> Shape:
        once = either(before, self.body.after(before))
        shape = either(once, self.body.after(once))
        return having(shape, {self.report: "mapping"}) if self.report else shape

    def inside(self, before: Shape) -> Shape:
        return either(before, self.body.after(before))

    def __call__(self, rows: Rows, scope: Scope) -> Rows:
        decide = decider(self.condition, self.label or "while", scope)

        async def looped(row: Row) -> list[Row]:
            loop = _Loop(self, decide, row)
            await loop.run(scope)
            return loop.done

        return by_itself(rows, looped, scope, self.costly)


class _Loop:
    """The loop of one row that came in: those still in it, those that have left it."""

    def __init__(self, of: While, decide: Callable[[Row], Any], row: Row) -> None:
        self.of, self.decide = of, decide
        self.frontier = [row]
        self.done: list[Row] = []
        self.rounds = 0
        self.seen: set[str] = set()

    async def run(self, scope: Scope) -> None:
        """Round after round, until nobody is left."""
        while self._goes_on(scope):
            try:
                made = await through(self.of.body, self.frontier, replace(scope, round=self.rounds + 1))
            except (BudgetSpent, Cancelled) as ended:
                self._leave_all(_reason(ended))
                return
            self.rounds += 1
            if not made:
                self._nothing_made()
                return
            if len(made) > self.of.max_rows:
                raise self._failed(f"a round made more than {self.of.max_rows:,} rows (`max_rows`)")
            self.frontier = made

    def _goes_on(self, scope: Scope) -> bool:
        """Let those leave that are done; whether there is a round for the others."""
        staying: list[Row] = []
        for row in self.frontier:
            self._check_report(row)
            if self.decide(row):
                staying.append(row)
            else:
                self._leave(row, "condition")
        self.frontier = staying
        if not staying:
            return False
        exit_ = self._barred(scope)
        if exit_ is not None:
            self._leave_all(exit_)
        return exit_ is None

    def _check_report(self, row: Row) -> None:
        name = self.of.report
        if name in row and not _is_report(row[name]):
            reason = (
                f'`{name}` is a field of the row. Set `report` to a name that is free, or to "" for no report'
            )
            raise RowFailed(self.of.label or "while", reason, row)

    def _barred(self, scope: Scope) -> Exit | None:
        if self.rounds >= self.of.max_rounds:
            return "max_rounds"
        try:
            scope.run.check("gather")
        except (BudgetSpent, Cancelled) as ended:
            return _reason(ended)
        contents = self._contents()
        if contents in self.seen:
            return "stalled"
        self.seen.add(contents)
        return None

    def _contents(self) -> str:
        report = self.of.report
        rows = [{name: row[name] for name in row if name != report} for row in self.frontier]
        try:
            return digest(*rows)
        except TypeError as error:
            raise self._failed(str(error)) from error

    def _nothing_made(self) -> None:
        if self.of.on_empty == "error":
            raise self._failed("the body gave no row, and `on_empty` is `error`")
        if self.of.on_empty == "keep":
            self._leave_all("empty")

    def _leave_all(self, exit_: Exit) -> None:
        for row in self.frontier:
            self._leave(row, exit_)

    def _leave(self, row: Row, exit_: Exit) -> None:
        report = {self.of.report: {"rounds": self.rounds, "exit": exit_}} if self.of.report else {}
        self.done.append({**row, **report})

    def _failed(self, reason: str) -> RowFailed:
        return RowFailed(self.of.label or "while", reason, self.frontier[0])


def _is_report(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and value.keys() == {"rounds", "exit"})


def _reason(ended: BudgetSpent | Cancelled) -> Exit:
    if isinstance(ended, Cancelled):
        return "cancelled"
    return "deadline" if ended.limit == "deadline" else "budget"
