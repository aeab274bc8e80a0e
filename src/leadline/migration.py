"""Copying collections between two stores that a person names; both are opened here and closed again."""

from collections.abc import Sequence

from leadline.config import Settings
from leadline.errors import UsageError
from leadline.ingest.migrating import MigrationReport, migrate
from leadline.run import Run
from leadline.stores import open_place, parse_place


async def migrated(
    settings: Settings, source: str, target: str, names: Sequence[str], run: Run, *, prune: bool = False
) -> list[MigrationReport]:
    """What was copied, collection by collection."""
    first, other = parse_place(source, settings), parse_place(target, settings)
    if first.folder.absolute() == other.folder.absolute():
        raise UsageError(f"`{source}` and `{target}` are the same store. Name another one to copy to.")
    reading = await open_place(first, read_only=True)
    try:
        writing = await open_place(other)
        try:
            return await migrate(reading, writing, names, run, prune=prune)
        finally:
            await writing.close()
    finally:
        await reading.close()
