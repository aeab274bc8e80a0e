"""Searches of a large table bring the texts along while they are not known, and find the same either way."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from leadline.store import lance_table, lance_writer
from leadline.store.base import Scored
from leadline.store.filters import parse_filter
from leadline.store.lance import LanceStore
from leadline.store.lance_ranked import Along, Ranked
from leadline.store.lance_table import LanceTable
from leadline.testing.entries import VECTORS, axis, entry
from leadline.testing.running import go

Seen = list[str]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """How texts were read: "along" with a search or after one that gave "numbers", which rows "apart". All tables are large."""
    monkeypatch.setattr(lance_table, "HELD_ROWS", 0)
    monkeypatch.setattr(lance_writer, "FEW_ROWS", -1)
    found: Seen = []
    bodies = LanceTable.bodies

    async def apart(self: LanceTable, rows: Sequence[int]) -> list[tuple[int, str]]:
        found.append(f"{len(rows)} apart")
        return await bodies(self, rows)

    def watched(search: Any) -> Any:
        async def counted(self: LanceTable, *arguments: Any, bodies: bool, **more: Any) -> Ranked:
            found.append("along" if bodies else "numbers")
            return await search(self, *arguments, bodies=bodies, **more)

        return counted

    monkeypatch.setattr(LanceTable, "bodies", apart)
    for name in ("dense", "keyword"):
        monkeypatch.setattr(LanceTable, name, watched(getattr(LanceTable, name)))
    return found


def said(found: Sequence[Scored]) -> list[tuple[str, str, float]]:
    return [(one.chunk.id, one.chunk.text, one.score) for one in found]


@pytest.mark.parametrize("path", ["dense", "keyword"])
def test_texts_come_along_while_most_are_new(tmp_path: Path, seen: Seen, path: str) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(VECTORS)
        entries = [entry(f"d{at}", f"word{at % 2} n{at}", vectors=[at % 2]) for at in range(12)]
        await store.replace("vectors", entries)

        async def ask(one: int) -> list[tuple[str, str, float]]:
            if path == "dense":
                return said(await store.dense("vectors", axis(one), 6))
            return said(await store.keyword("vectors", [f"word{one}"], 6))

        first = await ask(0)
        assert [key for key, _, _ in first] == ["d0-0", "d10-0", "d2-0", "d4-0", "d6-0", "d8-0"]
        assert [text for _, text, _ in first][:2] == ["word0 n0", "word0 n10"]
        assert [await ask(0), await ask(0)] == [first, first]
        assert seen == ["along", "along", "numbers"]
        other = await ask(1)
        assert seen[3:] == ["numbers", "6 apart"]
        assert {text for _, text, _ in other} == {f"word1 n{at}" for at in range(1, 12, 2)}
        assert await ask(1) == other
        assert seen[5:] == ["along"]
        await store.close()

    go(steps())


def test_a_search_inside_a_filter_brings_texts_along_too(tmp_path: Path, seen: Seen) -> None:
    async def steps() -> None:
        store = LanceStore(tmp_path)
        await store.create(VECTORS)
        await store.replace(
            "vectors",
            [entry(f"d{at}", f"word n{at}", vectors=[0], metadata={"year": 2000 + at}) for at in range(5)],
        )
        recent = parse_filter("year >= 2003")
        found = await store.dense("vectors", axis(0), 9, recent)
        assert [one.chunk.text for one in found] == ["word n3", "word n4"]
        assert [one.chunk.text for one in await store.keyword("vectors", ["word"], 9, recent)] == [
            "word n3",
            "word n4",
        ]
        assert seen == ["along", "along"]
        await store.close()

    go(steps())


def test_half_of_the_rows_known_are_enough_to_ask_for_numbers_alone() -> None:
    along, found = Along(), Ranked([(1, 0.5), (2, 0.4), (3, 0.3)])
    assert along.worth
    along.count(found, {1, 2})
    assert not along.worth
    along.count(Ranked([]), ())
    assert not along.worth
    along.count(found, {3})
    assert along.worth
