"""Milvus keeps the contract of every store: in a file, here; as a server, in `test_milvus_server`."""

from pathlib import Path

import pytest

from leadline.store.base import Store
from leadline.testing.store_contract import StoreContract

milvus = pytest.importorskip("leadline.store.milvus", reason="needs the extra `milvus`", exc_type=ImportError)


class TestMilvusFile(StoreContract):
    async def open(self, path: Path) -> Store:
        store: Store = await milvus.open_store(path)
        return store
