"""Reading a store while others write: each search runs on one committed version of a table."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from lancedb import AsyncConnection

from leadline.errors import StoreError
from leadline.store.catalogue import Record
from leadline.store.committed import CommittedReader
from leadline.store.lance_addresses import Addresses
from leadline.store.lance_connection import connect
from leadline.store.lance_table import LanceTable
from leadline.store.lance_view import Snapshot
from leadline.store.lance_writer import TABLES

R = TypeVar("R")

ATTEMPTS = 5
"""How often a search starts anew when the version it runs on is deleted under it."""


KEPT_BYTES = 256 << 20
"""What all snapshots may keep in memory together, about; those not used for longest give way."""


class LanceReader(CommittedReader):
    """Snapshots of the collections, renewed when anyone has committed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._connection: AsyncConnection | None = None
        self._snapshots: dict[str, Snapshot] = {}
        self._addresses: dict[str, Addresses] = {}

    def close(self) -> None:
        super().close()
        for one in self._addresses.values():
            one.close()
        self._addresses.clear()
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def forget(self) -> None:
        super().forget()
        self._snapshots.clear()

    async def search(self, name: str, function: Callable[[Snapshot], Awaitable[R]]) -> R:
        """What `function` returns for the collection as it is now."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await function(await self._snapshot(name))
            except (ValueError, OSError, RuntimeError) as error:
                self._snapshots.clear()
                if attempt == ATTEMPTS:
                    raise StoreError(
                        f"Collection `{name}` cannot be read: {_first_line(error)}. `leadline doctor` says what to do."
                    ) from error
        raise AssertionError("the last attempt returns or raises")

    async def _snapshot(self, name: str) -> Snapshot:
        catalogue = self.renewed(name)
        found = self._snapshots.pop(name, None)
        if found is None:
            changes = self._changes
            record = catalogue.record(name)
            found = Snapshot(record, await self._open(record), self._addresses_of(record))
            if changes != self._changes:
                return found
            found = self._snapshots.pop(name, found)
        self._snapshots[name] = found
        self._let_go()
        return found

    def _let_go(self) -> None:
        """Forget the snapshots used longest ago, but for the newest, until they keep little enough."""
        kept = sum(one.size for one in self._snapshots.values())
        while kept > KEPT_BYTES and len(self._snapshots) > 1:
            name = next(iter(self._snapshots))
            kept -= self._snapshots.pop(name).size
            if name in self._addresses:
                self._addresses.pop(name).close()

    def _addresses_of(self, record: Record) -> Addresses:
        """What is known of where the collection's rows lie, from whichever commit."""
        name = record.collection.name
        known = self._addresses.get(name)
        if known is None or known.table != record.table:
            if known is not None:
                known.close()
            known = self._addresses[name] = Addresses(record.table)
        return known

    async def _open(self, record: Record) -> LanceTable:
        if self._connection is None:
            self._connection = await connect(self.folder / TABLES)
        table = await LanceTable.open(self._connection, record.table, record.collection.dimension)
        try:
            return await table.at(record.version)
        except (ValueError, RuntimeError):
            # During maintenance any later version holds the same rows, and the named one may be gone.
            if not record.maintenance:
                raise
            return await LanceTable.open(self._connection, record.table, record.collection.dimension)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200].rstrip(".")
