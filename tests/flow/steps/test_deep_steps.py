"""The steps of a deep search by themselves: what they need, what they give, what becomes of rows that they fail on."""

import copy
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from leadline.errors import FlowError, LeadlineError, RowFailed
from leadline.flow.base import DeadLetter, Operator, Retry, Row, Scope
from leadline.flow.operators.mapping import Flat
from leadline.flow.operators.streams import through
from leadline.flow.steps.asking import Ask, Search
from leadline.flow.steps.judging import Judge
from leadline.flow.steps.planning import Plan
from leadline.flow.steps.pooling import Pool
from leadline.flow.steps.progress import FIELDS, Progress
from leadline.flow.steps.reflecting import Reflect
from leadline.flow.steps.retrieving import Retrieve, found_of, found_plain
from leadline.flow.steps.values import hit_of, hit_plain, made, plain
from leadline.flow.steps.writing import Write
from leadline.reasoning.base import Reflection
from leadline.retrieval.base import Link, Results, TermWeights
from leadline.run import Budget, Run
from leadline.testing.builders import chunk, chunks, hit
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Found, Hit, Lead, Query, Verdict
from tests.agents.harbour import HARBOUR, QUESTION, gap, harbour
from tests.flow.deep import Scripted, each_flow, plain_flow
from tests.flow.steps.test_as_the_agent import ENDLESS

MORE = [gap("granite"), gap("Velden", round=3), Reflection(0.5, (), ())]


def scope_of(
    reasoner: ScriptedReasoner | None = None,
    retriever: ListRetriever | None = None,
    *,
    budget: Budget | None = None,
    lost: list[DeadLetter] | None = None,
) -> Scope:
    workspace = Scripted(lambda: reasoner or ScriptedReasoner(), retriever or harbour(), ENDLESS)
    return Scope(Run(budget or Budget()), workspace=workspace, lose=(lost if lost is not None else []).append)


def rows_of(step: Operator, rows: Sequence[Row], scope: Scope | None = None) -> list[Row]:
    return go(through(step, rows, scope or scope_of()))


def planned(**more: Any) -> Row:
    (row,) = rows_of(Plan(), [{"original_query": QUESTION, **more}])
    return row


def test_values_come_back_as_they_were_through_json() -> None:
    metadata = {"year": 1887, "share": 1.0, "open": True, "tags": ("a", "b"), "name": "x"}
    piece = replace(chunk("The quay."), metadata=metadata, page=3, heading_path=("A", "B"), context="| a |")
    found = (Found("keyword", 1, 0.1 + 0.2, "q", 2, "in 1887"), Found("dense", 2, 1e-300, "q"))
    one = Hit(piece, 1 / 3, found, "parent", "name", ("b.md",))
    again = hit_of(json.loads(json.dumps(hit_plain(one, verdict=None, sub_query="q"))), "chunk")
    assert again == one
    assert [type(value) for value in again.chunk.metadata.values()] == [int, float, bool, tuple, str]
    for value in (
        Query("names", "gap", 2, (Lead("Ada", "c1"), Lead("Brandt"))),
        Verdict(False, 0.25, "no", 3),
        Link("a", "b", 0.5, "", 2**61 - 1),
        TermWeights({"quay": 2.5}, frozenset({"x", "y"}), 10.5, 4),
        Progress(round=2, missing=("x",), links=(Link("a", "b", 0.5),)),
    ):
        assert made(type(value), json.loads(json.dumps(plain(value))), "field") == value


def test_what_a_search_found_comes_back_as_it_was() -> None:
    links = (Link("a", "b", 0.5, "Ada"),)
    results = Results(
        (hit(chunk("The quay.")),), (("keyword", 1),), ("a notice",), ("year 1887",), links, {"a": 0.1}
    )
    query = Query("quay", "gap", 2)
    assert found_of(json.loads(json.dumps(found_plain(query, results))), "found") == (query, results)


def test_a_value_that_is_none_is_refused_with_its_place() -> None:
    row = planned()
    row["all_chunks"] = [{"id": 7}]
    with pytest.raises(RowFailed, match=r"field `all_chunks\[0\].*cannot be read"):
        rows_of(Pool(), [{**row, "found": []}])


def test_a_plan_gives_every_field_that_is_documented() -> None:
    row = planned(id=7)
    assert set(row) == {*FIELDS, "id"}
    assert [query["text"] for query in row["gap_queries"]] == [QUESTION]
    assert row["all_sub_queries"] == row["chunks"] == row["all_chunks"] == []
    json.dumps(row)


def test_the_question_may_stand_in_any_field() -> None:
    (row,) = rows_of(Plan("asked.text"), [{"asked": {"text": f"  {QUESTION} "}}])
    assert row["original_query"] == QUESTION


@pytest.mark.parametrize("flow", [each_flow, plain_flow])
def test_no_step_changes_a_row_that_it_was_given(flow: Any) -> None:
    row = {"original_query": QUESTION, "own": {"list": [1]}}
    before = copy.deepcopy(row)
    rows_of(flow(), [row], scope_of(ScriptedReasoner(reflections=MORE)))
    assert row == before


@pytest.mark.parametrize("step", [Pool(), Reflect(), Write(), Judge()], ids=lambda step: type(step).__name__)
def test_a_step_without_a_plan_before_it_says_so(step: Operator) -> None:
    with pytest.raises(RowFailed, match="`plan` begins a deep search"):
        rows_of(step, [{"original_query": QUESTION, "found": [], "chunks_selected": [], "chunk": {}}])


def test_a_step_without_a_workspace_says_so() -> None:
    with pytest.raises(RowFailed, match="`plan` needs a workspace") as failed:
        rows_of(Plan(), [{"original_query": QUESTION}], Scope())
    assert isinstance(failed.value.__cause__, FlowError)


def test_gap_queries_may_be_texts() -> None:
    row = {**planned(), "gap_queries": ["granite", "Velden"]}
    found = rows_of(Flat("gap_queries", "sub_query") >> Retrieve(), [row])
    assert [(one["found"]["query"]["text"], one["found"]["query"]["round"]) for one in found] == [
        ("granite", 1),
        ("Velden", 1),
    ]
    pooled = rows_of(Pool(), [{**row, "found": [one["found"] for one in found]}])
    assert [query["text"] for query in pooled[0]["all_sub_queries"]] == ["granite", "Velden"]
    assert [piece["sub_query"] for piece in pooled[0]["chunks"]] == ["granite", "Velden"]


def test_a_pool_that_lacks_a_query_is_refused() -> None:
    with pytest.raises(RowFailed, match="has nothing of"):
        rows_of(Pool(), [{**planned(), "found": []}])


def test_a_search_of_its_own_gives_what_was_found() -> None:
    (row,) = rows_of(Retrieve("question", limit=2), [{"question": "granite quay Velden"}])
    assert [piece["source"] for piece in row["found"]["hits"]] == ["quay.md", "brandt.md"]
    assert "found" in row and row["found"]["failed"] == ""


@pytest.mark.parametrize(("on_error", "left"), [("skip", []), ("keep", [{"sub_query": "granite"}])])
def test_a_search_that_fails_outside_of_a_deep_search_follows_the_steps_policy(
    on_error: Any, left: list[Row]
) -> None:
    down = ListRetriever(chunks(*HARBOUR), failing={"granite": LeadlineError("no store")})
    lost: list[DeadLetter] = []
    step = Retrieve(on_error=on_error, retry=Retry(2, 0.0))
    assert rows_of(step, [{"sub_query": "granite"}], scope_of(retriever=down, lost=lost)) == left
    assert [(letter.policy, "no store" in letter.error) for letter in lost] == [(on_error, True)]
    assert len(down.asked) == 3


def judging(row: Row, reasoner: ScriptedReasoner, step: Operator) -> list[Row]:
    return rows_of(Flat("chunks", "chunk") >> step, [row], scope_of(reasoner))


def pooled() -> Row:
    row = planned()
    found = rows_of(Flat("gap_queries", "sub_query") >> Retrieve(), [row])
    (row,) = rows_of(Pool(), [{**row, "found": [one["found"] for one in found]}])
    return row


def test_all_chunks_of_a_round_are_judged_in_one_call() -> None:
    row = pooled()
    assert len(row["chunks"]) > 1
    reasoner = ScriptedReasoner(verdicts={row["chunks"][0]["id"]: False})
    judged = judging(row, reasoner, Judge())
    assert len(reasoner.calls("judge")) == 1
    assert [one["selected"] for one in judged] == [False, *[True] * (len(judged) - 1)]
    assert judged[0]["chunk"]["verdict"] == {
        "keep": False,
        "score": judged[0]["chunk"]["score"],
        "reason": "by script",
        "rank": None,
    }


def test_a_judge_that_fails_follows_the_steps_policy_with_all_chunks_of_the_round() -> None:
    row = pooled()

    def fail(hits: Sequence[Hit]) -> list[Verdict]:
        raise ValueError("no judge")

    with pytest.raises(RowFailed, match="no judge"):
        judging(row, ScriptedReasoner(verdicts=fail), Judge())
    kept = judging(row, ScriptedReasoner(verdicts=fail), Judge(on_error="keep", retry=Retry(1, 0.0)))
    assert [one["chunk"] for one in kept] == row["chunks"]


def test_chunks_that_a_row_was_not_given_cannot_be_selected() -> None:
    row = pooled()
    stranger = {**row["chunks"][0], "id": "elsewhere"}
    with pytest.raises(RowFailed, match="not among `chunks`"):
        rows_of(Reflect(), [{**row, "chunks_selected": [stranger]}])


def test_what_is_selected_by_other_means_than_the_judge_is_kept() -> None:
    row = pooled()
    first = row["chunks"][0]
    (after,) = rows_of(Reflect(), [{**row, "chunks_selected": [[first], None]}])
    verdicts = {piece["id"]: piece["verdict"] for piece in after["all_chunks"]}
    assert verdicts[first["id"]]["reason"] == "selected"
    assert [verdict["keep"] for verdict in verdicts.values()].count(True) == 1
    assert "chunks_selected" not in after
    assert after["chunks"] == []


@pytest.mark.parametrize("flow", [each_flow, plain_flow])
@pytest.mark.parametrize(("rounds", "stop"), [(0, "nothing_found"), (1, "max_rounds"), (2, "max_rounds")])
def test_a_row_that_meets_the_cap_of_its_loop_is_answered(flow: Any, rounds: int, stop: str) -> None:
    (row,) = rows_of(
        flow(rounds), [{"original_query": QUESTION}], scope_of(ScriptedReasoner(reflections=MORE))
    )
    assert row["loop"] == {"rounds": rounds, "exit": "max_rounds"}
    assert (row["answer"]["stop"], row["answer"]["rounds"]) == (stop, rounds)
    assert row["answer"]["found"] == (rounds > 0)
    assert bool(row["evidence"]) == (rounds > 0)
    assert row["gap_queries"]


@pytest.mark.parametrize("flow", [each_flow, plain_flow])
def test_a_row_that_meets_its_budget_is_answered(flow: Any) -> None:
    class Costly(ScriptedReasoner):
        async def reflect(
            self, question: str, asked: Any, evidence: Any, weights: Any, run: Run
        ) -> Reflection:
            run.call_spent(100)
            return await ScriptedReasoner.reflect(self, question, asked, evidence, weights, run)

    scope = scope_of(Costly(reflections=MORE), budget=Budget(calls=1))
    (row,) = rows_of(flow(), [{"original_query": QUESTION}], scope)
    assert row["loop"] == {"rounds": 1, "exit": "budget"}
    assert row["answer"]["stop"] == "budget"
    assert row["answer"]["found"]
    assert row["evidence"]


def test_ask_answers_with_any_agent_and_tells_what_happened() -> None:
    step = Ask("question", agent="deep", trace="trace")
    (row,) = rows_of(step, [{"question": QUESTION}], scope_of(ScriptedReasoner(reflections=MORE)))
    assert row["answer"]["found"]
    assert row["answer"]["agent"] == "deep"
    assert row["evidence"]
    told = [event["event"] for event in row["trace"]]
    assert told[:3] == ["Routed", "Planned", "RoundStarted"]
    assert "milliseconds" not in json.dumps(row["trace"])
    assert "seconds" not in row["answer"]["usage"]


def test_ask_leaves_out_what_is_not_wanted() -> None:
    (row,) = rows_of(Ask(evidence=""), [{"question": QUESTION}])
    assert set(row) == {"question", "answer"}


@pytest.mark.parametrize(
    "step", [Ask(), Search(), Plan(), Retrieve("original_query")], ids=lambda step: type(step).__name__
)
@pytest.mark.parametrize("value", [None, "", "  ", 7, ["a"]])
def test_what_is_no_question_is_refused_with_the_field(step: Operator, value: object) -> None:
    with pytest.raises(RowFailed, match="field `(question|original_query)`"):
        rows_of(step, [{"question": value, "original_query": value}])


@pytest.mark.parametrize("made_of", [Ask, Plan])
def test_a_layer_that_is_none_is_refused_when_the_step_is_made(made_of: Any) -> None:
    with pytest.raises(FlowError, match="layers"):
        made_of(layers={"rewind": True})


@pytest.mark.parametrize("made_of", [Search, Retrieve])
def test_no_passages_at_all_cannot_be_asked_for(made_of: Any) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        made_of(limit=0)


def test_search_gives_passages_best_first() -> None:
    (row,) = rows_of(Search(limit=2), [{"question": "granite quay Velden"}])
    assert [piece["source"] for piece in row["chunks"]] == ["quay.md", "brandt.md"]
    assert row["chunks"][0]["found"][0]["path"] == "keyword"
