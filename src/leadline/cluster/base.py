"""What a cluster is to the rest: worker processes that turn items into answers, one answer for each item.

items -> [a worker's handler, some items at a time, on any machine] -> answers

A worker that dies is replaced and its items are done again; an item whose worker has died every time is given back as lost.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

Handler = Callable[[bytes], Awaitable[bytes]]
"""What a worker makes of one item."""

TRIES = 3
"""How often an item is begun whose worker dies every time."""


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """`address` is a running cluster's, `auto` finds one, none starts one on this machine. `workers` of 0 takes all cores."""

    address: str = ""
    workers: int = 0


@dataclass(frozen=True, slots=True)
class Work:
    """`opened` names a coroutine function, `module:function`, that every worker calls once with `setup`, for its handler.

    `setup` is pickled. `at_once` items are handled at a time by each worker; answers come in the order of the items, or
    (not `ordered`) as they are there. Each worker holds so many `cores` of the cluster.
    """

    opened: str
    setup: object
    at_once: int = 1
    ordered: bool = True
    cores: float = 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to item `number` (from 0); None where its worker died every time."""

    number: int
    data: bytes | None


class Cluster(Protocol):
    """Entered, it is there; left, it is gone if it was started for this."""

    @property
    def workers(self) -> int:
        """How many processes work."""
        ...

    def spread(self, work: Work, items: AsyncIterator[bytes]) -> AsyncGenerator[Answer]:
        """One answer for each item, which must not be empty. No more items are taken than workers are busy with, and
        a few that wait. Where `items` raise, what was taken is answered before that error is raised."""
        ...


OpenCluster = Callable[[ClusterOptions], AbstractAsyncContextManager[Cluster]]
