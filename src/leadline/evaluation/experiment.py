"""Measure retrieval: every question of every set by every method, resumable.

folders -> sets -> one collection each -> rank every question -> finished rows -> figures

`evaluate_retrieval(folders, methods, options, setup, progress) -> list[Figures]` is all a caller needs:
`setup` holds an open store of its own (conventionally in `options.work`), `progress` is called after each
question. `leadline.evaluation.report` turns the figures into Markdown or JSON lines.
"""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from leadline.errors import UsageError
from leadline.evaluation.cases import Case, QuestionSet
from leadline.evaluation.figures import Figures, figures
from leadline.evaluation.fingerprint import code_of, fingerprint
from leadline.evaluation.finished import FinishedRows
from leadline.evaluation.indexing import indexed
from leadline.evaluation.judging import Judge, Row, ranked_row
from leadline.evaluation.methods import Method, method
from leadline.evaluation.setup import OnProgress, Progress, Setup, unwatched
from leadline.evaluation.variants import Variation, read_sets

DEPTH = 50


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """`work` keeps finished rows between runs. `seed` draws the `limit` questions at random."""

    work: Path
    limit: int | None = None
    seed: int | None = None
    fresh: bool = False
    depth: int = DEPTH
    variation: Variation = Variation()


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
    chosen = {name: method(name) for name in methods}
    measured: list[Figures] = []
    for questions in question_sets(folders, options):
        judge = Judge.of(questions)
        collection = await indexed(questions, setup, fresh=options.fresh, progress=progress)
        for name, way in chosen.items():
            rows = await rank_all(questions, name, way, collection, options, setup, progress)
            measured.append(figures(questions, name, rows, judge))
    return measured


def question_sets(folders: Sequence[Path], options: EvalOptions) -> list[QuestionSet]:
    """The sets with the questions that are asked; each has some that can be measured."""
    if options.seed is not None and options.limit is None:
        raise UsageError("a sample needs a size: give --limit N with --sample SEED.")
    sets = [one.pick(options.limit, options.seed) for one in read_sets(folders, options.variation)]
    for one in sets:
        if not one.supported:
            raise UsageError(f'{one.name}: no question has "supporting_ids", so nothing can be measured.')
    return sets


def _rows(questions: QuestionSet, name: str, way: Method, options: EvalOptions, setup: Setup) -> FinishedRows:
    key = fingerprint(
        questions.digest,
        setup.embedding,
        setup.retrieval,
        setup.ask if "reranking" in way.rooms else None,
        type(setup.reasoner).__name__ if "reasoning" in way.rooms else None,
        setup.reranker.name if setup.reranker and "reranking" in way.rooms else None,
        options.depth,
        code_of(way.rooms),
    )
    plain = re.sub(r"[^\w+-]+", "-", f"{questions.name}-{name}")
    return FinishedRows.open(options.work / "rows" / f"{plain}-{key}.jsonl", fresh=options.fresh)


async def rank_all(
    questions: QuestionSet,
    name: str,
    way: Method,
    collection: str,
    options: EvalOptions,
    setup: Setup,
    progress: OnProgress,
) -> Mapping[str, Row]:
    """A row for each question that can be measured; what is finished already is not ranked again."""
    rows = _rows(questions, name, way, options, setup)
    cases = questions.supported
    open_cases = [case for case in cases if not _finished(case, rows.rows)]
    rank = way.build(setup, collection, options.depth)
    if open_cases:
        # The first search opens indexes and loads weights; users pay that once, so it is not timed.
        await rank(open_cases[0].question)
    done = kept = len(cases) - len(open_cases)
    if not open_cases:
        progress(Progress(questions.name, name, done, len(cases), kept))
    for case in open_cases:
        started = time.perf_counter()
        ranking = await rank(case.question)
        rows.append(
            {
                "id": case.id,
                "question": case.question,
                "ms": round((time.perf_counter() - started) * 1000, 3),
                "searches": ranking.searches,
                **ranked_row(questions, ranking.hits, options.depth),
            }
        )
        done += 1
        progress(Progress(questions.name, name, done, len(cases), kept))
    return rows.rows


def _finished(case: Case, rows: Mapping[str, Row]) -> bool:
    return rows.get(case.id, {}).get("question") == case.question
