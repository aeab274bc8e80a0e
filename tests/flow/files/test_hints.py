"""What somebody most likely meant is said beside what is wrong."""

from pathlib import Path

import pytest

from leadline.errors import FlowError
from leadline.flow.base import Scope
from leadline.flow.files.checking import check
from leadline.flow.operators.editing import Select

HEAD = "source: {rows: {items: [{n: 1}]}}\nsteps:\n"


def told(folder: Path, text: str) -> list[str]:
    file = folder / "flow.yaml"
    file.write_text(text, encoding="utf-8")
    return [f"{each.severity} {each.line} {each.key}: {each.message}" for each in check(file).in_order]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("set: {x: amount}", "steps[0].set.x: there is no such argument. Write `set: {fields: {x: ...}}`."),
        (
            "rename: {a: b}",
            "steps[0].rename.a: there is no such argument. Write `rename: {fields: {a: ...}}`.",
        ),
        (
            "group: {aggregates: {all: sum amount}}",
            "steps[0].group.aggregates.all: there is no aggregate `sum amount`. "
            "Known: collect, count, deviation, distinct, first, head, last, max, mean, min, sort, sum, tail, variance. "
            "Write `{sum: amount}`.",
        ),
        (
            "filter: number(n) > 5",
            "steps[0].filter.condition: there is no function `number` (there are exists, len, lower), "
            "at character 1, near `number(n) > 5`.",
        ),
        (
            "set: {fields: {twice: n * 2}}",
            "steps[0].set.fields.twice: `*` is no operator: nothing is computed here, but in a function by `call`, "
            "at character 3, near `n * 2`.",
        ),
    ],
)
def test_what_was_meant_by_a_step_is_said(tmp_path: Path, step: str, message: str) -> None:
    assert told(tmp_path, f"{HEAD}  - {step}\nsink: stdout\n") == [f"error 3 {message}"]


def test_a_file_for_a_source_is_said_with_its_kind(tmp_path: Path) -> None:
    (found,) = told(tmp_path, "source: orders.csv\nsink: stdout\n")
    assert found.startswith("error 1 source: there is no source `orders.csv`.")
    assert found.endswith(" Write `{csv: orders.csv}`.")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("source:\n\trows: {}\n", "Indent with spaces."),
        ("steps:\n  - sort: by: town\n", "Put arguments in braces or on lines of their own"),
    ],
)
def test_what_is_no_yaml_is_told_with_what_to_do(tmp_path: Path, text: str, hint: str) -> None:
    with pytest.raises(FlowError, match=r"flow\.yaml:2: .*" + hint):
        told(tmp_path, text)


def test_a_shipped_flow_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FlowError, match="is not there. The shipped flow is called `answer-csv`"):
        check("answer-csv.yaml")
    Path("answer-csv.yaml").write_text(f"{HEAD}  - limit: 1\nsink: stdout\n", encoding="utf-8")
    assert check("answer-csv.yaml").found == []


def test_a_text_that_is_set_without_quotes_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, f"{HEAD}  - select: n\n  - set: {{fields: {{shelf: sea}}}}\nsink: stdout\n") == [
        "error 4 steps[1]: no row has a field `sea` here. A text is `{value: sea}`. There are: n."
    ]


def test_a_flow_without_a_sink_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, f"{HEAD}  - limit: 1\n") == ["warning 1 sink: is missing: no row goes anywhere."]


def test_select_takes_whole_fields(tmp_path: Path) -> None:
    hint = "`select` takes whole fields: `set: {fields: {text: a.text}}` first"
    (tmp_path / "t.csv").write_text("id,a,b.c\n1,2,3\n", encoding="utf-8")
    end = "steps: [{select: [id, a.text, b.c]}]\nsink: stdout\n"
    assert told(tmp_path, f"source: {{csv: {tmp_path}/t.csv}}\n{end}") == [f"error 2 steps[0]: {hint}."]
    assert told(tmp_path, "source: {jsonl: t.jsonl}\nsteps: [{select: [id, a.text]}]\nsink: stdout\n") == [
        f"warning 2 steps[0]: {hint}."
    ]
    work = Select(["id", "a.text"]).ready(Scope())
    assert work({"id": 1, "a.text": 2, "a": 3}) == ({"id": 1, "a.text": 2},)
    assert work({"id": 1}) == ({"id": 1},)
    with pytest.raises(ValueError, match="takes whole fields"):
        work({"id": 1, "a": {"text": 2}})
