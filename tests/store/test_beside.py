"""Several stores read as one."""

from pathlib import Path

import pytest

from leadline.errors import UnknownCollection
from leadline.store.base import Reading
from leadline.store.beside import Beside
from leadline.store.lance import open_store
from leadline.testing.entries import PLAIN, entry, ids
from leadline.testing.running import go
from leadline.types import Collection


def test_each_collection_is_read_from_its_own_store(tmp_path: Path) -> None:
    async def steps() -> None:
        files, pages = await open_store(tmp_path / "files"), await open_store(tmp_path / "pages")
        await files.create(PLAIN)
        await files.create(Collection("cache", "in the way"))
        await pages.create(Collection("cache"))
        await files.replace("plain", [entry("a", "quay wall")])
        await files.replace("cache", [entry("hidden", "quay")])
        await pages.replace("cache", [entry("b", "quay light"), entry("c", "lock")])
        both: Reading = Beside(files, {"cache": pages})

        assert ids(await both.keyword("plain", ["quay"], 5)) == ["a-0"]
        assert ids(await both.keyword("cache", ["quay"], 5)) == ["b-0"]
        assert {each.name: each.documents for each in await both.collections()} == {"plain": 1, "cache": 2}
        assert (await both.collection("cache")).description == ""
        found = await both.document("cache", "b")
        assert found is not None
        assert found.text == "quay light"
        assert await both.document("plain", "b") is None
        assert [each.document.id async for each in both.scan("cache")] == ["b", "c"]
        assert set(await both.fingerprints("cache")) == {"b", "c"}
        assert (await both.statistics("cache", ["quay"])).chunks == 2
        assert [each.id for each in await both.chunks("cache", ["c-0", "a-0"])] == ["c-0"]
        with pytest.raises(UnknownCollection):
            await both.keyword("none", ["quay"], 5)
        await files.close()
        await pages.close()

    go(steps())


def test_what_was_added_a_moment_ago_is_found(tmp_path: Path) -> None:
    async def steps() -> None:
        pages = await open_store(tmp_path / "pages")
        await pages.create(Collection("cache"))
        both = Beside(await open_store(tmp_path / "none", read_only=True), {"cache": pages})
        assert await both.keyword("cache", ["quay"], 5) == []
        await pages.replace("cache", [entry("b", "quay light")])
        assert ids(await both.keyword("cache", ["quay"], 5)) == ["b-0"]
        assert [each.name for each in await both.collections()] == ["cache"]
        await pages.close()

    go(steps())
