"""Qdrant keeps the contract of every store, in a folder without a server."""

from pathlib import Path

import pytest

from leadline.store.base import Store
from leadline.testing.store_contract import StoreContract

qdrant = pytest.importorskip("leadline.store.qdrant", reason="needs the extra `qdrant`", exc_type=ImportError)


class TestQdrantFolder(StoreContract):
    async def open(self, path: Path) -> Store:
        store: Store = await qdrant.open_store(path)
        return store
