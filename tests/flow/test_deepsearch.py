"""The shipped deep searches over real documents: what the agent answers, question by question, and what a file must be."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from leadline.config import Settings
from leadline.errors import FlowError
from leadline.flow.files.reading import read_flow
from leadline.flow.running.opening import Choices
from leadline.flow.running.report import FlowReport
from leadline.flow.running.running import run_flow
from leadline.flow.steps.answers import answered
from leadline.run import Run
from leadline.testing.model_server import ModelServer
from leadline.testing.running import go
from leadline.types import Answer
from leadline.workspace import Workspace
from tests.scenarios import model_product as product

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text().splitlines()][:8]
FILES = ("deepsearch", "deepsearch-each")


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A data folder with some of the example documents and their vectors."""
    settings = Settings.model_validate(
        {"data": tmp_path_factory.mktemp("deep") / "data", "embedding": "static"}
    )

    async def load() -> None:
        async with await Workspace.open(settings) as workspace:
            await workspace.load(sorted((EXAMPLES / "corpus").rglob("*.md")))
            await workspace.load(sorted((EXAMPLES / "corpus").rglob("*.txt")), metadata={"shelf": "second"})

    go(load())
    return settings


def run(
    name: str, settings: Settings, folder: Path, rows: list[dict[str, Any]], **values: object
) -> FlowReport:
    """Run a shipped flow over these rows; its answers are in `folder`."""
    questions = folder / "questions.jsonl"
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows))

    async def work() -> FlowReport:
        given = {"questions": questions, "answers": folder / "answers.jsonl", **values}
        async with await Workspace.open(settings) as workspace:
            return await run_flow(read_flow(name, given, settings), workspace, choices=Choices())

    return go(work())


def answers(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]


def agent(settings: Settings) -> list[Mapping[str, Any]]:
    """What the agent answers to each question, as a row."""

    async def work() -> list[Mapping[str, Any]]:
        async with await Workspace.open(settings) as workspace:
            found = [
                await workspace.ask(row["question"], agent="deep", run=Run(settings.budget.of_run()))
                for row in QUESTIONS
            ]
        return [json.loads(json.dumps(answered({}, each, "answer", "evidence"))) for each in found]

    return go(work())


@pytest.fixture(scope="module")
def expected(offline: Settings) -> list[Mapping[str, Any]]:
    return agent(offline)


@pytest.mark.parametrize("name", FILES)
def test_every_question_of_a_file_is_answered_as_the_agent_answers_it(
    name: str, offline: Settings, expected: list[Mapping[str, Any]], tmp_path: Path
) -> None:
    report = run(name, offline, tmp_path, QUESTIONS)
    assert (report.rows_in, report.rows_out, report.failed) == (len(QUESTIONS), len(QUESTIONS), 0)
    found = answers(tmp_path)
    assert [{"answer": row["answer"], "evidence": row["evidence"]} for row in found] == expected
    assert [row["id"] for row in found] == [row["id"] for row in QUESTIONS]
    assert all(row["loop"]["exit"] == "condition" for row in found)


def test_no_row_keeps_what_only_the_search_needs(offline: Settings, tmp_path: Path) -> None:
    run("deepsearch", offline, tmp_path, QUESTIONS[:1])
    (row,) = answers(tmp_path)
    own = {"original_query", "all_sub_queries", "answer", "evidence", "loop"}
    assert set(row) == own | set(QUESTIONS[0])
    assert "terms" not in row["evidence"][0]


def test_a_question_that_cannot_be_read_is_one_dead_letter(offline: Settings, tmp_path: Path) -> None:
    report = run("deepsearch", offline, tmp_path, [{"question": ""}, QUESTIONS[0], {"asked": "?"}])
    assert (report.rows_out, report.failed) == (1, 2)
    assert report.letters is not None
    letters = [json.loads(line) for line in report.letters.read_text().splitlines()]
    assert [letter["step"].endswith("plan") for letter in letters] == [True, True]
    assert "field `question` is empty" in letters[0]["error"]
    assert "field `question` is not there" in letters[1]["error"]


def test_the_flow_searches_where_it_is_told(offline: Settings, tmp_path: Path) -> None:
    run("deepsearch", offline, tmp_path, QUESTIONS[:1], where='shelf == "second"', collections=["default"])
    (row,) = answers(tmp_path)
    assert row["evidence"]
    assert {piece["metadata"]["shelf"] for piece in row["evidence"]} == {"second"}


def test_without_vectors_it_searches_by_words(tmp_path: Path) -> None:
    settings = Settings.model_validate({"data": tmp_path / "data", "embedding": "none"})
    (tmp_path / "yard.md").write_text("# Mirren Yard\n\nThe Mirren Yard was founded by Ada Brandt in 1887.\n")

    async def load() -> None:
        async with await Workspace.open(settings) as workspace:
            await workspace.load([tmp_path / "yard.md"])

    go(load())
    run("deepsearch", settings, tmp_path, [{"question": "Who founded the Mirren Yard?"}])
    assert "Ada Brandt" in answers(tmp_path)[0]["answer"]["text"]


@pytest.mark.parametrize(("where", "said"), [("year >> 3", "plan"), ("type ==", "plan")])
def test_a_filter_that_cannot_be_read_is_said_before_any_row(where: str, said: str) -> None:
    with pytest.raises(FlowError, match=said):
        read_flow("deepsearch", {"questions": "q.jsonl", "where": where}, Settings())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three collections of an invented world."""
    return go(product.loaded(tmp_path_factory.mktemp("modelled")))


@pytest.mark.parametrize("router", ["rule", "model"])
@pytest.mark.parametrize("name", FILES)
def test_with_a_model_it_is_asked_and_answers_as_for_the_agent(
    name: str, router: str, world: Path, tmp_path: Path
) -> None:
    with ModelServer(product.THINKER) as server:
        settings = product.settings(world, server, ask={"router": router})

        async def work() -> Answer:
            async with await Workspace.open(settings) as workspace:
                return await workspace.ask(product.QUESTION, agent="deep")

        agent = answered({}, go(work()), "answer", "evidence")
        asked = sorted(server.steps())
        server.forget()
        run(name, settings, tmp_path, [{"question": product.QUESTION}])
        (row,) = answers(tmp_path)
        assert sorted(server.steps()) == asked
    expected = json.loads(json.dumps(agent))
    assert row["answer"]["rounds"] == 3
    assert row["evidence"] == expected["evidence"]
    for each in (row["answer"], expected["answer"]):
        # Tokens are estimated with the random marks of the prompts.
        del each["usage"]["tokens"]
    assert row["answer"] == expected["answer"]


def test_a_vector_of_another_encoder_fails_its_row_and_is_no_search_that_failed(
    offline: Settings, tmp_path: Path
) -> None:
    steps: list[dict[str, Any]] = [
        {"plan": "question"},
        {"flat": {"field": "gap_queries", "as": "sub_query"}},
    ]
    steps += [{"set": {"fields": {"sub_query_vector": {"value": [0.5, 0.5]}}}}, {"retrieve": {}}]
    file = tmp_path / "mine.yaml"
    file.write_text(json.dumps({"source": {"rows": {"items": QUESTIONS[:1]}}, "steps": steps}))

    async def work() -> FlowReport:
        async with await Workspace.open(offline) as workspace:
            choices = Choices(folder=tmp_path / "flow")
            return await run_flow(read_flow(file, {}, offline), workspace, choices=choices)

    report = go(work())
    assert (report.rows_out, report.failed) == (0, 1)
    assert report.letters is not None
    assert "has 2 numbers" in report.letters.read_text()
