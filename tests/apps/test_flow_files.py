"""`leadline flow check`, `draw`, `list` and `show`."""

import json
from pathlib import Path

import pytest

from leadline.testing.commands import Command

SOUND = "arguments: {n: {type: int}}\nsource: {rows: {items: [{a: 1}]}}\nsteps: [{filter: a == $n}]\nsink: stdout\n"


def test_a_sound_flow_is_said_to_be_that(here: Path, leadline: Command) -> None:
    Path("flow.yaml").write_text(SOUND, encoding="utf-8")
    shown = leadline("flow", "check", "flow.yaml")
    assert (shown.code, shown.out, shown.err) == (0, "", "nothing is wrong.\n")


def test_what_is_wrong_is_listed_with_its_place(here: Path, leadline: Command) -> None:
    Path("flow.yaml").write_text(SOUND.replace("filter", "filtr") + "consts: {c: 1}\n", encoding="utf-8")
    shown = leadline("flow", "check", "flow.yaml")
    assert shown.code == 2
    assert shown.out == "error: flow.yaml:3: steps[0]: there is no step `filtr`. Did you mean `filter`?\n"
    assert shown.err == "1 error, 0 warnings.\n"
    listed = json.loads(leadline("flow", "check", "flow.yaml", "--json").out)
    assert [(each["line"], each["key"], each["severity"]) for each in listed] == [(3, "steps[0]", "error")]


def test_a_warning_does_not_fail(here: Path, leadline: Command) -> None:
    Path("flow.yaml").write_text(SOUND + "consts: {c: 1}\n", encoding="utf-8")
    shown = leadline("flow", "check", "flow.yaml", "--set", "n=2")
    assert (shown.code, shown.out) == (0, "warning: flow.yaml:5: consts.c: nothing asks for it.\n")
    assert leadline("flow", "check", "flow.yaml", "--set", "n=two").code == 2


def test_what_is_no_flow_at_all_is_one_line(here: Path, leadline: Command) -> None:
    Path("flow.yaml").write_text("steps: [", encoding="utf-8")
    shown = leadline("flow", "check", "flow.yaml")
    assert shown.code == 2
    assert shown.err.startswith("leadline: flow.yaml:1: ")
    assert shown.err.count("\n") == 1


def test_a_flow_is_drawn(here: Path, leadline: Command) -> None:
    Path("flow.yaml").write_text(SOUND, encoding="utf-8")
    assert leadline("flow", "draw", "flow.yaml").out.startswith("flowchart TD\n")
    assert leadline("flow", "draw", "flow.yaml", "--svg").out.startswith("<svg ")
    Path("flow.yaml").write_text(SOUND.replace("filter", "filtr"), encoding="utf-8")
    assert "there is no step `filtr`" in leadline("flow", "draw", "flow.yaml").err


def test_the_catalogue_is_listed(leadline: Command) -> None:
    listed = json.loads(leadline("flow", "list", "--json").out)
    found = {(each["kind"], each["name"]) for each in listed}
    assert {
        ("source", "jsonl"),
        ("step", "while"),
        ("aggregate", "count"),
        ("sink", "parquet"),
        ("flow", "deepsearch"),
    } <= found
    assert all(each["summary"] for each in listed)


def test_the_list_is_grouped_and_fits_a_terminal(leadline: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = leadline("flow", "list").out.splitlines()
    groups = ["Flows", "Sources", "Steps", "Sinks", "Aggregates"]
    assert [line.strip() for line in lines if line.strip() in groups] == groups
    assert max(map(len, lines)) <= 100
    sinks = leadline("flow", "list", "--kind", "sink").out
    assert "parquet" in sinks
    assert not {"Flows", "Steps", "while"} & set(sinks.split())


def test_a_part_is_shown_with_arguments_and_example(leadline: Command) -> None:
    shown = leadline("flow", "show", "flat").out
    assert shown.startswith('step flat: {field, as: "", of: "list", inherit: true, keep_empty: false}\n')
    assert "must be given" in shown
    assert "flat: {field: chunks, as: chunk}" in shown
    assert [each["kind"] for each in json.loads(leadline("flow", "show", "csv", "--json").out)] == [
        "source",
        "sink",
    ]
    missing = leadline("flow", "show", "flta")
    assert missing.code == 2
    assert "Did you mean `flat`?" in missing.err


def test_a_shipped_flow_is_known_by_its_name(leadline: Command) -> None:
    assert leadline("flow", "check", "deepsearch").err == "nothing is wrong.\n"
    assert leadline("flow", "draw", "deepsearch").out.startswith("flowchart TD\n")
    assert "Did you mean `deepsearch`?" in leadline("flow", "check", "deepsearc").err


def test_a_flow_is_shown_with_its_arguments_and_its_file(here: Path, leadline: Command) -> None:
    shown = leadline("flow", "show", "answer-csv").out
    assert shown.startswith("flow answer-csv\n\nAnswers each line of a CSV file")
    assert "must be given" in shown
    assert "The column that holds the question." in shown
    assert "one of auto, fast, deep, chain" in shown
    assert "answer-csv.yaml; a copy of it can be changed." in shown
    Path("own.yaml").write_text(SOUND.replace("type: int", "type: int, default: 3, min: 1"), encoding="utf-8")
    (own,) = json.loads(leadline("flow", "show", "own.yaml", "--json").out)
    assert own == {
        "kind": "flow",
        "name": "own.yaml",
        "file": "own.yaml",
        "summary": "",
        "arguments": [{"name": "n", "type": "int, at least 1", "default": "3", "meaning": ""}],
    }
    assert "Did you mean `answer-csv`?" in leadline("flow", "show", "answer-cvs").err


def test_the_help_of_a_picture_says_where_it_goes(leadline: Command) -> None:
    assert "--svg > flow.svg" in " ".join(leadline("flow", "draw", "--help").out.split())


def test_questions_under_another_name_are_told_before_the_first_row(here: Path, leadline: Command) -> None:
    Path("q.csv").write_text("id,Question,asked_by\n1,Who?,Ann\n", encoding="utf-8")
    shown = leadline("flow", "run", "answer-csv", "--set", "questions=q.csv")
    assert shown.code == 2
    expected = (
        "no row has a field `question` here. There are: id, Question, asked_by. Did you mean `Question`?"
    )
    assert expected in shown.err
    assert not Path("answers.parquet").exists()
