"""From the rankings of all questions to the figures of a set and method."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from leadline.evaluation.cases import QuestionSet
from leadline.evaluation.judging import Judge, Row
from leadline.evaluation.metrics import all_gold_at, hit_at, mean, ndcg_at, recall_at, reciprocal_rank_at

DEPTHS = (2, 5, 10)


@dataclass(frozen=True, slots=True)
class OfType:
    """How one type of question fared."""

    questions: int
    recall_at_5: float
    all_gold_at_10: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over the questions of one set by one method, as fractions.

    `left_out` counts questions without supporting passages, which are not among `questions`.
    """

    set_name: str
    method: str
    questions: int
    left_out: int
    recall: Mapping[int, float]
    all_gold_at_10: float
    hit_at_3: float
    mrr_at_10: float
    ndcg_at_10: float
    ms_per_query: float
    ms_median: float
    searches_per_question: float
    types: Mapping[str, OfType]


def figures(
    questions: QuestionSet, method: str, rows: Mapping[str, Row], judge: Judge | None = None
) -> Figures:
    """Measure the finished rows, one for each supported question."""
    cases = questions.supported
    judging = judge or Judge.of(questions)
    judged = [(case.type, judging.places(case, rows[case.id])) for case in cases]
    every = [places for _, places in judged]
    times = [float(rows[case.id]["ms"]) for case in cases]
    types: dict[str, OfType] = {}
    for name in sorted({case.type for case in cases}):
        own = [places for kind, places in judged if kind == name]
        types[name] = OfType(
            questions=len(own),
            recall_at_5=mean([recall_at(places, 5) for places in own]),
            all_gold_at_10=mean([all_gold_at(places, 10) for places in own]),
        )
    return Figures(
        set_name=questions.name,
        method=method,
        questions=len(cases),
        left_out=len(questions.cases) - len(cases),
        recall={k: mean([recall_at(places, k) for places in every]) for k in DEPTHS},
        all_gold_at_10=mean([all_gold_at(places, 10) for places in every]),
        hit_at_3=mean([hit_at(places, 3) for places in every]),
        mrr_at_10=mean([reciprocal_rank_at(places, 10) for places in every]),
        ndcg_at_10=mean([ndcg_at(places, 10) for places in every]),
        ms_per_query=mean(times),
        ms_median=median(times),
        searches_per_question=mean([float(rows[case.id]["searches"]) for case in cases]),
        types=types,
    )
