"""Fetch: a page of the web as a document."""

import asyncio
import tempfile
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from leadline.documents.describing import describe
from leadline.documents.identity import content_hash
from leadline.documents.kinds import kind_of_name
from leadline.documents.walking import FoundFile
from leadline.errors import DocumentError
from leadline.flow.base import FieldKind, Row, Scope, Shape, workspace_of
from leadline.flow.documents import FIELDS, document_row, readers
from leadline.flow.operators.shapes import having, reading
from leadline.flow.stepping import Step
from leadline.flow.steps.values import text_at
from leadline.web.fetching import Fetched, Fetcher

SUFFIXES: Mapping[str, str] = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/xml": ".xml",
    "text/xml": ".xml",
}


@dataclass(frozen=True, slots=True)
class Fetch(Step):
    """Fetches a page or a file from the web and reads it, as `load` reads a file.

    Only http and https, and only addresses of the open web: not this machine, not a closed network, not a cloud's
    metadata, after each redirect too. Hosts in the setting `web.allow_hosts` may be anywhere. Nothing of a page is run.

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
        settings = workspace_of(scope, "fetch").settings
        allow = () if settings.is_stray("web.allow_hosts") else settings.web.allow_hosts

        def make() -> AbstractAsyncContextManager[Fetcher]:
            return Fetcher(allow, seconds=self.seconds, largest=self.most_mb << 20)

        fetch = await scope.kept.get(("fetcher", self.seconds, self.most_mb), make)
        made = await _read(await fetch(text_at(row, self.url)), scope)
        return [{**row, self.into: made} if self.into else {**row, **made}]


async def _read(page: Fetched, scope: Scope) -> Row:
    reading = await readers(scope, "fetch")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _file_name(page)
        await asyncio.to_thread(path.write_bytes, page.data)
        (found,) = await reading.read_many([path], ocr=workspace_of(scope, "fetch").settings.load.ocr)
    if isinstance(found, DocumentError):
        raise ValueError(f"`{page.url}` {found.reason}. {found.remedy}")
    if not found.text.strip():
        raise ValueError(f"`{page.url}` holds no text")
    file = FoundFile(path, page.url, len(page.data), 0)
    made = document_row(await asyncio.to_thread(describe, file, found, content_hash(page.data), {}))
    if "modified" not in found.metadata:
        del made["metadata"]["modified"]  # that of a file that was written just now
    return made


def _file_name(page: Fetched) -> str:
    """A name whose suffix says what the page is: by its media type, else by its address."""
    if page.kind in SUFFIXES:
        return f"page{SUFFIXES[page.kind]}"
    named = Path(urlsplit(page.url).path).name
    return f"page{Path(named).suffix}" if kind_of_name(named) else "page.html"
