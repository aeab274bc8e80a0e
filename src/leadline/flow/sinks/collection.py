"""Rows into a collection, where they are searched.

rows -> documents -> those that are not there yet as they are -> split -> embedded -> batches, one commit each
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from leadline.arguments import collection_name
from leadline.documents.identity import content_hash, document_id
from leadline.documents.splitting import SplitOptions
from leadline.documents.walking import Walked
from leadline.embeddings.base import Embedder
from leadline.errors import FlowError
from leadline.events import Notice
from leadline.flow.base import FieldKind, Row, Scope, workspace_of
from leadline.flow.documents import document_of, document_row, split_options
from leadline.flow.ends import Put, Sink
from leadline.flow.operators.shapes import reading
from leadline.flow.sinks.spooling import Spool, spooled
from leadline.ingest.configured import load_options
from leadline.ingest.entries import Prepared, described, embedded_in, prepare
from leadline.run import Run
from leadline.store.base import Store
from leadline.workspace import Workspace

BATCH = 64


@dataclass(frozen=True, slots=True)
class Collection(Sink):
    """Rows into a collection, each a document, when the flow has ended: split, embedded, searchable.

    A row needs `source`, by which it takes the place of what was there before, and `text`. `title`, `metadata` and the
    structure that the source `folder` and the step `load` give are kept too. What has not changed is not embedded again.
    Documents are committed in batches, as `leadline load` does.

    name: of the collection, which is made where there is none; by itself that of the settings.
    metadata: further fields that are stored with each document, to filter by.
    prune: a folder: documents of files that once lay there and are gone are removed.
    emptied: they are removed also where the folder holds none of its files any more; else that is an error, as a folder
        that is not mounted looks the same.

    Example:
        collection: {name: handbook, metadata: [author, year]}
    """

    name: str = ""
    metadata: Sequence[str] = ()
    prune: str | Path | None = None
    emptied: bool = False

    def reads(self) -> Mapping[str, FieldKind]:
        return {"source": "text", "text": "text", **reading(*self.metadata)}

    @asynccontextmanager
    async def opened(self, scope: Scope) -> AsyncGenerator[Put]:
        label = self.label or "collection"
        workspace = workspace_of(scope, label)
        name = collection_name(self.name or workspace.settings.collection)

        # One that cannot be embedded for is refused before the first row.
        embedder = await workspace.encoders.loading(name, await workspace.collections())

        def check(row: Row) -> None:
            document_of(row, self.metadata)

        async def finish(spool: Spool) -> None:
            rows = _latest(spool)
            async with workspace.writing() as store:
                filling = _Filling(name, store, embedder, scope.run, split_options(scope), self.metadata)
                await filling.begin(workspace)
                if self.prune is not None and not self.emptied:
                    await filling.unless_emptied(Path(self.prune), _latest(spool), label)
                await filling.take(rows)
                if self.prune is not None:
                    await filling.prune(Path(self.prune))
                await filling.end()

        async with spooled(scope, label, finish, check) as put:
            yield put


def _latest(spool: Spool) -> Iterator[Row]:
    """The last row of each source, in the place of the last."""
    last = {row["source"]: number for number, row in enumerate(spool.rows())}
    return (row for number, row in enumerate(spool.rows()) if last[row["source"]] == number)


@dataclass(slots=True)
class _Filling:
    """Puts documents into a collection."""

    name: str
    store: Store
    embedder: Embedder | None
    run: Run
    split: SplitOptions
    metadata: Sequence[str]
    given: int = 0
    stored: int = 0
    removed: int = 0

    async def begin(self, workspace: Workspace) -> None:
        """Make the collection, if it is not there."""
        options = load_options(workspace.settings, self.name, {}, False, (), ())
        await self.store.create(described(self.name, self.embedder, options.index))

    async def take(self, rows: Iterator[Row]) -> None:
        """Store the documents of these rows that are not stored as they are."""
        known = await self.store.fingerprints(self.name)
        marks = {mark for _, mark in known.values()}
        while batch := await asyncio.to_thread(lambda: list(islice(rows, BATCH))):
            self.given += len(batch)
            prepared = await asyncio.to_thread(self._prepared, batch, marks)
            if entries := await embedded_in(self.run, prepared, self.embedder):
                await self.store.replace(self.name, entries)
                self.stored += len(entries)
            if self.run.cancelled:
                return

    def _prepared(self, rows: Sequence[Row], marks: set[str]) -> list[Prepared]:
        made: list[Prepared] = []
        for row in rows:
            document = document_of(row, self.metadata)
            told = json.dumps([document_row(document), asdict(self.split)], sort_keys=True)
            mark = content_hash(told.encode())
            if mark not in marks:
                made.append(prepare(document, self.split, mark))
        return made

    async def unless_emptied(self, folder: Path, rows: Iterator[Row], label: str) -> None:
        """Refuse to remove all that was ever stored from a folder."""
        whole = await asyncio.to_thread(folder.resolve)
        if any(Path(row["source"]).is_relative_to(whole) for row in rows):
            return
        known = await self.store.fingerprints(self.name)
        stored = [source for source, _ in known.values() if Path(source).is_relative_to(whole)]
        if stored and all(map(Walked(folders=[whole]).gone, stored)):
            raise FlowError(
                f"{label}: `{folder}` holds none of the {len(stored)} files that `{self.name}` has of it, so all of "
                "them would be removed. Check the folder. If that is meant, set `emptied` to true."
            )

    async def prune(self, folder: Path) -> None:
        """Remove documents whose files lay in a folder and are gone."""
        known = await self.store.fingerprints(self.name)
        walked = Walked(folders=[await asyncio.to_thread(folder.resolve)])
        gone = [
            key for key, (source, _) in known.items() if key == document_id(source) and walked.gone(source)
        ]
        if gone and not self.run.cancelled:
            self.removed = await self.store.remove(self.name, gone)

    async def end(self) -> None:
        """Bring the indexes up to date, and say what has changed."""
        if (self.stored or self.removed) and not self.run.cancelled:
            await self.store.optimise(self.name)
        told = f"collection `{self.name}`: {self.stored} of {self.given} documents were new or changed"
        self.run.emit(Notice(told + (f", {self.removed} were removed." if self.removed else ".")))
