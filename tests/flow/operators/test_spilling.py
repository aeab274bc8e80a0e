"""What does not fit in memory goes to files that nobody else sees, and comes back as it was."""

import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import RowFailed
from leadline.flow.base import Memory, Row
from leadline.flow.digests import canonical, digest
from leadline.flow.operators.spilling import SpillList
from leadline.flow.operators.tables import Seen, Table

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
ROWS = st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=3), max_size=8)


@given(rows=ROWS, memory=st.integers(0, 4))
def test_a_list_of_rows_is_read_as_often_as_wanted_and_grows_in_between(rows: list[Row], memory: int) -> None:
    with SpillList(Memory(memory)) as held:
        for count, row in enumerate(rows):
            assert repr([*held]) == repr(rows[:count])
            list(islice(held, count // 2))  # given up halfway
            assert repr([*held]) == repr(rows[:count])
            held.append(row)
        assert len(held) == len(rows)
        assert repr([*held]) == repr(rows)


def test_what_cannot_be_written_fails_its_row_alone() -> None:
    with SpillList(Memory(0)) as held:
        held.append({"n": 1})
        with pytest.raises(RowFailed, match="JSON"):
            held.append({"n": {1}})
        held.append({"n": "\ud800\x00\n"})
        assert [*held] == [{"n": 1}, {"n": "\ud800\x00\n"}]


def test_the_file_is_not_to_be_seen_while_it_is_used_and_is_gone_afterwards(tmp_path: Path) -> None:
    with SpillList(Memory(0, tmp_path / "spill")) as held, Seen(Memory(0, tmp_path / "spill")) as seen:
        held.append({"n": 1})
        assert seen.new(digest(1))
        assert not seen.new(digest(1.0))
        assert list((tmp_path / "spill").iterdir()) == []
    assert list((tmp_path / "spill").iterdir()) == []


@given(keys=st.lists(st.sampled_from("abc"), max_size=12), memory=st.integers(0, 5))
def test_a_table_gives_the_rows_of_a_key_in_their_order(keys: list[str], memory: int) -> None:
    with Table(Memory(memory)) as table:
        for number, key in enumerate(keys):
            table.add(key, {"n": number})
        for key in "abcd":
            assert table.get(key) == [{"n": number} for number, each in enumerate(keys) if each == key]


def test_a_key_with_half_a_character_pair_is_found_in_a_table_beyond_memory() -> None:
    with Table(Memory(0)) as table:
        table.add("\ud800", {"n": 1})
        table.add("\ud801", {"n": "\ud801"})
        assert (table.get("\ud800"), table.get("\ud801")) == ([{"n": 1}], [{"n": "\ud801"}])


@given(one=VALUES, other=VALUES)
def test_digests_are_equal_where_values_are(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == (canonical(one) == canonical(other))
    if repr(one) == repr(other):
        assert digest(one) == digest(other)


def test_digests_know_what_json_tells_apart() -> None:
    kinds: list[Any] = [
        None,
        "null",
        True,
        1,
        "1",
        0,
        False,
        "",
        [],
        {},
        [1],
        "[1]",
        1.5,
        2**53,
        float(2**53) + 2,
    ]
    assert len({digest(kind) for kind in kinds}) == len(kinds)
    assert digest({"a": [1, {"b": 2.0}], "c": 0}) == digest({"c": -0.0, "a": [1.0, {"b": 2}]})
    assert digest("a", "b") != digest("ab", "") != digest(["a", "b"])
    for wrong in ({1}, b"x", {"x": object()}, {1: 1, "a": 2}):
        with pytest.raises(TypeError, match="no JSON value"):
            digest(wrong)


REPO = Path(__file__).parents[3]
CHILD = """
import asyncio, sys
from benchmarks.flows import peak_megabytes
from leadline.flow import Chain, Collect, Distinct, Fork, Group, Scope, Sort
from leadline.flow.operators.aggregates import Values

async def rows():
    for n in range(400_000):
        yield {"n": n * 7919 % 400_000, "text": "x" * 200}

async def main(step):
    return sum([1 async for _ in step(rows(), Scope())])

steps = {
    "sort": Sort(["n"]),
    "distinct": Distinct(),
    "group": Group(["n"], {"texts": Values("text")}),
    "fork": Fork([Chain(), Chain()]),
}
before = peak_megabytes()
assert asyncio.run(main(steps[sys.argv[1]])) >= 400_000
print(peak_megabytes() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize("step", ["sort", "distinct", "group", "fork"])
def test_operators_that_need_all_rows_need_memory_for_some(step: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", CHILD, step], check=True, capture_output=True, text=True, cwd=REPO
    )
    assert float(told.stdout) < 150
