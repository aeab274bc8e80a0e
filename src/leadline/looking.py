"""Where a question looks: collections, the web, or both.

choices -> collections that are there, their encoder -> retriever over them | the web, its pages beside them
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from leadline.arguments import SearchChoices, as_text, texts, unknown
from leadline.browsing import Browser, bounds_of
from leadline.config import Settings
from leadline.encoders import Encoders
from leadline.errors import UnknownCollection, UsageError
from leadline.retrieval.configured import alike, retriever_of
from leadline.retrieval.hybrid import HybridRetriever
from leadline.retrieval.web import WebRetriever
from leadline.store.base import Store
from leadline.store.filters import Filter, parse_filter
from leadline.stores import open_store
from leadline.types import Collection
from leadline.web.base import PAGES


class Looking:
    """The data folder as it is read, and the web. Nothing is opened before it is needed; the data folder is never made."""

    def __init__(self, settings: Settings, encoders: Encoders) -> None:
        self.settings, self.encoders, self.browser = settings, encoders, Browser(settings)
        self._reader: Store | None = None
        self._opening = asyncio.Lock()

    async def close(self) -> None:
        """Let go of the store and the web."""
        await self.browser.close()
        if self._reader is not None:
            await self._reader.close()
            self._reader = None

    async def reading(self) -> Store:
        """The store, for reading only."""
        async with self._opening:
            if self._reader is None:
                self._reader = await open_store(self.settings, read_only=True)
            return self._reader

    async def collections(self) -> list[Collection]:
        """Every collection, by name; none when nothing was loaded yet."""
        if not self.settings.data.is_dir():
            return []
        return sorted(await (await self.reading()).collections(), key=lambda each: each.name)

    async def known(self, names: Sequence[str]) -> list[Collection]:
        """These collections; `UnknownCollection` for one that is not there."""
        found = {each.name: each for each in await self.collections()}
        for name in names:
            if name not in found:
                raise UnknownCollection(unknown(name, list(found), self.settings.data))
        return [found[name] for name in names]

    @asynccontextmanager
    async def opened(
        self, choices: SearchChoices, *, everywhere: bool = False
    ) -> AsyncGenerator[HybridRetriever | WebRetriever]:
        """A retriever over what the choices name. What it read of the web is gone when the block ends."""
        named, where = texts(choices.get("collections") or ()), choices.get("where")
        if not choices.get("web"):
            yield await self._files(named, where, everywhere=everywhere)
            return
        if PAGES in named:
            raise UsageError(
                f"`{PAGES}` is what the pages of a run are called. Search that collection without `web`."
            )
        bounds = bounds_of(self.settings, choices)
        files = await self._files(named, where) if named else None
        embedder = files.embedder if files else await self.encoders.configured()
        async with self.browser.opened(files, embedder, bounds, _tree(where)) as retriever:
            yield retriever

    async def _files(
        self, named: Sequence[str], where: str | Filter | None, *, everywhere: bool = False
    ) -> HybridRetriever:
        """Over the collections named, else the default one, else (`everywhere`) over all that its encoder can search."""
        written = as_text(where) if isinstance(where, str) else ""
        tree = _tree(where)
        there = await self.collections()
        default = self.settings.collection
        if everywhere and there and default not in {each.name for each in there}:
            default = there[0].name
        names = tuple(dict.fromkeys(named)) or (default,)
        known = await self.known(names)
        embedder = await self.encoders.searching(known)
        # Whoever named collections wants those; else a query that found nothing may look into the others.
        others = [] if named else alike([each for each in there if each.name not in names], embedder)
        if everywhere and not named:
            known, others = [*known, *others], []
        store = await self.reading()
        return await retriever_of(self.settings, store, known, others, embedder, tree, written)


def _tree(where: str | Filter | None) -> Filter | None:
    return parse_filter(as_text(where)) if isinstance(where, str) else where
