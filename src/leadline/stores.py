"""Which store a data folder has: its kind, the folder of its catalogue, and where its rows are."""

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from leadline import registry
from leadline.config import Settings
from leadline.errors import StoreError, UsageError
from leadline.store.base import Store
from leadline.store.catalogue import FILE, Catalogue
from leadline.store.served_rows import Address

EMBEDDED = "lance"
FLOWS = "flows"
"""The folder, beside the stores, of what flows have finished and what they failed on."""


@dataclass(frozen=True, slots=True)
class Place:
    """A store that can be opened. Each kind has a folder of its own, so that one data folder may have several."""

    kind: str
    folder: Path
    address: Address = Address()

    def __str__(self) -> str:
        where = self.address.place or self.folder
        return f"{self.kind} ({where})"


def place_of(settings: Settings) -> Place:
    """The store that the settings name."""
    return Place(
        settings.store,
        folder_of(settings.data, settings.store),
        Address(settings.store_uri, settings.store_token.get_secret_value()),
    )


def folder_of(data: Path, kind: str) -> Path:
    """Where the catalogue of a kind of store is."""
    return data if kind == EMBEDDED else data / kind


def others_holding(settings: Settings, sources: Sequence[str]) -> list[str]:
    """The other kinds of store in the data folder whose catalogue lists one of `sources`, or cannot be read; blocking."""
    own = folder_of(settings.data, settings.store)
    kinds = [kind for kind in registry.names("store") if folder_of(settings.data, kind) != own]
    return [kind for kind in kinds if _holds(folder_of(settings.data, kind), frozenset(sources))]


def _holds(folder: Path, sources: frozenset[str]) -> bool:
    if not (folder / FILE).is_file():
        return False
    try:
        catalogue = Catalogue(folder)
    except StoreError:
        return True
    try:
        names = [record.collection.name for record in catalogue.records()]
        return any(source in sources for name in names for source, _ in catalogue.fingerprints(name).values())
    finally:
        catalogue.close()


def parse_place(text: str, settings: Settings) -> Place:
    """A store as a person names it: `KIND`, `KIND=ADDRESS`, or the data folder of another one.

    A kind that the settings name has their address and token where none is given.
    """
    kind, mark, given = text.partition("=")
    if kind in registry.names("store"):
        if kind == EMBEDDED:
            return Place(kind, Path(given).expanduser() if given else settings.data)
        same = kind == settings.store
        uri = given or (settings.store_uri if same else "")
        token = settings.store_token.get_secret_value()
        return Place(kind, folder_of(settings.data, kind), Address(uri, token))
    folder = Path(text).expanduser()
    if mark or "://" in text or not folder.is_dir():
        kinds = ", ".join(f"`{name}`" for name in registry.names("store"))
        raise UsageError(
            f"`{text}` is no store. Name a kind ({kinds}), a kind with its address (`milvus=http://localhost:19530`), "
            "or a data folder that is there."
        )
    return Place(EMBEDDED, folder)


async def open_place(place: Place, *, read_only: bool = False) -> Store:
    """Off the loop, since the first use of a kind imports its library, which can take a second."""
    build = await asyncio.to_thread(registry.find, "store", place.kind)
    store: Store = await build(place.folder, read_only=read_only, address=place.address)
    return store


async def open_store(settings: Settings, *, read_only: bool = False) -> Store:
    """The store that the settings name."""
    return await open_place(place_of(settings), read_only=read_only)


class Clearing(Protocol):
    """Something kept, which can be emptied."""

    def clear(self) -> None: ...


def emptied(kept: Sequence[Clearing], data: Path) -> None:
    """Empty what is kept beside the collections, the progress of flows with it; blocking."""
    for each in kept:
        each.clear()
    forget_flows(data)


def forget_flows(data: Path) -> None:
    """Remove the journals and dead letters of all flows, which hold text of documents and of models; blocking."""
    with suppress(FileNotFoundError):
        shutil.rmtree(data / FLOWS)
