"""Steps that take each row straight through give what streams through streams give. Every operator can be sent elsewhere, and
changes no row that it was given."""

import asyncio
import pickle
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.errors import LeadlineError
from leadline.flow import (
    DeadLetter,
    Each,
    Filter,
    Flat,
    FlatMap,
    Fork,
    If,
    Map,
    Operator,
    Row,
    Scope,
    Sort,
    While,
)
from leadline.flow.files.building import Builder
from leadline.flow.files.catalogue import STEPS as NAMED
from leadline.flow.files.describing import described, everything
from leadline.flow.files.problems import Problems
from leadline.flow.files.substituting import Names
from leadline.flow.files.yaml_lines import read_yaml
from leadline.flow.operators.streams import stream
from leadline.flow.running.outer_rows import through
from leadline.flow.running.running import collected
from leadline.flow.running.straight import straight
from leadline.settings import Settings
from leadline.testing.running import go


def inverse(row: Row) -> Row:
    return {**row, "n": 6 // row["n"]}


async def slowly(row: Row) -> Row:
    await asyncio.sleep(0)
    return {**row, "n": row["n"] - 1}


STEPS: list[Operator] = [
    Map(inverse),
    Map(inverse, on_error="skip"),
    Map(inverse, on_error="keep"),
    Map(slowly),
    Filter("n > 0"),
    FlatMap(lambda row: ({**row, "n": row["n"] + more} for more in (0, 1))),
    Flat("list", as_="n"),
    If("n > 1", Map(slowly), Filter("n")),
    Each("list", Filter("item > 1")),
    While(Map(slowly), "n > 2", max_rounds=2),
    If("n", Fork([Sort(["n"]), Map(inverse)])),
]


@given(
    steps=st.lists(st.sampled_from(STEPS), max_size=4),
    row=st.fixed_dictionaries({"n": st.integers(-1, 4), "list": st.lists(st.integers(0, 3), max_size=3)}),
)
def test_straight_through_is_the_same_as_stream_through_stream(steps: list[Operator], row: Row) -> None:
    async def both() -> list[tuple[Any, list[int], list[DeadLetter]]]:
        results: list[tuple[Any, list[int], list[DeadLetter]]] = []
        for way in ("straight", "streams"):
            letters: list[DeadLetter] = []
            tally = [0] * (len(steps) + 1)
            scope = Scope(lose=letters.append)
            try:
                if way == "straight":
                    made: Any = list(await straight(steps, scope, tally)(row))
                else:
                    tally[0] = 1
                    made = [each async for each in through(steps, stream([row]), scope, tally)]
            except LeadlineError as error:
                made, tally = str(error), []
            # One goes through step by step, the other row by row: what is told is the same, its order may not be.
            results.append((made, tally, sorted(letters, key=str) if isinstance(made, list) else []))
        return results

    one, other = go(both())
    assert one == other


BUILT = [each.name for each in everything() if each.kind == "step" and each.example]


def example(name: str) -> Operator:
    text = described("step", name).example.replace("textstat.words:syllables", "json:dumps")
    settings = Settings.model_validate({"flow": {"functions": ["json:dumps"]}})
    return Builder(Names(), Problems(), settings).part("step", read_yaml(text, "example"), "example")


@pytest.mark.parametrize("name", BUILT)
def test_every_operator_can_be_sent_to_another_machine(name: str) -> None:
    step = example(name)
    sent = pickle.loads(pickle.dumps(step))
    assert sent == step
    assert (sent.reach, sent.costly, list(sent.reads())) == (step.reach, step.costly, list(step.reads()))


OURS = [name for name in BUILT if ".steps." not in NAMED[name] and name != "call"]
ROW: Row = {
    "title": "A",
    "text": "some words",
    "score": 0.9,
    "language": "en",
    "code": "en",
    "words": 12,
    "answer": [],
    "url": "u",
    "vector": [0.5],
    "chunks": [{"id": 1, "title": "x"}, {"id": 2, "title": "y"}],
    "all_chunks": [{"id": 1}],
    "chapters": [{"title": "one"}],
    "gap_queries": ["q"],
}


@pytest.mark.parametrize("name", OURS)
def test_no_operator_changes_a_row_that_it_was_given(name: str) -> None:
    rows = [ROW, {**ROW, "title": "B", "score": 0.1}]
    before = deepcopy(rows)
    made = go(collected(example(name), rows))
    assert rows == before
    assert made or name in {"sample", "skip"}
