"""Workspace: everything Leadline does, over one data folder. The one assembly point; no room imports it.

settings -> store, encoders, readers, reasoner -> load | reindex | search | ask | watch | collections | remove | status
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self, Unpack

from leadline.agents.asking import Asking, unsearched
from leadline.agents.configured import ask_options
from leadline.agents.places import Places
from leadline.agents.reranking import searched
from leadline.arguments import (
    AskChoices,
    LoadChoices,
    SearchChoices,
    asked_question,
    checked,
    collection_name,
    count,
    metadata_values,
    readable,
    refuse_strange,
    texts,
    unknown,
)
from leadline.browsing import Keeping, addresses_of, pages_of, saving_in
from leadline.config import Settings
from leadline.embeddings.base import Embedder
from leadline.encoders import Encoders
from leadline.errors import LeadlineError, UsageError
from leadline.events import Event, Notice
from leadline.ingest import LoadReport, ReindexReport, swap_encoder
from leadline.ingest import load as load_paths
from leadline.ingest.configured import LOCAL, load_options, picture_describer, reading
from leadline.looking import Looking
from leadline.models import Models
from leadline.reasoning.base import Reasoner
from leadline.reranking.base import Reranker
from leadline.reranking.choosing import chosen
from leadline.retrieval.base import Bringing, Results
from leadline.retrieval.hybrid import HybridRetriever
from leadline.retrieval.sections import SectionText, section_texts
from leadline.run import Run
from leadline.run import watch as watch_run
from leadline.status import Status, measure, writer
from leadline.store.base import FieldSummary, Store
from leadline.stores import emptied, open_store, place_of
from leadline.types import Answer, Collection, Hit, MetaValue, Query
from leadline.web.base import Page


class Workspace:
    """Made by `open`, ended by `close` (or `async with`). Two of them share nothing but the disk.

    Reading never creates the data folder. The writing lock is held only while something is written.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.encoders, self.models = Encoders(settings), Models(settings)
        self.looking = Looking(settings, self.encoders)
        self._reranker: Reranker | None = None
        self._opening = asyncio.Lock()

    @classmethod
    async def open(cls, settings: Settings) -> Self:
        """A workspace; the store and the embedding are opened when first needed."""
        return cls(settings)

    async def close(self) -> None:
        """Let go of the store, the models and the web."""
        await self.models.close()
        await self.looking.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def run(self) -> Run:
        """A run with the limits of the settings."""
        return Run(self.settings.budget.of_run())

    async def load(
        self, paths: Sequence[str | Path], *, run: Run | None = None, **choices: Unpack[LoadChoices]
    ) -> LoadReport:
        """Read files, folders and pages of the web into a collection; what has not changed is left alone."""
        refuse_strange(choices, LoadChoices)
        addresses, named = addresses_of(paths, choices)
        how, run = self.settings.load, run or self.run()
        files = readable(named) if named or not addresses else []
        options = load_options(
            self.settings,
            collection_name(choices.get("collection") or self.settings.collection),
            metadata_values(choices.get("metadata", {})),
            choices.get("prune", False),
            texts(choices.get("exclude", ())),
            texts(choices.get("passwords", ())),
        )
        roles = await self.models.roles() if how.describe_pictures else None
        describer = picture_describer(self.settings, roles and roles.smart, run)
        embedder = await self.encoders.loading(options.collection, await self.collections())
        places = reading(self.settings, choices.get("engine", LOCAL), self.encoders.recipe_of(embedder))
        report = LoadReport()
        async with self.writing() as store:
            if files:
                async with places as readers:
                    report = await load_paths(files, options, store, embedder, readers, run, describer)
            if not addresses:
                return report
            crawled = await self.looking.browser.crawl(addresses, choices, options, store, embedder, run)
        return report.beside(crawled) if files else crawled

    async def reindex(
        self, embedding: str, *, collection: str | None = None, run: Run | None = None
    ) -> ReindexReport:
        """Give a collection another encoder from its stored chunks; searches see the old one until then."""
        (known,) = await self.looking.known([collection or self.settings.collection])
        embedder = await self.encoders.named(embedding)
        async with self.writing() as store:
            return await swap_encoder(known, store, embedder, run or self.run())

    async def search(
        self, question: str, limit: int = 10, *, run: Run | None = None, **choices: Unpack[SearchChoices]
    ) -> Results:
        """Passages for a question, best first, and how each was found."""
        refuse_strange(choices, SearchChoices)
        if not count(limit):
            raise UsageError(f"`limit` cannot be {limit!r:.80}. It is a whole number from 1.")
        query, options, run = Query(asked_question(question)), ask_options(self.settings), run or self.run()
        reranker = await self.reranker()
        async with self.looking.opened(choices) as retriever:
            notices = await retriever.bring([query], 1, run) if isinstance(retriever, Bringing) else ()
            found = await searched(retriever, query, limit, reranker, options, run)
        return replace(found, notices=tuple(dict.fromkeys((*notices, *found.notices))))

    async def sections(self, hits: Sequence[Hit], collections: Sequence[str] = ()) -> tuple[SectionText, ...]:
        """The section around each hit, bounded by `search.section_size`; what has vanished is left out."""
        known = await self.looking.known(texts(collections)) if collections else await self.collections()
        retriever = HybridRetriever(await self.reading(), tuple(each.name for each in known))
        context = await retriever.context([hit.chunk for hit in hits])
        return section_texts(hits, context, self.settings.search.section_size)

    async def ask(self, question: str, *, run: Run | None = None, **choices: Unpack[AskChoices]) -> Answer:
        """Answer a question, every sentence cited. `auto`: the model picks the agent, else the question's shape."""
        refuse_strange(choices, AskChoices)
        asked, run = asked_question(question), run or self.run()
        if not (choices.get("web") or choices.get("collections") or await self.collections()):
            return unsearched(asked, unknown(self.settings.collection, (), self.settings.data), run)
        keeping = await self._keeping(choices.get("save_pages"))
        async with self.asking(**choices) as asking:
            answer = await asking(asked, run, choices.get("agent", "auto"))
            read = pages_of(asking.retriever)
        return answer if keeping is None else await self._kept(answer, read, keeping, run)

    @asynccontextmanager
    async def asking(self, **choices: Unpack[AskChoices]) -> AsyncGenerator[Asking]:
        """Who plans, searches, judges and writes for one question, and what they are told; for several where none of
        them looks into the web, whose pages are there until the block ends."""
        web, named = choices.get("web", False), choices.get("collections", ())
        picks = bool(self.settings.model) and self.settings.ask.router == "model"
        everywhere = picks and not web
        there = await self.collections() if everywhere and not named else []
        options = ask_options(self.settings, choices.get("rounds"), choices.get("layers") or {})
        reasoner, reranker = await self.reasoner(), await self.reranker()
        async with self.looking.opened(choices, everywhere=everywhere) as retriever:
            files = retriever if isinstance(retriever, HybridRetriever) and there else None
            places = Places.among(there, files, reasoner, self.settings.collection) if files else None
            yield Asking(reasoner, retriever, options, reranker, places, bool(self.settings.model), picks)

    async def watch(
        self, question: str, *, run: Run | None = None, **choices: Unpack[AskChoices]
    ) -> AsyncGenerator[Event | Answer]:
        """The events of `ask` as they happen, then the answer. Closing it stops the run."""
        work = watch_run(lambda inner: self.ask(question, run=inner, **choices), run or self.run())
        async with aclosing(work) as stream:
            async for item in stream:
                yield item

    async def collections(self) -> list[Collection]:
        """Every collection, by name; none when nothing was loaded yet."""
        return await self.looking.collections()

    async def collection(self, name: str) -> Collection:
        """One collection by name."""
        return (await self.looking.known([name]))[0]

    async def describe(self, name: str, description: str) -> None:
        """Say what a collection is about."""
        await self.looking.known([name])
        async with self.writing() as store:
            await store.describe(name, description)

    async def configure(self, name: str, metadata: Mapping[str, MetaValue | None]) -> None:
        """Change keys of a collection's metadata; None takes one away."""
        await self.looking.known([name])
        async with self.writing() as store:
            await store.configure(name, metadata)

    async def drop(self, name: str) -> None:
        """Remove a collection with all it holds."""
        await self.looking.known([name])
        async with self.writing() as store:
            await store.drop(name)

    async def sources(self, name: str) -> dict[str, str]:
        """Every document of a collection: source -> id."""
        await self.looking.known([name])
        found = await (await self.reading()).fingerprints(name)
        return {source: key for key, (source, _) in sorted(found.items(), key=lambda item: item[1])}

    async def fields(self, name: str) -> list[FieldSummary]:
        """The fields of a collection's documents: kinds, ranges, commonest values."""
        await self.looking.known([name])
        return await (await self.reading()).fields(name)

    async def beginnings(self, name: str, count: int, length: int = 2_000) -> list[str]:
        """How some documents of a collection begin, spread over all of it."""
        ids = list((await self.sources(name)).values())
        store = await self.reading()
        spread = [ids[each * len(ids) // count] for each in range(count)] if len(ids) > count else ids
        found = [await store.document(name, key) for key in spread]
        return [document.text[:length] for document in found if document is not None]

    async def remove(
        self, sources: Sequence[str | Path], *, collection: str | None = None, purge: bool = False
    ) -> tuple[str, ...]:
        """Remove documents by source, or below a folder; return which. `purge` alone empties what is kept beside."""
        if purge and not sources:
            await self._emptied()
            return ()
        name = collection or self.settings.collection
        stored = await self.sources(name)
        gone = await asyncio.to_thread(checked, stored, sources, name)
        async with self.writing() as store:
            if purge:
                await self._emptied()
            await store.remove(name, [stored[source] for source in gone], purge=purge)
        return tuple(gone)

    async def status(self) -> Status:
        """What the data folder holds, how large it is, and who is writing."""
        listed = await self.collections()
        writing = writer(place_of(self.settings).folder)
        return await asyncio.to_thread(measure, self.settings.data, listed, writing)

    async def embedder(self) -> Embedder | None:
        """The configured embedding, built once; None for `none`."""
        return await self.encoders.configured()

    async def reasoner(self) -> Reasoner:
        """Who plans, judges, reflects and writes: a new one for each question."""
        return await self.models.reasoner()

    async def reranker(self) -> Reranker | None:
        """The configured reranker, built once; None for `none`."""
        async with self._opening:
            if self._reranker is None:
                self._reranker = await chosen(self.settings)
        return self._reranker

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[Store]:
        """The store with its writing lock held."""
        store = await open_store(self.settings)
        try:
            yield store
        finally:
            await store.close()

    async def reading(self) -> Store:
        """The store, for reading only."""
        return await self.looking.reading()

    async def _emptied(self) -> None:
        kept = (self.encoders.cache, self.models.replies, self.looking.browser.kept)
        await asyncio.to_thread(emptied, kept, self.settings.data)

    async def _keeping(self, name: str | None) -> Keeping | None:
        """Where pages are kept; what cannot be used is refused before anything is searched for."""
        if name is None:
            return None
        collection = saving_in(name)
        return Keeping(collection, await self.encoders.loading(collection, await self.collections()))

    async def _kept(self, answer: Answer, pages: Sequence[Page], keeping: Keeping, run: Run) -> Answer:
        """The answer, which says what became of the pages. It was paid for: no store that cannot be written loses it."""
        try:
            async with self.writing() as store:
                told = await keeping.keep(pages, store, self.settings, run)
        except LeadlineError as error:
            told = f"The pages were not saved: {error}"
        run.emit(Notice(told))
        return replace(answer, notices=(*answer.notices, told))
