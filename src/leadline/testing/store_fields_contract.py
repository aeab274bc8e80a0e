"""The part of the store contract that is about fields; `store_contract` has the rest and how to use it."""

from pathlib import Path

import pytest

from leadline.errors import UnknownCollection
from leadline.store.base import FieldSummary, Store
from leadline.testing.entries import PLAIN, entry
from leadline.testing.store_search_contract import StoreSearchContract


async def told(store: Store) -> dict[tuple[str, str], FieldSummary]:
    """The fields of the collection `plain` by name and kind."""
    return {(one.name, one.kind): one for one in await store.fields("plain")}


class StoreFieldsContract(StoreSearchContract):
    """What fields documents have is known, and stays right through every change."""

    def test_fields_are_known_with_their_kinds_ranges_and_commonest_values(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            with pytest.raises(UnknownCollection):
                await store.fields("nothing")
            assert await store.fields("plain") == []
            await store.replace(
                "plain",
                [
                    entry("a", "x", metadata={"year": 2024, "team": "sea", "day": "2024-03-01", "tags": ("u", "v")}),
                    entry("b", "x", metadata={"year": 2021, "team": "sea", "day": "May 2020", "tags": ("v",)}),
                    entry("c", "x", metadata={"ratio": 0.5, "team": "land", "final": True}),
                ],
            )  # fmt: skip
            found = await told(store)
            assert found["year", "number"] == FieldSummary(
                "year", "number", 2, 2, 2021, 2024, ((2021, 1), (2024, 1))
            )
            assert found["team", "text"].values == (("sea", 2), ("land", 1))
            assert found["tags", "texts"].values == (("v", 2), ("u", 1))
            assert found["tags", "texts"].documents == 2
            assert found["day", "date"].values == (("2024-03-01", 1),)
            assert found["day", "text"].values == (("May 2020", 1),)
            assert found["ratio", "number"].minimum == 0.5
            assert found["final", "truth"].maximum is True
            assert found["source", "text"].distinct == 3
            assert [one.name for one in await store.fields("plain")] == sorted(name for name, _ in found)

        self.run(tmp_path, steps, PLAIN)

    def test_fields_follow_every_change(self, tmp_path: Path) -> None:
        async def steps(store: Store) -> None:
            await store.replace("plain", [entry("a", "x", metadata={"year": 2024, "team": "sea"})])
            await store.replace("plain", [entry("b", "x", metadata={"year": 2020, "only": "here"})])
            assert ("only", "text") in await told(store)
            await store.replace("plain", [entry("a", "x", metadata={"year": 2022})])
            found = await told(store)
            assert (found["year", "number"].minimum, found["year", "number"].maximum) == (2020, 2022)
            assert ("team", "text") not in found
            await store.remove("plain", ["b", "nothing"])
            found = await told(store)
            assert found["year", "number"].values == ((2022, 1),)
            assert ("only", "text") not in found
            await store.remove("plain", ["a"], purge=True)
            assert await store.fields("plain") == []

        self.run(tmp_path, steps, PLAIN)
