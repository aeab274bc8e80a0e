"""Measure retrieval: every question of every set by every method, resumable.

folders -> sets -> one collection each -> rank every question -> finished rows -> figures

`evaluate_retrieval(folders, methods, options, setup, progress) -> list[Figures]` is all a caller needs:
`setup` holds an open store of its own (conventionally in `options.work`), `progress` is called after each
question. `leadline.evaluation.report` turns the figures into Markdown or JSON lines.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.errors import UsageError
from leadline.evaluation.cases import Case, QuestionSet, find_sets, read_set
from leadline.evaluation.figures import Figures, figures
from leadline.evaluation.fingerprint import code_of, fingerprint
from leadline.evaluation.finished import FinishedRows
from leadline.evaluation.indexing import indexed
from leadline.evaluation.methods import Method, method
from leadline.evaluation.setup import OnProgress, Progress, Setup, unwatched

DEPTH = 50


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """`work` keeps finished rows between runs. `seed` draws the `limit` questions at random."""

    work: Path
    limit: int | None = None
    seed: int | None = None
    fresh: bool = False
    depth: int = DEPTH


async def evaluate_retrieval(
    folders: Sequence[Path],
    methods: Sequence[str],
    options: EvalOptions,
    setup: Setup,
    progress: OnProgress = unwatched,
) -> list[Figures]:
    """Figures of each set and method, in the order asked.

    Questions run one after another, so that the times mean something. Whatever can be wrong with the
    sets and names is found before anything is loaded.
    """
    if options.seed is not None and options.limit is None:
        raise UsageError("a sample needs a size: give --limit N with --sample SEED.")
    chosen = {name: method(name) for name in methods}
    sets = [_questions(folder, options) for folder in find_sets(folders)]
    measured: list[Figures] = []
    for questions in sets:
        collection = await indexed(questions, setup, fresh=options.fresh, progress=progress)
        for name, way in chosen.items():
            rows = _rows(questions, name, way, options, setup)
            await _rank_all(questions, name, way, collection, rows, options, setup, progress)
            measured.append(figures(questions, name, rows.rows))
    return measured


def _questions(folder: Path, options: EvalOptions) -> QuestionSet:
    questions = read_set(folder).pick(options.limit, options.seed)
    if not questions.supported:
        raise UsageError(f'{folder}: no question has "supporting_ids", so nothing can be measured.')
    return questions


def _rows(questions: QuestionSet, name: str, way: Method, options: EvalOptions, setup: Setup) -> FinishedRows:
    key = fingerprint(
        questions.digest,
        setup.embedding,
        setup.retrieval,
        setup.ask if "agents" in way.rooms else None,
        type(setup.reasoner).__name__ if "reasoning" in way.rooms else None,
        setup.reranker.name if setup.reranker and "reranking" in way.rooms else None,
        options.depth,
        code_of(way.rooms),
    )
    return FinishedRows.open(
        options.work / "rows" / f"{questions.name}-{name}-{key}.jsonl", fresh=options.fresh
    )


async def _rank_all(
    questions: QuestionSet,
    name: str,
    way: Method,
    collection: str,
    rows: FinishedRows,
    options: EvalOptions,
    setup: Setup,
    progress: OnProgress,
) -> None:
    cases = questions.supported
    open_cases = [case for case in cases if not _finished(case, rows.rows)]
    rank = way.build(setup, collection, options.depth)
    if open_cases:
        # The first search opens indexes and loads weights; users pay that once, so it is not timed.
        await rank(open_cases[0].question)
    done = len(cases) - len(open_cases)
    for case in open_cases:
        started = time.perf_counter()
        ranking = await rank(case.question)
        rows.append(
            {
                "id": case.id,
                "question": case.question,
                "ms": round((time.perf_counter() - started) * 1000, 3),
                "searches": ranking.searches,
                "ranking": ranking.passages[: options.depth],
            }
        )
        done += 1
        progress(Progress(questions.name, name, done, len(cases)))


def _finished(case: Case, rows: Mapping[str, Mapping[str, Any]]) -> bool:
    return rows.get(case.id, {}).get("question") == case.question
