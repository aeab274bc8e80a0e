"""The eleven ways in which the reference engine's deep search does not work as it is shipped: none of them can happen here."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from leadline.config import Settings
from leadline.errors import FlowError, LeadlineError, RowFailed
from leadline.flow.base import Operator, Row, Scope
from leadline.flow.files.reading import read_flow, read_spec
from leadline.flow.files.shipped import shipped
from leadline.flow.operators.streams import through
from leadline.flow.running.opening import Choices
from leadline.flow.running.report import FlowReport
from leadline.flow.running.running import run_flow
from leadline.flow.steps.prompting import Prompt
from leadline.flow.steps.retrieving import Retrieve
from leadline.reasoning.base import Reflection
from leadline.run import Run
from leadline.testing.builders import chunks
from leadline.testing.model_server import ModelServer
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.testing.said import Answering, Asked
from leadline.workspace import Workspace
from tests.agents.harbour import HARBOUR, QUESTION, gap, harbour
from tests.flow.deep import Scripted, each_flow, plain_flow, shipped_flow
from tests.flow.steps.modelled import made
from tests.flow.steps.test_as_the_agent import ENDLESS, IDS
from tests.scenarios import model_product as product

FLOWS: dict[str, Callable[[], Operator]] = {
    "each": each_flow,
    "plain": plain_flow,
    "deepsearch.yaml": lambda: shipped_flow("deepsearch"),
    "deepsearch-each.yaml": lambda: shipped_flow("deepsearch-each"),
}
every_flow = pytest.mark.parametrize("flow", FLOWS)


def answered(flow: str, reasoner: ScriptedReasoner, questions: int = 1) -> list[Row]:
    """Rows for so many questions through one flow, side by side."""
    workspace = Scripted(lambda: reasoner, harbour(), ENDLESS)
    rows = [{"original_query": QUESTION, "number": number} for number in range(questions)]
    return go(through(FLOWS[flow](), rows, Scope(Run(), workspace=workspace, concurrency=4)))


@pytest.mark.parametrize("name", sorted(shipped()))
def test_f1_every_shipped_flow_can_be_built(name: str) -> None:
    spec = read_spec(name, {}, Settings(), standing_in=True)
    assert [str(problem) for problem in spec.problems.errors] == []
    assert spec.flow is not None


def test_f2_a_prompt_takes_mappings_and_braces(tmp_path: Path) -> None:
    with ModelServer(lambda asked: "ok") as server:
        row = {"config": {"model": {"name": "x"}}, "form": '{"a": {0}}'}
        (told,) = made(
            Prompt("{{config.model.name}} as {{form}}, like {this}"),
            [row],
            product.settings(tmp_path, server),
        )
    assert told["reply"] == "ok"
    assert server.asked[0].messages == [("user", 'x as {"a": {0}}, like {this}')]


def test_f3_a_base_that_is_missing_is_told_with_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine\nfrom: local/model.yaml\n")
    with pytest.raises(FlowError, match=r"mine\.yaml:2.*from.*model\.yaml"):
        read_flow(file)


def test_f4_a_search_called_wrongly_is_refused_and_one_that_fails_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("source: {rows: {items: []}}\nsteps:\n  - retrieve: {vector_db: a, query: b}\n")
    with pytest.raises(
        FlowError, match=r"mine\.yaml:3: steps\[0\]\.retrieve\.vector_db: there is no such argument"
    ):
        read_flow(file)
    down = ListRetriever(chunks(*HARBOUR), failing={"Who?": LeadlineError("no store")})
    scope = Scope(Run(), workspace=Scripted(ScriptedReasoner, down))
    with pytest.raises(RowFailed, match="no store"):
        go(through(Retrieve("question"), [{"question": "Who?"}], scope))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an invented world."""
    return go(product.loaded(tmp_path_factory.mktemp("findings")))


def modelled(
    data: Path, folder: Path, script: Answering, name: str = "deepsearch"
) -> tuple[dict[str, Any], list[Asked], FlowReport]:
    """One question through a shipped flow with a scripted model: the row, what the model was asked, the report."""
    (folder / "q.jsonl").write_text(json.dumps({"question": product.QUESTION}) + "\n")
    given = {"questions": folder / "q.jsonl", "answers": folder / "a.jsonl"}

    async def work(settings: Settings) -> FlowReport:
        async with await Workspace.open(settings) as workspace:
            flow = read_flow(name, given, settings)
            return await run_flow(flow, workspace, choices=Choices(folder=folder / name))

    with ModelServer(script) as server:
        report = go(work(product.settings(data, server)))
    (line,) = (folder / "a.jsonl").read_text().splitlines()
    return json.loads(line), server.asked, report


@pytest.mark.parametrize("name", ["deepsearch", "deepsearch-each"])
def test_f5_the_judge_is_told_what_was_searched_for(name: str, world: Path, tmp_path: Path) -> None:
    row, asked, _ = modelled(world, tmp_path, product.THINKER, name)
    judged = [each.prompt for each in asked if each.step == "judge"]
    assert len(judged) > 1
    assert not any("None" in prompt for prompt in judged)
    for number in (1, 2):
        queries = [each["text"] for each in row["all_sub_queries"] if each["round"] == number]
        assert any(all(query in prompt for query in queries) for prompt in judged)
    assert row["answer"]["found"]


@every_flow
@pytest.mark.parametrize("questions", [1, 3])
def test_f6_every_question_is_answered_and_no_two_are_mixed(flow: str, questions: int) -> None:
    reasoner = ScriptedReasoner(plans=["granite"])
    rows = answered(flow, reasoner, questions)
    assert [row["number"] for row in rows] == list(range(questions))
    assert all(row["answer"]["found"] for row in rows)
    assert all(row["loop"] == {"rounds": 1, "exit": "condition"} for row in rows)
    assert all(row["answer"]["claims"] == rows[0]["answer"]["claims"] for row in rows)
    assert all(row["evidence"] == rows[0]["evidence"] for row in rows)


@every_flow
def test_f7_reflection_and_answer_see_all_queries_so_far(flow: str) -> None:
    reasoner = ScriptedReasoner(plans=["ferry"], reflections=[gap("granite"), Reflection(0.5, (), ())])
    (row,) = answered(flow, reasoner)
    before = [[query.text for query in given] for given, _ in reasoner.calls("reflect")]
    assert before == [[QUESTION, "ferry"], [QUESTION, "ferry", "granite"]]
    assert [query.text for query in reasoner.calls("write")[0][0]] == before[-1]
    assert [query["text"] for query in row["all_sub_queries"]] == before[-1]


@every_flow
def test_f8_what_is_found_again_is_there_once(flow: str) -> None:
    more = [gap("Mirren Yard ferry Osprey"), gap("Ada Brandt founded the yard", round=3)]
    reasoner = ScriptedReasoner(plans=["the ferry Osprey"], reflections=more)
    (row,) = answered(flow, reasoner)
    ids = [piece["id"] for piece in row["evidence"]]
    assert row["answer"]["rounds"] == 3
    assert sorted(ids) == sorted(set(ids))
    shown = [piece.chunk.id for passage in reasoner.calls("write")[0][1] for piece in passage.evidence]
    assert sorted(shown) == sorted(set(shown))


@every_flow
def test_f9_a_question_of_which_nothing_helps_is_answered_with_not_found(flow: str) -> None:
    reasoner = ScriptedReasoner(verdicts=dict.fromkeys(IDS, False), reflections=[gap("granite")])
    (row,) = answered(flow, reasoner)
    assert not row["answer"]["found"]
    assert row["answer"]["stop"] == "nothing_found"
    assert row["evidence"] == []
    # Both rounds were reflected on.
    assert len(reasoner.calls("reflect")) == 2


@pytest.mark.parametrize("reply", ["I would rather not say.", "{'queries': 7}", "", "queries: [unclosed"])
def test_f10_a_reflection_that_cannot_be_read_ends_the_search_and_not_the_row(
    reply: str, world: Path, tmp_path: Path
) -> None:
    def script(asked: Asked) -> str:
        return reply if asked.step == "reflect" else product.THINKER(asked)

    row, _, report = modelled(world, tmp_path, script)
    assert report.failed == 0
    assert row["evidence"]
    assert row["answer"]["stop"] in {"answered", "nothing_found"}
    assert row["loop"]["exit"] == "condition"


def test_f11_the_judge_is_asked_once_for_a_batch_of_chunks(world: Path, tmp_path: Path) -> None:
    row, asked, _ = modelled(world, tmp_path, product.THINKER)
    judged = [each for each in asked if each.step == "judge"]
    shown = sum(prompt.prompt.count("\n[/") for prompt in judged)
    assert shown > 2 * len(judged)
    assert len(judged) <= 2 * row["answer"]["rounds"]
