"""A real Milvus server of a version without BM25 keeps the contract too, more slowly."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from leadline.errors import StoreUnreachable
from leadline.store.base import Store
from leadline.store.lance import LanceStore
from leadline.store.served_rows import Address
from leadline.testing.entries import PLAIN, VECTORS
from leadline.testing.keyword_overlap import overlap
from leadline.testing.milvus_server import is_installed, milvus_server
from leadline.testing.running import go
from leadline.testing.store_contract import StoreContract
from leadline.testing.stores import SERVER, Opener, probed, said_in
from tests.store.keywords import collection, questions
from tests.store.test_stores_page import PAGE

milvus = pytest.importorskip("leadline.store.milvus", reason="needs the extra `milvus`", exc_type=ImportError)

pytestmark = [
    pytest.mark.milvus,
    pytest.mark.slow,
    pytest.mark.skipif(not is_installed(), reason="needs the package `milvus`, for Linux on x86-64 only"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with milvus_server(tmp_path_factory.mktemp("milvus")) as started:
        yield started.address


class TestMilvusServer(StoreContract):
    @pytest.fixture(autouse=True)
    def _at(self, server: Address) -> None:  # pyright: ignore[reportUnusedFunction] - by name
        self.address = server

    async def open(self, path: Path) -> Store:
        store: Store = await milvus.open_store(path, address=self.address)
        return store


def test_a_server_without_bm25_says_so_once_and_finds_what_the_embedded_store_finds(
    server: Address, tmp_path: Path
) -> None:
    async def steps() -> None:
        ours, theirs = LanceStore(tmp_path / "ours"), await milvus.open_store(tmp_path, address=server)
        for store in (ours, theirs):
            await store.create(VECTORS)
            await store.replace("vectors", collection(12))
        (notice,) = await theirs.notices()
        assert "2.3 has no BM25" in notice
        assert "2.5" in notice
        assert await overlap(ours, theirs, "vectors", questions(8)) >= 0.9
        await theirs.drop("vectors")
        await ours.close()
        await theirs.close()

    go(steps())


def test_a_wrong_token_is_said_and_not_shown(server: Address, tmp_path: Path) -> None:
    async def steps() -> None:
        store = await milvus.open_store(tmp_path, address=replace(server, token="root:hidden"))
        with pytest.raises(StoreUnreachable, match="refuses the token.*LEADLINE_STORE_TOKEN") as said:
            await store.create(PLAIN)
        assert "hidden" not in str(said.value)
        await store.close()

    go(steps())


def test_what_the_page_says_of_a_server_is_what_it_does(server: Address, tmp_path: Path) -> None:
    said = said_in(PAGE.read_text(encoding="utf-8"), SERVER)
    assert go(probed(Opener("milvus", server), tmp_path)) == said
