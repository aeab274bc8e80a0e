"""A real Milvus server of a version without BM25 keeps the contract too, more slowly."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from leadline.store.base import Store
from leadline.store.served_rows import Address
from leadline.testing.milvus_server import is_installed, milvus_server
from leadline.testing.store_contract import StoreContract

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
