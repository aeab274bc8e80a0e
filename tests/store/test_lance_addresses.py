"""Chunks of a large table are taken from where their rows lie, and are always the right ones."""

# pyarrow is not typed
# pyright: reportUnknownMemberType=false

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from leadline.store import lance_addresses, lance_table, lance_writer
from leadline.store.filters import parse_filter
from leadline.store.lance import LanceStore
from leadline.store.lance_addresses import keys_of, keys_of_texts
from leadline.store.lance_table import LanceTable
from leadline.testing.entries import PLAIN, VECTORS, entry, ids
from leadline.testing.running import go

LookedUp = list[str]


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[LookedUp]:
    """Ids that were looked up, not taken; every table counts as large, and its addresses are read at once."""
    monkeypatch.setattr(lance_table, "HELD_ROWS", 0)
    monkeypatch.setattr(lance_writer, "FEW_ROWS", -1)
    monkeypatch.setattr(lance_addresses, "WORTH", 1_000_000)
    seen: LookedUp = []
    among = LanceTable.among

    async def watched(
        self: LanceTable, column: str, keys: list[str], *rest: Any, **more: Any
    ) -> AsyncIterator[Any]:
        if column == "id":
            seen.extend(keys)
        async for table in among(self, column, keys, *rest, **more):
            yield table

    monkeypatch.setattr(LanceTable, "among", watched)
    yield seen


async def read(store: LanceStore, name: str, wanted: list[str]) -> None:
    """Have the addresses read: beside the searches, once something was looked up."""
    await store.chunks(name, wanted)
    await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))


def test_once_the_addresses_are_known_chunks_are_taken_and_filters_still_look_them_up(
    tmp_path: Path, looked_up: LookedUp
) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        texts = [f"word n{number}" for number in range(40)]
        await store.replace("plain", [entry("a", *texts, metadata={"year": 2000}), entry("b", "beta")])
        await read(store, "plain", ["a-0"])
        assert looked_up == ["a-0"]
        found = await store.chunks("plain", ["a-7", "nothing", "b-0", "a-3", "a-7"])
        assert [(one.id, one.text) for one in found] == [
            ("a-7", "word n7"),
            ("b-0", "beta"),
            ("a-3", "word n3"),
            ("a-7", "word n7"),
        ]
        assert looked_up == ["a-0", "nothing"]
        recent = parse_filter("year >= 2000")
        assert ids(await store.chunks("plain", ["b-0", "a-5"], recent)) == ["a-5"]
        await store.close()

    go(steps())


def test_removed_replaced_and_moved_rows_are_found_as_they_are_now(
    tmp_path: Path, looked_up: LookedUp
) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(VECTORS)
        await store.replace(
            "vectors", [entry(f"d{at}", f"old {at}", "more", vectors=[1, 2]) for at in range(9)]
        )
        await read(store, "vectors", ["d0-0"])
        await store.replace("vectors", [entry("d1", "new text", vectors=[1])])
        await store.remove("vectors", ["d2"])
        wanted = ["d2-0", "d1-0", "d1-1", "d3-0"]
        assert [(one.id, one.text) for one in await store.chunks("vectors", wanted)] == [
            ("d1-0", "new text"),
            ("d3-0", "old 3"),
        ]
        assert "d3-0" not in looked_up
        await store.optimise("vectors")
        wanted = [f"d{at}-1" for at in range(9)]
        assert ids(await store.chunks("vectors", wanted)) == [
            one for one in wanted if one not in ("d1-1", "d2-1")
        ]
        await read(store, "vectors", ["d0-0"])
        looked_up.clear()
        assert [one.text for one in await store.chunks("vectors", ["d4-0", "d1-0"])] == ["old 4", "new text"]
        assert looked_up == []
        assert await store.remove("vectors", ["d4"], purge=True) == 1
        assert ids(await store.chunks("vectors", ["d4-0", "d5-0"])) == ["d5-0"]
        await store.close()

    go(steps())


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_changed_the_chunks_are_those_of_a_dictionary(
    tmp_path: Path, looked_up: LookedUp, seed: int
) -> None:
    draw = random.Random(seed)
    held: dict[str, str] = {}

    async def change(store: LanceStore, step: int) -> None:
        what = draw.choice(["replace", "replace", "replace", "remove", "optimise", "purge"])
        names = [f"d{draw.randrange(12)}" for _ in range(draw.randrange(1, 4))]
        if what == "optimise":
            await store.optimise("plain")
            return
        for key in [key for key in held if key.partition("-")[0] in names]:
            del held[key]
        if what == "replace":
            new = [entry(name, *(f"{step} {name} {at}" for at in range(3))) for name in dict.fromkeys(names)]
            held.update((chunk.id, chunk.text) for one in new for chunk in one.chunks)
            await store.replace("plain", new)
        else:
            await store.remove("plain", names, purge=what == "purge")

    async def steps() -> None:
        store, other = LanceStore(tmp_path), LanceStore(tmp_path, read_only=True)
        await store.create(PLAIN)
        every = [f"d{at}-{part}" for at in range(12) for part in range(3)]
        for step in range(25):
            await change(store, step)
            for one in (store, other):
                wanted = draw.sample(every, 8)
                found = {chunk.id: chunk.text for chunk in await one.chunks("plain", wanted)}
                assert found == {key: held[key] for key in wanted if key in held}
            if draw.random() < 0.5:
                await read(other, "plain", every)
        assert held
        await other.close()
        await store.close()

    go(steps())


def test_a_store_may_be_closed_while_addresses_are_being_read(tmp_path: Path, looked_up: LookedUp) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", "alpha", "beta")])
        assert ids(await store.chunks("plain", ["a-1"])) == ["a-1"]
        await store.close()
        assert ids(await store.chunks("plain", ["a-0"])) == ["a-0"]
        await store.close()

    go(steps())
    assert looked_up == ["a-1", "a-0"]


def test_a_text_has_the_same_key_wherever_it_stands_and_different_ones_have_others() -> None:
    texts = [
        "",
        "a",
        "b",
        "ab",
        "ba",
        "aa",
        "a" * 300,
        "ключ",
        "关键",
        "d1-0",
        "d1-00",
        "d10-0",
        "\x00",
        "\x00\x00",
    ]
    keys = keys_of_texts(texts)
    assert len(set(keys.tolist())) == len(texts)
    assert keys_of_texts(texts[3:9]).tolist() == keys[3:9].tolist()
    assert keys_of(pa.array(["x", *texts, "y"]).slice(1, len(texts))).tolist() == keys.tolist()
    assert keys_of_texts([]).tolist() == []
