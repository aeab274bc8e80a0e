"""Row steps on one row after the other, straight through: each row gives all of its outputs, or its error.

Streams through streams say the same, at the price of a turn of each for every row; this is for a million rows.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from leadline.flow.base import Operator, Row, Scope
from leadline.flow.operators.streams import through
from leadline.flow.stepping import PASSED_ON, RAISED, TAKEN, Step, Work


def straight(
    steps: Sequence[Operator], scope: Scope, tally: list[int]
) -> Callable[[Row], Awaitable[Sequence[Row]]]:
    """What gives the outputs of a row. `tally[i]` counts the rows that enter step `i`, the last those that come out."""
    works = [(place, _work(step, scope)) for place, step in enumerate(steps)]

    async def whole(outer: Row) -> Sequence[Row]:
        rows: Sequence[Row] = (outer,)
        for place, work in works:
            tally[place] += len(rows)
            outputs: list[Row] = []
            for row in rows:
                try:
                    made = work(row)
                    if not isinstance(made, TAKEN):
                        made = list(await made if isinstance(made, Awaitable) else made)
                except PASSED_ON:
                    raise
                except RAISED as error:
                    step = steps[place]
                    if not isinstance(step, Step):
                        raise
                    made = await step.again(partial(work, row), (row,), scope, error)
                outputs += made
            rows = outputs
        tally[-1] += len(rows)
        return rows

    return whole


def _work(step: Operator, scope: Scope) -> Work:
    if isinstance(step, Step) and type(step).__call__ is Step.__call__:
        return step.ready(scope)
    return lambda row: through(step, (row,), scope)
