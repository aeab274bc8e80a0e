"""From the rankings of all questions to the figures of a set and method."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from leadline.evaluation.cases import QuestionSet
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


def figures(questions: QuestionSet, method: str, rows: Mapping[str, Mapping[str, Any]]) -> Figures:
    """Measure the finished rows, one for each supported question."""
    cases = questions.supported
    judged = [(case.type, rows[case.id]["ranking"], set(case.supporting)) for case in cases]
    times = [float(rows[case.id]["ms"]) for case in cases]
    types: dict[str, OfType] = {}
    for name in sorted({case.type for case in cases}):
        own = [(ranking, gold) for kind, ranking, gold in judged if kind == name]
        types[name] = OfType(
            questions=len(own),
            recall_at_5=mean([recall_at(ranking, gold, 5) for ranking, gold in own]),
            all_gold_at_10=mean([all_gold_at(ranking, gold, 10) for ranking, gold in own]),
        )
    return Figures(
        set_name=questions.name,
        method=method,
        questions=len(cases),
        left_out=len(questions.cases) - len(cases),
        recall={k: mean([recall_at(ranking, gold, k) for _, ranking, gold in judged]) for k in DEPTHS},
        all_gold_at_10=mean([all_gold_at(ranking, gold, 10) for _, ranking, gold in judged]),
        hit_at_3=mean([hit_at(ranking, gold, 3) for _, ranking, gold in judged]),
        mrr_at_10=mean([reciprocal_rank_at(ranking, gold, 10) for _, ranking, gold in judged]),
        ndcg_at_10=mean([ndcg_at(ranking, gold, 10) for _, ranking, gold in judged]),
        ms_per_query=mean(times),
        ms_median=median(times),
        searches_per_question=mean([float(rows[case.id]["searches"]) for case in cases]),
        types=types,
    )
