"""Streams made of rows, and rows taken from streams, as operators need them to run others on a few rows."""

from collections.abc import Awaitable, Callable, Iterable

from leadline.flow.base import Operator, Row, Rows, Scope
from leadline.flow.closing import Closing
from leadline.flow.spreading import spread


async def stream(rows: Iterable[Row]) -> Rows:
    """A stream of rows that are there already."""
    for row in rows:
        yield row


async def through(operator: Operator, rows: Iterable[Row], scope: Scope) -> list[Row]:
    """What an operator makes of these rows, all of them."""
    return [row async for row in operator(stream(rows), scope)]


async def by_itself(
    rows: Rows, work: Callable[[Row], Awaitable[list[Row]]], scope: Scope, costly: bool
) -> Rows:
    """`work` of each row; of several at a time where that is worth a task for each."""
    limit = scope.concurrency if costly else 1
    async with Closing(spread(rows, work, limit, scope.ordered)) as lists:
        async for made in lists:
            for row in made:
                yield row
