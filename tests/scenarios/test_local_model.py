"""A real, very small model answers example questions through every agent. It answers badly: what is tested is that
every run ends in an answer whose citations hold, or in "not found", whatever the model replies."""

import asyncio
import shutil
from pathlib import Path

import pytest

from leadline.agents.asking import AgentChoice
from leadline.config import settings
from leadline.events import Called, Event
from leadline.testing.weights import NoWeights, kept
from leadline.types import Answer, Support
from leadline.workspace import Workspace

pytestmark = pytest.mark.local_model

CORPUS = Path(__file__).parents[2] / "examples" / "corpus"
LOADED = ("company/ashmere-sound-ferries.md", "lighthouse", "people", "harbour/sea-wall.md")
CHAINED = "Who founded the firm that made the lens of Vennel Point Lighthouse?"
SIMPLE = "Where was Ingrid Solvane born?"
ABSENT = "What does a ticket for the Zürich tram cost in 1931?"
SECONDS = "3600"
"""Deadline of a run and of a reply, which none is to meet: one that is cut short is another run."""


@pytest.fixture(scope="module")
def weights() -> Path:
    pytest.importorskip("xllamacpp")
    try:
        return kept()
    except NoWeights as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a few documents; each test has a copy of its own."""
    data = tmp_path_factory.mktemp("loaded")

    async def load() -> None:
        async with Workspace(settings(flags={"data": data})) as workspace:
            await workspace.load([CORPUS / name for name in LOADED])

    asyncio.run(load())
    return data


@pytest.fixture
def folder(loaded: Path, tmp_path: Path) -> Path:
    return shutil.copytree(loaded, tmp_path / "data").parent


async def asked(folder: Path, weights: Path, question: str, agent: AgentChoice) -> tuple[Answer, list[str]]:
    """The answer, and the steps of the calls that were made; what the answer cites is compared with what is stored."""
    environ = {
        "LEADLINE_MODEL": f"gguf:{weights}",
        "LEADLINE_DATA": str(folder / "data"),
        "LEADLINE_LLM_CONTEXT": "4096",
        "LEADLINE_LLM_THREADS": "1",
        "LEADLINE_ASK_ROUNDS": "2",
        "LEADLINE_ASK_STEPS": "2",
        "LEADLINE_ASK_PASSAGES": "3",
        "LEADLINE_ASK_JUDGE_HITS": "3",
        "LEADLINE_SEARCH_RECALL": "4",
        "LEADLINE_LLM_SECONDS": SECONDS,
        "LEADLINE_BUDGET_SECONDS": SECONDS,
    }
    steps: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, Called) and not event.cached:
            steps.append(event.step)

    async with Workspace(settings(environ=environ)) as workspace:
        run = workspace.run()
        run.emit = note
        answer = await workspace.ask(question, agent=agent, run=run)
        await holds(workspace, answer)
    assert answer.usage.calls == len(steps)
    assert answer.usage.usd == 0
    return answer, steps


async def holds(workspace: Workspace, answer: Answer) -> None:
    """Every claim is checked and cited, and every quote stands where it is said to stand."""
    store = await workspace.reading()
    assert answer.found or not answer.claims
    for claim in answer.claims:
        assert claim.citations
        assert claim.support is not Support.UNSUPPORTED
        for citation in claim.citations:
            document = await store.document("default", citation.document_id)
            assert document is not None
            assert document.text[citation.start : citation.end] == citation.quote


@pytest.mark.parametrize(
    ("agent", "question", "step"),
    [
        ("fast", SIMPLE, "write"),
        ("deep", CHAINED, "plan"),
        ("chain", CHAINED, "follow_up"),
        ("auto", SIMPLE, "choose_agent"),
        ("deep", ABSENT, "judge"),
    ],
)
def test_every_agent_ends_in_an_answer_with_citations_that_hold_or_in_not_found(
    folder: Path, weights: Path, agent: AgentChoice, question: str, step: str
) -> None:
    answer, steps = asyncio.run(asked(folder, weights, question, agent))
    assert step in steps
    assert answer.agent in {"fast", "deep", "chain"}
    assert agent in {answer.agent, "auto"}
    assert answer.queries[0].text == question


def test_the_same_question_again_costs_no_call_and_gives_the_same_answer(folder: Path, weights: Path) -> None:
    first, paid = asyncio.run(asked(folder, weights, SIMPLE, "fast"))
    again, more = asyncio.run(asked(folder, weights, SIMPLE, "fast"))
    assert paid
    assert not more
    assert again.claims == first.claims
