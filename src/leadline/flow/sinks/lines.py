"""Rows written one by one, each as soon as it comes."""

from collections.abc import Callable

from leadline.flow.base import DeadLetter, Row, Scope
from leadline.flow.ends import Put

UNTELLABLE = (TypeError, ValueError, RecursionError)
"""What is raised for a row that holds something else than plain values."""


def writing(line: Callable[[Row], bytes], write: Callable[[bytes], object], scope: Scope, label: str) -> Put:
    """Takes rows and writes the line of each; one that holds what cannot be written is lost."""

    async def put(row: Row) -> None:
        try:
            told = line(row)
        except UNTELLABLE as error:
            scope.lose(DeadLetter(label, f"cannot be written: {error}", row, "skip"))
        else:
            write(told)

    return put
