"""Load: the text and structure of a file that a row names. Split: a document into chunks."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from leadline.documents.splitting import split
from leadline.documents.walking import FoundFile, walk
from leadline.flow.base import FieldKind, Row, Scope, Shape, workspace_of
from leadline.flow.documents import FIELDS, chunk_row, document_of, readers, split_options
from leadline.flow.operators.shapes import having, reading
from leadline.flow.sources.folder import made_row
from leadline.flow.stepping import Step
from leadline.flow.steps.values import text_at, value_at


@dataclass(frozen=True, slots=True)
class Load(Step):
    """Reads a file that the row names, of any kind that Leadline reads, as the source `folder` does.

    The file must lie in `folder`: what stands in a row may come from anywhere.

    path: the field with the path, from `folder` or a whole one.
    folder: where files may be read from; by itself the folder that the command runs in.
    into: the field for the document; by itself its `source`, `title`, `text`, `metadata` and structure become fields of
      the row.

    Example:
        load: {path: file, folder: handbook}
    """

    path: str = "path"
    folder: Path = Path()
    into: str = ""

    @property
    def costly(self) -> bool:
        return True

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.path, kind="text")

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "mapping"} if self.into else FIELDS)

    async def apply(self, row: Row, scope: Scope) -> list[Row]:
        file = await asyncio.to_thread(self._file, text_at(row, self.path))
        how = workspace_of(scope, "load").settings.load
        (found,) = await (await readers(scope, "load")).read_many([file.path], ocr=how.ocr)
        made = await asyncio.to_thread(made_row, file, found)
        if isinstance(made, str):
            raise ValueError(f"`{file.source}`: {made}")
        return [{**row, self.into: made} if self.into else {**row, **made}]

    def _file(self, named: str) -> FoundFile:
        if "\x00" in named:
            raise ValueError(f"{named!r:.80} is no path")
        folder = self.folder.resolve()
        path = (folder / named).resolve()
        if not path.is_relative_to(folder):
            raise ValueError(f"`{named:.200}` lies outside `{self.folder}`, where files may be read from")
        walked = walk([path])
        if walked.left_out:
            raise ValueError(f"`{named:.200}` {walked.left_out[0].reason}")
        if path.is_dir() or not walked.files:
            raise ValueError(f"`{named:.200}` is no file")
        return walked.files[0]


@dataclass(frozen=True, slots=True)
class Split(Step):
    """Cuts a document into chunks: by its structure first, then by size, each an exact piece of its text.

    A chunk has `text`, `start` and `end` in the document's text, `heading_path`, `page`, `kind`, `ordinal` and `id`.

    document: the field with a document (as `load` makes it) or a text; by itself the row is the document, with `source` and
      `text`.
    into: the field for the list of chunks.
    chunk_size: most characters of a chunk, and a fifth; by itself as the settings say.
    section_size: most characters of a section; by itself as the settings say.

    Example:
        split: {into: chunks, chunk_size: 800}
    """

    document: str = ""
    into: str = "chunks"
    chunk_size: int | None = None
    section_size: int | None = None

    def reads(self) -> Mapping[str, FieldKind]:
        return reading(self.document) if self.document else {"source": "text", "text": "text"}

    def after(self, before: Shape) -> Shape:
        return having(before, {self.into: "list"})

    def apply(self, row: Row, scope: Scope) -> list[Row]:
        given = value_at(row, self.document) if self.document else row
        if isinstance(given, str):
            given = {"source": str(row.get("source") or "text"), "text": given}
        if not isinstance(given, dict):
            raise ValueError(f"field `{self.document}` is neither a document nor a text")
        options = split_options(scope, self.chunk_size, self.section_size)
        _, chunks = split(document_of(cast(Row, given)), options)
        return [{**row, self.into: [chunk_row(chunk) for chunk in chunks]}]
