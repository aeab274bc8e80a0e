"""What stores whose rows are kept elsewhere promise beyond the contract, each engine alike."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import StoreError, StoreUnreachable
from leadline.store.catalogue_writer import CatalogueWriter
from leadline.store.fields import fields_of
from leadline.store.filters import matches, parse_filter
from leadline.store.lance import LanceStore
from leadline.store.served import ServedStore
from leadline.store.served_rows import Address
from leadline.testing.entries import PLAIN, VECTORS, axis, entry, ids
from leadline.testing.keyword_overlap import overlap
from leadline.testing.running import go
from leadline.types import Metadata
from tests.store.keywords import collection, questions

ENGINES = ["milvus", "qdrant"]
USER = "me:hidden"

LOAD = """
import sys
from importlib import import_module
from pathlib import Path
from leadline.testing.entries import VECTORS, entry
from leadline.testing.running import go

async def load():
    store = await import_module(f"leadline.store.{sys.argv[1]}").open_store(Path(sys.argv[2]))
    await store.create(VECTORS)
    print("begun", flush=True)
    for version in range(200):
        entries = [entry(f"d{n}", f"word v{version}", f"more v{version}", vectors=[n % 8, 7]) for n in range(12)]
        await store.replace("vectors", entries)

go(load())
"""


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(
        f"leadline.store.{request.param}", reason="needs the extra of that name", exc_type=ImportError
    )
    return request.param


async def opened(engine: str, path: Path, address: Address | None = None) -> ServedStore:
    store: ServedStore = await import_module(f"leadline.store.{engine}").open_store(path, address=address)
    return store


def test_keyword_search_finds_what_the_embedded_store_finds(engine: str, tmp_path: Path) -> None:
    async def steps() -> None:
        ours, theirs = LanceStore(tmp_path / "ours"), await opened(engine, tmp_path / "theirs")
        for store in (ours, theirs):
            await store.create(VECTORS)
            await store.replace("vectors", collection())
        assert await overlap(ours, theirs, "vectors", questions()) >= 0.9
        await ours.close()
        await theirs.close()

    go(steps())


def test_a_write_that_never_committed_is_unseen_and_swept(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async def steps() -> None:
        store = await opened(engine, tmp_path)
        await store.create(VECTORS)
        await store.replace("vectors", [entry("a", "word old", vectors=[0])])
        with monkeypatch.context() as patch, pytest.raises(StoreError, match="Nothing was changed"):
            patch.setattr(CatalogueWriter, "add_documents", full)
            await store.replace("vectors", [entry(one, "word new", vectors=[1]) for one in "ab"])
        await store.close()
        store = await opened(engine, tmp_path)
        assert [one.chunk.text for one in await store.keyword("vectors", ["word"], 9)] == ["word old"]
        assert ids(await store.dense("vectors", axis(1), 9)) == ["a-0"]
        table = store.reader.catalogue("vectors").record("vectors").table
        assert len(await store.rows.among(table, "document", ["a", "b"])) == 3
        await store.describe("vectors", "any write sweeps")
        assert len(await store.rows.among(table, "document", ["a", "b"])) == 1
        await store.close()

    go(steps())


@pytest.mark.slow
def test_a_killed_load_leaves_whole_batches(engine: str, tmp_path: Path) -> None:
    async def seen() -> list[tuple[str, str]]:
        store = await opened(engine, tmp_path)
        found = await store.keyword("vectors", ["word", "more"], 99)
        near = await store.dense("vectors", axis(7), 99)
        assert sorted(ids(near)) == sorted(ids(found))
        await store.describe("vectors", "any write sweeps")
        table = store.reader.catalogue("vectors").record("vectors").table
        kept = await store.rows.among(table, "document", [f"d{number}" for number in range(12)])
        await store.close()
        assert len(kept) == len(found)
        return [(one.chunk.id, one.chunk.text.split()[1]) for one in found]

    for wait in (0.3, 0.9, 1.4):
        with subprocess.Popen(
            [sys.executable, "-c", LOAD, engine, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as victim:
            assert victim.stdout is not None
            assert victim.stdout.readline() == "begun\n"
            time.sleep(wait)
            victim.send_signal(signal.SIGKILL)
        found = go(seen())
        assert len({version for _, version in found}) <= 1
        assert len(found) == len(dict(found)) in {0, 24}


def test_purged_text_is_gone_from_the_folder(engine: str, tmp_path: Path) -> None:
    async def steps() -> None:
        store = await opened(engine, tmp_path)
        await store.create(VECTORS)
        stored = [entry("a", "zanzibar secret", vectors=[0]), entry("b", "open word", vectors=[1])]
        await store.replace("vectors", stored)
        await store.remove("vectors", ["a"], purge=True)
        assert ids(await store.dense("vectors", axis(0), 9)) == ["b-0"]
        assert ids(await store.keyword("vectors", ["open"], 9)) == ["b-0"]
        await store.close()

    go(steps())
    held = [path for path in tmp_path.rglob("*") if path.is_file() and b"zanzibar" in path.read_bytes()]
    assert held == []


HELD: dict[str, Metadata] = {
    "a": {"note": 'He said "50% off\\now" a_b\n中文', "year": 2021, "tags": ("red", 'gr"een'), "day": "2021-12-31"},
    "b": {"note": "x" * 500, "year": -3.5, "tags": tuple(f"tag {n} {'y' * 90}" for n in range(40))},
    "c": {"note": "x" * 499 + "y", "day": "2023-05-01T10:00:00", "final": True},
    "d": {"note": "", "year": "2021", "tags": ("blue",), "final": False, "day": "2023-05-01"},
    "e": {"other": 1e300},
}  # fmt: skip

FILTERS = [
    'note == "He said \\"50% off\\\\now\\" a_b\\n中文"',
    f'note == "{"x" * 500}"',
    f'note != "{"x" * 500}"',
    f'note > "{"x" * 500}"',
    f'note < "{"x" * 501}"',
    f'note ~ "{"X" * 300}"',
    f'not note ~ "{"x" * 499}y"',
    'note ~ "0% OFF"',
    'note ~ "a_b"',
    'note ^= "He said"',
    'not note ^= "xx"',
    'note == ""',
    "year < 0",
    "not year < 0",
    'year == "2021"',
    "year in [2021, -3.5]",
    "not year in [2021]",
    'tags == "gr\\"een"',
    'not tags == "red"',
    'tags ~ "TAG 7"',
    'tags in ["blue", "red"]',
    'tags >= "red"',
    'tags ^= "bl"',
    "day >= 2023-05-01",
    "day > 2023-05-01",
    "day < 2023",
    'day ^= "2023-05"',
    "final == true",
    "final != true",
    "not (final == true or year == 2021)",
    "other >= 1e300",
    "nothing == 1 or year == 2021",
]


def test_filters_mean_the_same_whatever_a_server_can_express(engine: str, tmp_path: Path) -> None:
    async def steps() -> None:
        store = await opened(engine, tmp_path)
        await store.create(VECTORS)
        stored = [entry(one, "word", metadata=HELD[one], vectors=[place]) for place, one in enumerate(HELD)]
        await store.replace("vectors", stored)
        for text in FILTERS:
            tree = parse_filter(text)
            wanted = [each.chunks[0].id for each in stored if matches(tree, fields_of(each.chunks[0]))]
            found = ids(await store.keyword("vectors", ["word"], 9, tree))
            assert sorted(found) == wanted, text
            assert len(await store.dense("vectors", axis(0), 9, tree)) == len(wanted), text
            assert len(await store.chunks("vectors", [f"{one}-0" for one in HELD], tree)) == len(wanted), text
        await store.close()

    go(steps())


def test_a_server_that_does_not_answer_is_said_with_its_address_and_no_password(
    engine: str, tmp_path: Path
) -> None:
    async def steps() -> None:
        store = await opened(engine, tmp_path, Address(f"http://{USER}@127.0.0.1:1", "hidden"))
        with pytest.raises(StoreUnreachable, match=r"http://127.0.0.1:1 does not answer.*store_uri") as said:
            await store.create(PLAIN)
        assert "hidden" not in str(said.value)
        assert await store.collections() == []
        await store.close()

    go(steps())


def test_a_collection_whose_rows_are_gone_is_said_and_can_be_dropped(engine: str, tmp_path: Path) -> None:
    async def steps() -> None:
        store = await opened(engine, tmp_path)
        await store.create(VECTORS)
        await store.replace("vectors", [entry("a", "word", vectors=[0])])
        await store.rows.drop(store.reader.catalogue("vectors").record("vectors").table)
        for call in (
            lambda: store.dense("vectors", axis(0), 3),
            lambda: store.chunks("vectors", ["a-0"]),
            lambda: store.replace("vectors", [entry("a", "other", vectors=[0])]),
        ):
            with pytest.raises(StoreError, match="collections drop"):
                await call()
        await store.drop("vectors")
        assert await store.collections() == []
        await store.close()

    go(steps())


def test_two_data_folders_do_not_touch_each_other_on_one_server(engine: str, tmp_path: Path) -> None:
    async def steps() -> None:
        address = Address(str(tmp_path / "rows.db"))
        one = await opened(engine, tmp_path / "one", address)
        other = await opened(engine, tmp_path / "other", address)
        for store, word in ((one, "alpha"), (other, "beta")):
            await store.create(PLAIN)
            await store.replace("plain", [entry("a", word)])
        await one.drop("plain")
        assert ids(await other.keyword("plain", ["beta"], 3)) == ["a-0"]
        await one.close()
        assert ids(await other.keyword("plain", ["beta"], 3)) == ["a-0"]
        await other.close()

    go(steps())


class Refusing(BaseHTTPRequestHandler):
    """Answers everything like a server that does not know the key."""

    def answer(self) -> None:
        body = b'{"status": {"error": "Invalid API key: hidden"}}'
        self.send_response(403)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_POST = answer

    def log_message(self, format: str, *args: Any) -> None: ...


@contextmanager
def refusing() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_key_that_qdrant_refuses_is_said_and_not_shown(tmp_path: Path) -> None:
    pytest.importorskip("leadline.store.qdrant", reason="needs the extra `qdrant`", exc_type=ImportError)

    async def steps(address: Address) -> None:
        store = await opened("qdrant", tmp_path, address)
        with pytest.raises(StoreUnreachable, match="refuses the key.*LEADLINE_STORE_TOKEN") as said:
            await store.reach()
        assert "hidden" not in str(said.value)
        await store.close()

    with refusing() as uri:
        go(steps(Address(uri, "hidden")))


def test_the_notices_of_engines_that_can_do_everything_are_none(engine: str, tmp_path: Path) -> None:
    async def steps() -> None:
        store = await opened(engine, tmp_path)
        assert await store.notices() == ()
        await store.create(PLAIN)
        assert await store.notices() == ()
        await store.close()

    go(steps())
