"""What each store can do, tried out: `python -m leadline.testing.stores` prints the table of docs/stores.md.

Engines whose library is not installed are left out; `--server` starts a Milvus server too.
"""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from leadline.errors import StoreError
from leadline.store.base import Store, Swapping
from leadline.store.served_rows import Address
from leadline.testing.entries import PLAIN, VECTORS, axis, entry
from leadline.testing.milvus_server import milvus_server
from leadline.testing.running import go


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens stores of a kind, with their rows at an address."""

    kind: str
    address: Address = Address()

    async def __call__(self, path: Path) -> Store:
        build = import_module(f"leadline.store.{self.kind}").open_store
        store: Store = await build(path, address=self.address)
        return store


SECRET = "zanzibar"
LONG = 20_000

ENGINES: Mapping[str, tuple[str, str]] = {
    "LanceDB": ("lance", "lancedb"),
    "milvus-lite file": ("milvus", "pymilvus"),
    "Qdrant folder": ("qdrant", "qdrant_client"),
}
SERVER = "Milvus 2.3 server"

READ = """
import sys
from importlib import import_module
from pathlib import Path
from leadline.store.served_rows import Address
from leadline.testing.running import go

async def read():
    kind, path, uri, token = sys.argv[1:]
    build = import_module(f"leadline.store.{kind}").open_store
    store = await build(Path(path), read_only=True, address=Address(uri, token))
    found = await store.keyword("plain", ["word"], 3)
    await store.close()
    return len(found)

sys.exit(go(read()) != 1)
"""


async def _ranks_every_chunk(open_store: Opener, path: Path) -> bool:
    store = await open_store(path)
    try:
        await store.create(PLAIN)
        return not await store.notices()
    finally:
        await store.close()


async def _swaps_encoders(open_store: Opener, path: Path) -> bool:
    store = await open_store(path)
    await store.close()
    return isinstance(store, Swapping)


async def _reads_elsewhere(open_store: Opener, path: Path) -> bool:
    """In another process, by the folder alone, while this one has the store open for writing."""
    store = await open_store(path)
    try:
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", "word")])
        where = [open_store.kind, str(path), open_store.address.uri, open_store.address.token]
        done = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", READ, *where], capture_output=True, check=False
        )
        return done.returncode == 0
    finally:
        await store.close()


async def _keeps_long_passages(open_store: Opener, path: Path) -> bool:
    """One of so many different words."""
    store = await open_store(path)
    try:
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", " ".join(f"word{number}" for number in range(LONG)))])
    except StoreError:
        return False
    finally:
        await store.close()
    return True


async def _forgets_at_once(open_store: Opener, path: Path) -> bool:
    """Whether text that was removed for good is in no file of the folder."""
    store = await open_store(path)
    await store.create(VECTORS)
    await store.replace("vectors", [entry("a", SECRET, vectors=[0]), entry("b", "word", vectors=[1])])
    await store.remove("vectors", ["a"], purge=True)
    found = await store.dense("vectors", axis(1), 3)
    await store.close()
    return len(found) == 1 and not await asyncio.to_thread(_holds_secret, path)


def _holds_secret(path: Path) -> bool:
    files = [one for one in path.rglob("*") if one.is_file()]
    return any(SECRET.encode() in one.read_bytes() for one in files)


PROBES: Mapping[str, Callable[[Opener, Path], Awaitable[bool]]] = {
    "keyword search ranks every chunk": _ranks_every_chunk,
    f"a passage of {LONG:,} different words": _keeps_long_passages,
    "`leadline reindex` in place": _swaps_encoders,
    "other processes read while one writes": _reads_elsewhere,
    "purged text is in no file of the data folder": _forgets_at_once,
}


async def probed(open_store: Opener, path: Path) -> dict[str, bool]:
    """What of all probes a store can do; each runs on a store of its own below `path`."""
    return {
        name: await probe(open_store, path / str(place)) for place, (name, probe) in enumerate(PROBES.items())
    }


def table(found: Mapping[str, Mapping[str, bool]]) -> str:
    """One row for each probe, one column for each engine."""
    lines = [f"| | {' | '.join(found)} |", f"| --- |{' --- |' * len(found)}"]
    for name in PROBES:
        lines.append(f"| {name} | {' | '.join('yes' if can[name] else '**no**' for can in found.values())} |")
    return "\n".join(lines)


def said_in(page: str, engine: str) -> dict[str, bool]:
    """What a page with such a table says of an engine."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("| ")
    ]
    column = next(row.index(engine) for row in rows if engine in row)
    return {row[0]: row[column] == "yes" for row in rows if row[0] in PROBES}


def main() -> str:
    """The whole table, of the engines that are installed."""
    found: dict[str, dict[str, bool]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for engine, (kind, library) in ENGINES.items():
            if find_spec(library) is not None:
                found[engine] = go(probed(Opener(kind), Path(folder) / kind))
        if "--server" in sys.argv:
            with milvus_server(Path(folder) / "server") as server:
                there = Path(folder) / "served"
                found[SERVER] = go(probed(Opener("milvus", server.address), there))
    return table(found)


if __name__ == "__main__":
    sys.stdout.write(main() + "\n")
