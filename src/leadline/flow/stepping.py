"""Steps that look at one row at a time, and what becomes of a row that one fails on.

row -> apply -> rows; on an error: again, then fail | skip | keep
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from leadline.errors import BudgetSpent, Cancelled, RowFailed
from leadline.flow.base import DeadLetter, OnError, Operator, Retry, Row, Rows, Scope

LONGEST_ERROR = 500

Made = Iterable[Row] | Awaitable[Iterable[Row]]
Work = Callable[[Row], Made]
TAKEN = (list, tuple)
"""What holds its rows already."""
PASSED_ON = (RowFailed, BudgetSpent, Cancelled)
"""What no step's own policy is about."""
RAISED = (Exception, SystemExit)
"""What other people's functions raise. One that ends its own program does not end ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Operator):
    """The base of operators that make rows of one row. `apply` may be a coroutine function."""

    retry: Retry = Retry()
    on_error: OnError = "fail"

    def apply(self, row: Row, scope: Scope) -> Made:
        """The rows that become of `row`."""
        raise NotImplementedError

    def ready(self, scope: Scope) -> Work:
        """`apply` for one scope. Built-in steps work out here, once, what does not depend on the row."""
        apply = self.apply
        return lambda row: apply(row, scope)

    async def __call__(self, rows: Rows, scope: Scope) -> Rows:
        work = self.ready(scope)
        async for row in rows:
            try:
                made = work(row)
                if isinstance(made, TAKEN):
                    outputs: Iterable[Row] = made
                else:
                    # Taken whole before anything is passed on: a row that fails halfway leaves nothing.
                    outputs = list(await made if isinstance(made, Awaitable) else made)
            except PASSED_ON:
                raise
            except RAISED as error:
                outputs = await self.again(partial(work, row), (row,), scope, error)
            for output in outputs:
                yield output

    async def again(
        self, work: Callable[[], Made], rows: Sequence[Row], scope: Scope, error: BaseException
    ) -> Iterable[Row]:
        """What becomes of rows that `work` has failed on, all of them together."""
        for attempt in range(self.retry.times):
            await asyncio.sleep(self.retry.wait * 2**attempt)
            try:
                made = work()
                return list(await made if isinstance(made, Awaitable) else made)
            except PASSED_ON:
                raise
            except RAISED as latest:
                error = latest
        step = self.label or type(self).__name__
        if self.on_error == "fail":
            raise RowFailed(step, said(error), rows[0]) from error
        for row in rows:
            scope.lose(DeadLetter(step, said(error), row, self.on_error))
        return rows if self.on_error == "keep" else ()


def said(error: BaseException) -> str:
    """An error in one line: its kind and what it says."""
    text = " ".join(str(error).split())[:LONGEST_ERROR]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
