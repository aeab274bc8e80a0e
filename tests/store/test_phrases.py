"""The phrase index says who holds what, however it was put together."""

import random
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from leadline.analysis.phrases import BODY, TITLE, key
from leadline.store.catalogue import FILE
from leadline.store.lance import open_store
from leadline.store.phrase_segments import PhraseSegment, merged, segment_of
from leadline.store.phrases import PhraseIndex
from leadline.testing.entries import PLAIN, entry
from leadline.testing.running import go
from leadline.types import Chunk

SHIPS = ("Mirren Star", "Sable Heron", "Grey Petrel", "Far Lantern")
YARDS = ("Dunmarrow Yard", "Kelda Works", "Orsay Slip")


def chunk(number: int, rng: random.Random) -> Chunk:
    ship, yard = rng.choice(SHIPS), rng.choice(YARDS)
    text = f"It was in the spring of that year that {yard} gave the {ship} to her owners."
    return Chunk(f"c{number}", f"d{number // 2}", "", 0, 0, len(text), text, "", rng.choice(SHIPS))


def index(*segments: PhraseSegment) -> PhraseIndex:
    return PhraseIndex(segments, tuple(np.zeros(one.size, np.bool_) for one in segments))


def holders(found: PhraseIndex, names: Sequence[str], limit: int = 1000) -> dict[str, set[tuple[str, int]]]:
    asked = np.array([key(name) for name in names], np.uint64)
    mentions, _ = found.mentions(asked, limit)
    result: dict[str, set[tuple[str, int]]] = {name: set() for name in names}
    ids = found.ids_of(mentions.rows)
    for which, name, about in zip(mentions.asked.tolist(), ids, mentions.about, strict=True):
        result[names[int(which)]].add((name, int(about)))
    return result


def test_a_chunk_is_found_by_its_title_and_by_what_it_names() -> None:
    text = "Everyone who was there remembers how Dunmarrow Yard sold it."
    one = Chunk("a", "d", "", 0, 0, len(text), text, "", "Mirren Star (ship)")
    found = holders(
        index(segment_of([one])), ["Mirren Star", "Mirren Star (ship)", "Dunmarrow Yard", "Kelda Works"]
    )
    assert found == {
        "Mirren Star": {("a", TITLE)},
        "Mirren Star (ship)": {("a", TITLE)},
        "Dunmarrow Yard": {("a", BODY)},
        "Kelda Works": set(),
    }


def test_segments_merged_and_read_back_say_the_same_as_one() -> None:
    rng = random.Random(3)
    chunks = [chunk(number, rng) for number in range(60)]
    whole = index(segment_of(chunks))
    parts = [segment_of(chunks[start : start + 7]) for start in range(0, 60, 7)]
    several = index(*(PhraseSegment.from_bytes(part.to_bytes()) for part in parts))
    joined = index(merged([(part, np.zeros(part.size, np.bool_)) for part in parts]))
    assert set(whole.logical()) == set(several.logical()) == set(joined.logical())
    names = [*SHIPS, *YARDS]
    assert holders(whole, names) == holders(several, names) == holders(joined, names)
    ids = [one.id for one in chunks[5:50:3]]
    assert several.ids_of(several.rows_of(ids)) == ids
    assert several.rows_of(["c5", "nobody"]).tolist() == [5, -1]


def test_what_is_removed_is_not_found_nor_counted() -> None:
    rng = random.Random(5)
    chunks = [chunk(number, rng) for number in range(40)]
    gone = np.array([rng.random() < 0.4 for _ in chunks])
    segment = segment_of(chunks)
    marked = PhraseIndex((segment,), (gone,))
    left = index(segment_of([one for one, out in zip(chunks, gone, strict=True) if not out]))
    names = [*SHIPS, *YARDS]
    assert holders(marked, names) == holders(left, names)
    assert marked.chunks == left.chunks == 40 - gone.sum()
    asked = np.array([key(name) for name in names], np.uint64)
    assert marked.mentions(asked, 1000)[1].tolist() == left.mentions(asked, 1000)[1].tolist()
    assert marked.rows_of([one.id for one, out in zip(chunks, gone, strict=True) if out]).max() == -1
    assert set(index(merged([(segment, gone)])).logical()) == set(left.logical())


def test_a_phrase_above_the_limit_leads_nowhere() -> None:
    rng = random.Random(7)
    found = index(segment_of([chunk(number, rng) for number in range(40)]))
    asked = np.array([key("Dunmarrow Yard"), key("nobody knows")], np.uint64)
    number = int(found.mentions(asked, 1000)[1][0])
    assert number > 5
    assert holders(found, ["Dunmarrow Yard"], number)["Dunmarrow Yard"]
    assert not holders(found, ["Dunmarrow Yard"], number - 1)["Dunmarrow Yard"]


def test_an_empty_index_answers(tmp_path: Path) -> None:
    empty = PhraseIndex()
    assert empty.chunks == 0 and empty.rows_of(["a"]).tolist() == [-1]
    assert holders(empty, ["Mirren Star"]) == {"Mirren Star": set()}
    assert list(empty.held(np.zeros(0, np.int64))[1]) == []


def test_many_small_commits_gather_into_few_segments(tmp_path: Path) -> None:
    async def steps() -> PhraseIndex:
        store = await open_store(tmp_path)
        await store.create(PLAIN)
        for number in range(40):
            await store.replace("plain", [entry(f"d{number}", f"said of the Sable Heron {number}")])
        await store.remove("plain", [f"d{number}" for number in range(0, 40, 3)])
        found = await store.phrases("plain")
        await store.close()
        return found

    found = go(steps())
    assert len(found.segments) <= 10
    assert {name for name, _, _ in found.logical()} == {f"d{n}-0" for n in range(40) if n % 3}


def test_a_store_of_the_first_format_is_upgraded_by_the_next_write(tmp_path: Path) -> None:
    async def steps() -> PhraseIndex:
        store = await open_store(tmp_path)
        await store.create(PLAIN)
        await store.replace("plain", [entry("a", "said of the Sable Heron")])
        await store.close()
        with sqlite3.connect(tmp_path / FILE) as catalogue:
            catalogue.executescript(
                "DROP TABLE phrase_segments; DROP TABLE phrase_gone; DROP TABLE field_counts;"
                " DROP TABLE field_values; PRAGMA user_version = 1;"
            )
        catalogue.close()
        again = await open_store(tmp_path)
        await again.replace("plain", [entry("b", "nothing")])
        found = await again.phrases("plain")
        await again.close()
        return found

    found = go(steps())
    assert ("a-0", key("Sable Heron")) in {(name, phrase) for name, phrase, _ in found.logical()}
    assert {name for name, _, _ in found.logical()} >= {"a-0"}
