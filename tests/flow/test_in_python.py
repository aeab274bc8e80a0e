"""Flows that are written in Python: paths as text, functions between steps, aggregates as a flow file says them."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from leadline import Leadline
from leadline.errors import FlowError
from leadline.flow import Choices, Filter, Flow, Group
from leadline.flow.operators.arithmetic import Sum
from leadline.flow.running.running import collected, run_flow
from leadline.flow.sinks import Jsonl as JsonlSink
from leadline.flow.sources import Csv, InlineRows
from leadline.testing.running import go

ROWS = [{"n": 1}, {"n": 2}, {"n": 3}]


def doubled(row: dict[str, Any]) -> dict[str, Any]:
    return {"n": row["n"] * 2}


def test_functions_stand_before_and_behind_steps() -> None:
    assert go(collected(Filter("n > 1") >> doubled, ROWS)) == [{"n": 4}, {"n": 6}]
    assert go(collected(doubled >> Filter("n > 2") >> doubled, ROWS)) == [{"n": 8}, {"n": 12}]
    with pytest.raises(FlowError, match="joins steps and functions of a row, and 'n > 1' is neither"):
        _ = Filter("n") >> cast(Any, "n > 1")


def test_paths_are_text_and_one_sink_is_no_tuple(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("n\n1\n2\n", "utf-8")
    out = str(tmp_path / "out.jsonl")
    source = Csv(str(tmp_path / "in.csv"), types={"n": "int"})
    flow = Flow("text", source, Group(aggregates={"total": Sum("n")}), cast(Any, JsonlSink(out)))
    assert go(run_flow(flow)).rows_out == 1
    assert json.loads(Path(out).read_text("utf-8")) == {"total": 3}


def test_aggregates_may_be_said_as_in_a_flow_file() -> None:
    said: Any = {"total": {"sum": "n"}, "rows": "count", "most": {"max": {"field": "n", "where": "n < 3"}}}
    assert go(collected(Group(aggregates=said), ROWS)) == [{"total": 6, "rows": 3, "most": 2}]
    for wrong, told in (({"summ": "n"}, "Did you mean `sum`"), (3, "Sum"), ({"sum": {"of": 1}}, "total")):
        with pytest.raises(FlowError, match=told):
            Group(aggregates=cast(Any, {"total": wrong}))


def test_what_is_no_source_is_refused_when_the_flow_is_made() -> None:
    with pytest.raises(FlowError, match=r"`source` holds \[.*no Source.*InlineRows"):
        Flow("m", cast(Any, ROWS))
    with pytest.raises(FlowError, match="`sinks` holds 'out.jsonl', which is no Sink"):
        Flow("m", InlineRows(ROWS), sinks=cast(Any, ["out.jsonl"]))


def test_an_argument_that_is_a_choice_of_the_run_is_pointed_to(tmp_path: Path) -> None:
    with Leadline(data=tmp_path / "data") as leadline:
        with pytest.raises(FlowError, match=r"no argument `limit`.*choices=Choices\(limit=\.\.\.\)"):
            leadline.flow("answer-csv", limit=1)
        flow = Flow("few", InlineRows(ROWS), Filter("n"))
        assert leadline.flow(flow, choices=Choices(limit=2)).rows_in == 2
