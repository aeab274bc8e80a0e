"""While does what fifteen lines of plain loops do: for random bodies, conditions and caps, nothing lost, nothing twice."""

import asyncio
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.errors import RowFailed
from leadline.flow.base import Chain, Memory, Operator, Row, Scope
from leadline.flow.operators.aggregates import Count, Values
from leadline.flow.operators.arithmetic import Sum
from leadline.flow.operators.control import Each, Fork, If
from leadline.flow.operators.grouping import Collect, Group
from leadline.flow.operators.looping import While
from leadline.flow.operators.mapping import Filter, FlatMap, Map
from leadline.flow.operators.ordering import Distinct, Limit, Sort
from leadline.flow.running.running import collected
from leadline.testing.running import go

Rows = list[Row]
Plain = Callable[[Rows], Rows]


class Empty(Exception):
    """What the model raises where `on_empty` is `error`."""


def model(row: Row, body: Plain, condition: Callable[[Row], Any], cap: int, on_empty: str) -> list[Row]:
    frontier, seen, left, rounds, why = [row], list[Rows](), list[tuple[Row, int, str]](), 0, ""
    while frontier and not why:
        left += [(each, rounds, "condition") for each in frontier if not condition(each)]
        frontier = [each for each in frontier if condition(each)]
        why = "max_rounds" if rounds == cap else "stalled" if frontier in seen else ""
        if frontier and not why:
            seen.append(frontier)
            made, rounds = body(frontier), rounds + 1
            frontier, why = (made, "") if made else (frontier, on_empty)
    if why == "error" and frontier:
        raise Empty
    left += [(each, rounds, "empty" if why == "keep" else why) for each in frontier if why != "drop"]
    return [{**each, "loop": {"rounds": count, "exit": exit_}} for each, count, exit_ in left]


def less(row: Row) -> Row:
    return {**row, "n": row["n"] - 1}


async def slowly(row: Row) -> Row:
    for _ in range(row["n"] % 4):
        await asyncio.sleep(0)
    return less(row)


def turned(row: Row) -> Row:
    return {**row, "n": 5 - row["n"]}


def children(row: Row) -> Rows:
    return [{**row, "n": row["n"] - way, "path": [*row["path"], way]} for way in (1, 2)]


def grouped(rows: Rows) -> Rows:
    groups: dict[int, Rows] = {}
    for row in rows:
        groups.setdefault(row["n"], []).append(row)
    return [
        {
            "n": n,
            "size": len(of),
            "total": sum(row.get("size") or 0 for row in of),
            "path": [step for row in of for step in row["path"]],
        }
        for n, of in groups.items()
    ]


def gathered(rows: Rows) -> Rows:
    return [{**rows[0], "path": [step for row in rows for step in row["path"]]}] if rows else []


def first_of_each(rows: Rows) -> Rows:
    found: dict[int, Row] = {}
    for row in rows:
        found.setdefault(row["n"], row)
    return list(found.values())


def inner(rows: Rows) -> Rows:
    made = [
        each for row in rows for each in model(row, lambda found: [*map(less, found)], above_two, 2, "keep")
    ]
    return [{**{name: row[name] for name in row if name != "loop"}, "inner": row["loop"]} for row in made]


def above_two(row: Row) -> bool:
    return row["n"] > 2


def thirds(row: Row) -> int:
    return row["n"] % 3


def path_of(rows: Rows) -> Rows:
    return [{**row, "path": [step for step in row["path"] if step != 1]} for row in rows]


GROUP = Group(["n"], {"size": Count(), "total": Sum("size"), "path": Values("path")})
FLATTENED = Map(lambda row: {**row, "path": [step for part in row["path"] for step in part]})

STEPS: list[tuple[Operator, Plain]] = [
    (Map(less), lambda rows: [less(row) for row in rows]),
    (Map(slowly), lambda rows: [less(row) for row in rows]),
    (Map(turned), lambda rows: [turned(row) for row in rows]),
    (FlatMap(children), lambda rows: [each for row in rows for each in children(row)]),
    (Filter("n in [0, 1, 3, 5, 6]"), lambda rows: [row for row in rows if row["n"] in {0, 1, 3, 5, 6}]),
    (GROUP >> FLATTENED, grouped),
    (Collect({"path": "path"}, flat=True), gathered),
    (Sort(["-n"]), lambda rows: sorted(rows, key=lambda row: -row["n"])),
    (Distinct(["n"]), first_of_each),
    (Limit(3), lambda rows: rows[:3]),
    (Fork([Chain(), Map(less) >> Limit(1)]), lambda rows: [*rows, *map(less, rows[:1])]),
    (If("n > 3", Map(turned)), lambda rows: [turned(row) if row["n"] > 3 else row for row in rows]),
    (Each("path", Filter("item != 1")), path_of),
    (While(Map(less), above_two, max_rounds=2, report="inner"), inner),
]

CONDITIONS: list[tuple[Any, Callable[[Row], Any]]] = [
    ("n", lambda row: row["n"]),
    ("n > 0", lambda row: row["n"] > 0),
    ("len(path) < 5", lambda row: len(row["path"]) < 5),
    (thirds, thirds),
    ("true", lambda row: True),
]


@settings(max_examples=300)
@given(
    starts=st.lists(st.integers(-2, 9), max_size=5),
    steps=st.lists(st.sampled_from(STEPS), max_size=4),
    condition=st.sampled_from(CONDITIONS),
    cap=st.integers(0, 5),
    on_empty=st.sampled_from(["keep", "drop", "error"]),
    concurrency=st.integers(1, 4),
    memory=st.sampled_from([1, 2, 50_000]),
)
def test_while_does_what_plain_loops_do(
    starts: list[int],
    steps: list[tuple[Operator, Plain]],
    condition: tuple[Any, Callable[[Row], Any]],
    cap: int,
    on_empty: Any,
    concurrency: int,
    memory: int,
) -> None:
    def body(rows: Rows) -> Rows:
        for _, plain in steps:
            rows = plain(rows)
        return rows

    loop = While(Chain([step for step, _ in steps]), condition[0], cap, on_empty)
    rows: Rows = [{"n": n, "path": []} for n in starts]
    try:
        expected = [each for row in rows for each in model(row, body, condition[1], cap, on_empty)]
    except Empty:
        expected = None
    scope = Scope(concurrency=concurrency, memory=Memory(memory))
    try:
        found = go(collected(loop, rows, scope))
    except RowFailed:
        found = None
    assert found == expected


@given(starts=st.lists(st.integers(0, 9), max_size=12), concurrency=st.integers(2, 5))
def test_rows_that_may_overtake_each_other_are_the_same_rows(starts: list[int], concurrency: int) -> None:
    loop = While(Map(slowly) >> FlatMap(children) >> Limit(3), "n > 0", 6)
    rows: Rows = [{"n": n, "path": [], "of": number} for number, n in enumerate(starts)]
    ordered = go(collected(loop, rows, Scope(concurrency=1)))
    unordered = go(collected(loop, rows, Scope(concurrency=concurrency, ordered=False)))
    assert sorted(map(str, unordered)) == sorted(map(str, ordered))
    # The rows of one that came in keep their order among themselves.
    assert sorted(unordered, key=lambda row: row["of"]) == ordered
