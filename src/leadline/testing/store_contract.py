"""What every `Store` must do, as tests: subclass `StoreContract` in a test module and give it `open`.

class TestMyStore(StoreContract):
    async def open(self, path: Path) -> Store: ...
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from leadline.errors import EmbeddingMismatch, UnknownCollection
from leadline.store.base import Store
from leadline.testing.entries import PLAIN, VECTORS, axis, entry, ids
from leadline.testing.store_fields_contract import StoreFieldsContract
from leadline.types import Collection, IndexOptions, Metadata


class StoreContract(StoreFieldsContract):
    """What is stored, replaced, removed and kept apart; the other half is inherited."""

    def test_a_new_store_holds_nothing(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            assert await store.collections() == []
            with pytest.raises(UnknownCollection, match="`plain`"):
                await store.collection("plain")

        self.run(tmp_path, steps)

    def test_every_method_refuses_an_unknown_collection(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            for call in (
                lambda: store.collection("x"),
                lambda: store.describe("x", ""),
                lambda: store.configure("x", {}),
                lambda: store.drop("x"),
                lambda: store.replace("x", [entry("a", "alpha")]),
                lambda: store.remove("x", ["a"]),
                lambda: store.fingerprints("x"),
                lambda: store.dense("x", axis(0), 3),
                lambda: store.keyword("x", ["alpha"], 3),
                lambda: store.keyword("x", [], 3),
                lambda: store.statistics("x", ["alpha"]),
                lambda: store.fields("x"),
                lambda: store.chunks("x", ["a"]),
                lambda: store.section_chunks("x", "a"),
                lambda: store.sections("x", ["a"]),
                lambda: store.document("x", "a"),
                lambda: store.optimise("x"),
            ):
                with pytest.raises(UnknownCollection, match="`x`.*plain"):
                    await call()

        self.run(tmp_path, steps, PLAIN)

    def test_a_collection_keeps_what_it_was_made_with(self, tmp_path: Path) -> None:
        made = replace(VECTORS, metadata={"owner": "me", "tags": ("a", "b"), "year": 2024})

        async def steps(store: Store) -> None:
            assert await store.collection("vectors") == made
            await store.describe("vectors", "other words")
            assert [one.description for one in await store.collections()] == ["other words"]

        self.run(tmp_path, steps, made)

    def test_keys_of_a_collections_metadata_change_alone(self, tmp_path: Path) -> None:
        made = replace(VECTORS, metadata={"owner": "me", "year": 2024}, index=IndexOptions(m=24))

        async def steps(store: Store) -> None:
            await store.configure("vectors", {"year": 2025, "tuned.coverage": False})
            await store.configure("vectors", {"owner": None, "absent": None})
            changed = replace(made, metadata={"year": 2025, "tuned.coverage": False})
            assert await store.collection("vectors") == changed

        self.run(tmp_path, steps, made)

    def test_creating_twice_changes_nothing_and_another_embedding_is_refused(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("vectors", [entry("a", "alpha", vectors=[0])])
            await store.create(replace(VECTORS, description="later"))
            assert (await store.collection("vectors")).description == "with vectors"
            for other in (
                replace(VECTORS, embedding="other"),
                replace(VECTORS, dimension=4),
                Collection("vectors"),
            ):
                with pytest.raises(EmbeddingMismatch, match="--collection"):
                    await store.create(other)
            assert (await store.collection("vectors")).chunks == 1

        self.run(tmp_path, steps, VECTORS)

    def test_vectors_of_another_dimension_are_refused_and_nothing_changes(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            with pytest.raises(EmbeddingMismatch, match="load"):
                await store.replace("plain", [entry("a", "alpha", vectors=[0])])
            with pytest.raises(EmbeddingMismatch):
                await store.replace("vectors", [entry("b", "beta", vectors=[0]), entry("a", "alpha")])
            with pytest.raises(EmbeddingMismatch):
                await store.dense("vectors", np.ones(3, dtype=np.float32), 3)
            assert [one.documents for one in await store.collections()] == [0, 0]

        self.run(tmp_path, steps, PLAIN, VECTORS)

    def test_what_was_stored_comes_back_whole(self, tmp_path: Path) -> None:
        metadata: Metadata = {"year": 2024, "ratio": 0.5, "final": True, "author": "李明", "tags": ("x", "y")}
        stored = entry("a", "alpha “beta”", "gamma\n\tdelta 中文", metadata=metadata)

        async def steps(store: Store) -> None:
            await store.replace("plain", [stored])
            assert await store.document("plain", "a") == stored.document
            assert await store.document("plain", "b") is None
            assert await store.chunks("plain", ["a-1", "nothing", "a-0"]) == list(reversed(stored.chunks))
            assert await store.section_chunks("plain", "a-s") == list(stored.chunks)
            assert await store.sections("plain", ["nothing", "a-s"]) == list(stored.sections)
            assert await store.fingerprints("plain") == {"a": ("a", stored.fingerprint)}
            assert (await store.keyword("plain", ["gamma"], 1))[0].chunk == stored.chunks[1]
            held = await store.collection("plain")
            assert (held.documents, held.chunks) == (1, 2)

        self.run(tmp_path, steps, PLAIN)

    def test_a_document_without_chunks_is_kept(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("vectors", [entry("empty", vectors=[]), entry("a", "alpha", vectors=[0])])
            assert set(await store.fingerprints("vectors")) == {"empty", "a"}
            assert ids(await store.keyword("vectors", ["alpha"], 3)) == ["a-0"]

        self.run(tmp_path, steps, VECTORS)

    def test_replacing_a_document_leaves_only_its_new_version(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("plain", [entry("a", "alpha one", "alpha two"), entry("b", "alpha three")])
            await store.replace("plain", [entry("a", "beta")])
            assert ids(await store.keyword("plain", ["alpha"], 9)) == ["b-0"]
            assert ids(await store.keyword("plain", ["beta"], 9)) == ["a-0"]
            assert ids(await store.section_chunks("plain", "a-s")) == ["a-0"]
            assert await store.chunks("plain", ["a-1"]) == []
            held = await store.collection("plain")
            assert (held.documents, held.chunks) == (2, 2)

        self.run(tmp_path, steps, PLAIN)

    def test_storing_the_same_twice_changes_nothing(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            for _ in range(2):
                await store.replace("plain", [entry("a", "alpha beta"), entry("b", "beta")])
                assert ids(await store.keyword("plain", ["beta"], 9)) == ["b-0", "a-0"]
                assert (await store.statistics("plain", ["beta"])).frequency == {"beta": 2}
                assert (await store.collection("plain")).chunks == 2

        self.run(tmp_path, steps, PLAIN)

    def test_a_removed_document_is_gone_from_everywhere(self, tmp_path: Path) -> None:
        for purge in (False, True):

            async def steps(store: Store, purge: bool = purge) -> None:
                stored = [entry("a", "alpha", vectors=[0]), entry("b", "alpha beta", vectors=[1])]
                await store.replace("vectors", stored)
                assert await store.remove("vectors", ["a", "a", "nothing"], purge=purge) == 1
                assert ids(await store.keyword("vectors", ["alpha"], 9)) == ["b-0"]
                assert ids(await store.dense("vectors", axis(0), 9)) == ["b-0"]
                assert await store.document("vectors", "a") is None
                assert await store.sections("vectors", ["a-s"]) == []
                assert await store.chunks("vectors", ["a-0"]) == []
                assert (await store.statistics("vectors", ["alpha", "beta"])).frequency == {
                    "alpha": 1,
                    "beta": 1,
                }
                assert set(await store.fingerprints("vectors")) == {"b"}
                assert (await store.collection("vectors")).documents == 1
                assert await store.remove("vectors", ["a"]) == 0

            self.run(tmp_path / str(purge), steps, VECTORS)

    def test_a_scan_gives_every_document_back_as_it_was_stored(self, tmp_path: Path) -> None:
        stored = [
            entry("b", "alpha", "beta", metadata={"year": 2024}, vectors=[1, 0]),
            entry("a", "gamma", vectors=[2]),
            entry("c", vectors=[]),
        ]

        async def steps(store: Store) -> None:
            await store.replace("vectors", stored)
            await store.replace("plain", [entry("a", "alpha")])
            found = [one async for one in store.scan("vectors")]
            assert [one.document.id for one in found] == ["a", "b", "c"]
            for one, was in zip(found, sorted(stored, key=lambda each: each.document.id), strict=True):
                assert replace(one, vectors=None) == replace(was, vectors=None)
                assert was.vectors is not None
                assert one.vectors is None or np.allclose(one.vectors, was.vectors)
            assert [one.document.id async for one in store.scan("vectors", "a")] == ["b", "c"]
            assert [one.vectors async for one in store.scan("plain")] == [None]

        self.run(tmp_path, steps, PLAIN, VECTORS)

    def test_dropping_a_collection_leaves_the_others(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("plain", [entry("a", "alpha")])
            await store.replace("vectors", [entry("a", "alpha", vectors=[0])])
            await store.drop("plain")
            assert [one.name for one in await store.collections()] == ["vectors"]
            assert ids(await store.keyword("vectors", ["alpha"], 3)) == ["a-0"]
            await store.create(PLAIN)
            assert await store.keyword("plain", ["alpha"], 3) == []
            assert (await store.statistics("plain", ["alpha"])).frequency == {"alpha": 0}

        self.run(tmp_path, steps, PLAIN, VECTORS)
