"""Files of any kind that Leadline reads, as rows: one document each, with its structure."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.documents.base import Extracted
from leadline.documents.describing import describe
from leadline.documents.identity import file_hash
from leadline.documents.walking import FoundFile, Walked, walk
from leadline.errors import DocumentError
from leadline.flow.base import DeadLetter, Row, Rows, Scope, Shape, workspace_of
from leadline.flow.documents import FIELDS, document_row, readers
from leadline.flow.ends import Source
from leadline.ingest.reading import grouped


@dataclass(frozen=True, slots=True)
class Folder(Source):
    """Documents from files: text, Markdown, HTML, PDF, Office, mail and all that `leadline load` reads.

    A row has `source` (the path), `title`, `text`, `metadata` and the structure: `pages`, `headings` and `blocks`, as
    offsets into the text. Files come in order of their paths; hidden ones and what `.gitignore` names are left out. A file
    that cannot be read, or holds no text, is told, and the next one is read.

    path: a folder, or one file.
    exclude: further files to leave out, written as in .gitignore.

    Example:
        folder: {path: handbook, exclude: ["drafts/"]}
    """

    path: str | Path
    exclude: Sequence[str] = ()

    def shape(self) -> Shape:
        return Shape(FIELDS, open=False)

    async def total(self, scope: Scope) -> int | None:
        return len((await self._walked(scope)).files)

    async def rows(self, scope: Scope) -> Rows:
        walked = await self._walked(scope)
        label = self.label or "folder"
        for left in walked.left_out:
            _lose(scope, label, left.source, f"{left.reason}. {left.remedy}")
        for group in grouped(walked.files):
            async for row in self._rows_of(group, scope, label):
                yield row

    async def _walked(self, scope: Scope) -> Walked:
        how = workspace_of(scope, self.label or "folder").settings.load
        return await asyncio.to_thread(
            walk, [Path(self.path)], (*how.exclude, *self.exclude), how.max_file_mb << 20
        )

    async def _rows_of(self, files: Sequence[FoundFile], scope: Scope, label: str) -> AsyncGenerator[Row]:
        how = workspace_of(scope, label).settings.load
        reading = await readers(scope, label)
        texts = await reading.read_many([file.path for file in files], ocr=how.ocr)
        for file, found in zip(files, texts, strict=True):
            made = await asyncio.to_thread(made_row, file, found)
            if isinstance(made, str):
                _lose(scope, label, file.source, made)
            else:
                yield made


def made_row(file: FoundFile, found: Extracted | DocumentError) -> Row | str:
    """The document of a file as a row, or why there is none."""
    if isinstance(found, DocumentError):
        return f"{found.reason}. {found.remedy}".strip()
    if not found.text.strip():
        return " ".join(found.notes) or "holds no text"
    try:
        content = file_hash(file.path)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return document_row(describe(file, found, content, {}))


def _lose(scope: Scope, label: str, source: str, reason: str) -> None:
    scope.lose(DeadLetter(label, f"{source}: {reason}", {"source": source}, "skip"))
