"""The shipped flows other than the deep searches, each over real documents and without a model unless it asks for one."""

import json
from pathlib import Path
from typing import Any

import pytest

from leadline.config import Settings
from leadline.errors import FlowError
from leadline.events import Event, Notice
from leadline.flow.files.checking import check
from leadline.flow.files.reading import read_flow
from leadline.flow.files.shipped import shipped
from leadline.flow.running.report import FlowReport
from leadline.flow.running.running import run_flow
from leadline.flow.sources.parquet import Parquet
from leadline.flow.steps.cloze import GAP
from leadline.run import Run
from leadline.testing.model_server import ModelServer
from leadline.testing.running import go
from leadline.testing.said import Asked, Said
from leadline.workspace import Workspace
from tests.flow.ends import read
from tests.flow.steps.modelled import settings as modelled

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text().splitlines()][:3]
LINES = "The tide mill was built in 1784 by the miller of the bay.\n"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_validate({"data": tmp_path / "data", "embedding": "static"})


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A data folder with the example documents."""
    data = tmp_path_factory.mktemp("shipped") / "data"
    settings = Settings.model_validate({"data": data, "embedding": "static"})

    async def load() -> None:
        async with await Workspace.open(settings) as workspace:
            await workspace.load([EXAMPLES / "corpus"])

    go(load())
    return settings


def run(name: str, settings: Settings, told: list[Event] | None = None, **values: object) -> FlowReport:
    watched = Run(emit=(told if told is not None else list[Event]()).append)

    async def work() -> FlowReport:
        async with await Workspace.open(settings) as workspace:
            return await run_flow(read_flow(name, values, settings), workspace, run=watched)

    return go(work())


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", sorted(shipped()))
def test_nothing_is_wrong_with_a_shipped_flow(name: str) -> None:
    assert check(shipped()[name], Settings()).found == []


def test_question_answer_pairs_come_from_a_folder_without_a_model(settings: Settings, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    report = run("qa-pairs", settings, folder=EXAMPLES / "corpus", pairs=out, most=1)
    assert report.failed == 0
    found = lines(out)
    assert len(found) == report.rows_out > 10
    for pair in found:
        sentence = pair["question"].removeprefix(f"{pair['title']}: ")
        assert sentence.replace(GAP, pair["answer"]) == pair["quote"]
    assert {Path(pair["source"]).suffix for pair in found} >= {".md", ".pdf", ".docx"}
    assert any(pair["page"] for pair in found)


def test_a_model_writes_the_pairs_and_quotes_that_do_not_stand_there_are_left_out(tmp_path: Path) -> None:
    folder, out = tmp_path / "files", tmp_path / "pairs.jsonl"
    folder.mkdir()
    (folder / "mill.md").write_text(LINES)
    good = {"question": "When was the mill built?", "answer": "1784", "quote": LINES.strip()}
    made_up = {"question": "Who owns it?", "answer": "Bo", "quote": "It is owned by Bo."}

    def script(asked: Asked) -> Said:
        assert "up to 2 questions" in asked.prompt
        assert LINES.strip() in asked.prompt
        return Said(json.dumps({"pairs": [good, made_up, {**good, "answer": ""}]}))

    with ModelServer(script) as server:
        settings = modelled(tmp_path / "data", server)
        report = run("qa-pairs", settings, folder=folder, pairs=out, how="model", most=2)
    assert (report.rows_out, report.failed, report.usage.calls) == (1, 0, 1)
    (pair,) = lines(out)
    assert {name: pair[name] for name in good} == good
    assert pair["source"] == str((folder / "mill.md").resolve())


def test_a_table_of_questions_becomes_one_of_answers_with_citations(loaded: Settings, tmp_path: Path) -> None:
    asked, out = tmp_path / "questions.csv", tmp_path / "answers.parquet"
    table = [f'{row["id"]},"{row["question"]}"' for row in QUESTIONS]
    asked.write_text("\n".join(["id,asked", *table, "empty,", ""]))
    report = run("answer-csv", loaded, questions=asked, field="asked", answers=out)
    assert (report.rows_in, report.rows_out, report.failed) == (4, 3, 1)
    rows, _ = read(Parquet(out))
    assert [row["id"] for row in rows] == [row["id"] for row in QUESTIONS]
    assert set(rows[0]) == {"id", "asked", "answer", "found", "confidence", "claims", "citations"}
    for row in rows:
        assert row["found"]
        numbers = {citation["number"] for citation in row["citations"]}
        assert {number for claim in row["claims"] for number in claim["sources"]} == numbers
        assert all(set(claim) == {"text", "support", "sources"} for claim in row["claims"])
        assert " ".join(claim["text"] for claim in row["claims"]) == row["answer"]
        assert all(citation["quote"] and citation["source"] for citation in row["citations"])


def test_records_to_distil_hold_question_evidence_reasoning_and_answer(
    loaded: Settings, tmp_path: Path
) -> None:
    asked, out = tmp_path / "questions.jsonl", tmp_path / "records.jsonl"
    strange = {"question": "What is the airspeed of an unladen zeppelin of Ouagadougou?"}
    asked.write_text("".join(json.dumps(row) + "\n" for row in [*QUESTIONS, strange]))
    report = run("distil", loaded, questions=asked, records=out)
    assert (report.rows_in, report.failed) == (4, 0)
    records = lines(out)
    assert [record["id"] for record in records] == [row["id"] for row in QUESTIONS]
    for record in records:
        events = [step["event"] for step in record["reasoning"]]
        assert events[:2] == ["Routed", "Planned"]
        assert {"Judged", "Reflected"} <= set(events)
        assert "Searched" not in events
        cited = {citation["chunk_id"] for citation in record["answer"]["sources"]}
        assert cited & {piece["id"] for piece in record["evidence"]}
    run("distil", loaded, questions=asked, records=out, unanswered=True)
    assert len(lines(out)) == 4


def test_a_collection_follows_its_folder(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "mill.md").write_text(LINES)
    (folder / "salt.md").write_text("Salt was boiled here.\n")

    async def sources() -> dict[str, str]:
        async with await Workspace.open(settings) as workspace:
            store = await workspace.reading()
            found = await store.fingerprints("handbook")
            return {Path(source).name: mark for source, mark in found.values()}

    assert run("refresh", settings, folder=folder, collection="handbook").rows_out == 2
    before = go(sources())
    assert set(before) == {"mill.md", "salt.md"}
    (folder / "salt.md").unlink()
    (folder / "kiln.md").write_text("Lime was burned here.\n")
    told: list[Event] = []
    run("refresh", settings, told, folder=folder, collection="handbook")
    said = "collection `handbook`: 1 of 2 documents were new or changed, 1 were removed."
    assert Notice(said) in told
    after = go(sources())
    assert set(after) == {"mill.md", "kiln.md"}
    assert after["mill.md"] == before["mill.md"]
    for file in folder.iterdir():
        file.unlink()
    with pytest.raises(
        FlowError, match="none of the 2 files that `handbook` has of it.* set `emptied` to true"
    ):
        run("refresh", settings, folder=folder, collection="handbook")
    assert go(sources()) == after
    run("refresh", settings, told, folder=folder, collection="handbook", emptied=True)
    assert Notice("collection `handbook`: 0 of 0 documents were new or changed, 2 were removed.") in told
    assert go(sources()) == {}
