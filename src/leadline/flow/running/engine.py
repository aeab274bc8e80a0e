"""Where the outer rows of a costly segment are worked on: in this process, or wherever another engine takes them."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Protocol

from leadline.flow.base import Scope
from leadline.flow.running.outer_rows import Done, Numbered, done
from leadline.flow.running.segments import Segment
from leadline.flow.spreading import spread


class Engine(Protocol):
    """Takes outer rows through a segment, `scope.concurrency` at a time.

    `rows` may raise: then what was started is finished and given out before that error is raised. With `scope.ordered`
    results come in the order of the rows. A row whose `known` is there is passed on as that. Every row gives one `Done`.
    What a row spends counts in `scope.run`, here or when it comes back.
    """

    def spread(
        self, segment: Segment, rows: AsyncIterator[Numbered], scope: Scope
    ) -> AsyncGenerator[Done]: ...


class LocalEngine:
    """In this process, as tasks of its loop."""

    def spread(self, segment: Segment, rows: AsyncIterator[Numbered], scope: Scope) -> AsyncGenerator[Done]:
        """See `Engine`."""

        async def work(numbered: Numbered) -> Done:
            return numbered.known or await done(segment, numbered, scope)

        return spread(rows, work, scope.concurrency, scope.ordered)
