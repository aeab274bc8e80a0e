"""Fetch: a page of the web as a document."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from leadline.flow.base import FieldKind, Row, Scope, Shape, workspace_of
from leadline.flow.documents import FIELDS, document_row, readers
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.values import text_at
from leadline.web.pages import PageReader, page_options


@dataclass(frozen=True, slots=True)
class Fetch(Step):
    """Fetches a page or a file from the web and reads it: of a page its main part, a file as `load` reads one.

    Only http and https, and only addresses of the open web: not this machine, not a closed network, not a cloud's
    metadata, after each redirect too. Hosts in the setting `web.allow_hosts` may be anywhere. Nothing of a page is run.
    What a site's robots.txt closes is left out, unless `web.robots` is false. Each page is asked for anew.

    url: the field with the address.
    into: the field for the document; by itself its `source` (where it was found in the end), `title`, `text`, `metadata`
      and structure become fields of the row.
    seconds: how long a page may take.
    most_mb: how large it may be.

    Example:
        fetch: {url: link, into: page}
    """

    url: str = "url"
    into: str = ""
    seconds: float = 30.0
    most_mb: int = 20

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.url, kind="text")

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "mapping"} if self.into else FIELDS)

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        options = replace(
            page_options(workspace_of(scope, "fetch").settings),
            page_seconds=self.seconds,
            page_mb=self.most_mb,
        )
        reading = await readers(scope, "fetch")

        def make() -> AbstractAsyncContextManager[PageReader]:
            return PageReader(options, reading)

        read = await scope.kept.get(("pages", options), make)
        page = await read(text_at(row, self.url), scope.run)
        made = document_row(page.document)
        return [{**row, self.into: made} if self.into else {**row, **made}]
