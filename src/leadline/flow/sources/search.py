"""What searches find."""

from collections.abc import Sequence
from dataclasses import dataclass

from leadline.arguments import SearchChoices
from leadline.flow.base import Rows, Scope, Shape, workspace_of
from leadline.flow.ends import Source
from leadline.flow.steps.values import hit_plain


@dataclass(frozen=True, slots=True)
class Search(Source):
    """The passages that queries find, best first, those of the first query first.

    A row has the `query`, its `rank` (from 1), and of the passage `text`, `source`, `title`, `score` and how it was `found`.

    queries: what to search for.
    limit: the most passages of a query.
    collections: where to search; none is the collection of the settings.
    where: a filter on the documents, such as "year >= 2023".

    Example:
        search: {queries: [delivery problems, complaints about cement], limit: 20}
    """

    queries: Sequence[str]
    limit: int = 10
    collections: Sequence[str] = ()
    where: str | None = None

    def shape(self) -> Shape:
        return Shape({"query": "text", "rank": "number", "text": "text", "source": "text", "score": "number"})

    async def rows(self, scope: Scope) -> Rows:
        workspace = workspace_of(scope, self.label or "search")
        choices: SearchChoices = {"collections": self.collections, "where": self.where}
        for query in self.queries:
            found = await workspace.search(query, self.limit, run=scope.run, **choices)
            for rank, hit in enumerate(found.hits, 1):
                yield {**hit_plain(hit), "query": query, "rank": rank}
