"""A deep search as a flow gives what the agent gives: evidence in its order, rounds, reason to stop, answer."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import pytest

from leadline.agents.options import LAYERS, AskOptions
from leadline.errors import LeadlineError, RerankingFailed
from leadline.flow.base import Operator, Scope
from leadline.flow.operators.streams import through
from leadline.reasoning.base import Reasoner, Reflection
from leadline.reasoning.offline import OfflineReasoner
from leadline.run import Budget, Run
from leadline.testing.builders import chunks
from leadline.testing.reasoner import ScriptedReasoner
from leadline.testing.retriever import ListRetriever
from leadline.testing.running import go
from leadline.types import Hit, Query, Verdict
from tests.agents.harbour import BRANDT, HARBOUR, OSPREY, OddRetriever, gap, harbour
from tests.agents.test_reranking import Backwards
from tests.flow.deep import (
    ByQuestion,
    Case,
    Scripted,
    by_agent,
    by_flow,
    each_flow,
    plain_flow,
    shipped_flow,
    told,
)

FLOWS: dict[str, Callable[[], Operator]] = {
    "each": each_flow,
    "plain": plain_flow,
    "deepsearch.yaml": lambda: shipped_flow("deepsearch"),
    "deepsearch-each.yaml": lambda: shipped_flow("deepsearch-each"),
}
IDS = [one.id for one in chunks(*HARBOUR)]
ENDLESS = AskOptions(gain=0.0)


def by_rank(hits: Sequence[Hit]) -> list[Verdict]:
    """Keeps all but the last, in an order of its own."""
    last = len(hits)
    return [Verdict(at < last, 0.5, "by script", last - at) for at in range(1, last + 1)]


def failing() -> ListRetriever:
    return ListRetriever(chunks(*HARBOUR), HARBOUR, failing={"granite": LeadlineError("no store")})


def late() -> ListRetriever:
    return OddRetriever(chunks(*HARBOUR), HARBOUR, at="granite", does="take time")


class Failing(Backwards):
    """A reranker that cannot be reached."""

    async def rerank(self, question: str, passages: Sequence[str], run: Run) -> list[float]:
        raise RerankingFailed("the server is down")


MORE = [gap("granite"), gap("Velden", round=3), Reflection(0.5, ("the year",), ())]
CASES = {
    "one round": Case(ScriptedReasoner),
    "two rounds": Case(lambda: ScriptedReasoner(plans=["ferry"], reflections=MORE[:1]), options=ENDLESS),
    "all rounds": Case(lambda: ScriptedReasoner(reflections=MORE), options=ENDLESS),
    "two rounds at most": Case(
        lambda: ScriptedReasoner(reflections=MORE), options=replace(ENDLESS, rounds=2)
    ),
    "no gain": Case(lambda: ScriptedReasoner(reflections=MORE), options=AskOptions(gain=0.9)),
    "all rejected": Case(lambda: ScriptedReasoner(verdicts=dict.fromkeys(IDS, False), reflections=MORE)),
    "some rejected": Case(
        lambda: ScriptedReasoner(verdicts={IDS[0]: False}, reflections=MORE), options=ENDLESS
    ),
    "ranked by the judge": Case(
        lambda: ScriptedReasoner(verdicts=by_rank, reflections=MORE), options=ENDLESS
    ),
    "barren and wider": Case(
        lambda: ScriptedReasoner(
            plans=["violin makers"], reflections=[gap("Velden"), gap("granite", round=3)]
        ),
        options=AskOptions(rounds=4, recall=2, gain=0.0),
    ),
    "asked before": Case(
        lambda: ScriptedReasoner(plans=["granite"], reflections=[gap("granite")]), options=ENDLESS
    ),
    "rewrites": Case(
        lambda: ScriptedReasoner(rewrites=[Query("ferry yard founder birthplace", "expanded")]),
        options=replace(ENDLESS, layers=LAYERS | {"expand"}, expand="always"),
    ),
    "a search fails": Case(lambda: ScriptedReasoner(plans=["granite"], reflections=MORE), failing, ENDLESS),
    "deadline": Case(
        lambda: ScriptedReasoner(reflections=MORE), late, ENDLESS, budget=lambda: Budget(seconds=100)
    ),
    "searches spent": Case(
        lambda: ScriptedReasoner(plans=["granite", "Velden"]), budget=lambda: Budget(searches=2)
    ),
    "searches spent later": Case(
        lambda: ScriptedReasoner(reflections=MORE), options=ENDLESS, budget=lambda: Budget(searches=1)
    ),
    "nothing there": Case(ScriptedReasoner, lambda: ListRetriever([])),
    "report": Case(
        lambda: ScriptedReasoner(reflections=[replace(gap("granite"), coverage=1.0)]),
        options=ENDLESS,
        question="Write a report on the ferry Osprey",
    ),
    "reranked": Case(
        lambda: ScriptedReasoner(plans=["ferry"], reflections=MORE, verdicts={IDS[1]: False}),
        options=replace(ENDLESS, rerank_candidates=3, rerank_keep=1),
        reranker=Backwards,
    ),
    "a reranker that fails": Case(
        lambda: ScriptedReasoner(reflections=MORE), options=ENDLESS, reranker=Failing
    ),
    "offline": Case(OfflineReasoner),
    "offline, of little": Case(OfflineReasoner, lambda: ListRetriever(chunks(OSPREY, BRANDT))),
    **{
        f"without {layer}": Case(
            lambda: ScriptedReasoner(plans=["ferry"], reflections=MORE, verdicts={IDS[1]: False}),
            options=replace(ENDLESS, layers=LAYERS - {layer}),
        )
        for layer in sorted(LAYERS)
    },
}


@pytest.mark.parametrize("flow", FLOWS)
@pytest.mark.parametrize("case", CASES)
def test_the_flow_is_the_agent(case: str, flow: str) -> None:
    CASES[case].agree(FLOWS[flow]())


@pytest.mark.parametrize("flow", FLOWS)
def test_a_cancelled_run_is_answered_without_the_round_that_would_find_nothing(flow: str) -> None:
    def retriever() -> OddRetriever:
        return OddRetriever(chunks(*HARBOUR), HARBOUR, at="granite", does="cancel")

    agent = by_agent(ScriptedReasoner(reflections=MORE), retriever(), ENDLESS)
    reasoner = ScriptedReasoner(reflections=MORE)
    row = by_flow(FLOWS[flow](), Scripted(lambda: reasoner, retriever(), ENDLESS))
    assert row["evidence"] == agent["evidence"]
    for name in ("text", "claims", "found", "stop"):
        assert row["answer"][name] == agent["answer"][name]
    assert row["answer"]["stop"] == "cancelled"


def scripted(question: str) -> ScriptedReasoner:
    """A reasoner whose script depends on the question."""
    number = int(question.rpartition(" ")[2])
    words = ["granite", "Velden", "Mirren Yard", "ferry", "founded"]
    asked = [words[(number + step) % len(words)] for step in range(number % 4)]
    rejected = {key: bool((number >> at) & 1) for at, key in enumerate(IDS)}
    return ScriptedReasoner(
        plans=words[: number % 3],
        verdicts=rejected if number % 5 else dict.fromkeys(IDS, False),
        reflections=[gap(text, round=at) for at, text in enumerate(asked, start=2)],
    )


@pytest.mark.parametrize("flow", FLOWS)
def test_fifty_questions_side_by_side_are_each_answered_as_if_alone(flow: str) -> None:
    questions = [f"Where was the founder of the yard born? {number}" for number in range(50)]
    reasoner = ByQuestion(scripted)
    scope = Scope(Run(), workspace=Scripted(lambda: cast(Reasoner, reasoner), options=ENDLESS), concurrency=8)
    rows = go(through(FLOWS[flow](), [{"original_query": question} for question in questions], scope))
    assert [row["original_query"] for row in rows] == questions
    for question, row in zip(questions, rows, strict=True):
        alone = scripted(question)
        agent = by_agent(alone, harbour(), ENDLESS, question=question)
        mine = told(row)
        # All rows were run in one run here.
        del mine["answer"]["usage"], agent["answer"]["usage"]
        assert mine == agent
        assert reasoner.own[question].asked == alone.asked
    assert len({row["answer"]["rounds"] for row in rows}) > 2
