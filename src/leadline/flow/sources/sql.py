"""The rows of an SQL query."""

import asyncio
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from leadline.flow.base import Row, Rows, Scope
from leadline.flow.database import connected, records
from leadline.flow.ends import Source


@dataclass(frozen=True, slots=True)
class Sql(Source):
    """Rows of a query to an SQL database, a thousand in memory at a time. Dates become text, exact decimals numbers.

    A flow that is resumed needs them in the same order again: say ORDER BY.

    url: of the database, as SQLAlchemy writes it (`sqlite:///books.sqlite`).
    query: a SELECT, with `:name` where a parameter goes.
    parameters: their values.

    Example:
        sql:
          url: sqlite:///books.sqlite
          query: SELECT id, title FROM books WHERE year >= :since ORDER BY id
          parameters: {since: 1990}
    """

    url: str = field(repr=False)
    query: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])

    async def rows(self, scope: Scope) -> Rows:
        batches = self._batches(self.label or "sql")
        loop = asyncio.get_running_loop()
        # A connection belongs to one thread.
        with ThreadPoolExecutor(1, "leadline-sql") as executor:
            try:
                while batch := await loop.run_in_executor(executor, next, batches, None):
                    for row in batch:
                        yield row
            finally:
                await loop.run_in_executor(executor, batches.close)

    def _batches(self, label: str) -> Generator[list[Row]]:
        with connected(self.url, label) as connection:
            yield from records(connection, self.query, self.parameters, label)
