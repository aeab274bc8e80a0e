"""The embedded store keeps the contract of every store, and what only it promises."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from leadline.embeddings.base import unit
from leadline.errors import StoreError, StoreLocked, StoreUnwritable, UnknownCollection
from leadline.store import lance_table, lance_view, lance_writer
from leadline.store.base import Store
from leadline.store.filters import parse_filter
from leadline.store.lance import LanceStore, open_store
from leadline.store.lance_table import LanceTable
from leadline.testing.entries import DIMENSION, PLAIN, VECTORS, axis, entry, ids
from leadline.testing.running import go
from leadline.testing.store_contract import StoreContract
from leadline.types import IndexOptions


@pytest.fixture(autouse=True)
def _optimise_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] - by name
    monkeypatch.setattr(lance_writer, "FEW_ROWS", -1)


class TestLanceStore(StoreContract):
    async def open(self, path: Path) -> Store:
        return await open_store(path)


def test_reading_makes_no_files(tmp_path: Path) -> None:
    async def steps() -> None:
        store = await open_store(tmp_path / "none", read_only=True)
        assert await store.collections() == []
        with pytest.raises(UnknownCollection, match="leadline load"):
            await store.keyword("plain", ["a"], 3)
        with pytest.raises(StoreUnwritable, match="reading only"):
            await store.create(PLAIN)
        await store.close()

    go(steps())
    assert list(tmp_path.iterdir()) == []


def test_a_second_store_may_read_but_not_write_until_the_first_is_closed(tmp_path: Path) -> None:
    async def steps() -> None:
        first, second = LanceStore(tmp_path), LanceStore(tmp_path)
        await first.create(PLAIN)
        await first.replace("plain", [entry("a", "alpha")])
        assert ids(await second.keyword("plain", ["alpha"], 3)) == ["a-0"]
        with pytest.raises(StoreLocked, match="searching works"):
            await second.replace("plain", [entry("b", "alpha")])
        await first.replace("plain", [entry("a", "beta")])
        assert ids(await second.keyword("plain", ["beta"], 3)) == ["a-0"]
        assert await second.keyword("plain", ["alpha"], 3) == []
        await first.close()
        await second.replace("plain", [entry("b", "alpha")])
        assert ids(await second.keyword("plain", ["alpha"], 3)) == ["b-0"]
        await second.close()

    go(steps())


def test_a_reader_goes_on_while_tables_are_optimised_and_purged(tmp_path: Path) -> None:
    async def steps() -> None:
        writer, reader = LanceStore(tmp_path), LanceStore(tmp_path, read_only=True)
        await writer.create(VECTORS)
        await writer.replace("vectors", [entry("a", "word", vectors=[0]), entry("b", "word", vectors=[1])])
        assert len(await reader.keyword("vectors", ["word"], 9)) == 2
        await writer.optimise("vectors")
        assert len(await reader.dense("vectors", axis(0), 9)) == 2
        await writer.remove("vectors", ["a"], purge=True)
        assert ids(await reader.dense("vectors", axis(0), 9)) == ["b-0"]
        await writer.close()
        assert ids(await reader.keyword("vectors", ["word"], 9)) == ["b-0"]
        await reader.close()

    go(steps())


@pytest.mark.parametrize("after_optimising", [False, True])
def test_a_purge_leaves_nothing_of_the_text_in_any_file(tmp_path: Path, after_optimising: bool) -> None:
    secret = "qzxsecretword"

    async def steps(store: LanceStore, purge: bool) -> None:
        if not purge:
            await store.create(VECTORS)
            kept = [entry(f"k{at}", "kept text", vectors=[at]) for at in range(4)]
            marked = entry(f"{secret}src", f"{secret} text", metadata={"m": secret}, vectors=[5])
            await store.replace("vectors", [*kept, marked])
            if after_optimising:
                await store.optimise("vectors")
        else:
            assert await store.remove("vectors", [f"{secret}src"], purge=True) == 1
        await store.close()

    def holds_secret() -> bool:
        return any(secret.encode() in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())

    go(steps(LanceStore(tmp_path), purge=False))
    assert holds_secret()
    go(steps(LanceStore(tmp_path), purge=True))
    assert not holds_secret()


def test_a_purge_also_cleans_up_after_an_earlier_plain_removal(tmp_path: Path) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", "qzxsecretword"), entry("b", "kept")])
        await store.remove("plain", ["a"])
        assert await store.remove("plain", [], purge=True) == 0
        assert ids(await store.keyword("plain", ["kept"], 3)) == ["b-0"]
        await store.close()

    go(steps())
    assert not any(b"qzxsecretword" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


@pytest.mark.parametrize("way", ["purged", "swapped"])
def test_a_store_goes_on_with_the_table_that_a_purge_or_another_encoder_made(
    tmp_path: Path, way: str
) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(VECTORS)
        first = [entry(name, f"word {name}", vectors=[0]) for name in ("a", "b", "c", "d")]
        await store.replace("vectors", first)
        if way == "purged":
            assert await store.remove("vectors", ["a"], purge=True) == 1
        else:
            swap = await store.swap("vectors", "other", DIMENSION)
            while chunks := await swap.next(3):
                await swap.add(np.eye(DIMENSION, dtype=np.float32)[[1] * len(chunks)])
            await swap.finish()
            assert await store.remove("vectors", ["a"]) == 1
        await store.replace("vectors", [entry("b", "word new", vectors=[2])])
        assert await store.remove("vectors", ["c"]) == 1
        assert sorted(ids(await store.keyword("vectors", ["word"], 9))) == ["b-0", "d-0"]
        assert [one.text for one in await store.chunks("vectors", ["a-0", "b-0", "c-0"])] == ["word new"]
        assert (await store.collection("vectors")).chunks == 2
        assert (await store.statistics("vectors", ["word", "new", "a", "c"])).frequency == {
            "word": 2,
            "new": 1,
            "a": 0,
            "c": 0,
        }
        await store.optimise("vectors")
        assert sorted(ids(await store.keyword("vectors", ["word"], 9))) == ["b-0", "d-0"]
        await store.close()

    go(steps())


def test_many_small_commits_keep_the_number_of_files_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lance_writer, "TIDY_EVERY", 20)
    monkeypatch.setattr(lance_table.LanceTable.forget_versions, "__defaults__", (lance_table.AT_ONCE,))

    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        for number in range(60):
            await store.replace("plain", [entry(f"d{number % 30}", f"word n{number}")])
        assert len(await store.keyword("plain", ["word"], 99)) == 30
        await store.close()

    go(steps())
    assert len([file for file in tmp_path.rglob("*") if file.is_file()]) < 120


def test_a_vector_index_finds_what_an_exact_scan_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lance_table, "INDEXED_FROM", 1000)
    monkeypatch.setattr(lance_table, "HELD_ROWS", 1000)
    random = np.random.default_rng(5)
    vectors = random.standard_normal((1500, DIMENSION)).astype(np.float32)
    texts = [f"word n{number}" for number in range(1500)]

    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(VECTORS)
        await store.replace("vectors", [replace(entry("a", *texts), vectors=vectors)])
        asked = [random.standard_normal(DIMENSION).astype(np.float32) for _ in range(20)]
        exact = [ids(await store.dense("vectors", one, 10)) for one in asked]
        await store.optimise("vectors")
        found = [ids(await store.dense("vectors", one, 10)) for one in asked]
        common = sum(len(set(a) & set(b)) for a, b in zip(exact, found, strict=True))
        assert common >= 0.97 * 200
        cosines = unit(vectors) @ unit(np.stack(asked)).T
        for many in (1, 19, 40, 41, 200, 1001, 5000):
            for at, one in enumerate(asked[:3]):
                nearest = await store.dense("vectors", one, many)
                assert len(nearest) == min(many, 1500)
                # In full and in order, though the index rounds what it keeps.
                scores = [scored.score for scored in nearest]
                assert scores == sorted(scores, reverse=True)
                true = [cosines[int(scored.chunk.id.removeprefix("a-")), at] for scored in nearest]
                assert scores == pytest.approx(true, abs=1e-6)
                assert [scored.chunk.text for scored in nearest] == [
                    texts[int(key.removeprefix("a-"))] for key in ids(nearest)
                ]
        await store.replace("vectors", [entry("b", "word new", vectors=[3])])
        assert ids(await store.dense("vectors", axis(3), 1)) == ["b-0"]
        await store.remove("vectors", ["b"])
        await store.optimise("vectors")
        again = [ids(await store.dense("vectors", one, 10)) for one in asked]
        assert sum(len(set(a) & set(b)) for a, b in zip(exact, again, strict=True)) >= 0.97 * 200
        assert ids(await store.chunks("vectors", ["a-7", "a-1400"])) == ["a-7", "a-1400"]
        for number in range(lance_table.SEGMENTS + 2):
            await store.replace("vectors", [entry("c", f"word v{number}", vectors=[number % 8])])
            await store.optimise("vectors")
            assert ids(await store.dense("vectors", axis(number % 8), 1)) == ["c-0"]
        await store.close()

    go(steps())


@pytest.mark.parametrize(
    ("cores", "said", "threads"), [(1, None, "2"), (2, None, "2"), (4, None, "None"), (2, "1", "1")]
)
def test_the_two_searches_of_a_question_need_not_take_turns_on_two_cores(
    cores: int, said: str | None, threads: str
) -> None:
    code = (
        f"import os, subprocess, sys; os.cpu_count = lambda: {cores}; import leadline.store.lance_connection; "
        "subprocess.run([sys.executable, '-c', 'import os; print(os.environ.get(\"LANCE_CPU_THREADS\"))'])"
    )
    environment = {key: value for key, value in os.environ.items() if key != "LANCE_CPU_THREADS"}
    if said is not None:
        environment["LANCE_CPU_THREADS"] = said
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [threads]


def test_a_store_of_another_format_is_refused(tmp_path: Path) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        await store.close()
        catalogue = sqlite3.connect(tmp_path / "catalogue.sqlite")
        catalogue.execute("PRAGMA user_version = 99")
        catalogue.close()
        later = LanceStore(tmp_path)
        with pytest.raises(StoreError, match="newer Leadline"):
            await later.collections()
        with pytest.raises(StoreError, match="newer Leadline"):
            await later.create(PLAIN)
        await later.close()

    go(steps())


def test_a_file_that_is_no_catalogue_is_refused(tmp_path: Path) -> None:
    (tmp_path / "catalogue.sqlite").write_text(
        "not a database, but long enough to be looked at", encoding="utf-8"
    )
    store = LanceStore(tmp_path)
    with pytest.raises(StoreError, match="catalogue"):
        go(store.collections())
    with pytest.raises(StoreError, match="catalogue"):
        go(store.create(PLAIN))


def test_a_write_once_begun_is_carried_through_when_its_caller_is_cancelled(tmp_path: Path) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        for number in range(5):
            writing = asyncio.ensure_future(store.replace("plain", [entry(f"d{number}", "word")]))
            await asyncio.sleep(0.002 * number)
            writing.cancel()
            await asyncio.wait([writing])
        await store.replace("plain", [entry("last", "word")])
        found = ids(await store.keyword("plain", ["word"], 9))
        assert (
            len(found) == (await store.collection("plain")).chunks == len(await store.fingerprints("plain"))
        )
        assert {"d1-0", "d4-0", "last-0"} <= set(found)
        await store.close()

    go(steps())


def test_a_purge_that_was_interrupted_is_finished_by_the_next_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", "qzxsecretword"), entry("b", "kept")])
        with monkeypatch.context() as broken:
            broken.setattr(lance_table.LanceTable, "copy_into", None)
            with pytest.raises(TypeError):
                await store.remove("plain", ["a"], purge=True)
        await store.close()
        store = LanceStore(tmp_path)
        assert ids(await store.keyword("plain", ["kept", "qzxsecretword"], 3)) == ["b-0"]
        await store.describe("plain", "any write")
        assert ids(await store.keyword("plain", ["kept"], 3)) == ["b-0"]
        await store.close()

    go(steps())
    assert not any(b"qzxsecretword" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_hnsw_options_are_kept_with_the_collection_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lance_table, "HELD_ROWS", 100)
    random = np.random.default_rng(6)
    vectors = random.standard_normal((2000, DIMENSION)).astype(np.float32)
    chosen = IndexOptions(m=4, ef_construction=20, ef=1)

    async def steps() -> None:
        store = LanceStore(tmp_path)
        for name, options in (("small", chosen), ("usual", IndexOptions())):
            await store.create(replace(VECTORS, name=name, index=options))
            texts = [f"n{number}" for number in range(2000)]
            await store.replace(name, [replace(entry("a", *texts), vectors=vectors)])
            await store.optimise(name)
        assert (await store.collection("small")).index == chosen
        assert (await store.collection("small")).metadata == VECTORS.metadata
        found = {"narrow": 0, "wide": 0, "usual": 0}
        for one in random.standard_normal((30, DIMENSION)).astype(np.float32):
            exact = {
                f"a-{place}" for place in np.argsort(-(vectors @ one / np.linalg.norm(vectors, axis=1)))[:10]
            }
            found["narrow"] += len(exact & {*ids(await store.dense("small", one, 10, ef=10))})
            found["wide"] += len(exact & {*ids(await store.dense("small", one, 10, ef=500))})
            found["usual"] += len(exact & {*ids(await store.dense("usual", one, 10))})
        assert found["narrow"] < found["wide"] <= 300
        assert found["usual"] >= 0.97 * 300
        await store.close()

    go(steps())


def test_small_tables_are_compared_exactly_with_filters_and_ties_in_order_of_id(tmp_path: Path) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(VECTORS)
        same = [entry(f"d{at}", "word", metadata={"odd": at % 2 == 1}, vectors=[3]) for at in range(9)]
        await store.replace("vectors", [*same, entry("other", "word", metadata={"odd": True}, vectors=[4])])
        assert ids(await store.dense("vectors", axis(3), 4)) == ["d0-0", "d1-0", "d2-0", "d3-0"]
        odd = parse_filter("odd == true")
        assert ids(await store.dense("vectors", axis(3), 9, odd)) == [
            "d1-0",
            "d3-0",
            "d5-0",
            "d7-0",
            "other-0",
        ]
        assert ids(await store.chunks("vectors", ["other-0", "d2-0", "d1-0"], odd)) == ["other-0", "d1-0"]
        await store.remove("vectors", ["d1"])
        assert ids(await store.dense("vectors", axis(3), 2, odd)) == ["d3-0", "d5-0"]
        await store.close()

    go(steps())


@pytest.mark.parametrize(("most", "fetches"), [(1 << 20, 3), (100, 8)])
def test_texts_of_a_small_table_are_all_read_once_enough_were_wanted_unless_they_are_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, fetches: int
) -> None:
    monkeypatch.setattr(lance_view, "TEXT_BYTES", most)
    fetched: list[int] = []
    bodies = LanceTable.bodies

    async def watched(self: LanceTable, rows: Sequence[int]) -> list[tuple[int, str]]:
        fetched.append(len(rows))
        return await bodies(self, rows)

    monkeypatch.setattr(LanceTable, "bodies", watched)

    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(VECTORS)
        texts = [f"word n{number}" for number in range(20)]
        await store.replace(
            "vectors", [entry("a", *texts, vectors=[3] * 20), entry("b", "beta", vectors=[1])]
        )
        await store.remove("vectors", ["b"])
        for number in (7, 2, 11, 19, 0, 5, 3):
            found = await store.chunks("vectors", [f"a-{number}", "b-0"])
            assert [(one.id, one.text) for one in found] == [(f"a-{number}", f"word n{number}")]
        assert ids(await store.keyword("vectors", ["n13"], 3)) == ["a-13"]
        assert fetched == [1] * fetches
        await store.replace("vectors", [entry("a", "word new", vectors=[3])])
        assert [one.chunk.text for one in await store.dense("vectors", axis(3), 3)] == ["word new"]
        await store.close()

    go(steps())
