"""Collections from one store into another, as they are: nothing is read, split or embedded again.

documents in order of id -> those that the other store has already are passed over -> batches, one commit each
  -> when asked, those that are gone from the first store are removed from the other -> counts compared
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from leadline.errors import StoreError, UnknownCollection, UsageError
from leadline.events import Migrated
from leadline.run import Run
from leadline.store.base import Entry, Store
from leadline.types import Collection

BATCH_CHUNKS = 2_000
BATCH_DOCUMENTS = 256

Marks = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """One collection: `copied` documents went over now, `there` were there before, `left` remain when stopped."""

    collection: str
    copied: int
    there: int
    left: int
    documents: int
    chunks: int
    seconds: float


async def migrate(
    source: Store, target: Store, names: Sequence[str], run: Run, *, prune: bool = False
) -> list[MigrationReport]:
    """Copy collections, all of them when none is named. Stopped or killed, the next call goes on from there.

    Documents that only the other store has are removed there with `prune`; else they are a `UsageError`, before
    anything of that collection is copied.
    """
    known = {each.name: each for each in await source.collections()}
    for name in names:
        if name not in known:
            have = f"there are: {', '.join(known)}" if known else "there is none"
            raise UnknownCollection(f"No collection is called `{name}` in the store to copy from; {have}.")
    chosen = [known[name] for name in (names or sorted(known))]
    return [await _copy(collection, source, target, run, prune) for collection in chosen]


async def _copy(
    collection: Collection, source: Store, target: Store, run: Run, prune: bool
) -> MigrationReport:
    begun, name = run.clock(), collection.name
    await target.create(replace(collection, documents=0, chunks=0))
    wanted, have = await source.fingerprints(name), await target.fingerprints(name)
    await _check_target(target, name, wanted, have, prune)
    todo = {key for key, value in wanted.items() if have.get(key) != value}
    copied = 0
    async with aclosing(_batches(source, name, todo)) as batches:
        async for batch in batches:
            if run.cancelled:
                break
            await target.replace(name, batch)
            copied += len(batch)
            run.emit(Migrated(name, copied, len(todo)))
    left = len(todo) - copied
    if not run.cancelled:
        await target.remove(name, [key for key in have if key not in wanted])
        await target.optimise(name)
    now = await target.collection(name)
    if not left and not run.cancelled:
        _compare(await source.collection(name), now)
    return MigrationReport(
        name, copied, len(wanted) - len(todo), left, now.documents, now.chunks, run.clock() - begun
    )


async def _check_target(target: Store, name: str, wanted: Marks, have: Marks, prune: bool) -> None:
    """A former copy is brought up to date; other documents under the same name are not to be lost."""
    if not have:
        return
    if not have.keys() & wanted.keys():
        raise UsageError(
            f"The store to copy to has another collection `{name}`, with {len(have)} documents that the first store "
            "does not have. Nothing was copied. Drop it there (`leadline collections drop`), or copy to another store."
        )
    only = [source for key, (source, _) in have.items() if key not in wanted]
    if only and not prune:
        raise UsageError(
            f"Collection `{name}` of the store to copy to has {len(only)} documents that the first store does not have, "
            f"such as `{min(only)}`. Nothing of it was copied. Add --prune to remove them there, or copy to another store."
        )
    # The catalogue says what is there; reading a row shows that the server it speaks of is this one.
    async with aclosing(target.scan(name)) as entries:
        async for _ in entries:
            break


async def _batches(source: Store, name: str, wanted: set[str]) -> AsyncGenerator[list[Entry]]:
    if not wanted:
        return
    held: list[Entry] = []
    chunks = 0
    async with aclosing(source.scan(name)) as entries:
        async for entry in entries:
            if entry.document.id not in wanted:
                continue
            held.append(entry)
            chunks += len(entry.chunks)
            if chunks >= BATCH_CHUNKS or len(held) == BATCH_DOCUMENTS:
                yield held
                held, chunks = [], 0
    if held:
        yield held


def _compare(before: Collection, after: Collection) -> None:
    if (before.documents, before.chunks) != (after.documents, after.chunks):
        raise StoreError(
            f"Collection `{before.name}` has {before.documents} documents and {before.chunks} chunks in the first store, "
            f"{after.documents} and {after.chunks} in the other: was it being written? Run the same command again."
        )
