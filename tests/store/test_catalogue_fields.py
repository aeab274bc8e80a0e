"""Counts of fields in the catalogue: an older store gets them, and many documents are no obstacle."""

import sqlite3
import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.store.base import FieldSummary
from leadline.store.catalogue import FILE, SCHEMA
from leadline.store.catalogue_fields import FieldWriter, read_fields
from leadline.store.lance import open_store
from leadline.testing.entries import PLAIN, entry
from leadline.testing.running import go
from leadline.types import Metadata

VALUES = st.one_of(
    st.text(max_size=5),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(),
    st.lists(st.text(max_size=2), max_size=3).map(tuple),
    st.sampled_from(["2024-03", "2024-03-01", "2024-03-01T10:00:00Z", "x" * 300]),
)


def empty() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    return connection


def test_a_store_of_the_second_format_is_counted_by_the_next_write(tmp_path: Path) -> None:
    async def steps() -> list[FieldSummary]:
        store = await open_store(tmp_path)
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", "x", metadata={"year": 2024})])
        await store.close()
        with sqlite3.connect(tmp_path / FILE) as catalogue:
            catalogue.executescript(
                "DROP TABLE field_counts; DROP TABLE field_values; PRAGMA user_version = 2;"
            )
        catalogue.close()
        again = await open_store(tmp_path)
        await again.replace("plain", [entry("b", "x", metadata={"year": 2020})])
        found = await again.fields("plain")
        await again.close()
        return found

    (year,) = [one for one in go(steps()) if one.name == "year"]
    assert (year.documents, year.minimum, year.maximum) == (2, 2020, 2024)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.dictionaries(st.sampled_from("abc"), VALUES), max_size=6), st.data())
def test_what_is_taken_out_again_leaves_the_counts_of_the_rest(
    documents: list[Metadata], data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents)))
    connection = empty()
    writer = FieldWriter(connection)
    writer.add(1, documents)
    for metadata, stays in zip(documents, kept, strict=True):
        if not stays:
            writer.count(1, [metadata], -1)
    alone = empty()
    FieldWriter(alone).add(1, [one for one, stays in zip(documents, kept, strict=True) if stays])
    assert read_fields(connection, 1) == read_fields(alone, 1)
    connection.close()
    alone.close()


def test_the_fields_of_twenty_thousand_documents_are_read_at_once() -> None:
    connection = empty()
    metadata: list[Metadata] = [
        {"source": f"/notes/{n}.md", "title": f"Note {n}", "date": f"2024-01-{n % 28 + 1:02}", "team": f"t{n % 9}"}
        for n in range(20_000)
    ]  # fmt: skip
    began = time.process_time()
    FieldWriter(connection).add(1, metadata)
    started = time.process_time()
    found = {one.name: one for one in read_fields(connection, 1)}
    assert time.process_time() - started < (started - began) / 2
    assert (found["source"].distinct, found["team"].documents) == (20_000, 20_000)
    connection.close()
