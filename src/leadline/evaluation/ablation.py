"""What each part of the search earns: the whole, then the whole without one part at a time.

Parts are read off the options: each recall path, each switch that is on, each layer of deep search. So a new one
is measured without a word here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from leadline.errors import UsageError
from leadline.evaluation.bootstrap import Interval, interval
from leadline.evaluation.experiment import EvalOptions, question_sets, rank_all
from leadline.evaluation.figures import Figures, figures
from leadline.evaluation.indexing import indexed
from leadline.evaluation.judging import Judge
from leadline.evaluation.methods import METHODS, Method
from leadline.evaluation.metrics import mean, recall_at
from leadline.evaluation.report import table
from leadline.evaluation.setup import OnProgress, Setup, unwatched
from leadline.retrieval.hybrid import RetrievalOptions

WHOLE = "everything"
DEPTH = 5


@dataclass(frozen=True, slots=True)
class Ablated:
    """One variation: its figures by set, and how recall@5 differs from everything's, over all sets."""

    variation: str
    sets: Mapping[str, Figures]
    difference: Interval


def variations(setup: Setup, method: str) -> dict[str, Setup]:
    """What is measured, by name: first everything that is configured, then with one change each."""
    changed = {WHOLE: setup}
    for name, options in _searches(setup.retrieval, dense=setup.embedder is not None).items():
        changed[name] = replace(setup, retrieval=options)
    if setup.reranker is not None:
        changed["without reranker"] = replace(setup, reranker=None)
    if method == "deep":
        for layer in sorted(setup.ask.layers - {"verify"}):
            ask = replace(setup.ask, layers=setup.ask.layers - {layer})
            changed[f"without layer {layer}"] = replace(setup, ask=ask)
    return changed


def _searches(options: RetrievalOptions, *, dense: bool) -> dict[str, RetrievalOptions]:
    found: dict[str, RetrievalOptions] = {}
    for path in sorted(options.paths):
        # Without an embedder there is no dense path to take away.
        if (path != "dense" or dense) and len(options.paths) > 1:
            found[f"without {path}"] = replace(options, paths=options.paths - {path})
    for one in fields(options):
        if getattr(options, one.name) is True:
            switched_off: dict[str, bool] = {one.name: False}
            found[f"without {one.name}"] = replace(options, **switched_off)
    found["fusion by rank"] = replace(options, fusion="rrf")
    return found


async def ablate(
    folders: Sequence[Path],
    method: str,
    options: EvalOptions,
    setup: Setup,
    progress: OnProgress = unwatched,
) -> list[Ablated]:
    """Measure every variation of `linked` or `deep` on every set."""
    if method not in ("linked", "deep"):
        raise UsageError(f"`{method}` has no parts to leave out. Ablate `linked` or `deep`.")
    ways = {name: _way(method, changed) for name, changed in variations(setup, method).items()}
    measured: dict[str, dict[str, Figures]] = {name: {} for name in ways}
    recalls: dict[str, list[list[float]]] = {name: [] for name in ways}
    for questions in question_sets(folders, options):
        judge = Judge.of(questions)
        collection = await indexed(questions, setup, fresh=options.fresh, progress=progress)
        for name, (way, changed) in ways.items():
            label = f"{method} {name}"
            rows = await rank_all(questions, label, way, collection, options, changed, progress)
            measured[name][questions.name] = figures(questions, name, rows, judge)
            places = [judge.places(case, rows[case.id]) for case in questions.supported]
            recalls[name].append([recall_at(each, DEPTH) for each in places])
    return [Ablated(name, measured[name], _difference(recalls[name], recalls[WHOLE])) for name in ways]


def _way(method: str, changed: Setup) -> tuple[Method, Setup]:
    if method == "linked" and changed.reranker is not None:
        return METHODS["reranked"], changed
    return METHODS[method], changed


def _difference(mine: Sequence[Sequence[float]], whole: Sequence[Sequence[float]]) -> Interval:
    return interval(
        [
            [100 * (one - other) for one, other in zip(ours, theirs, strict=True)]
            for ours, theirs in zip(mine, whole, strict=True)
        ]
    )


def ablation_table(found: Sequence[Ablated]) -> str:
    """The table as Markdown: recall@5 of each set, means, and the difference with its 95% interval."""
    sets = list(found[0].sets)
    head = ["variation", *sets, "R@5", "all@10", "MRR@10", "R@5 to everything", "ms"]
    return "\n".join(table([_row(one) for one in found], head)) + "\n"


def _row(one: Ablated) -> list[str]:
    by_set = list(one.sets.values())
    means = [
        [each.recall[DEPTH] for each in by_set],
        [each.all_gold_at_10 for each in by_set],
        [each.mrr_at_10 for each in by_set],
    ]
    apart = one.difference
    return [
        one.variation,
        *(f"{100 * each.recall[DEPTH]:.1f}" for each in by_set),
        *(f"{100 * mean(column):.1f}" for column in means),
        "" if one.variation == WHOLE else f"{apart.mean:+.1f} ({apart.low:+.1f} to {apart.high:+.1f})",
        f"{mean([each.ms_per_query for each in by_set]):.0f}",
    ]
