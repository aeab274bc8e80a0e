"""Figures as Markdown for people and as JSON lines for programs."""

import json
import os
import platform
from collections.abc import Sequence

import leadline
from leadline.evaluation.figures import Figures
from leadline.evaluation.fingerprint import code_of
from leadline.evaluation.methods import METHODS
from leadline.evaluation.metrics import mean

HEAD = (
    "set",
    "method",
    "questions",
    "R@2",
    "R@5",
    "R@10",
    "all@10",
    "hit@3",
    "MRR@10",
    "nDCG@10",
    "ms",
    "searches",
)

WORDS = frozenset(
    {"set", "method", "type", "variation", "choice", "figure", "agent", "verdict", "most is lost in"}
)


def json_line(figures: Figures) -> str:
    """One line for one set and method; metrics are fractions."""
    fields: dict[str, object] = {
        "set": figures.set_name,
        "method": figures.method,
        "questions": figures.questions,
        **{f"recall@{k}": round(value, 4) for k, value in figures.recall.items()},
        "all_gold@10": round(figures.all_gold_at_10, 4),
        "hit@3": round(figures.hit_at_3, 4),
        "mrr@10": round(figures.mrr_at_10, 4),
        "ndcg@10": round(figures.ndcg_at_10, 4),
        "ms_per_query": round(figures.ms_per_query, 2),
        "ms_p50": round(figures.ms_median, 2),
    }
    if figures.method == "deep":
        fields["searches_per_question"] = round(figures.searches_per_question, 2)
    if len(figures.types) > 1:
        fields["types"] = {
            name: {
                "questions": kind.questions,
                "recall@5": round(kind.recall_at_5, 4),
                "all_gold@10": round(kind.all_gold_at_10, 4),
            }
            for name, kind in figures.types.items()
        }
    return json.dumps(fields, ensure_ascii=False)


def markdown(measured: Sequence[Figures], settings: Sequence[tuple[str, str]] = ()) -> str:
    """A report: the table, means by method over several sets, recall by question type, what it ran with.

    `settings` are further (name, value) lines on what it ran with.
    """
    parts = ["# Retrieval", "", *table([_row(one) for one in measured], HEAD), ""]
    if len({one.set_name for one in measured}) > 1:
        parts += ["## Mean over the sets", "", *table(_means(measured), HEAD[1:2] + HEAD[3:]), ""]
    if by_type := _types(measured):
        parts += [
            "## By type of question",
            "",
            *table(by_type, ("set", "type", "questions", "method", "R@5", "all@10")),
        ]
        parts += [""]
    parts += [
        "Metrics are in per cent; `ms` is the mean time of a question, one at a time, the first not counted.",
        "",
        *(f"- {name}: {value}" for name, value in (*settings, *machine())),
    ]
    if left_out := {one.set_name: one.left_out for one in measured if one.left_out}:
        names = ", ".join(f"{name} {count}" for name, count in left_out.items())
        parts.append(f"- questions left out, as they name no supporting passage: {names}")
    return "\n".join(parts) + "\n"


def _row(one: Figures) -> list[str]:
    return [one.set_name, one.method, str(one.questions), *cells(values(one))]


def values(one: Figures) -> list[float]:
    """The figures of a row, in the order of `HEAD`, shares in per cent."""
    shares = [*one.recall.values(), one.all_gold_at_10, one.hit_at_3, one.mrr_at_10, one.ndcg_at_10]
    return [*(100 * share for share in shares), one.ms_per_query, one.searches_per_question]


def cells(numbers: Sequence[float]) -> list[str]:
    """Numbers as a table shows them."""
    return [f"{number:.1f}" for number in numbers]


def _means(measured: Sequence[Figures]) -> list[list[str]]:
    rows: list[list[str]] = []
    for method in dict.fromkeys(one.method for one in measured):
        columns = zip(*(values(one) for one in measured if one.method == method), strict=True)
        rows.append([method, *cells([mean(column) for column in columns])])
    return rows


def _types(measured: Sequence[Figures]) -> list[list[str]]:
    return [
        [
            one.set_name,
            name,
            str(kind.questions),
            one.method,
            *cells([100 * kind.recall_at_5, 100 * kind.all_gold_at_10]),
        ]
        for one in sorted(measured, key=lambda one: one.set_name)
        if len(one.types) > 1
        for name, kind in one.types.items()
    ]


def machine() -> list[tuple[str, str]]:
    """What measured: version, code and machine, as (name, value)."""
    rooms = METHODS["deep"].rooms
    return [
        ("Leadline", f"{leadline.__version__}, code {code_of(rooms)[:12]}"),
        (
            "machine",
            f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        ),
    ]


def table(rows: Sequence[Sequence[str]], head: Sequence[str]) -> list[str]:
    """A Markdown table; words stand left and numbers right."""
    rule = ["---" if name in WORDS else "---:" for name in head]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]
