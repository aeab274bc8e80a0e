"""Dated notes, through the command: their fields, what a question names of them, and filters that miss."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from leadline.apps.cli import main

NOTES = {
    "a.md": ("2022-05-03", "Harbour", "The dredging of the harbour cost 410 crowns."),
    "b.md": ("2023-06-09", "Harbour", "The dredging of the harbour cost 520 crowns."),
    "c.md": ("2024-02-11", "Harbour", "The dredging of the harbour cost 615 crowns."),
    "d.md": ("2024-04-20", "Finance", "The council spent 90 crowns on lights."),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dated")
    (folder / "notes").mkdir()
    for name, (day, department, text) in NOTES.items():
        front = f"---\ndate: {day}\ndepartment: {department}\n---\n"
        (folder / "notes" / name).write_text(f"{front}# Note\n\n{text}\n", encoding="utf-8")
    assert run(folder, "load", "notes")[0] == 0
    return folder


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """`leadline ARGUMENTS...`, called in `folder` on 15 May 2024."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as here, redirect_stdout(out), redirect_stderr(err):
        here.chdir(folder)
        here.setenv("COLUMNS", "200")
        here.setenv("LEADLINE_SEARCH_TODAY", "2024-05-15")
        with pytest.raises(SystemExit) as ended:
            main(arguments)
    code = ended.value.code
    return code if isinstance(code, int) else int(code is not None), out.getvalue(), err.getvalue()


def found(folder: Path, question: str) -> tuple[list[str], dict[str, Any]]:
    """The sources of the hits, best first, and the whole result."""
    code, out, err = run(folder, "search", question, "--json")
    assert code == 0, err
    result = json.loads(out)
    return [Path(hit["chunk"]["source"]).name for hit in result["hits"]], result


def test_the_fields_of_a_collection_are_shown(folder: Path) -> None:
    shown = run(folder, "collections", "show", "default")[1]
    row = next(line for line in shown.splitlines() if line.startswith("department"))
    assert row.split() == [
        "department",
        "text",
        "4",
        "2",
        "Finance",
        "Harbour",
        "Harbour",
        "(3),",
        "Finance",
        "(1)",
    ]
    fields = json.loads(run(folder, "collections", "show", "default", "--json")[1])["fields"]
    date = next(one for one in fields if one["name"] == "date")
    assert (date["kind"], date["minimum"], date["maximum"]) == ("date", "2022-05-03", "2024-04-20")
    year = next(one for one in fields if one["name"] == "year")
    assert year["values"][0] == {"value": 2024, "documents": 2}


@pytest.mark.parametrize(
    ("question", "first", "where"),
    [
        ("What did dredging the harbour cost in 2022?", "a.md", "2022"),
        ("What did dredging the harbour cost last quarter?", "c.md", '< "2024-04"'),
    ],
)  # fmt: skip
def test_a_date_in_a_question_puts_the_passage_of_that_date_first(
    folder: Path, question: str, first: str, where: str
) -> None:
    sources, result = found(folder, question)
    assert sources[0] == first
    assert set(sources) >= {"a.md", "b.md", "c.md"}
    assert where in result["asked"][0]
    assert "filtered" in {one["path"] for one in result["hits"][0]["found"]}


def test_an_answer_of_the_right_date_is_an_answer_and_says_why(folder: Path) -> None:
    question = "What did the dredging of the harbour cost after 2023?"
    code, out, _ = run(folder, "ask", question, "--explain")
    assert code == 0
    assert "615 crowns. [1]" in out and "520 crowns. [" not in out
    assert "(“after 2023”)" in out
    nothing = run(folder, "ask", "What did the dredging of the harbour cost in 2019?")[1]
    assert "No answer to this was found" in nothing


def test_an_explicit_filter_is_hard_whatever_the_question_names(folder: Path) -> None:
    code, out, err = run(
        folder, "search", "What did dredging cost in 2022?", "--where", "year >= 2023", "--json"
    )
    assert code == 0, err
    assert {Path(hit["chunk"]["source"]).name for hit in json.loads(out)["hits"]} == {"b.md", "c.md", "d.md"}


def test_a_misspelt_field_is_refused_and_a_missing_one_said(folder: Path) -> None:
    code, out, err = run(folder, "search", "dredging", "--where", "yeer >= 2023")
    assert (code, out) == (2, "")
    assert "did you mean `year`?" in err
    code, _, err = run(folder, "search", "dredging", "--where", 'team == "sea"')
    assert code == 0
    assert "No document in `default` has a field `team`" in err
    answer = json.loads(run(folder, "ask", "Who pays?", "--where", 'team == "sea"', "--json")[1])
    assert any("`team`" in notice for notice in answer["notices"])
