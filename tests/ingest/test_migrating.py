"""Collections go from one store into another whole, again without effect, and on after being stopped."""

from pathlib import Path

import pytest

from leadline.errors import UnknownCollection, UsageError
from leadline.events import Event, Migrated
from leadline.ingest import migrating
from leadline.ingest.migrating import migrate
from leadline.run import Run
from leadline.store.base import Entry, Store
from leadline.store.lance import LanceStore
from leadline.testing.entries import PLAIN, VECTORS, axis, entry, ids
from leadline.testing.running import go


def documents(count: int, word: str = "word") -> list[Entry]:
    return [
        entry(f"d{n:02}", f"{word} w{n}", metadata={"year": 2000 + n}, vectors=[n % 8]) for n in range(count)
    ]


async def filled(path: Path) -> Store:
    store = LanceStore(path)
    await store.create(VECTORS)
    await store.create(PLAIN)
    await store.replace("vectors", documents(20))
    await store.replace("plain", [entry("a", "alpha")])
    return store


def test_collections_are_copied_and_a_second_time_nothing_is(tmp_path: Path) -> None:
    async def steps() -> None:
        source, target = await filled(tmp_path / "a"), LanceStore(tmp_path / "b")
        events: list[Event] = []
        reports = await migrate(source, target, (), Run(emit=events.append))
        assert [(one.collection, one.copied, one.left) for one in reports] == [
            ("plain", 1, 0),
            ("vectors", 20, 0),
        ]
        assert Migrated("vectors", 20, 20) in events
        assert ids(await target.dense("vectors", axis(3), 3)) == ["d03-0", "d11-0", "d19-0"]
        assert await target.document("vectors", "d07") == await source.document("vectors", "d07")
        assert (await target.statistics("vectors", ["word"])).frequency == {"word": 20}
        again = await migrate(source, target, ["vectors"], Run())
        assert (again[0].copied, again[0].there) == (0, 20)
        await source.close()
        await target.close()

    go(steps())


def test_changes_and_removals_are_followed(tmp_path: Path) -> None:
    async def steps() -> None:
        source, target = await filled(tmp_path / "a"), LanceStore(tmp_path / "b")
        await migrate(source, target, ["vectors"], Run())
        await source.replace("vectors", documents(2, "other"))
        await source.remove("vectors", ["d05"])
        with pytest.raises(UsageError, match="--prune"):
            await migrate(source, target, ["vectors"], Run())
        assert len(await target.fingerprints("vectors")) == 20
        (report,) = await migrate(source, target, ["vectors"], Run(), prune=True)
        assert (report.copied, report.documents) == (2, 19)
        assert ids(await target.keyword("vectors", ["other"], 9)) == ["d00-0", "d01-0"]
        await source.close()
        await target.close()

    go(steps())


def test_a_stopped_copy_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrating, "BATCH_DOCUMENTS", 4)

    async def steps() -> None:
        source, target = await filled(tmp_path / "a"), LanceStore(tmp_path / "b")
        run = Run()

        def stop(event: Event) -> None:
            run.cancel()

        run.emit = stop
        (first,) = await migrate(source, target, ["vectors"], run)
        assert (first.copied, first.left) == (4, 16)
        (second,) = await migrate(source, target, ["vectors"], Run())
        assert (second.copied, second.there, second.left, second.documents) == (16, 4, 0, 20)
        await source.close()
        await target.close()

    go(steps())


def test_an_unknown_collection_is_said(tmp_path: Path) -> None:
    async def steps() -> None:
        source, target = await filled(tmp_path / "a"), LanceStore(tmp_path / "b")
        with pytest.raises(UnknownCollection, match="`nothing`.*plain, vectors"):
            await migrate(source, target, ["nothing"], Run())
        await source.close()
        await target.close()

    go(steps())


def test_another_collection_of_the_same_name_is_not_overwritten(tmp_path: Path) -> None:
    async def steps() -> None:
        source, target = await filled(tmp_path / "a"), LanceStore(tmp_path / "b")
        await target.create(PLAIN)
        await target.replace("plain", [entry("mine", "precious"), entry("too", "kept")])
        with pytest.raises(UsageError, match="another collection `plain`, with 2 documents"):
            await migrate(source, target, ["plain"], Run())
        assert sorted(await target.fingerprints("plain")) == ["mine", "too"]
        assert ids(await target.keyword("plain", ["precious"], 9)) == ["mine-0"]
        await source.close()
        await target.close()

    go(steps())
