"""Answer every question of every set and measure the answers, resumable.

folders -> sets -> one collection each -> ask every question -> finished rows -> figures
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from leadline.agents.asking import AgentChoice, Asking
from leadline.errors import ModelFailed, UsageError
from leadline.evaluation.answers import AnswerFigures, AnswerRow, answer_figures, measure_answer
from leadline.evaluation.cases import QuestionSet
from leadline.evaluation.experiment import EvalOptions, question_sets
from leadline.evaluation.fingerprint import code_of, fingerprint
from leadline.evaluation.finished import FinishedRows
from leadline.evaluation.indexing import indexed
from leadline.evaluation.setup import OnProgress, Progress, Setup, unwatched
from leadline.retrieval.hybrid import HybridRetriever
from leadline.run import Budget, Run
from leadline.types import Answer

ROOMS = (
    "analysis", "documents", "embeddings", "store", "retrieval", "ingest", "reasoning", "citing", "agents", "routing",
    "reranking", "llm",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnsweredSet:
    """One set's rows, in the order of its questions, and the figures over them."""

    name: str
    agent: str
    rows: tuple[AnswerRow, ...]

    @property
    def figures(self) -> AnswerFigures:
        return answer_figures(self.rows)

    @property
    def types(self) -> Mapping[str, AnswerFigures]:
        """The figures of each type of question."""
        names = sorted({row.type for row in self.rows})
        return {name: answer_figures([row for row in self.rows if row.type == name]) for name in names}


async def evaluate_answers(
    folders: Sequence[Path],
    agent: AgentChoice,
    options: EvalOptions,
    setup: Setup,
    budget: Budget,
    progress: OnProgress = unwatched,
) -> list[AnsweredSet]:
    """The answers of each set by one agent. Questions are asked one after another, so that the times mean something."""
    measured: list[AnsweredSet] = []
    for questions in question_sets(folders, options):
        if questions.whole:
            raise UsageError("answers are measured over passages: leave --long out.")
        collection = await indexed(questions, setup, fresh=options.fresh, progress=progress)
        rows = await _answered(questions, agent, collection, options, setup, budget, progress)
        measured.append(AnsweredSet(questions.name, agent, tuple(rows)))
    return measured


async def _answered(
    questions: QuestionSet,
    agent: AgentChoice,
    collection: str,
    options: EvalOptions,
    setup: Setup,
    budget: Budget,
    progress: OnProgress,
) -> list[AnswerRow]:
    finished = _finished(questions, agent, options, setup, budget)
    retriever = HybridRetriever(setup.store, (collection,), setup.embedder, setup.retrieval)

    async def ask(question: str, run: Run) -> Answer:
        reasoner = await setup.new_reasoner()
        asking = Asking(reasoner, retriever, setup.ask, setup.reranker, modelled=bool(setup.models))
        return await asking(question, run, agent)

    rows: list[AnswerRow] = []
    earlier = 0
    for done, case in enumerate(questions.cases, start=1):
        kept = finished.rows.get(case.id)
        if kept is not None and kept.get("question") == case.question:
            earlier += 1
            row = row_of(kept)
        else:
            row = await measure_answer(case, ask, setup.store, collection, _of_its_own(budget))
            _heard(row, first=done == earlier + 1)
            if not row.unheard:
                finished.append({**asdict(row), "question": case.question, "set": questions.name})
        rows.append(row)
        progress(Progress(questions.name, f"answers by {agent}", done, len(questions.cases), earlier))
    return rows


def _heard(row: AnswerRow, *, first: bool) -> None:
    """Raise where the first question already has no reply: what would be measured is not the model."""
    if first and row.unheard and row.failure:
        raise ModelFailed(
            f"No call of the model succeeded for the first question (`{row.id}`), so nothing was measured: "
            f"{row.failure}. Start its server or correct `model` and `base_url`, and see `leadline doctor`."
        )


def _finished(
    questions: QuestionSet, agent: str, options: EvalOptions, setup: Setup, budget: Budget
) -> FinishedRows:
    key = fingerprint(
        questions.digest,
        setup.embedding,
        setup.retrieval,
        setup.ask,
        type(setup.reasoner).__name__,
        setup.models,
        setup.reranker.name if setup.reranker else None,
        budget,
        code_of(ROOMS),
    )
    plain = re.sub(r"[^\w+-]+", "-", f"{questions.name}-answers-{agent}")
    return FinishedRows.open(options.work / "rows" / f"{plain}-{key}.jsonl", fresh=options.fresh)


def _of_its_own(budget: Budget) -> Budget:
    return Budget(budget.searches, budget.calls, budget.tokens, budget.seconds, budget.usd)


def row_of(kept: Mapping[str, Any]) -> AnswerRow:
    """A row as it was kept; keys of other programs are left out."""
    known: dict[str, Any] = {
        field.name: kept[field.name] for field in fields(AnswerRow) if field.name in kept
    }
    known["wrong_quotes"] = tuple(kept.get("wrong_quotes", ()))
    return AnswerRow(**known)
