"""Retrieve: what one query finds. All queries of a round are searched for side by side.

sub_query (+ its vector) -> search -> found
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.errors import BudgetSpent, Cancelled, LeadlineError
from leadline.flow.base import FieldKind, Row, Scope, Shape
from leadline.flow.operators.shapes import having, reading
from leadline.flow.steps.progress import Choices, asking_of, begun, check, progress_in
from leadline.flow.steps.together import Together
from leadline.flow.steps.values import (
    hit_of,
    hit_plain,
    list_at,
    made,
    plain,
    query_of,
    text_at,
    value_at,
)
from leadline.retrieval.base import Knowing, Link, Results, Retriever
from leadline.run import settle
from leadline.types import Query, QueryKind


@dataclass(frozen=True, slots=True)
class Found:
    """What stands in `found` beside the hits. `failed` says why a search found nothing, `limit` which limit it met."""

    query: Query
    paths: tuple[tuple[str, int], ...] = ()
    notices: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    failed: str = ""
    limit: str = ""


@dataclass(frozen=True, slots=True)
class Retrieve(Together):
    """Searches for one query and puts everything it finds into the row.

    In a deep search the rows are the queries of a round. One that fails is told in `found.failed` and loses nothing of
    the others; where to search is what `plan` was told. A row that belongs to no deep search fails with its search.

    query: the field with what to search for, a text or one of `gap_queries`.
    vector: the field with the query as a vector, where it was embedded already.
    into: the field for what was found: the `query`, the `hits`, each a chunk with how it was found, best first, and `links`
      between them.
    limit: the most hits, else as the settings say.
    collections: where to search outside of a deep search; none is the collection of the settings.
    where: a filter on the documents, there.

    Example:
        retrieve:
          query: sub_query
          vector: sub_query_vector
          into: found
    """

    query: str = "sub_query"
    vector: str = "sub_query_vector"
    into: str = "found"
    limit: int | None = None
    collections: Sequence[str] = ()
    where: str | None = None

    def __post_init__(self) -> None:
        check(self._choices())
        if self.limit is not None and self.limit < 1:
            raise ValueError("`limit` must be at least 1")

    def _choices(self) -> Choices:
        return Choices(tuple(self.collections), self.where)

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.query)

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "mapping"})

    async def together(self, rows: Sequence[Row], scope: Scope) -> Sequence[Row]:
        deep = "search" in rows[0]
        choices = progress_in(rows[0]).choices if deep else self._choices()
        asking = await asking_of(scope, "retrieve", choices)
        number = progress_in(rows[0]).round + 1 if deep else 1
        kind: QueryKind = "follow" if deep else "original"
        queries = [query_of(value_at(row, self.query), self.query, kind, number) for row in rows]
        question = text_at(rows[0], "original_query") if deep else queries[0].text
        work = begun(asking, question)
        where = await work.where(question, queries, number, scope.run) if deep else work.retriever

        # A vector that cannot be used is a mistake in the flow, and no search that failed.
        told = [
            (query, _told(where, query, value_at(row, self.vector), self.vector))
            for query, row in zip(queries, rows, strict=True)
        ]

        async def search(asked: tuple[Query, Retriever]) -> Results:
            query, retriever = asked
            if self.limit is None:
                return await work.find(query, retriever, scope.run)
            return await retriever.search(query, self.limit, scope.run)

        found = await settle(search, told, limit=work.options.parallel)
        if not deep:
            for each in found:
                if isinstance(each, LeadlineError):
                    raise each
        results = (found_plain(query, each) for query, each in zip(queries, found, strict=True))
        return [{**row, self.into: each} for row, each in zip(rows, results, strict=True)]


def _told(where: Retriever, query: Query, vector: object, field: str) -> Retriever:
    if not vector or not isinstance(where, Knowing):
        return where
    return where.knowing(query.text, made(Sequence[float], vector, field))


def found_plain(query: Query, results: Results | LeadlineError) -> dict[str, object]:
    """What a search found, or why it found nothing, as plain values."""
    if isinstance(results, LeadlineError):
        limit = results.limit if isinstance(results, BudgetSpent) else ""
        limit = "cancelled" if isinstance(results, Cancelled) else limit
        return {**plain(Found(query, failed=str(results), limit=limit)), "hits": []}
    told = Found(query, results.paths, results.notices, results.asked, results.links, results.scores)
    return {**plain(told), "hits": [hit_plain(hit) for hit in results.hits]}


def found_of(value: object, place: str) -> tuple[Query, Results | LeadlineError]:
    """What `found_plain` was given."""
    told = made(Found, value, place)
    if told.limit == "cancelled":
        return told.query, Cancelled(told.failed)
    if told.failed:
        failed = BudgetSpent(told.failed, told.limit) if told.limit else LeadlineError(told.failed)
        return told.query, failed
    hits = list_at(made(dict[str, Any], value, place), "hits")
    return told.query, Results(
        tuple(hit_of(hit, f"{place}.hits[{at}]") for at, hit in enumerate(hits)),
        told.paths,
        told.notices,
        told.asked,
        told.links,
        told.scores,
    )
