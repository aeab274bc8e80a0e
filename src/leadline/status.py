"""What a data folder holds and who is writing to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from leadline.embeddings.cache import FILE, VectorCache
from leadline.store.lock import LOCK, holder
from leadline.types import Collection


@dataclass(frozen=True, slots=True)
class Status:
    """A data folder as it is now. `changed` is when it was last written, ISO 8601 in UTC, "" if never.

    `cache` bytes of all hold vectors of slow encoders, by hash, that can be computed again.
    """

    data: Path
    exists: bool
    collections: tuple[Collection, ...]
    bytes: int
    changed: str
    writer: str
    cache: int = 0

    @property
    def documents(self) -> int:
        """Documents of all collections."""
        return sum(each.documents for each in self.collections)

    @property
    def chunks(self) -> int:
        """Chunks of all collections."""
        return sum(each.chunks for each in self.collections)


def measure(data: Path, collections: Sequence[Collection], writer: str) -> Status:
    """Look at every file of the folder; blocking."""
    sizes: list[int] = []
    times: list[float] = []
    for file in _files(data):
        try:
            found = file.stat()
        except FileNotFoundError:
            # Another process compacts while we count.
            continue
        sizes.append(found.st_size)
        if not _opened_only(file, found.st_size):
            times.append(found.st_mtime)
    changed = datetime.fromtimestamp(max(times), UTC).isoformat(timespec="seconds") if times else ""
    cache = VectorCache(data / FILE, 0).size
    return Status(data, data.is_dir(), tuple(collections), sum(sizes), changed, writer, cache)


def writer(data: Path) -> str:
    """Who is writing to the folder, or was killed while writing; "" when nobody is."""
    found = holder(data / LOCK)
    if found is None:
        return ""
    return f"{found}, which is gone; the next write takes over" if found.ended else str(found)


def _opened_only(file: Path, size: int) -> bool:
    """Whether a file may be there for a reader alone: SQLite makes its shared memory and an empty log anew."""
    return file.name.endswith("-shm") or (file.name.endswith("-wal") and not size)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
