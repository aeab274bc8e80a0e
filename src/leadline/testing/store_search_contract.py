"""The half of the store contract that is about searching; `store_contract` has the rest and how to use it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from leadline.store.base import Store
from leadline.store.filters import parse_filter
from leadline.testing.entries import DIMENSION, PLAIN, VECTORS, axis, entry, ids
from leadline.testing.running import go
from leadline.types import Collection, Metadata


class StoreSearchContract:
    """Give `open`; every test runs on a store of its own below an empty folder."""

    async def open(self, path: Path) -> Store:
        raise NotImplementedError

    def run(self, path: Path, steps: Callable[[Store], Awaitable[None]], *collections: Collection) -> None:
        """Run `steps` on a new store that has `collections`."""

        async def whole() -> None:
            store = await self.open(path)
            try:
                for collection in collections:
                    await store.create(collection)
                await steps(store)
            finally:
                await store.close()

        go(whole())

    def test_dense_search_ranks_by_cosine(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("vectors", [entry("a", "x", "y", "z", vectors=[0, 1, 2])])
            found = await store.dense("vectors", axis(1, lean=0) * 3, 2)
            assert ids(found) == ["a-1", "a-0"]
            assert [round(one.score, 3) for one in found] == [0.894, 0.447]
            assert await store.dense("vectors", axis(1), 0) == []

        self.run(tmp_path, steps, VECTORS)

    def test_a_zero_vector_finds_nothing_and_is_no_obstacle(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            one = entry("a", "x", "y", vectors=[0, 1])
            blank = np.zeros((1, DIMENSION), dtype=np.float32)
            await store.replace("vectors", [one, replace(entry("b", "x"), vectors=blank)])
            assert await store.dense("vectors", blank[0], 3) == []
            assert ids(await store.dense("vectors", axis(0), 1)) == ["a-0"]
            assert ids(await store.keyword("vectors", ["x"], 3)) == ["a-0", "b-0"]

        self.run(tmp_path, steps, VECTORS)

    def test_keyword_search_ranks_rarer_and_denser_terms_higher(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace(
                "plain",
                [
                    entry("a", "common rare", "common common filler filler filler", "common filler"),
                    entry("b", "common alone"),
                ],
            )
            found = await store.keyword("plain", ["common", "rare", "unheard"], 9)
            assert ids(found)[0] == "a-0"
            assert len(found) == 4
            assert all(one.score > 0 for one in found)
            assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
            assert ids(await store.keyword("plain", ["common", "rare"], 1)) == ["a-0"]
            assert await store.keyword("plain", ["unheard"], 9) == []
            assert await store.keyword("plain", [], 9) == []

        self.run(tmp_path, steps, PLAIN)

    def test_terms_are_taken_as_they_are(self, tmp_path: Path) -> None:
        terms = [
            "XR-2000",
            "running",
            "the",
            "café",
            "中文",
            "don't",
            '"quoted"',
            "a" * 300,
            "a:b",
            "AND",
            "x*",
        ]

        async def steps(store: Store) -> None:
            await store.replace("plain", [entry(f"d{number}", term) for number, term in enumerate(terms)])
            for number, term in enumerate(terms):
                assert ids(await store.keyword("plain", [term], 9)) == [f"d{number}-0"], term
            for other in ("xr-2000", "run", "cafe", "2000", "文"):
                assert await store.keyword("plain", [other], 9) == [], other

        self.run(tmp_path, steps, PLAIN)

    def test_statistics_count_visible_chunks(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("plain", [entry("a", "one one two", "two"), entry("b", "one")])
            found = await store.statistics("plain", ["one", "two", "three", "one"])
            assert found.frequency == {"one": 2, "two": 2, "three": 0}
            assert (found.chunks, found.length) == (3, pytest.approx(5 / 3))
            await store.replace("plain", [entry("a", "two")])
            await store.remove("plain", ["b"])
            found = await store.statistics("plain", ["one", "two"])
            assert (found.frequency, found.chunks, found.length) == ({"one": 0, "two": 1}, 1, 1.0)

        self.run(tmp_path, steps, PLAIN)

    def test_terms_are_found_by_a_character_the_commonest_first(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("plain", [entry("a", "地图 图书 %", "图书"), entry("b", "图 灯塔")])
            assert await store.terms_with("plain", "图") == ["图书", "图", "地图"]
            assert await store.terms_with("plain", "%") == ["%"]
            assert await store.terms_with("plain", "海") == []

        self.run(tmp_path, steps, PLAIN)

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            ("year >= 2023", "bc"),
            ('year >= 2023 and lang == "zh"', "c"),
            ('lang == "zh" or year < 2023', "ac"),
            ('not source ~ "B"', "acd"),
            ("year != 2023", "acd"),
            ('source ^= "a"', "a"),
            ('lang in ["zh", "ar"]', "c"),
            ('tags == "red"', "ab"),
            ('tags ~ "RE" and not tags == "green"', "b"),
            ("created >= 2023-05-01", "b"),
            ("final == true", "b"),
            ('year == "2023"', ""),
            ("missing == 1", ""),
            ("missing != 1", "abcd"),
            ('title == "C"', "c"),
        ],
    )
    def test_filters_apply_before_the_best_are_taken(self, tmp_path: Path, where: str, expected: str) -> None:
        held: dict[str, Metadata] = {
            "a": {"year": 2021, "lang": "en", "tags": ("red", "green"), "created": "2021-01-01"},
            "b": {
                "year": 2023,
                "lang": "en",
                "tags": ("red",),
                "created": "2023-05-01T10:00:00",
                "final": True,
            },
            "c": {"year": 2024.0, "lang": "zh", "tags": ("blue",), "final": False},
            "d": {"lang": 7},
        }

        async def steps(store: Store) -> None:
            await store.replace(
                "vectors",
                [entry(one, "word", metadata=held[one], vectors=[at]) for at, one in enumerate("abcd")],
            )
            tree = parse_filter(where)
            wanted = [f"{one}-0" for one in expected]
            assert sorted(ids(await store.keyword("vectors", ["word"], 9, tree))) == wanted
            assert sorted(ids(await store.dense("vectors", axis(7, lean=0), 9, tree))) == wanted
            assert len(await store.dense("vectors", axis(0), 1, tree)) == min(1, len(wanted))

        self.run(tmp_path, steps, VECTORS)

    def test_new_rows_are_found_before_and_after_optimising(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("vectors", [entry("a", "alpha", vectors=[0])])
            await store.optimise("vectors")
            await store.replace("vectors", [entry("b", "beta", metadata={"new": 1}, vectors=[1])])
            for _ in range(2):
                assert ids(await store.keyword("vectors", ["beta"], 3)) == ["b-0"]
                assert ids(await store.dense("vectors", axis(1), 1)) == ["b-0"]
                assert ids(await store.keyword("vectors", ["alpha"], 3)) == ["a-0"]
                await store.optimise("vectors")
            await store.remove("vectors", ["a"])
            await store.optimise("vectors")
            assert await store.keyword("vectors", ["alpha"], 3) == []

        self.run(tmp_path, steps, VECTORS)

    def test_everything_is_there_after_opening_again(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            await store.replace("vectors", [entry("a", "alpha", metadata={"year": 2024}, vectors=[0])])

        async def read(store: Store) -> None:
            assert ids(await store.keyword("vectors", ["alpha"], 3, parse_filter("year == 2024"))) == ["a-0"]
            assert ids(await store.dense("vectors", axis(0), 3)) == ["a-0"]
            assert (await store.collection("vectors")).documents == 1

        self.run(tmp_path, write, VECTORS)
        self.run(tmp_path, read)
