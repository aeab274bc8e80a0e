"""A flow is cut into segments at the steps that see all rows; what tells flows apart is what they do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from leadline.flow import Chain, Each, Flow, Fork, If, Limits, Operator, Row, While
from leadline.flow.files.identity import flow_digest, folder_name
from leadline.flow.running.segments import cut
from leadline.run import Budget
from tests.flow.made import Asked, Backwards, Kept, Quick, counted


def one(row: Row) -> list[Row]:
    return [row]


def holding(held: str) -> Callable[[Row], list[Row]]:
    return lambda row: [{**row, "held": held}]


def told(operator: Operator) -> list[tuple[str, str, int]]:
    return [(segment.key, segment.kind, len(segment.steps)) for segment in cut(operator, Budget())]


def test_runs_of_row_steps_stay_together_and_stream_steps_stand_alone() -> None:
    quick, asked = Quick(one), Asked(one)
    assert told(Chain()) == []
    assert told(quick) == [("0", "cheap", 1)]
    assert told(quick >> asked >> quick) == [("0", "costly", 3)]
    assert told(quick >> quick >> Backwards() >> Backwards() >> asked) == [
        ("0", "cheap", 2),
        ("1", "stream", 1),
        ("2", "stream", 1),
        ("3", "costly", 1),
    ]
    assert told(Chain([quick, Chain([quick, Chain([Backwards()])])])) == [
        ("0", "cheap", 2),
        ("1", "stream", 1),
    ]


def test_a_loop_with_a_costly_step_inside_is_costly_and_one_row_by_row() -> None:
    assert told(While(Backwards() >> Asked(one), "open")) == [("0", "costly", 1)]
    assert told(While(Backwards(), "open")) == [("0", "cheap", 1)]


def test_steps_get_labels_by_their_place_and_those_that_have_one_keep_it() -> None:
    loop = While(Quick(one) >> If("n", then=Asked(one), else_=Quick(one, label="mine")), "open")
    steps = Each("items", loop) >> Fork([Chain(), Quick(one) >> Quick(one)])
    (each,), (fork,) = (segment.steps for segment in cut(steps, Budget()))
    assert each.label == "steps[0] each"
    assert fork.label == "steps[1] fork"
    labels: list[str] = []
    waiting: list[Operator] = [each, fork]
    while waiting:
        part = waiting.pop(0)
        labels += [part.label] if part.label else []
        waiting += part.parts()
    assert labels == [
        "steps[0] each",
        "steps[1] fork",
        "steps[0].each.steps while",
        "steps[1].fork.branches[1][0] quick",
        "steps[1].fork.branches[1][1] quick",
        "steps[0].each.steps.while.body[0] quick",
        "steps[0].each.steps.while.body[1] if",
        "steps[0].each.steps.while.body[1].if.then asked",
        "mine",
    ]


def test_flows_that_do_the_same_are_the_same_whatever_else_is_said_of_them(tmp_path: Path) -> None:
    def made(limit: int = 3, **others: object) -> Flow:
        flow = Flow("f", counted(limit), While(Asked(lambda row: [row]), "open"))
        return replace(flow, **others)

    same = [
        made(),
        made(concurrency=9),
        made(description="d", version="2"),
        made(sinks=(Kept(),)),
        made(limits=Limits(total=Budget(usd=1.0))),
        made(steps=cut(made().steps, Budget())[0].steps[0]),  # which has labels
    ]
    others = [
        made(4),
        made(name="g"),
        made(shared={"a": 1}),
        made(limits=Limits(row=Budget(usd=1.0))),
        made(steps=While(Asked(lambda row: [row, row]), "open")),
        made(steps=While(Asked(lambda row: [{**row, "a": 1}]), "open")),
        made(steps=While(Asked(lambda row: [{**row, "a": 2}]), "open")),
        made(steps=While(Asked(one), "open", max_rounds=3)),
        *(made(steps=Asked(lambda row, held=held: [{"a": held}])) for held in (1, 2)),
        *(made(steps=Asked(holding(held))) for held in ("a", "b")),
    ]
    assert len({flow_digest(flow) for flow in same}) == 1
    assert len({flow_digest(flow) for flow in [same[0], *others]}) == 1 + len(others)


def test_a_folder_is_named_by_the_flow_whatever_it_is_called() -> None:
    for name in ("../../etc", "a b", "", "x" * 500, "问答"):
        folder = folder_name(Flow(name, counted(1), digest="0123456789"))
        assert "/" not in folder
        assert folder.endswith("-01234567")
        assert len(folder) < 80
