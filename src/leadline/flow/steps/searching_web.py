"""Web search: what the configured providers list for a query, as they list it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from leadline.flow.base import FieldKind, Row, Scope, Shape, workspace_of
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.values import plain, text_at
from leadline.searches import web_search
from leadline.settings import Settings
from leadline.web.base import WebQuery
from leadline.web.searching import WebSearch

KEPT = "web search"


@dataclass(frozen=True, slots=True)
class SearchWeb(Step):
    """Searches the web for a query, with the providers of the settings (`web.searches`). No page is read: `fetch` does that.

    A row fails where no provider answers; that nothing is found is an empty list.

    query: the field with what to search for.
    into: the field for the results, best first, each with `url`, `title`, `snippet`, `published` (a day, or "") and
      `provider`.
    notices: the field for what the providers refused or could not be told, as texts; "" for none.
    limit: the most results.
    sites: only pages of these hosts.
    without: no pages of these hosts.
    since: only pages of this day or later, as "2024-05-15"; pages without a date stay.
    until: only pages of this day or earlier; pages without a date stay.

    Example:
        web_search:
          query: question
          into: results
          limit: 5
    """

    query: str = "question"
    into: str = "results"
    notices: str = ""
    limit: int = 5
    sites: Sequence[str] = ()
    without: Sequence[str] = ()
    since: str = ""
    until: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= 20:
            raise ValueError("`limit` must be from 1 to 20")
        self._wanted("")

    def _wanted(self, text: str) -> WebQuery:
        return WebQuery(
            text, self.limit, tuple(self.sites), tuple(self.without), self.since.strip(), self.until.strip()
        )

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.query, kind="text")

    def after(self, before: Shape) -> Shape:
        lists: dict[str, FieldKind] = {name: "list" for name in (self.into, self.notices) if name}
        return having(before, lists)

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        settings = workspace_of(scope, "web_search").settings
        search = await scope.kept.get(KEPT, lambda: _searching(settings))
        found = await search(self._wanted(text_at(row, self.query).strip()), scope.run)
        if not found.answered:
            raise ValueError(" ".join(found.notices))
        told = {self.notices: list(found.notices)} if self.notices else {}
        return [{**row, self.into: [plain(each) for each in found.results], **told}]


@asynccontextmanager
async def _searching(settings: Settings) -> AsyncGenerator[WebSearch]:
    search = web_search(settings)
    try:
        yield search
    finally:
        await search.close()
